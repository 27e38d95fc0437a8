"use strict";
// Putting things in order: press a letter for what comes next, and again to take it back; or drag; or use the arrows.
plumbline.ordering = (question, given, changed) => {
  const { h, fill } = plumbline;
  const letters = [...question.letters];
  let placed = [...(given ?? [])];
  let here = "";

  const text = (letter) => question.options[letters.indexOf(letter)] ?? "";
  const node = h("div", { class: "ordering" });
  const changedTo = (next, current = here) => { placed = next; here = current; show(); changed(); };
  const put = (letter, at = placed.length) => {
    const rest = placed.filter((one) => one !== letter);
    changedTo([...rest.slice(0, at), letter, ...rest.slice(at)], letter);
  };
  const toggle = (letter) => (placed.includes(letter) ? changedTo(placed.filter((one) => one !== letter), "") : put(letter));
  const move = (letter, by) => {
    const at = placed.indexOf(letter);
    if (at >= 0) put(letter, Math.min(Math.max(0, at + by), placed.length - 1));
  };

  // A card is dragged with the pointer, on a phone by its handle: elsewhere a finger scrolls the page.
  const drag = (card, letter) => (event) => {
    if (event.button || event.target.closest(".moves")) return;
    const touch = event.pointerType !== "mouse";
    if (touch && !event.target.closest(".grip")) return;
    const start = event.clientY;
    let moving = false;
    card.setPointerCapture(event.pointerId);
    const over = (clientY) => {
      const cards = [...node.querySelectorAll(".placed .card-row")].filter((one) => one !== card);
      const box = node.querySelector(".placed").getBoundingClientRect();
      if (clientY > box.bottom + 24) return -1;
      return cards.filter((one) => { const { top, height } = one.getBoundingClientRect(); return clientY > top + height / 2; }).length;
    };
    const track = (now) => {
      moving ||= Math.abs(now.clientY - start) > 5;
      if (!moving) return;
      card.classList.add("dragged");
      card.style.transform = `translateY(${now.clientY - start}px)`;
      node.querySelector(".placed").classList.toggle("aimed", over(now.clientY) >= 0);
    };
    const end = (now) => {
      card.removeEventListener("pointermove", track);
      card.removeEventListener("pointerup", end);
      card.removeEventListener("pointercancel", end);
      if (!moving) return;  // then it is a click
      if (now.type === "pointercancel") { show(); return; }
      card.addEventListener("click", (click) => click.stopPropagation(), { capture: true, once: true });
      const at = over(now.clientY);
      if (at >= 0) put(letter, at);
      else if (placed.includes(letter)) toggle(letter);
      else show();
    };
    card.addEventListener("pointermove", track);
    card.addEventListener("pointerup", end);
    card.addEventListener("pointercancel", end);
  };

  const row = (letter, at) => {
    const step = (name, label, by) => h("button", { type: "button", "aria-label": `${label} ${letter}`, title: label, click: (event) => { event.stopPropagation(); move(letter, by); } }, name);
    const moves = at < 0 ? null : h("span", { class: "moves" }, step("↑", "earlier:", -1), step("↓", "later:", 1));
    const card = h("div", { class: `card-row ${letter === here ? "here" : ""}`, "data-letter": letter, role: "button", tabindex: "-1",
      click: () => toggle(letter) },
    h("span", { class: "rank" }, at < 0 ? "" : at + 1), h("span", { class: "grip", "aria-hidden": "true" }, "⠿"), h("kbd", {}, letter), h("span", { class: "grow" }, text(letter)), moves);
    card.addEventListener("pointerdown", drag(card, letter));
    return card;
  };
  const show = () => {
    const left = letters.filter((letter) => !placed.includes(letter));
    fill(node,
      h("div", { class: "placed" }, placed.length ? placed.map(row) : h("p", { class: "quiet" }, "Nothing is placed yet. Press or touch what comes first.")),
      left.length ? h("div", { class: "unplaced" }, left.map((letter) => row(letter, -1))) : null);
  };
  const key = (name, event) => {
    const letter = plumbline.forms.letterOf(name, letters);
    if (letter) { toggle(letter); return true; }
    if (name !== "ArrowUp" && name !== "ArrowDown") return false;
    const by = name === "ArrowUp" ? -1 : 1;
    if (event?.shiftKey) { move(here, by); return true; }
    const at = placed.indexOf(here);
    here = placed[at < 0 ? (by > 0 ? 0 : placed.length - 1) : Math.min(Math.max(0, at + by), placed.length - 1)] ?? "";
    show();
    return true;
  };
  show();
  return { node, key, value: () => (placed.length === letters.length ? [...placed] : null) };
};
