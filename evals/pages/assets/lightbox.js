"use strict";
// A picture in front of the page: at its real size, or as large as the window. Escape closes it, arrow keys go on.
plumbline.lightbox = (() => {
  const { h, fill } = plumbline;
  let scenes = null;
  let number = 0;
  let real = false;

  const stage = h("div", { class: "stage", tabindex: "-1" });
  const caption = h("span", { class: "caption-line" });
  const button = (text, label, run) => h("button", { type: "button", "aria-label": label, title: label, click: run }, text);
  const back = button("‹", "previous picture (←)", () => go(-1));
  const on = button("›", "next picture (→)", () => go(1));
  const size = h("button", { type: "button", class: "size", click: () => { real = !real; show(); } });
  const dialog = h("dialog", { class: "lightbox", "aria-label": "Picture" },
    h("div", { class: "lightbox-bar" }, back, on, caption, h("span", { class: "grow" }), size, button("×", "close (Esc)", () => dialog.close())),
    stage);

  const show = () => {
    const shown = scenes.scene(number);
    fill(stage, shown);
    stage.classList.toggle("real", real);
    caption.textContent = `${number + 1} of ${scenes.count} · ${scenes.caption(number)}`;
    size.textContent = real ? "fit to the window" : "real size";
    size.title = `${size.textContent} (space)`;
    back.disabled = number <= 0;
    on.disabled = number >= scenes.count - 1;
  };
  const go = (by) => {
    number = Math.min(Math.max(0, number + by), scenes.count - 1);
    show();
  };
  const KEYS = {
    ArrowLeft: () => go(-1), ArrowRight: () => go(1), k: () => go(-1), j: () => go(1),
    Home: () => go(-scenes.count), End: () => go(scenes.count), " ": () => size.click(),
  };
  dialog.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !KEYS[event.key]) return;
    if (event.key === " " && event.target.closest("button")) return;
    event.preventDefault();
    KEYS[event.key]();
  });
  dialog.addEventListener("click", (event) => { if (event.target === dialog || event.target === stage) dialog.close(); });
  dialog.addEventListener("close", () => stage.replaceChildren());

  return { open: (these, at) => {
    scenes = these;
    number = at;
    show();
    if (!dialog.isConnected) document.body.append(dialog);
    if (!dialog.open) dialog.showModal();
    stage.focus();
  } };
})();
