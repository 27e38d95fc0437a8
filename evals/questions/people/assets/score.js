"use strict";
// Scoring a question from 0 to 10: its answer, why it is right, what the scores mean, and a slider.
plumbline.score = (question, given, changed) => {
  const { h, fill, forms } = plumbline;
  const BANDS = [[9, "9–10", "sound: the pictures decide it, and exactly the labelled option is right"], [7, "7–8", "good, with a small ambiguity or a weak wrong option"],
    [5, "5–6", "doubtful: grounding, wording or label can be disputed"], [3, "3–4", "wrong label, several right options or a serious error"], [0, "0–2", "unusable: it does not fit the pictures"]];
  let score = Number.isInteger(given?.score) ? given.score : null;

  const slider = h("input", { type: "range", min: 0, max: 10, step: 1, "aria-label": "Score from 0 to 10", class: "score-slider", input: () => set(Number(slider.value)), click: () => set(Number(slider.value)) });
  const shown = h("output", { class: "score-value" });
  const rubric = h("ul", { class: "rubric" });
  const set = (next) => { score = Math.min(10, Math.max(0, next)); show(); changed(); };
  const show = () => {
    slider.value = score ?? 5;
    shown.textContent = score === null ? "–" : String(score);
    const band = score === null ? null : BANDS.find(([low]) => score >= low)[0];
    fill(rubric, BANDS.map(([low, name, text]) => h("li", { class: low === band ? "here" : "" }, h("b", {}, name), ` ${text}`)));
  };
  const node = h("div", { class: "scoring" },
    h("p", { class: "given-answer" }, "Answer: ", h("b", {}, forms.told(question, question.answer.value))),
    question.explanation ? h("p", { class: "quiet" }, question.explanation) : null,
    h("div", { class: "score-line" }, h("span", {}, "0"), slider, h("span", {}, "10"), shown), rubric);
  const key = (name) => {
    if (/^[0-9]$/.test(name)) { set(Number(name)); return true; }
    if (name.toLowerCase() === "t") { set(10); return true; }
    if (name === "ArrowUp" || name === "ArrowDown") { set((score ?? 5) + (name === "ArrowUp" ? 1 : -1)); return true; }
    return false;
  };
  const missing = () => (score === null ? "Give a score first." : null);
  show();
  return { node, key, missing, value: () => (score === null ? null : { score }) };
};
