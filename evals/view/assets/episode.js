"use strict";
// The page of an episode: where we are in it, and everything that follows from that.
(() => {
  const { h, fill, keys, value, plural, count, remembered, server } = plumbline;
  const at = (id) => document.getElementById(id);
  const name = value("episode").id;
  plumbline.dataFolder = `../data/${encodeURIComponent(name)}`;
  let version = "";
  plumbline.dataFile = (file) => `${plumbline.dataFolder}/${file}${version}`;

  let [episode, run, steps, scenes] = [null, null, [], null];
  let [diverging, costly] = [[], new Set()];
  let here = { step: 1, answer: -1 };
  let shown = null;
  let playing = document.querySelector("meta[name=plumbline-live]")?.dataset.running === "yes";
  let following = playing && !location.hash;

  const go = (step, answer = -1) => {
    const wanted = answer >= 0 ? plumbline.stepOf(episode, answer) || step : step;
    const next = Math.min(Math.max(1, wanted || 1), Math.max(1, steps.length));
    here = { step: next, answer };
    const place = `#step=${next}${answer >= 0 ? `&answer=${answer}` : ""}`;
    history.replaceState(null, "", following ? location.pathname : place);
    show();
  };
  // Where the reader goes, the page stays, whatever else happens: it follows only who is at the end.
  const walk = (step, answer = -1) => { following = false; go(step, answer); };

  // --- where we are
  const bar = () => {
    const step = steps[here.step - 1];
    const place = diverging.indexOf(here.step);
    const button = (text, title, run, off) => h("button", { type: "button", title, "aria-label": title, disabled: off, click: run }, text);
    const parting = diverging.length ? h("span", { class: "partings" },
      button("‹", "previous divergence (p)", () => diverge(-1), !diverging.some((one) => one < here.step)),
      place >= 0 ? `divergence ${place + 1} of ${diverging.length}` : plural(diverging.length, "divergence"),
      button("›", "next divergence (n)", () => diverge(1), !diverging.some((one) => one > here.step))) : null;
    fill(at("bar"), button("‹", "previous step (k)", () => walk(here.step - 1), here.step <= 1),
      h("b", {}, steps.length ? `step ${count(here.step)} of ${count(steps.length)}` : "no steps"),
      button("›", "next step (j)", () => walk(here.step + 1), here.step >= steps.length), follower(),
      step ? [h("span", { class: "atom action" }, step.action), h("span", { class: step.tone }, step.mark)] : null,
      h("span", { class: "grow" }), parting, scenes.drawer(() => { draw(); show(true); }));
  };
  const follower = () => {
    if (!playing) return null;
    const box = h("input", { type: "checkbox", change: () => { following = box.checked; if (following) go(steps.length); } });
    box.checked = following;
    return h("label", { class: "choice", title: "go to each new step as it comes" }, box, " follow");
  };
  const diverge = (by) => {
    const next = by > 0 ? diverging.find((one) => one > here.step) : diverging.findLast((one) => one < here.step);
    if (next) walk(next);
  };

  // --- the step itself
  const picture = (step) => {
    const frames = [step.before, step.after].filter((number, place) => number >= 0 && (place === 0 || number !== step.before));
    const visible = step.before >= 0 ? episode.scenes[step.before][1] : null;
    fill(at("scenes"), h("div", { class: "pair" }, frames.map((number, place) =>
      h("figure", {}, scenes.scene(number, { linked: true }), h("figcaption", {}, place ? "after" : "before")))),
    frames.length ? h("p", { class: "quiet" }, scenes.note(frames[0])) : null,
    visible ? h("p", { class: "quiet" }, `in view: ${visible.join(", ") || "nothing"}`) : null);
  };
  const enlarge = () => at("scenes").querySelector(".opens")?.click();
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
      const kept = shown?.number === here.step ? shown.state() : null;
      const made = plumbline.step(episode, here.step, timeline.cells, { chosen: (number) => walk(here.step, number), kept });
      shown = { ...made, number: here.step, told: JSON.stringify(step) };
      fill(at("flow"), made.node);
      made.restore();
      picture(step);
      graph.light(made.path, lastNode(here.step), episode.finished && here.step === steps.length);
      strip.go(here.step);
      timeline.go(here.step);
    }
    shown.mark(here.answer);
    plumbline.answerPanel(at("answer"), episode, here.answer, { close: () => go(here.step) });
    document.querySelector(".step").classList.toggle("asking", here.answer >= 0);
  };

  // --- what is shown of all of it
  const take = (told, of) => {
    [episode, run] = [told, of];
    ({ steps } = episode);
    const last = steps.at(-1);
    if (playing && last && !last.action) last.mark = "under way";
    const { moments, spells, fatal } = episode.timeline;
    const began = (listed) => new Set(listed.map(([, , first]) => moments[first][0]));
    diverging = [...began(spells)].sort((a, b) => a - b);
    costly = began(fatal.map((number) => spells[number]));
    scenes = plumbline.scenesOf(episode, run, "..", plumbline.dataFile);
  };
  const draw = () => strip.show(episode, scenes, { wrong: new Set(diverging), fatal: costly });
  const damage = () => {
    const lines = `${plural(episode.damaged, "line")} of the trace cannot be read and ${episode.damaged === 1 ? "is" : "are"} left out. `;
    fill(at("damage"), !episode.damaged && !episode.gone ? null : h("div", { class: "banner" },
      h("b", {}, episode.gone ? `${episode.gone} ` : "", episode.damaged ? lines : ""),
      episode.damage.join("; "), episode.damaged > episode.damage.length ? "; …" : episode.damaged ? "." : "",
      steps.length ? " The readable rest is shown below; divergences of belief and truth may be missing or wrong." : ""));
  };
  const empty = () => fill(at("flow"), h("p", { class: "card" }, episode.gone || episode.damaged ? "No readable events are left."
    : playing ? "Nothing has happened yet." : "Nothing happened in this episode."));
  const beside = () => {
    const others = run.others ?? [];
    if (!others.length) { fill(at("beside")); return; }
    const select = h("select", { "aria-label": "Side by side with the same episode of another run", change: () => {
      const sides = new URLSearchParams({ left: `${run.run}/${episode.id}`, right: `${select.value}/${episode.id}` });
      location.href = `../../beside.html?${sides}#step=${here.step}`;
    } }, h("option", { value: "" }, "side by side with…"),
    others.map(([key, said, outcome]) => h("option", { value: key }, `${said} (${key}): ${outcome}`)));
    fill(at("beside"), select);
  };

  take(value("episode"), value("run"));
  const strip = plumbline.strip(at("strip"), { chosen: (step) => walk(step) });
  let timeline = plumbline.timeline(at("timeline"), episode, { go: walk });
  const graph = plumbline.graph(at("graph"), run.graph);
  const labels = plumbline.labels(at("labels"), episode, { step: () => here.step });
  damage();
  beside();
  plumbline.verdict(at("verdict"), episode, run, { playing });
  draw();
  if (!steps.length) empty();

  // --- the other episodes, in the order in which the table last showed them
  const neighbour = (by) => {
    let order = null;
    try { order = JSON.parse(remembered(`order:${location.pathname.replace(/episodes\/[^/]*$/, "")}`)); } catch { /* then by name */ }
    const place = order?.indexOf(episode.id) ?? -1;
    const next = place >= 0 ? order[place + by] : null;
    return next ? `${encodeURIComponent(next)}.html` : place >= 0 ? null : at(by > 0 ? "next" : "previous")?.getAttribute("href");
  };
  const leave = (by) => { const next = neighbour(by); if (next) location.href = next; };

  keys(
    { keys: ["j", "ArrowRight"], does: "next step", run: () => walk(here.step + 1) },
    { keys: ["k", "ArrowLeft"], does: "previous step", run: () => walk(here.step - 1) },
    { keys: ["n"], does: "next divergence of belief and truth", run: () => diverge(1) },
    { keys: ["p"], does: "previous divergence", run: () => diverge(-1) },
    { keys: ["Home"], does: "first step", run: () => walk(1) },
    { keys: ["End"], does: "last step", run: () => { following = playing; go(steps.length); } },
    { keys: ["o"], does: "open the picture", run: enlarge },
    { keys: ["]"], does: "next episode, as the table listed them", run: () => leave(1) },
    { keys: ["["], does: "previous episode", run: () => leave(-1) },
    { keys: ["l"], does: "give a label", run: () => labels.focus() },
    { keys: ["u"], does: "up to the run", run: () => { location.href = "../index.html"; } },
    { keys: ["Escape"], does: "close the answer", run: () => (here.answer >= 0 ? go(here.step) : false) },
  );
  const read = () => {
    const wanted = new URLSearchParams(location.hash.slice(1));
    const answer = wanted.has("answer") ? Number(wanted.get("answer")) : -1;
    const step = Number(wanted.get("step")) || (following ? steps.length : 1);
    go(step, Number.isInteger(answer) ? answer : -1);
  };
  const reveal = () => {
    const row = here.answer >= 0 ? document.querySelector(".step .answer-row[aria-pressed=true]") : null;
    // In the upper half: the whole answer covers the lower one.
    if (row) window.scrollBy({ top: row.getBoundingClientRect().top - innerHeight / 4, behavior: "instant" });
    else at("strip").scrollIntoView();
  };
  window.addEventListener("hashchange", () => {
    following = false;
    read();
    reveal();
  });
  read();
  // A link to an answer shows it at once, and again when pictures above have got their sizes. Who comes back or reloads
  // stays where they were: the browser sees to that.
  if (here.answer >= 0 && performance.getEntriesByType("navigation")[0]?.type === "navigate") {
    reveal();
    const { scrollY } = window;
    window.addEventListener("load", () => { if (window.scrollY === scrollY) reveal(); }, { once: true });
  }

  // --- a live episode grows
  const grow = async (state) => {
    // One after the other: the server reads a trace once for all three, but only if they do not come at the same time.
    const told = await plumbline.load(`${plumbline.dataFolder}/episode.js?${state.stamp}`);
    const [of, fresh] = await Promise.all([plumbline.load(`${plumbline.dataFolder}/run.js?${state.stamp}`), plumbline.freshPage()]);
    if (!told || !of || !fresh) return false;
    version = `?${state.stamp}`;
    playing = state.running;
    plumbline.swap(fresh);
    plumbline.keepPlace(() => {
      take(told, of);
      timeline.close();
      timeline = plumbline.timeline(at("timeline"), episode, { go: walk, kept: timeline.state() });
      damage();
      beside();
      plumbline.verdict(at("verdict"), episode, run, { playing });
      labels.show(episode, run);
      draw();
      if (following && steps.length) here = { step: steps.length, answer: -1 };
      const step = steps[here.step - 1];
      if (!step) empty();
      show(!shown || shown.number !== here.step || shown.told !== JSON.stringify(step));
      strip.go(here.step);
      timeline.go(here.step);
    });
    return true;
  };
  if (server) plumbline.follow(grow);
})();
