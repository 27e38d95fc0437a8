"use strict";
// Two episodes side by side, step by step. The address says which: ?left=<run>/<episode>&right=<run>/<episode>.
(async () => {
  const { h, fill, keys, load, count, plural, yes, spaced, BITS } = plumbline;
  const place = (id) => document.getElementById(id);
  const FACTS = 6;

  // Only what can be the name of a run and of an episode of it is looked for.
  const named = (side) => {
    const [run, ...rest] = (new URLSearchParams(location.search).get(side) ?? "").split("/");
    const id = rest.join("/");
    return /^[\w-][\w.-]*$/.test(run) && id && !/^\.|[/\\\u0000-\u001f]/.test(id) ? { run, id } : null;
  };
  const opened = async (side) => {
    const found = named(side);
    if (!found) return null;
    const folder = `${encodeURIComponent(found.run)}/data/${encodeURIComponent(found.id)}`;
    const [episode, run] = await Promise.all([load(`${folder}/episode.js`), load(`${folder}/run.js`)]);
    if (!episode || !run) return null;
    const scenes = plumbline.scenesOf(episode, run, encodeURIComponent(found.run), (file) => `${folder}/${file}`);
    const believing = episode.timeline.moments.length && (episode.timeline.believing || episode.asked.count);
    return { ...found, side, episode, about: run, scenes, cells: believing ? plumbline.cells(episode) : null };
  };
  const sides = await Promise.all(["left", "right"].map(opened));
  if (!sides.every(Boolean)) {
    fill(place("parting"), h("p", { class: "notice" }, "There is nothing to show side by side: open an episode, and choose another run there."));
    return;
  }
  const [left, right] = sides;
  const steps = Math.max(left.episode.steps.length, right.episode.steps.length);
  const parting = plumbline.parting(left.episode, right.episode);
  document.title = `${left.id} · side by side`;
  document.querySelector("h1").textContent = left.id === right.id ? left.id : `${left.id} and ${right.id}`;
  const page = ({ run, id }, step) => `${encodeURIComponent(run)}/episodes/${encodeURIComponent(id)}.html${step ? `#step=${step}` : ""}`;

  // --- which two
  const head = (one) => {
    const { episode, about } = one;
    const failure = episode.verdict.failure;
    const others = [[one.run, about.name, ""], ...about.others];
    const select = h("select", { "aria-label": `Run on the ${one.side}`, change: () => {
      const wanted = new URLSearchParams(location.search);
      wanted.set(one.side, `${select.value}/${one.id}`);
      location.search = wanted;
    } }, others.map(([key, name]) => h("option", { value: key }, `${name} (${key})`)));
    select.value = one.run;
    return h("div", { class: "card" }, others.length > 1 ? select : h("b", {}, about.name), " ",
      h("span", { class: `badge ${!episode.finished ? "" : failure ? "failure" : "success"}` }, !episode.finished ? "unfinished" : failure ? spaced(failure) : "success"),
      h("p", {}, `${plural(episode.steps.filter((step) => step.action).length, "step")}, ${plural(episode.asked.count, "question")}; ended because: ${episode.verdict.reason}. `,
        h("a", { href: page(one) }, "open it")));
  };
  fill(place("sides"), sides.map(head));

  // --- where they part
  const IN = { answers: "in the answers", questions: "in what is asked", plan: "in the plan", action: "in the action",
    outcome: "in what came of the action", end: "in that one ends" };
  const few = (listed) => `${listed.slice(0, FACTS).join("; ") || "–"}${listed.length > FACTS ? `; and ${listed.length - FACTS} more` : ""}`;
  fill(place("parting"), h("div", { class: "card first" }, parting
    ? [h("p", {}, "They first differ in ", h("a", { href: `#step=${parting.step}` }, `step ${parting.step}`), `, ${IN[parting.kind]}.`),
      h("dl", { class: "pairs" }, h("dt", {}, "left"), h("dd", {}, few(parting.left)), h("dt", {}, "right"), h("dd", {}, few(parting.right)),
        parting.truth.length ? [h("dt", {}, "truth"), h("dd", {}, few(parting.truth))] : null)]
    : h("p", {}, "They do not differ in anything that was answered, planned or done.")));

  // --- step by step
  const asked = ({ episode }, items) => episode.phases.map((name, phase) => {
    const numbers = items.filter(([kind, of]) => kind === "asked" && of === phase)
      .flatMap(([, , first, many]) => Array.from({ length: many }, (_, at) => first + at));
    if (!numbers.length) return null;
    const wrong = numbers.filter((number) => episode.asked.answer[number] !== episode.asked.truth[number]);
    const said = (number) => `${episode.atoms[episode.asked.atom[number]]}: ${episode.asked.answer[number] < 0 ? "unreadable" : yes(episode.asked.answer[number])}`;
    return h("li", {}, `${plural(numbers.length, "question")} (${name}), `, wrong.length
      ? [h("span", { class: "bad" }, `${count(wrong.length)} wrong`), `: ${few(wrong.map(said))}`] : "all right");
  });
  const planned = (items) => items.filter(([kind]) => kind === "planned" || kind === "proposed" || kind === "decided").map(([kind, told]) => {
    const plan = kind === "planned" ? told.plan : told.wanted;
    return h("li", {}, `${kind}: `, plan.length ? few(plan) : h("span", { class: "bad" }, told.fault || spaced(told.status ?? "nothing")));
  });
  const believed = ({ episode, cells }, number) => {
    if (!cells) return null;
    const size = episode.atoms.length;
    const at = episode.timeline.moments.findLastIndex(([turn]) => turn === number);
    const wrong = at < 0 ? [] : episode.atoms.filter((_, atom) => cells[at * size + atom] & BITS.WRONG);
    return wrong.length ? h("li", {}, h("span", { class: "bad" }, `belief wrong on ${plural(wrong.length, "fact")}`), `: ${few(wrong)}`) : null;
  };
  const card = (one, number) => {
    const step = one.episode.steps[number - 1];
    if (!step) return h("div", { class: "half quiet" }, one.episode.finished ? `ended: ${one.episode.verdict.reason}` : "not played");
    return h("div", { class: "half" }, one.scenes.scene(step.before, { linked: true }), h("div", { class: "what" },
      h("p", {}, h("a", { href: page(one, number) }, step.action || "no attempt"), " ", h("span", { class: step.tone }, step.mark)),
      h("ul", {}, asked(one, step.items), planned(step.items), believed(one, number))));
  };
  const rows = Array.from({ length: steps }, (_, at) => h("div", { class: "both", id: `step-${at + 1}`, "data-step": at + 1 },
    h("h2", {}, `step ${at + 1}`, parting?.step === at + 1 ? h("span", { class: "badge warned" }, "first difference") : null)));
  if (parting) rows[parting.step - 1]?.classList.add("parting");
  // Only rows near the window are filled: an episode may have thousands of steps.
  const watcher = new IntersectionObserver((seen) => seen.filter((one) => one.isIntersecting).forEach(({ target }) => {
    watcher.unobserve(target);
    const number = Number(target.dataset.step);
    target.append(card(left, number), card(right, number));
    target.classList.add("filled");
  }), { rootMargin: "600px" });
  fill(place("steps"), rows.length ? rows : h("p", { class: "card" }, "Nothing happened in either."));
  rows.forEach((row) => watcher.observe(row));

  let here = 0;
  const go = (step) => {
    if (!rows.length) return;
    here = Math.min(Math.max(1, step), rows.length);
    rows.forEach((row, at) => row.classList.toggle("current", at + 1 === here));
    rows[here - 1].scrollIntoView({ block: "start" });
    history.replaceState(null, "", `${location.search}#step=${here}`);
  };
  const read = () => { const step = Number(new URLSearchParams(location.hash.slice(1)).get("step")); if (step) go(step); };
  keys(
    { keys: ["j", "ArrowDown"], does: "next step", run: () => go(here + 1) },
    { keys: ["k", "ArrowUp"], does: "previous step", run: () => go(here - 1) },
    { keys: ["d"], does: "the first difference", run: () => { if (parting) go(parting.step); } },
  );
  window.addEventListener("hashchange", read);
  read();
})();
