"use strict";
// Why an episode ended, in sentences that lead to steps and answers.
plumbline.verdict = (place, episode, run, { playing }) => {
  const { h, fill, spaced, plural } = plumbline;
  const FACTS = 6;

  const link = (step, text, answer = -1) => h("a", { href: `#step=${step}${answer >= 0 ? `&answer=${answer}` : ""}` }, text);
  const fact = (atom, at) => [at ? " · " : null, h("span", { class: "bad atom" }, atom)];
  const facts = (listed, said) => {
    if (!listed.length) return null;
    const rest = h("span", { hidden: true }, listed.slice(FACTS).flatMap((atom) => fact(atom, 1)));
    const more = h("button", { type: "button", class: "plain", click: () => { rest.hidden = false; more.remove(); } },
      `and ${listed.length - FACTS} more`);
    return [`${said} `, listed.slice(0, FACTS).flatMap(fact), listed.length > FACTS ? [" ", more, rest] : null];
  };
  const part = (told) => {
    if (typeof told === "string") return told;
    if ("answer" in told) return link(plumbline.stepOf(episode, told.answer), told.text, told.answer);
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
      ? [run.saved.flatMap((one, at) => [at ? ", or " : null, h("b", {}, one)]), " would have saved it."] : "nothing tried would have saved it.");
  };

  const { reason, detail, failure, meaning, end, evidence, divergence, traceback } = episode.verdict;
  if (!episode.finished) {
    fill(place, h("h2", {}, playing ? "running" : "unfinished"),
      h("p", {}, playing ? "Not finished yet. This page updates by itself." : "The run was stopped before the end of this episode."),
      h("ul", {}, h("li", {}, plural(episode.steps.filter((step) => step.action).length, "step"), episode.limit ? ` of at most ${episode.limit}.` : "."),
        divergence.slice(0, 1).map(sentence)));
    return;
  }
  fill(place, h("h2", {}, failure ? spaced(failure) : "success"), h("p", {}, meaning),
    h("ul", {}, h("li", {}, "Ended because: ", h("b", {}, reason), detail ? ` (${detail})` : "", "."),
      end ? h("li", {}, "Claim and truth: ", h("b", {}, end[0]), end[1] ? `. ${end[1]}` : ".") : null,
      evidence.map(sentence), divergence.map(sentence), saved()),
    traceback ? h("details", { open: true, class: "traceback" }, h("summary", {}, "Traceback of the agent"), h("pre", { class: "reply" }, traceback)) : null,
    run.again ? h("details", {}, h("summary", {}, "Play it again with true answers"), plumbline.command(run.again)) : null);
};

// The number of the step in which a question was asked; 0 if there is none.
plumbline.stepOf = (episode, number) => episode.steps.findIndex((step) => step.items.some(([kind, , first, many]) =>
  kind === "asked" && number >= first && number < first + many)) + 1;
