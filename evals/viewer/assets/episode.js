"use strict";
// The page of an episode: where we are in it, and everything that follows from that.
(() => {
  const { h, fill, keys, value, plural, count, spaced, remembered } = plumbline;
  const episode = value("episode");
  const run = value("run");
  const at = (id) => document.getElementById(id);
  const steps = episode.steps;
  const { moments, spells, fatal } = episode.timeline;

  const began = (listed) => new Set(listed.map(([, , first]) => moments[first][0]));
  const diverging = [...began(spells)].sort((a, b) => a - b);
  const costly = began(fatal.map((number) => spells[number]));
  let here = { step: 1, answer: -1 };
  let shown = null;

  const go = (step, answer = -1) => {
    const wanted = answer >= 0 ? stepOf(answer) || step : step;
    const next = Math.min(Math.max(1, wanted || 1), Math.max(1, steps.length));
    here = { step: next, answer };
    history.replaceState(null, "", `#step=${next}${answer >= 0 ? `&answer=${answer}` : ""}`);
    show();
  };

  // --- why it ended
  const link = (step, text, answer = -1) => h("a", { href: `#step=${step}${answer >= 0 ? `&answer=${answer}` : ""}` }, text);
  const stepOf = (number) => steps.findIndex((step) => step.items.some(([kind, , first, many]) =>
    kind === "asked" && number >= first && number < first + many)) + 1;
  const facts = (listed, said) => (listed.length ? [`${said} `, listed.flatMap((atom, place) =>
    [place ? " · " : null, h("span", { class: "bad atom" }, atom)])] : null);
  const part = (told) => {
    if (typeof told === "string") return told;
    if ("answer" in told) return link(stepOf(told.answer), told.text, told.answer);
    if ("step" in told) return link(told.step, told.text);
    if ("items" in told) return h("ul", {}, told.items.map(sentence));
    if ("reply" in told) return plumbline.replyOf(episode, told.reply);
    if ("false" in told) {
      if (!told.false.length && !told.missed.length) return "the belief was the truth.";
      return [facts(told.false, "believed but false:"), told.false.length && told.missed.length ? "; " : null, facts(told.missed, "true but not believed:"), "."];
    }
    return h("span", { class: "bad atom" }, told.text);
  };
  const sentence = (parts) => h("li", {}, parts.map(part));
  const saved = () => {
    if (!run.saved) return null;
    return h("li", {}, "Played again with something put right: ", run.saved.length
      ? [run.saved.flatMap((one, place) => [place ? ", or " : null, h("b", {}, one)]), " would have saved it."] : "nothing tried would have saved it.");
  };
  const verdict = () => {
    const { reason, detail, failure, meaning, evidence, divergence } = episode.verdict;
    fill(at("verdict"), h("h2", {}, failure ? spaced(failure) : "success"), h("p", {}, meaning),
      h("ul", {}, h("li", {}, "Ended because: ", h("b", {}, reason), detail ? ` (${detail})` : "", "."),
        evidence.map(sentence), divergence.map(sentence), saved()),
      run.again ? h("details", {}, h("summary", {}, "Play it again with true answers"), h("pre", {}, run.again)) : null);
  };

  // --- where we are
  const bar = () => {
    const step = steps[here.step - 1];
    const place = diverging.indexOf(here.step);
    const button = (text, title, run, off) => h("button", { type: "button", title, disabled: off, click: run }, text);
    const parting = diverging.length ? h("span", { class: "partings" },
      button("‹", "previous divergence (p)", () => diverge(-1), !diverging.some((one) => one < here.step)),
      place >= 0 ? `divergence ${place + 1} of ${diverging.length}` : plural(diverging.length, "divergence"),
      button("›", "next divergence (n)", () => diverge(1), !diverging.some((one) => one > here.step))) : null;
    fill(at("bar"), button("‹", "previous step (k)", () => go(here.step - 1), here.step <= 1),
      h("b", {}, steps.length ? `step ${count(here.step)} of ${count(steps.length)}` : "no steps"),
      button("›", "next step (j)", () => go(here.step + 1), here.step >= steps.length),
      step ? [h("span", { class: "atom" }, step.action), h("span", { class: step.tone }, step.mark)] : null,
      h("span", { class: "grow" }), parting, plumbline.sceneDrawer(() => { strip.again(); show(true); }));
  };
  const diverge = (by) => {
    const next = by > 0 ? diverging.find((one) => one > here.step) : diverging.findLast((one) => one < here.step);
    if (next) go(next);
  };

  // --- the step itself
  const scenes = (step) => {
    const frames = [step.before, step.after].filter((number, place) => number >= 0 && (place === 0 || number !== step.before));
    const visible = step.before >= 0 ? episode.scenes[step.before][1] : null;
    fill(at("scenes"), h("div", { class: "pair" }, frames.map((number, place) =>
      h("figure", {}, plumbline.scene(number, { linked: true }), h("figcaption", {}, place ? "after" : "before")))),
    frames.length ? h("p", { class: "quiet" }, plumbline.sceneNote(frames[0])) : null,
    visible ? h("p", { class: "quiet" }, `in view: ${visible.join(", ") || "nothing"}`) : null);
  };
  const lastNode = (number) => {
    for (let step = number - 1; step >= 1; step -= 1) {
      const entered = steps[step - 1].items.filter(([kind]) => kind === "entered");
      if (entered.length) return entered.at(-1)[1];
    }
    return null;
  };
  const show = (again = false) => {
    bar();
    const step = steps[here.step - 1];
    if (!step) return;
    if (!shown || shown.number !== here.step || again) {
      const made = plumbline.step(episode, here.step, timeline.cells, { chosen: (number) => go(here.step, number) });
      shown = { ...made, number: here.step };
      fill(at("flow"), made.node);
      scenes(step);
      graph.light(made.path, lastNode(here.step), episode.finished && here.step === steps.length);
      strip.go(here.step);
      timeline.go(here.step);
    }
    shown.mark(here.answer);
    plumbline.answerPanel(at("answer"), episode, here.answer, { close: () => go(here.step) });
    document.querySelector(".step").classList.toggle("asking", here.answer >= 0);
  };

  // --- the other episodes, in the order in which the table last showed them
  const neighbour = (by) => {
    let order = null;
    try { order = JSON.parse(remembered(`order:${location.pathname.replace(/episodes\/[^/]*$/, "")}`)); } catch { /* then by name */ }
    const place = order?.indexOf(episode.id) ?? -1;
    const next = place >= 0 ? order[place + by] : null;
    return next ? `${encodeURIComponent(next)}.html` : place >= 0 ? null : at(by > 0 ? "next" : "previous")?.getAttribute("href");
  };
  const leave = (by) => { const next = neighbour(by); if (next) location.href = next; };

  if (episode.damaged || episode.gone) {
    const lines = `${plural(episode.damaged, "line")} of the trace cannot be read and ${episode.damaged === 1 ? "is" : "are"} left out. `;
    fill(at("damage"), h("div", { class: "banner" }, h("b", {}, episode.gone ? `${episode.gone} ` : "", episode.damaged ? lines : ""),
      episode.damage.join("; "), episode.damaged > episode.damage.length ? "; …" : episode.damaged ? "." : "",
      steps.length ? " Below is what is left of it; belief and truth may seem to part where they did not, or not where they did." : ""));
  }
  verdict();
  const labels = plumbline.labels(at("labels"), episode, { step: () => here.step });
  const strip = steps.length
    ? plumbline.strip(at("strip"), steps, { wrong: new Set(diverging), fatal: costly, chosen: (step) => go(step) })
    : { go: () => {}, again: () => {} };
  const timeline = plumbline.timeline(at("timeline"), episode, { go });
  const graph = plumbline.graph(at("graph"), run.graph);
  if (!steps.length) fill(at("flow"), h("p", { class: "card" }, episode.gone || episode.damaged ? "Nothing is left of what happened." : "Nothing happened in this episode."));

  keys(
    { keys: ["j", "ArrowRight"], does: "next step", run: () => go(here.step + 1) },
    { keys: ["k", "ArrowLeft"], does: "previous step", run: () => go(here.step - 1) },
    { keys: ["n"], does: "next divergence of belief and truth", run: () => diverge(1) },
    { keys: ["p"], does: "previous divergence", run: () => diverge(-1) },
    { keys: ["Home"], does: "first step", run: () => go(1) },
    { keys: ["End"], does: "last step", run: () => go(steps.length) },
    { keys: ["]"], does: "next episode, as the table listed them", run: () => leave(1) },
    { keys: ["["], does: "previous episode", run: () => leave(-1) },
    { keys: ["l"], does: "give a label", run: () => labels.focus() },
    { keys: ["u"], does: "up to the run", run: () => { location.href = "../index.html"; } },
    { keys: ["Escape"], does: "close the answer", run: () => (here.answer >= 0 ? go(here.step) : false) },
  );
  const follow = () => {
    const wanted = new URLSearchParams(location.hash.slice(1));
    const answer = wanted.has("answer") ? Number(wanted.get("answer")) : -1;
    go(Number(wanted.get("step")) || 1, Number.isInteger(answer) ? answer : -1);
  };
  window.addEventListener("hashchange", () => {
    follow();
    (here.answer >= 0 ? document.querySelector(".step") : at("strip")).scrollIntoView();
  });
  follow();
})();
