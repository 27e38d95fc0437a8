"use strict";
// What was asked, answered and right, in the form of the question.
plumbline.questionParts = (question) => {
  const { h } = plumbline;
  const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
  const { kind, options, items, value, truth } = question;
  const list = (given) => (Array.isArray(given) ? given : given === null || given === undefined ? [] : [given]);
  // A choice is kept as the text of its option, others as letters.
  const letterOf = (one) => { const at = options.indexOf(one); return at >= 0 ? LETTERS[at] : one; };
  const named = (letter) => { const text = options[LETTERS.indexOf(letter)]; return text === undefined ? letter : `${letter}. ${text}`; };
  const plainly = (one) => (one === null || one === undefined ? "nothing" : one === true ? "yes" : one === false ? "no" : String(one));

  const sign = (chosen, right) => [
    chosen ? h("span", { class: `mark ${right === false ? "bad" : right ? "good" : ""}` }, "chosen") : null,
    right ? h("span", { class: "mark good" }, "right") : null];
  const choice = () => {
    const [given, right] = [list(value).map(letterOf), list(truth).map(letterOf)];
    const letters = options.length ? options.map((_, at) => LETTERS[at]) : [...new Set([...given, ...right])].sort();
    return h("ol", { class: "asked-options" }, letters.map((letter, at) => {
      const [chosen, good] = [given.includes(letter), truth !== null && right.includes(letter)];
      return h("li", { class: `${chosen ? "picked" : ""} ${good ? "right" : ""}`, "data-letter": letter },
        h("kbd", {}, letter), h("span", { class: "grow" }, options[at] ?? ""), sign(chosen, truth === null ? null : good));
    }));
  };
  const order = () => {
    const row = (name, given, other) => h("div", { class: "order-row" }, h("b", {}, name), given.length
      ? h("ol", {}, given.map((letter, at) => h("li", { class: other ? (other[at] === letter ? "good" : "bad") : "" }, named(letter)))) : h("span", { class: "quiet" }, "nothing"));
    return [listed(), h("div", { class: "orders" }, row("answered", list(value), truth === null ? null : list(truth)), truth === null ? null : row("right", list(truth)))];
  };
  // A line for each item or statement: what was said of it, and what is right.
  const lines = (texts, told) => h("div", { class: "scroll" }, h("table", { class: "by-lines" }, h("thead", {}, h("tr", {}, ["", "answered", "right"].map((name) => h("th", { scope: "col" }, name)))),
    h("tbody", {}, texts.map((text, at) => {
      const [given, right] = [list(value)[at], list(truth)[at]];
      const bad = truth !== null && given !== right;
      return h("tr", {}, h("th", { scope: "row" }, `${at + 1}. ${text}`), h("td", { class: bad ? "bad" : "good" }, given === undefined ? "nothing" : told(given)), h("td", {}, right === undefined ? "–" : told(right)));
    }))));
  const single = () => h("dl", { class: "single" }, h("dt", {}, "answered"), h("dd", { class: question.right === false ? "bad" : question.right ? "good" : "" }, plainly(value)),
    truth === null ? null : [h("dt", {}, "right"), h("dd", {}, list(truth).map(plainly).join(", "))]);
  const listed = () => (options.length ? h("ol", { class: "asked-options" }, options.map((text, at) => h("li", {}, h("kbd", {}, LETTERS[at]), h("span", {}, text)))) : null);
  const whole = () => [items.length ? h("ol", { class: "asked-items" }, items.map((text) => h("li", {}, text))) : null, listed(), single()];

  const answer = () => {
    switch (kind) {
      case "choice": case "choices": return choice();
      case "order": return order();
      case "matching": return items.length ? [listed(), lines(items, named)] : whole();
      case "judgements": return options.length ? lines(options, (one) => (one === "1" ? "true" : "false")) : whole();
      default: return whole();
    }
  };
  return { answer, plainly };
};
