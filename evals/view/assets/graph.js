"use strict";
// The agent's graph, with the way it took in one step lit up.
plumbline.graph = (place, drawn) => {
  const { h, svg, fill } = plumbline;
  if (!drawn) { place.hidden = true; return { light: () => {} }; }

  const nodes = new Map();
  const edges = new Map();
  const picture = svg("svg", { class: "machine", viewBox: `0 0 ${drawn.width} ${drawn.height}`, role: "img", width: drawn.width },
    svg("title", {}, "The agent's graph"));
  for (const edge of drawn.edges) {
    const group = svg("g", { class: "edge" }, svg("path", { d: edge.line, class: "line" }), svg("path", { d: edge.tip, class: "head" }));
    edges.set(JSON.stringify([edge.from, edge.to]), group);
    picture.append(group);
  }
  for (const node of drawn.nodes) {
    const group = svg("g", { class: node.end ? "node end" : "node" },
      svg("rect", { x: node.x, y: node.y, width: node.width, height: node.height, rx: node.end ? 13 : 6 }),
      svg("text", { x: node.x + node.width / 2, y: node.y + node.height / 2 }, node.label));
    nodes.set(node.name, group);
    picture.append(group);
  }
  const caption = h("p", { class: "quiet" });
  fill(place, h("h3", {}, "The agent"), picture, caption);

  // `from` is the node in which the step before ended; `last` if the episode ends with this one.
  const light = (path, from, last) => {
    nodes.forEach((node) => node.classList.remove("lit"));
    edges.forEach((edge) => edge.classList.remove("lit"));
    const way = [from ?? "__start__", ...path, ...(last ? ["__end__"] : [])];
    way.slice(from ? 1 : 0).forEach((name) => nodes.get(name)?.classList.add("lit"));
    way.slice(1).forEach((name, at) => {
      const edge = edges.get(JSON.stringify([way[at], name]));
      if (edge) { edge.classList.add("lit"); picture.insertBefore(edge, nodes.values().next().value); }
    });
    caption.textContent = path.length ? path.join(" → ") : "The trace does not say which way it went.";
  };
  return { light };
};
