"use strict";
// What there was to see: a picture, one drawn for the reader, or a sketch of what was true.
// `folder` is where the run's pages are, `file` the address of a data file of the episode by its name.
plumbline.scenesOf = (episode, run, folder, file) => {
  const { h, build, need, server, remembered, remember } = plumbline;

  // Worlds whose states nobody can sketch are drawn at once, if they can be: a server is asked before any picture is.
  let drawing = (remembered("drawing") ?? (episode.sketchable && !run.drawn.length ? "no" : "yes")) === "yes";
  let whyNot = server ? null : "";
  let asking = false;
  let changed = () => {};

  const missing = () => episode.scenes.some(([sha256]) => !sha256);
  const ask = async () => {
    if (asking) return;
    asking = true;
    whyNot = await need(file("drawing.js")) ?? "the server does not answer";
    changed();
  };
  const drawn = (number) => drawing && (server ? whyNot === "" : run.drawn.includes(number));
  const kind = (number) => {
    if (number < 0) return "none";
    if (episode.scenes[number][0]) return "picture";
    return drawn(number) ? "drawn" : "sketch";
  };
  const source = (number) => (episode.scenes[number][0]
    ? `${folder}/pictures/${episode.scenes[number][0]}.png` : file(`drawn-${number}.png`));

  // A scene that is `linked` opens in front of the page.
  const scene = (number, { linked = false } = {}) => {
    const holder = h("div", { class: "scene" });
    if (number < 0) holder.append(h("div", { class: "missing" }, "no picture"));
    else show(holder, number, linked);
    return holder;
  };
  const opened = (number) => (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    plumbline.lightbox.open(scenes, number);
  };

  const show = (holder, number, linked) => {
    const which = kind(number);
    if (which === "sketch") { sketch(holder, number, linked); return; }
    const image = h("img", { src: source(number), alt: `what there was to see (${which})`, loading: "lazy", decoding: "async",
      error: () => { holder.replaceChildren(); sketch(holder, number, linked); } });
    holder.append(linked ? h("a", { href: source(number), class: "opens", click: opened(number) }, image) : image);
  };

  const sketch = async (holder, number, linked) => {
    const chunk = Math.floor(number / episode.sketches);
    const listed = await need(file(`sketches-${chunk}.js`));
    const found = listed?.find(([one]) => one === number);
    const shown = found ? build(found[1]) : h("div", { class: "missing" }, "no picture");
    holder.append(found && linked ? h("button", { type: "button", class: "opens", "aria-label": "enlarge", click: opened(number) }, shown) : shown);
  };

  const note = (number) => ({
    picture: run.looks === false ? "drawn for you; this model does not look" : "what the model was shown",
    drawn: "drawn for you; this model did not look",
    sketch: "sketch of the true state; no picture was drawn",
    none: "",
  })[kind(number)];
  const caption = (number) => {
    const before = episode.steps.findIndex((step) => step.before === number);
    const after = episode.steps.findLastIndex((step) => step.after === number);
    const when = before >= 0 ? `before step ${before + 1}, ${episode.steps[before].action || "no attempt"}` : after >= 0 ? `after step ${after + 1}` : "";
    return [when, note(number)].filter(Boolean).join(" · ");
  };

  const drawer = (redraw) => {
    changed = redraw;
    if (!missing() || (!server && !run.drawn.length)) return null;
    if (server && drawing && whyNot === null) ask();
    const box = h("input", { type: "checkbox", disabled: Boolean(whyNot), change: () => {
      drawing = box.checked;
      remember("drawing", drawing ? "yes" : "no");
      changed();
    } });
    box.checked = drawing && !whyNot;
    return h("label", { class: "choice", title: whyNot ? `cannot be drawn: ${whyNot}` : null }, box, " draw pictures");
  };

  const scenes = { scene, note, caption, drawer, count: episode.scenes.length };
  return scenes;
};
