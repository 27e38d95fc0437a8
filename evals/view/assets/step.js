"use strict";
// One step in full: what the agent went through, node by node, in the order in which it happened.
// What a reader has opened in an earlier version of it is `kept`: a step that is under way only grows at its end.
plumbline.step = (episode, number, cells, { chosen, kept = null }) => {
  const { h, count, plural, spaced, replyOf, BITS } = plumbline;
  const step = episode.steps[number - 1];
  const size = episode.atoms.length;
  const lists = [];
  const FACTS = 24;
  let acted = false;

  const moment = (acting) => episode.timeline.moments.findIndex(([turn, when]) => turn === number && when === (acting ? 1 : 0));
  const cellsAt = (acting) => {
    const at = moment(acting);
    return at < 0 || !cells ? null : cells.subarray(at * size, (at + 1) * size);
  };

  const line = (name, ...what) => h("div", { class: "told" }, h("b", {}, name), " ", what);
  const chain = (names, between = " → ") => names.flatMap((name, at) => [at ? between : null, h("span", { class: "atom" }, name)]);
  const few = (nodes) => {
    if (nodes.length <= FACTS + 6) return nodes;
    const rest = h("details", { class: "more" }, h("summary", {}, `${count(nodes.length - FACTS)} more`), nodes.slice(FACTS));
    return [nodes.slice(0, FACTS), rest];
  };

  const believed = (changes) => {
    const now = cellsAt(!acted);
    const shown = changes.map((change) => {
      const atom = Math.abs(change) - 1;
      const bad = now ? Boolean(now[atom] & BITS.TRUE) !== change > 0 : false;
      return { bad, node: h("span", { class: `fact ${bad ? "bad" : ""}`, title: bad ? "this is not so" : "this is so" },
        change > 0 ? "+ " : "− ", episode.atoms[atom]) };
    }).sort((a, b) => b.bad - a.bad);
    const bad = shown.filter((one) => one.bad).length;
    const words = [`${plural(changes.length, "fact")} changed`, bad ? h("span", { class: "bad" }, `, ${count(bad)} wrongly`) : null];
    return h("div", { class: "told" }, h("b", {}, "Believed"), " ", words, h("div", { class: "facts" }, few(shown.map((one) => one.node))));
  };

  const planned = (told) => {
    const plan = told.plan.length ? chain(told.plan)
      : told.status === "solved" ? "nothing to do: the goal is believed to hold"
        : h("span", { class: "bad" }, spaced(told.status), told.message ? ` (${told.message.slice(0, 2000)})` : "");
    const how = `${told.engine}${told.cached ? ", from the cache" : `, ${told.seconds.toFixed(2)} s`}`;
    const wrong = told.wrong.map(([atom, held]) => h("span", { class: "fact bad" },
      held ? "believed but false: " : "true but not believed: ", episode.atoms[atom]));
    const errors = wrong.length
      ? h("div", {}, `from a belief that is wrong on ${plural(wrong.length, "fact")}: `, h("div", { class: "facts" }, few(wrong)))
      : h("div", { class: "quiet" }, "from a belief that is the truth");
    return h("div", { class: "told" }, h("b", {}, "Planned"), " ", plan, " ", h("small", {}, how), errors);
  };

  const spent = (told) => h("small", {}, ` ${told.seconds.toFixed(2)} s${told.cached ? ", from the cache" : ""}`,
    told.prompt_tokens ? `, ${count(told.prompt_tokens)} + ${count(told.completion_tokens)} tokens` : "",
    told.cost ? `, US$ ${told.cost.toFixed(5)}` : "", told.truncated ? ", cut off by the token limit" : "");
  const words = (told) => [plumbline.promptOf(told.prompt),
    h("details", { open: Boolean(told.fault) }, h("summary", {}, "reply"), replyOf(episode, told.reply))];
  const plainly = (value) => (value === null || value === undefined ? "nothing" : value === true ? "yes" : value === false ? "no" : String(value));
  const judged = (told) => (told.right === null || told.right === undefined ? null
    : [" ", h("b", { class: told.right ? "good" : "bad" }, told.right ? "right" : "wrong"), told.right ? null : `, the answer is ${plainly(told.truth)}`]);

  const TELL = {
    believed,
    planned,
    proposed: (told) => h("div", { class: "told" }, h("b", {}, "Proposed"), " ",
      told.fault ? h("span", { class: "bad" }, `nothing that can be read: ${told.fault.slice(0, 2000)}`) : chain(told.wanted), spent(told), words(told)),
    decided: (told) => h("div", { class: "told" }, h("b", {}, "Decided"), " ",
      told.wanted.length ? chain(told.wanted, " · ") : "to call nothing more", spent(told), words(told)),
    said: (told) => h("div", { class: "told" }, h("b", {}, told.attempt ? "Asked again" : "Asked"), " ", h("pre", { class: "reply" }, told.question),
      h("div", {}, "read as ", told.fault ? h("span", { class: "bad" }, `nothing: ${told.fault.slice(0, 2000)}`) : h("b", {}, plainly(told.value).slice(0, 2000)), judged(told)),
      spent(told), words(told)),
    answered: (told) => line("Answered", h("b", {}, plainly(told.value)), judged(told)),
    called: (told) => h("div", { class: "told" }, h("b", {}, "Called"), ` ${told.name} ${told.arguments.slice(0, 2000)}`,
      h("div", { class: told.fault ? "bad" : "quiet" }, replyOf(episode, told.result))),
    called_off: (told) => line("Called off", `${told.action}, because this seems not to hold: `, chain(told.unmet, " · "), ". ",
      told.legal ? h("span", { class: "bad" }, "Wrongly: it would have been legal.") : "Rightly: it was not legal."),
    acted: (told) => line("Attempted", h("span", { class: "atom" }, told.action), ": ",
      h("span", { class: told.legal ? null : "bad" }, told.outcome),
      told.legal && told.happened && told.happened !== "success" ? [", in truth ", h("span", { class: "warn" }, told.happened)] : null, ". ",
      told.legal === false && told.outcome !== "not legal" ? "It was not legal. " : null,
      told.goal ? h("span", { class: "good" }, "The goal holds.") : null),
    replanned: (because) => line("Replanned", `because: ${because}. The belief is given up.`),
  };

  const flow = [];
  let part = h("div", { class: "part" });
  const begin = (node) => {
    part = h("div", { class: "part" }, h("span", { class: "node-name" }, node ?? ""));
    flow.push(part);
  };
  for (const [kind, ...told] of step.items) {
    if (kind === "entered") { begin(told[0]); continue; }
    if (!flow.length) begin();
    if (kind === "asked") {
      const list = plumbline.answerList(episode, ...told, { chosen, kept: kept?.lists.get(told[1]) });
      lists.push(list);
      part.append(list.node);
    } else part.append(TELL[kind](told[0]));
    if (kind === "acted" || kind === "called_off") acted = true;
  }

  const wrongAt = (acting) => {
    const now = cellsAt(acting);
    return now ? episode.atoms.filter((_, atom) => now[atom] & BITS.WRONG) : null;
  };
  const summed = (acting, said) => {
    const wrong = wrongAt(acting);
    if (wrong === null) return null;
    if (!episode.timeline.moments[moment(acting)][4]) return h("div", {}, h("b", {}, said), " ", h("span", { class: "quiet" }, "not known"));
    return h("div", {}, h("b", {}, said), " ", wrong.length
      ? [h("span", { class: "bad" }, `wrong on ${plural(wrong.length, "fact")}`), ": ", h("span", { class: "facts" }, few(wrong.map((atom) => h("span", { class: "fact bad" }, atom))))]
      : h("span", { class: "quiet" }, "right"));
  };
  const believing = episode.timeline.believing;
  const belief = believing
    ? h("div", { class: "card compared" }, summed(true, "Belief before acting:"), summed(false, "Belief after:")) : null;

  const path = step.items.filter(([kind]) => kind === "entered").map(([, node]) => node);
  const node = h("div", {}, h("h2", {}, h("span", { class: "turn-number" }, number), step.action || "no attempt", " ",
    h("small", { class: step.tone }, step.mark)), belief, flow.length ? flow : h("p", { class: "quiet" }, "Nothing happened in this step."));
  const details = () => [...node.querySelectorAll("details")];
  const state = () => ({ lists: new Map(lists.map((list) => [list.first, list.state()])), open: details().map((one) => one.open) });
  const restore = () => {
    lists.forEach((list) => list.restore());
    kept?.open.forEach((open, place) => { const found = details()[place]; if (found) found.open = open; });
  };
  return { node, path, state, restore, mark: (answer) => lists.forEach((list) => list.mark(answer)) };
};
