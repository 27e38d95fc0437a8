"use strict";
// Reviewing a question: what its answer is, and whether it is accepted, fixed or dropped.
plumbline.review = (question, given, changed) => {
  const { h, fill, forms } = plumbline;
  const WORDS = { accept: "accept", fix: "fix", drop: "drop" };
  let decision = given?.decision ?? null;
  const fixed = given?.fixed ?? {};

  const answer = forms.make(question, fixed.answer ?? question.answer.value, () => changed());
  const text = h("textarea", { rows: 3, "aria-label": "Question", maxlength: 4000, input: () => changed() });
  text.value = fixed.text ?? question.text;
  const lines = (name) => question[name].map((one, at) => {
    const input = h("input", { type: "text", "aria-label": `${name} ${at + 1}`, input: () => changed() });
    input.value = fixed[name]?.[at] ?? one;
    return input;
  });
  const [options, items] = [lines("options"), lines("items")];
  const field = (name, inputs) => (inputs.length ? h("div", { class: "field-group" }, h("h3", {}, name), inputs) : null);
  const fixing = h("div", { class: "fixing" }, field("question", [text]), field("items", items), field("options", options),
    h("div", { class: "field-group" }, h("h3", {}, "answer"), answer.node));

  const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);
  const differing = () => {
    const now = { text: text.value.trim(), options: options.map((one) => one.value.trim()), items: items.map((one) => one.value.trim()) };
    const told = Object.fromEntries(Object.entries(now).filter(([name, value]) => !same(value, question[name])));
    const value = answer.value();
    return value === null || same(value, question.answer.value) ? told : { ...told, answer: value };
  };

  const node = h("div", { class: "reviewing" });
  const decide = (next) => { decision = next; show(); changed(); };
  const show = () => fill(node,
    h("p", { class: "given-answer" }, "Answer: ", h("b", {}, forms.told(question, question.answer.value))),
    h("div", { class: "decisions" }, Object.keys(WORDS).map((name) => h("button", { type: "button", class: "option", "data-decision": name,
      "aria-pressed": String(decision === name), click: () => decide(name) }, h("kbd", {}, name[0].toUpperCase()), h("span", {}, WORDS[name])))),
    decision === "fix" ? fixing : null);
  const key = (name, event) => {
    if (decision === "fix" && event?.target.closest?.(".fixing")) return answer.key(name, event);
    const found = Object.keys(WORDS).find((one) => one[0] === name.toLowerCase());
    if (found) decide(found);
    return Boolean(found);
  };
  // What is missing is said; null if the review is whole.
  const missing = () => {
    if (decision === null) return "Accept, fix or drop it first.";
    return decision === "fix" && !Object.keys(differing()).length ? "Nothing is fixed yet." : null;
  };
  show();
  return { node, key, missing, value: () => (missing() ? null : { decision, fixed: decision === "fix" ? differing() : {} }) };
};
