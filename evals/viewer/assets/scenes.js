"use strict";
// What there was to see: a picture, one drawn for the reader, or a sketch of what was true.
Object.assign(plumbline, (() => {
  const { h, build, need, value, server, remembered, remember } = plumbline;
  const run = value("run");
  const episode = value("episode");
  const data = `../data/${encodeURIComponent(episode.id)}`;

  // Worlds whose states nobody can sketch are drawn at once, if they can be: a server is asked before any picture is.
  let drawing = (remembered("drawing") ?? (episode.sketchable && !run.drawn.length ? "no" : "yes")) === "yes";
  let whyNot = server ? null : "";
  let asking = false;
  let changed = () => {};

  const missing = () => episode.scenes.some(([sha256]) => !sha256);
  const ask = async () => {
    if (asking) return;
    asking = true;
    whyNot = await need("drawing", `${data}/drawing.js`) ?? "the server does not answer";
    changed();
  };
  const drawn = (number) => drawing && (server ? whyNot === "" : run.drawn.includes(number));
  const kind = (number) => {
    if (number < 0) return "none";
    if (episode.scenes[number][0]) return "picture";
    return drawn(number) ? "drawn" : "sketch";
  };

  const scene = (number, { linked = false } = {}) => {
    const holder = h("div", { class: "scene" });
    if (number < 0) holder.append(h("div", { class: "missing" }, "no picture"));
    else show(holder, number, linked);
    return holder;
  };

  const show = (holder, number, linked) => {
    const which = kind(number);
    if (which === "sketch") { sketch(holder, number); return; }
    const source = which === "picture"
      ? `../pictures/${episode.scenes[number][0]}.png` : `${data}/drawn-${number}.png`;
    const image = h("img", { src: source, alt: `what there was to see (${which})`, loading: "lazy", decoding: "async",
      error: () => { holder.replaceChildren(); sketch(holder, number); } });
    holder.append(linked ? h("a", { href: source }, image) : image);
  };

  const sketch = async (holder, number) => {
    const chunk = Math.floor(number / episode.sketches);
    const listed = await need(`sketches-${chunk}`, `${data}/sketches-${chunk}.js`);
    const found = listed?.find(([one]) => one === number);
    holder.append(found ? build(found[1]) : h("div", { class: "missing" }, "no picture"));
  };

  const note = (number) => ({
    picture: run.looks === false ? "drawn for you; this model does not look" : "what the model was shown",
    drawn: "drawn for you; this model did not look",
    sketch: "sketch of the true state; no picture was drawn",
    none: "",
  })[kind(number)];

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

  return { scene, sceneNote: note, sceneDrawer: drawer, dataFolder: data };
})());
