"use strict";
// Keys, and the list of them that `?` shows.
Object.assign(plumbline, (() => {
  const { h } = plumbline;
  const bindings = [];

  const typing = (target) => Boolean(target.closest?.("input, textarea, select, [contenteditable]"));

  const dialog = h("dialog", { class: "help", "aria-label": "Keys" });
  document.body.append(dialog);
  dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });

  const help = () => {
    const lines = bindings.filter((binding) => binding.does).map(({ keys, does }) => [
      h("dt", {}, keys.map((key) => h("kbd", {}, NAMES[key] ?? key))),
      h("dd", {}, does),
    ]);
    const close = h("button", { type: "button", click: () => dialog.close() }, "close");
    plumbline.fill(dialog, h("h2", {}, "Keys"), h("dl", {}, lines), close);
    dialog.showModal();
  };
  const NAMES = { ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓", Escape: "Esc", " ": "space" };

  const keys = (...more) => bindings.push(...more);

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (typing(event.target)) {
      if (event.key === "Escape") event.target.blur();
      return;
    }
    const open = document.querySelector("dialog[open]");
    if (open && !(open === dialog && event.key === "?")) return;
    const found = bindings.find((binding) => binding.keys.includes(event.key));
    if (found && found.run(event) !== false) event.preventDefault();
  });

  keys({ keys: ["?"], does: "this list", run: () => (dialog.open ? dialog.close() : help()) });
  document.getElementById("help")?.addEventListener("click", help);
  return { keys };
})());
