"use strict";
// The belief timeline: which facts are shown, what a cell means, and what the colours stand for.
// What a reader has chosen in an earlier one is `kept`.
plumbline.timeline = (place, episode, { go, kept = null }) => {
  const { h, fill, BITS, yes } = plumbline;
  const { moments, spells, believing } = episode.timeline;
  if (!moments.length || !episode.atoms.length || (!believing && !episode.asked.count)) {
    fill(place, h("p", { class: "quiet" }, episode.gone || episode.damaged ? "Nothing is left to compare."
      : "This agent keeps no belief and asks about no facts: there is nothing to compare."));
    return { go: () => {}, close: () => {}, state: () => kept };
  }
  const cells = plumbline.cells(episode);
  const size = episode.atoms.length;
  const asked = plumbline.askedAt(episode);
  const all = episode.atoms.map((_, atom) => atom);
  const ever = (test) => all.filter((atom) => moments.some((_, at) => test(cells[at * size + atom], at, atom)));
  const wrong = ever((cell) => cell & (BITS.WRONG | BITS.MISREAD));
  const both = BITS.TRUE | BITS.BELIEVED;
  const changing = ever((cell, at, atom) => cell & BITS.WRONG || (at && (cell ^ cells[(at - 1) * size + atom]) & both));
  const CHOICES = [["ever wrong", wrong], ["ever changing", changing], ["all facts", all]];
  let chosen = kept?.chosen ?? (wrong.length ? 0 : changing.length ? 1 : 2);
  let picked = kept?.chosen !== undefined;

  const legend = h("p", { class: "keys" },
    [["true", "believed and true"], ["false", "neither"], ["claimed", "believed but false"], ["missed", "true but not believed"]]
      .map(([name, said]) => h("span", {}, h("i", { class: `cell ${name}` }), said)),
    h("span", {}, h("i", { class: "cell dot" }), "asked"), h("span", {}, h("i", { class: "cell misread" }), "answered wrong"),
    episode.timeline.fatal.length ? h("span", {}, h("i", { class: "cell fatal" }), "cost the episode") : null);
  const buttons = h("span", { class: "choices", role: "group", "aria-label": "Which facts" });
  const tip = h("div", { class: "tip", hidden: true });
  const said = believing ? "" : "This agent keeps no belief; the last answer about each fact stands for it. ";
  fill(place, h("div", { class: "above" }, buttons, legend), said ? h("p", { class: "quiet" }, said) : null, tip);

  const answerAt = ({ atom, moment }) => asked[moment].filter((number) => episode.asked.atom[number] === atom).at(-1) ?? -1;
  const spellAt = ({ atom, moment }) => spells.find(([one, , first, until]) =>
    one === atom && first <= moment && (until < 0 || moment < until));
  const CAUSES = {
    answer: "because a question about it was answered wrong",
    unnoticed: "because an attempt changed it and nobody asked",
    stated: "as the model wrote it when it described the state",
    inferred: "without a wrong answer: given at the start, inferred, or repaired",
  };

  const pointed = (found, event) => {
    tip.hidden = !found;
    if (!found) return;
    const cell = cells[found.moment * size + found.atom];
    const [turn, acting] = moments[found.moment];
    const spell = spellAt(found);
    const number = answerAt(found);
    const held = cell & BITS.KNOWN ? (cell & BITS.BELIEVED ? "believed" : "not believed") : "not known";
    fill(tip, h("b", {}, episode.atoms[found.atom]), ` in step ${turn}, ${acting ? "before it acted" : "after it acted"}: `,
      `${held}, ${cell & BITS.TRUE ? "true" : "false"}.`,
      spell ? h("div", {}, `Wrong since step ${moments[spell[2]][0]}, ${CAUSES[spell[4]]}.`) : null,
      number < 0 ? null : h("div", {}, `“${episode.wordings[found.atom]}” was answered ${yes(episode.asked.answer[number])}.`));
    const [x, y] = [Math.min(event.clientX + 14, innerWidth - 340), event.clientY + 18];
    tip.style.left = `${x}px`;
    tip.style.top = `${y + 90 > innerHeight ? event.clientY - 90 : y}px`;
  };
  const grid = new plumbline.Grid(place, episode, cells, {
    pointed,
    chosen: (found) => {
      const spell = spellAt(found);
      const number = answerAt(found);
      go(found.step, number >= 0 ? number : spell && moments[spell[2]][0] === found.step ? spell[5] : -1);
    },
  });

  const choose = (number) => {
    chosen = number;
    fill(buttons, CHOICES.map(([name, rows], place) => h("button",
      { type: "button", "aria-pressed": String(place === chosen), click: () => { picked = true; choose(place); } }, `${name} ${rows.length}`)));
    grid.show(CHOICES[chosen][1]);
  };
  choose(chosen);
  if (kept) grid.scroll(kept.scroll);
  const state = () => ({ chosen: picked ? chosen : undefined, scroll: grid.place() });
  return { go: (step) => grid.go(step), close: () => grid.close(), state, cells };
};
