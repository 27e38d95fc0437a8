"use strict";
// The page: one question after the other, each kept by the server before the next one is shown.
(() => {
  const { h, fill, keys, forms, remembered, remember } = plumbline;
  const at = (id) => document.getElementById(id);
  const { content, dataset: { mode, set, who: fixed } } = document.querySelector("meta[name=plumbline-people]");
  const scoring = mode === "score";
  const reviewing = mode === "review" || scoring;
  const drafts = new Map();
  let token = content;
  let who = fixed || remembered("who", true) || "";
  let [count, done] = [0, new Set()];
  let [question, form, comment] = [null, null, null];
  let [began, away, hidden, busy] = [0, 0, 0, false];

  const message = h("p", { id: "message", role: "status" });
  const say = (text, kind = "quiet") => { message.className = kind; message.textContent = text; };
  const asking = () => `who=${encodeURIComponent(who)}`;
  const fetched = async (address, options) => {
    const response = await fetch(address, options);
    if (!response.ok) throw new Error((await response.text()).trim() || `the server says ${response.status}`);
    return response.json();
  };
  const wentWrong = (error) => (error instanceof TypeError ? "The server does not answer. Nothing is lost: start it again, then press Enter." : error.message);

  // --- how long somebody looks: the page in the background does not count
  const start = () => { [began, away] = [performance.now(), 0]; hidden = document.hidden ? began : 0; };
  const seconds = () => Math.min(86400, Math.max(0, (performance.now() - began - away - (hidden ? performance.now() - hidden : 0)) / 1000));
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) hidden = performance.now();
    else if (hidden) { away += performance.now() - hidden; hidden = 0; }
  });

  // --- progress
  const take = (state) => { ({ count } = state); done = new Set(state.done); progress(); };
  const progress = () => {
    at("progress").textContent = `${done.size} of ${count} done · ${count - done.size} left`;
    at("done").firstChild.style.width = count ? `${(100 * done.size) / count}%` : "0";
    at("who").textContent = who;
  };
  const firstOpen = (from = 0) => {
    for (let step = 0; step < count; step += 1) {
      const number = (from + step) % count;
      if (!done.has(number)) return number;
    }
    return -1;
  };

  // --- a question
  const show = async (number) => {
    leave();
    try {
      question = await fetched(`questions/${number}.json?${asking()}`);
    } catch (error) { fill(at("main"), h("p", { class: "notice" }, wentWrong(error)), message); return; }
    history.replaceState(null, "", `#question=${number + 1}`);
    const draft = drafts.get(number);
    const mine = question.mine;
    const make = scoring ? plumbline.score : reviewing ? plumbline.review : forms.make;
    const given = draft ? draft.value : reviewing ? mine : mine?.value;
    form = make(question, given, () => say(""));
    comment = h("textarea", { rows: 2, "aria-label": "Comment", placeholder: "a comment, if you like", maxlength: 4000 });
    comment.value = draft?.comment ?? mine?.comment ?? "";
    comment.addEventListener("keydown", (event) => { if (event.key === "Enter" && !event.shiftKey) { event.preventDefault(); keep(); } });
    form.node.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && event.target.closest("input")) { event.preventDefault(); keep(); }
    });
    fill(at("main"), h("div", { class: "desk" }, pictures(), h("div", { class: "sheet" }, heading(), form.node,
      h("label", { class: "comment" }, "Comment ", h("kbd", {}, "/"), comment), buttons(), message)));
    say(mine ? told(mine) : "");
    start();
    (form.focus ?? (() => document.activeElement.blur()))();
    scrollTo(0, 0);
    if (number + 1 < count) new Image().src = `pictures/${number + 1}-0.png`;
  };
  const told = (mine) => (scoring ? `You gave ${mine.score}.` : reviewing ? `You said: ${mine.decision}.` : mine.value === null ? "You said that you cannot tell." : "You have answered this. Enter keeps what is chosen now.");
  const heading = () => [
    h("p", { class: "place-line" }, `question ${question.number + 1} of ${count}`, done.has(question.number) ? h("span", { class: "badge success" }, "done") : null,
      question.id ? h("small", {}, ` ${question.id} · ${Object.entries(question.tags).filter(([name]) => name !== "id").map(([name, value]) => `${name} ${value}`).join(" · ")}`) : null),
    h("h1", { class: "question-text" }, question.text),
    reviewing ? listing() : h("p", { class: "quiet" }, forms.said(question.kind)),
  ];
  const listing = () => {
    const line = (sign, text) => h("li", {}, h("kbd", {}, sign), " ", text);
    return [question.items.length ? h("ul", { class: "listed" }, question.items.map((text, number) => line(number + 1, text))) : null,
      question.options.length ? h("ul", { class: "listed" }, question.options.map((text, place) => line(question.letters[place] ?? place + 1, text))) : null];
  };
  const scenes = () => ({
    count: question.pictures,
    scene: (place) => h("div", { class: "scene" }, h("img", { src: `pictures/${question.number}-${place}.png`, alt: `picture ${place + 1}` })),
    caption: (place) => (question.pictures > 1 ? `picture ${place + 1}` : "the picture"),
  });
  const enlarge = (place = 0) => { if (question?.pictures) plumbline.lightbox.open(scenes(), place); };
  const pictures = () => h("div", { class: `pictures ${question.pictures > 2 ? "many" : question.pictures > 1 ? "" : "one"}` }, Array.from({ length: question.pictures }, (_, place) =>
    h("button", { type: "button", class: "opens", "aria-label": `enlarge picture ${place + 1}`, click: () => enlarge(place) },
      question.pictures > 1 ? h("span", { class: "picture-name" }, `picture ${place + 1}`) : null,
      h("img", { src: `pictures/${question.number}-${place}.png`, alt: `picture ${place + 1} of ${question.pictures}` }))));
  const buttons = () => h("div", { class: "actions" },
    h("button", { type: "button", title: "previous question (←)", "aria-label": "previous question", disabled: question.number <= 0, click: () => go(-1) }, "←"),
    h("button", { type: "button", title: "next question (→)", "aria-label": "next question", disabled: question.number + 1 >= count, click: () => go(1) }, "→"),
    reviewing ? null : h("button", { type: "button", id: "unsure", click: () => keep(true) }, "cannot tell", h("kbd", {}, "−")),
    h("span", { class: "grow" }),
    h("button", { type: "button", id: "keep", class: "main", click: () => keep() }, "keep, next", h("kbd", {}, "⏎")));

  // What somebody has begun is still there when they come back to it.
  const leave = () => {
    if (!question || !form) return;
    const value = form.value();
    if (value !== null || comment.value) drafts.set(question.number, { value, comment: comment.value });
  };
  const go = (by) => { if (question && question.number + by >= 0 && question.number + by < count) show(question.number + by); };

  // A server that was started again has another token, which its page knows.
  const renewed = async () => {
    const fresh = new DOMParser().parseFromString(await (await fetch(location.pathname)).text(), "text/html");
    const found = fresh.querySelector("meta[name=plumbline-people]")?.content;
    const other = Boolean(found) && found !== token;
    if (other) token = found;
    return other;
  };
  const sent = async (given) => {
    const post = () => fetch("answers", { method: "POST", headers: { "Content-Type": "application/json", "X-Plumbline-Token": token }, body: JSON.stringify(given) });
    let response = await post();
    if (response.status === 403 && await renewed()) response = await post();
    if (!response.ok) throw new Error((await response.text()).trim() || `the server says ${response.status}`);
    return response.json();
  };

  // --- keeping an answer: the next question is shown when the server has it
  const keep = async (unsure = false) => {
    if (busy || !question || !form) return;
    const value = unsure ? null : form.value();
    if (value === null && !unsure) { say(form.missing?.() ?? "Answer first; − says that you cannot tell.", "bad"); return; }
    const number = question.number;
    const given = { number, who, comment: comment.value, seconds: seconds(), ...(reviewing ? value : { value }) };
    busy = true;
    say("…");
    try {
      take(await sent(given));
    } catch (error) { say(wentWrong(error), "bad"); return; } finally { busy = false; }
    question = null;
    drafts.delete(number);
    const next = firstOpen(number + 1);
    if (next >= 0) show(next);
    else finish();
  };
  const finish = () => {
    [question, form] = [null, null];
    history.replaceState(null, "", location.pathname);
    fill(at("main"), h("div", { class: "card finish" }, h("h1", {}, count ? `All ${count} are done. Thank you!` : "There is no question."),
      h("p", { class: "quiet" }, "Everything is kept. You can close this page, or look at a question again:"),
      h("div", { class: "numbers-list" }, Array.from({ length: count }, (_, number) => h("button", { type: "button", click: () => show(number) }, number + 1)))));
  };

  // --- who it is
  const introduce = () => {
    const input = h("input", { type: "text", "aria-label": "Your name", maxlength: 60, required: true, autocomplete: "off" });
    fill(at("main"), h("form", { class: "card finish", submit: (event) => {
      event.preventDefault();
      who = input.value.trim().replace(/\s+/g, " ");
      if (who) { remember("who", who, true); begin(); }
    } }, h("h1", {}, "Who are you?"), h("p", { class: "quiet" }, "Your answers are kept under this name."), h("p", {}, input, " ", h("button", { type: "submit", class: "main" }, "begin")), message));
    input.focus();
  };
  const begin = async () => {
    try {
      take(await fetched(`state.json?${asking()}`));
    } catch (error) { introduceAgain(error); return; }
    const wanted = Number(/question=(\d+)/.exec(location.hash)?.[1] ?? 0) - 1;
    const next = wanted >= 0 && wanted < count ? wanted : firstOpen();
    if (next >= 0) show(next);
    else finish();
  };
  const introduceAgain = (error) => { if (fixed) fill(at("main"), h("p", { class: "notice" }, wentWrong(error))); else { introduce(); say(wentWrong(error), "bad"); } };

  const letters = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"];
  keys(
    { keys: ["Enter"], does: "keep and go to the next open one", run: (event) => { if (event.target.closest?.("summary, #help, form")) return false; return question ? keep() : false; } },
    { keys: ["A", "1"], does: scoring ? "0 to 9, T for 10" : reviewing ? "A accept, F fix, D drop" : "choose, by letter or digit (true and false: T F or 1 0; yes and no: Y N)", run: (event) => Boolean(form?.key(event.key, event)) },
    { keys: letters, run: (event) => Boolean(form?.key(event.key, event)) },
    { keys: ["ArrowUp", "ArrowDown"], does: "other option, other line; with Shift: move it in the order", run: (event) => Boolean(form?.key(event.key, event)) },
    { keys: ["ArrowLeft"], does: "previous question", run: () => go(-1) },
    { keys: ["ArrowRight"], does: "next question, this one stays open", run: () => go(1) },
    { keys: ["."], does: "first open question", run: () => { const next = firstOpen(); if (next >= 0) show(next); } },
    ...(reviewing ? [] : [{ keys: ["-"], does: "cannot tell", run: () => keep(true) }]),
    { keys: ["+", "="], does: "enlarge the picture", run: () => enlarge() },
    { keys: ["/"], does: "write a comment (Enter keeps, Esc leaves it)", run: () => comment?.focus() },
  );
  addEventListener("hashchange", () => { const wanted = Number(/question=(\d+)/.exec(location.hash)?.[1] ?? 0) - 1; if (wanted >= 0 && wanted < count && wanted !== question?.number) show(wanted); });
  document.title = `${document.title} · ${set}`;
  if (who) begin();
  else introduce();
})();
