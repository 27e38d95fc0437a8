"use strict";
// The film strip: only the frames in view exist, so that ten thousand steps are no more than twenty.
plumbline.strip = (place, { chosen }) => {
  const { h } = plumbline;
  const WIDTH = 140;
  const frames = new Map();
  const inner = h("div", { class: "frames" });
  const film = h("div", { class: "film", tabindex: "0", "aria-label": "Steps as pictures" }, inner);
  place.replaceChildren(film);
  let [steps, scenes, wrong, fatal, ends] = [[], null, new Set(), new Set(), 0];
  let current = 1;
  let high = 0;

  const frame = (number) => {
    const step = steps[number];
    const end = step === undefined;
    const caption = end
      ? [h("span", {}, "end")]
      : [h("span", { class: "what" }, step.action || "no attempt"), h("span", { class: step.tone }, step.mark)];
    const sign = fatal.has(number + 1) ? "fatal" : wrong.has(number + 1) ? "wrong" : "";
    const node = h("button", { type: "button", class: "frame", click: () => chosen(Math.min(number + 1, steps.length)) },
      scenes.scene(end ? steps.at(-1).after : step.before), end ? null : h("i", { class: "place" }, number + 1),
      sign ? h("b", { class: `sign ${sign}`, title: sign === "fatal" ? "here began what cost the episode" : "belief and truth part here" }) : null,
      h("span", { class: "caption" }, caption));
    node.style.left = `${number * WIDTH}px`;
    node.dataset.step = number + 1;
    return node;
  };

  const draw = () => {
    const first = Math.max(0, Math.floor(film.scrollLeft / WIDTH) - 2);
    const until = Math.min(steps.length + ends, Math.ceil((film.scrollLeft + film.clientWidth) / WIDTH) + 2);
    for (const [number, node] of frames) {
      if (number < first || number >= until) { node.remove(); frames.delete(number); }
    }
    for (let number = first; number < until; number += 1) {
      if (frames.has(number)) continue;
      const node = frame(number);
      node.classList.toggle("current", number + 1 === current);
      frames.set(number, node);
      inner.append(node);
      high = Math.max(high, node.offsetHeight);
    }
    inner.style.height = `${high + 4}px`;
  };

  const go = (step) => {
    current = step;
    const left = (step - 1) * WIDTH;
    if (left < film.scrollLeft + WIDTH || left > film.scrollLeft + film.clientWidth - 2 * WIDTH) {
      film.scrollLeft = left - (film.clientWidth - WIDTH) / 2;
    }
    draw();
    for (const [number, node] of frames) node.classList.toggle("current", number + 1 === step);
  };

  const show = (episode, these, signs) => {
    ({ steps } = episode);
    ({ wrong, fatal } = signs);
    scenes = these;
    ends = steps.length && steps.at(-1).after >= 0 ? 1 : 0;
    place.hidden = !steps.length;
    inner.style.width = `${(steps.length + ends) * WIDTH}px`;
    frames.forEach((node) => node.remove());
    frames.clear();
    draw();
  };
  film.addEventListener("scroll", draw, { passive: true });
  new ResizeObserver(draw).observe(film);
  return { show, go };
};
