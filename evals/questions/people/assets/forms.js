"use strict";
// The forms of answers: each shows how it is answered, takes keys, and says the value as the server wants it.
// A form is { node, value, key, focus }; `value()` is null as long as there is no whole answer, `key(name)` says whether
// it took the key, and `changed` is called after every change by hand.
plumbline.forms = (() => {
  const { h, fill } = plumbline;
  const DIGITS = "123456789";

  // Which of the letters a key means: the letter itself, or its number.
  const letterOf = (key, letters) => {
    const letter = key.length === 1 ? key.toUpperCase() : "";
    if (letter && letters.includes(letter)) return letter;
    return letters[DIGITS.indexOf(key)] && key.length === 1 && DIGITS.includes(key) ? letters[DIGITS.indexOf(key)] : null;
  };
  const option = (letter, text, pressed, run) => h("button", { type: "button", class: "option", "data-letter": letter,
    "aria-pressed": String(pressed), click: run }, h("kbd", {}, letter), h("span", {}, text ?? ""));

  // One letter, or several.
  const choosing = (several) => (question, given, changed) => {
    const chosen = new Set(several ? given ?? [] : given ? [given] : []);
    const node = h("div", { class: "options" });
    const letters = [...question.letters];
    const show = () => fill(node, letters.map((letter, at) => option(letter, question.options[at], chosen.has(letter), () => pick(letter))));
    const pick = (letter) => {
      const had = chosen.has(letter);
      if (!several) chosen.clear();
      if (several && had) chosen.delete(letter);
      else chosen.add(letter);
      show();
      changed();
    };
    const step = (by) => {
      const at = letters.findIndex((letter) => chosen.has(letter));
      pick(letters[at < 0 ? (by > 0 ? 0 : letters.length - 1) : Math.min(Math.max(0, at + by), letters.length - 1)]);
    };
    const key = (name) => {
      if (!several && (name === "ArrowDown" || name === "ArrowUp")) { step(name === "ArrowDown" ? 1 : -1); return true; }
      const letter = letterOf(name, letters);
      if (letter) pick(letter);
      return Boolean(letter);
    };
    show();
    return { node, key, value: () => (several ? (chosen.size ? [...chosen].sort() : null) : [...chosen][0] ?? null) };
  };

  // A choice for each of some lines, one line after the other: matching and judgements.
  const byLines = (lines, choices, given, changed) => {
    const values = lines.map((_, at) => given?.[at] ?? null);
    let here = Math.max(0, values.indexOf(null));
    const node = h("div", { class: "lines" });
    const set = (at, value) => {
      values[at] = values[at] === value ? null : value;
      here = values[at] === null ? at : Math.min(at + 1, lines.length - 1);
      show();
      changed();
    };
    const show = () => fill(node, lines.map((line, at) => h("div", { class: `line ${at === here ? "here" : ""}`, "data-line": at + 1 },
      h("span", { class: "line-number" }, `${at + 1}.`), h("span", { class: "line-text" }, line),
      h("span", { class: "choices" }, choices.map(({ value, name }) => h("button", { type: "button", "data-value": value,
        "aria-label": `${at + 1}: ${name}`, "aria-pressed": String(values[at] === value), click: () => set(at, value) }, name))))));
    const key = (name) => {
      if (name === "ArrowDown" || name === "ArrowUp") {
        here = Math.min(Math.max(0, here + (name === "ArrowDown" ? 1 : -1)), lines.length - 1);
        show();
        return true;
      }
      const found = choices.find(({ keys }) => keys.includes(name.length === 1 ? name.toUpperCase() : name));
      if (found) set(here, found.value);
      return Boolean(found);
    };
    show();
    return { node, key, value: () => (values.includes(null) ? null : [...values]) };
  };
  const matching = (question, given, changed) => {
    const letters = [...question.letters];
    const choices = letters.map((letter, at) => ({ value: letter, name: letter, keys: [letter, DIGITS[at]] }));
    const form = byLines(question.items, choices, given, changed);
    const listed = h("ul", { class: "listed" }, question.options.map((text, at) => h("li", {}, h("kbd", {}, letters[at]), " ", text)));
    return { ...form, node: h("div", {}, question.options.length ? listed : null, form.node) };
  };
  const judgements = (question, given, changed) => byLines(question.options, [
    { value: "1", name: "true", keys: ["1", "T", "Y"] }, { value: "0", name: "false", keys: ["0", "F", "N"] }], given, changed);

  const yesNo = (question, given, changed) => {
    let chosen = given ?? null;
    const node = h("div", { class: "options" });
    const pick = (value) => { chosen = value; show(); changed(); };
    const show = () => fill(node, option("Y", "yes", chosen === true, () => pick(true)), option("N", "no", chosen === false, () => pick(false)));
    const key = (name) => {
      const found = { y: true, n: false, 1: true, 2: false, 0: false }[name.toLowerCase()];
      if (found !== undefined) pick(found);
      return found !== undefined;
    };
    show();
    return { node, key, value: () => chosen };
  };

  // A field: a number, words, or letters where the text alone says what may be chosen.
  const field = (read, write, { mode = "text", hint = "" } = {}) => (question, given, changed) => {
    const input = h("input", { type: "text", inputmode: mode, class: "field", "aria-label": "Your answer", autocomplete: "off",
      placeholder: hint, maxlength: 2000, input: () => changed() });
    input.value = given === null || given === undefined ? "" : write(given);
    return { node: input, key: () => false, value: () => read(input.value.trim()), focus: () => input.focus() };
  };
  const number = field((text) => (/^[-+]?(\d+([.,]\d+)?|[.,]\d+)$/.test(text) ? Number(text.replace(",", ".")) : null), String, { mode: "decimal", hint: "a number" });
  const words = field((text) => text || null, String, { hint: "a few words" });
  const list = (signs, hint) => field((text) => {
    const found = text.toUpperCase().split(/[\s,;]+/).filter(Boolean);
    return found.length && found.every((one) => signs.test(one)) ? found : null;
  }, (given) => given.join(", "), { hint });

  const make = (question, given, changed) => {
    const known = { choice: choosing(false), choices: choosing(true), yes_no: yesNo, number, text: words }[question.kind];
    if (known) return known(question, given, changed);
    if (question.kind === "judgements") {
      return (question.options.length ? judgements : list(/^[01]$/, "1 for true, 0 for false: 1, 0, 1"))(question, given, changed);
    }
    const whole = question.kind === "order" ? question.options.length : question.items.length;
    if (!whole) return list(/^[A-Z]$/, "letters: C, A, B")(question, given, changed);
    return (question.kind === "order" ? plumbline.ordering : matching)(question, given, changed);
  };
  const SAID = {
    choice: "Choose one.", choices: "Choose all that are right.", order: "Put them in order: the first one first.",
    matching: "Choose an option for each.", judgements: "True or false, one by one.", number: "Answer with a number.",
    yes_no: "Yes or no.", text: "Answer in a few words.",
  };

  // An answer in words, as it is shown where nobody is to change it.
  const told = (question, value) => {
    if (value === null || value === undefined) return "cannot tell";
    const named = (letter) => { const text = question.options[question.letters.indexOf(letter)]; return text ? `${letter}. ${text}` : letter; };
    switch (question.kind) {
      case "choice": return named(value);
      case "choices": return value.map(named).join(", ");
      case "order": return value.map(named).join(" → ");
      case "matching": return value.map((letter, at) => `${at + 1}–${letter}`).join(", ");
      case "judgements": return value.map((one, at) => `${at + 1} ${one === "1" ? "true" : "false"}`).join(", ");
      case "yes_no": return value ? "yes" : "no";
      default: return String(value);
    }
  };
  return { make, told, said: (kind) => SAID[kind] ?? "", letterOf, option };
})();
