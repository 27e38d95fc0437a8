"use strict";
// Questions and answers: a list of which only the rows in view exist, and one answer in full.
Object.assign(plumbline, (() => {
  const { h, fill, yes, need, count, plural } = plumbline;
  const narrow = matchMedia("(max-width: 40rem)").matches;
  const [ROW, ROWS] = narrow ? [48, 8] : [27, 14];
  const of = (asked, name, number, usual) => (asked[name] ? asked[name][number] : usual);
  const wrong = (asked, number) => asked.answer[number] !== asked.truth[number];
  const unexpected = (asked, number) => {
    const expected = of(asked, "expected", number, -1);
    return expected >= 0 && asked.answer[number] !== expected;
  };
  const said = (asked, number) => (asked.answer[number] < 0 ? "unreadable" : yes(asked.answer[number]));

  const PHASES = {
    enumeration: "Asked about every fact in view", precondition: "Asked whether the preconditions hold",
    effect: "Asked whether the effects are there", free: "Asked",
  };

  // The rows of a list that are in view, in a box that scrolls.
  const virtual = (numbers, row) => {
    const inner = h("div", { class: "rows" });
    inner.style.height = `${numbers.length * ROW}px`;
    const box = h("div", { class: "answers-box" }, inner);
    box.style.height = `${Math.min(numbers.length, ROWS) * ROW + 2}px`;
    const drawn = new Map();
    const draw = () => {
      const first = Math.max(0, Math.floor(box.scrollTop / ROW) - 4);
      const until = Math.min(numbers.length, Math.ceil((box.scrollTop + (box.clientHeight || ROWS * ROW)) / ROW) + 4);
      for (const [at, node] of drawn) if (at < first || at >= until) { node.remove(); drawn.delete(at); }
      for (let at = first; at < until; at += 1) {
        if (drawn.has(at)) continue;
        const node = row(numbers[at]);
        node.style.top = `${at * ROW}px`;
        drawn.set(at, node);
        inner.append(node);
      }
    };
    box.addEventListener("scroll", draw, { passive: true });
    draw();
    const reveal = (number) => {
      const at = numbers.indexOf(number);
      if (at < 0) return false;
      const top = at * ROW;
      if (top < box.scrollTop || top + ROW > box.scrollTop + ROWS * ROW) box.scrollTop = top - (ROWS / 2 - 1) * ROW;
      draw();
      return true;
    };
    return { box, reveal, drawn, numbers };
  };

  const list = (episode, phase, first, many, { chosen, kept }) => {
    const asked = episode.asked;
    const all = Array.from({ length: many }, (_, at) => first + at);
    const groups = [["wrong", all.filter((number) => wrong(asked, number))],
      ["unexpected", all.filter((number) => unexpected(asked, number))], ["all", all]];
    let which = groups.findIndex(([, numbers]) => numbers.length);
    if (!groups[0][1].length && !groups[1][1].length && many > 6) which = -1;
    let picked = kept?.which !== undefined && groups[kept.which]?.[1].length > 0;
    if (picked) ({ which } = kept);
    let shown = null;
    let current = -1;

    const row = (number) => {
      const odd = unexpected(asked, number);
      const node = h("button", { type: "button", class: `answer-row ${wrong(asked, number) ? "bad" : odd ? "odd" : ""}`,
        "data-number": number, "aria-pressed": String(number === current), click: () => chosen(number) },
        h("span", { class: "fact" }, episode.atoms[asked.atom[number]]),
        h("span", { class: "question" }, episode.wordings[asked.atom[number]]),
        h("span", { class: "said" }, said(asked, number)),
        h("span", { class: "truth" }, `truth ${yes(asked.truth[number])}`),
        h("span", { class: "hint" }, odd ? `expected ${yes(of(asked, "expected", number, -1))}` : ""));
      return node;
    };

    const bad = groups[0][1].length;
    const title = h("div", { class: "title" }, h("b", {}, PHASES[episode.phases[phase]] ?? "Asked"), ` ${plural(many, "question")}, `,
      bad ? h("span", { class: "bad" }, `${count(bad)} wrong`) : "all right");
    const tabs = h("span", { class: "choices" });
    const body = h("div", {});
    const show = (next) => {
      which = next;
      shown = which < 0 ? null : virtual(groups[which][1], row);
      fill(tabs, groups.map(([name, numbers], at) => (numbers.length ? h("button", { type: "button",
        "aria-pressed": String(at === which), click: () => { picked = true; show(at === which ? -1 : at); } }, `${name} ${count(numbers.length)}`) : null)));
      fill(body, shown?.box);
    };
    title.append(tabs);
    show(which);
    const mark = (number) => {
      current = number;
      if (number >= first && number < first + many && !shown?.reveal(number)) { show(2); shown.reveal(number); }
      shown?.drawn.forEach((node) => node.setAttribute("aria-pressed", String(Number(node.dataset.number) === number)));
    };
    const state = () => ({ which: picked ? which : undefined, top: shown?.box.scrollTop ?? 0 });
    const restore = () => { if (kept && shown) shown.box.scrollTop = kept.top; };
    return { node: h("div", { class: "told asked" }, title, body), mark, first, state, restore };
  };

  // A reply, of which the rest is loaded when somebody wants it.
  const reply = (episode, number, { open = true } = {}) => {
    const told = episode.replies[number];
    if (typeof told === "string") return told ? h("pre", { class: "reply" }, told) : h("p", { class: "quiet" }, "an empty reply");
    const [beginning, length, chunk] = told;
    const text = h("pre", { class: "reply" }, `${beginning}…`);
    const more = h("button", { type: "button" }, `show all ${count(length)} characters`);
    const reveal = async (most) => {
      const texts = await need(plumbline.dataFile(`replies-${chunk}.js`));
      const whole = texts?.find(([one]) => one === number)?.[1];
      if (whole === undefined) { more.textContent = "the rest cannot be read"; return; }
      const cut = whole.slice(0, most);
      text.textContent = cut.length < length ? `${cut}…` : cut;
      more.hidden = cut.length >= whole.length;
      if (more.hidden && whole.length < length) text.after(h("p", { class: "quiet" }, "The trace has the rest."));
    };
    more.addEventListener("click", () => reveal(Infinity));
    if (open) reveal(2000);
    return h("div", {}, text, more);
  };

  const answer = (place, episode, number, { close }) => {
    const asked = episode.asked;
    place.hidden = number < 0 || number >= asked.count;
    if (place.hidden) { place.replaceChildren(); return; }
    const get = (name, usual) => of(asked, name, number, usual);
    const atom = asked.atom[number];
    const bad = wrong(asked, number);
    const [p, q] = [get("yes", null), get("no", null)];
    const fault = get("fault", -1);
    const tokens = get("prompt_tokens", 0) + get("completion_tokens", 0);
    const facts = [
      ["said", h("b", { class: bad ? "bad" : "good" }, said(asked, number))], ["truth", h("b", {}, yes(asked.truth[number]))],
      ["expected", get("expected", -1) < 0 ? null : yes(get("expected", -1))],
      ["probability", p === null ? null : [chance(p, q), ` yes ${p.toFixed(3)}${q === null ? "" : `, no ${q.toFixed(3)}`}`]],
      ["could not be read", fault < 0 ? null : asked.faults[fault]],
      ["asked", episode.phases[asked.phase[number]]],
      ["reminded", get("reminded", 0) ? "of the last action that did not work" : null],
      ["cut off", get("truncated", 0) ? "by the token limit" : null],
      ["tokens", tokens ? `${count(get("prompt_tokens", 0))} in, ${count(get("completion_tokens", 0))} out` : null],
      ["cost", get("cost", 0) ? `US$ ${get("cost", 0).toFixed(6)}` : "US$ 0"],
      ["latency", `${get("seconds", 0).toFixed(3)} s${get("cached", 0) ? ", from the cache" : ""}`],
    ];
    fill(place, h("div", { class: "title" }, h("h3", {}, episode.atoms[atom]),
      h("button", { type: "button", click: close, "aria-label": "Close" }, "×")),
    h("p", {}, `“${episode.wordings[atom]}”`),
    prompt(asked.prompt?.[number]),
    h("h4", {}, "reply"), reply(episode, asked.reply[number]),
    h("dl", { class: "pairs" }, facts.filter(([, value]) => value !== null).map(([name, value]) => [h("dt", {}, name), h("dd", {}, value)])));
  };

  // What the model was told, loaded when somebody wants it: roles, texts, and pictures in their places.
  const CHUNK = 40;
  const picture = (part) => {
    const image = h("img", { alt: part.picture, class: "prompt-picture", loading: "lazy", "data-lightbox": "" });
    image.src = part.sha256 ? `../pictures/${part.sha256}.png` : "";
    return part.sha256 ? image : h("div", { class: "quiet" }, `[picture ${part.picture}: nobody looked at it]`);
  };
  const told = (prompt) => [
    prompt.messages.map(([role, parts]) => h("div", { class: "message" }, h("b", { class: "role" }, role),
      parts.map((part) => ("picture" in part ? picture(part) : h("pre", { class: "reply" }, part.text))))),
    prompt.tools.length ? h("details", {}, h("summary", {}, plural(prompt.tools.length, "tool")), prompt.tools.map((tool) => h("pre", { class: "reply" }, tool))) : null,
    h("p", { class: "quiet" }, Object.entries(prompt.parameters).map(([name, value]) => `${plumbline.spaced(name)} ${value}`).join(" · ")),
  ];
  const prompt = (number) => {
    if (number === undefined || number < 0) return null;
    const body = h("div", {});
    const details = h("details", { class: "prompt" }, h("summary", {}, "prompt"), body);
    details.addEventListener("toggle", async () => {
      if (!details.open || body.childNodes.length) return;
      const prompts = await need(plumbline.dataFile(`prompts-${Math.floor(number / CHUNK)}.js`));
      const found = prompts?.[number % CHUNK];
      fill(body, found ? told(found) : h("p", { class: "quiet" }, "It cannot be read."));
    });
    return details;
  };

  const chance = (p, q) => {
    const bar = h("i", { class: "chance" }, h("i", {}));
    bar.firstChild.style.width = `${Math.round(60 * (q === null ? p : p / ((p + q) || 1)))}px`;
    return bar;
  };

  return { answerList: list, answerPanel: answer, replyOf: reply, promptOf: prompt, wrongAnswer: wrong };
})());
