"use strict";
// Elements from parts. Text is always text: nothing here turns a string into markup.
const plumbline = (() => {
  const SVG = "http://www.w3.org/2000/svg";

  const add = (node, child) => {
    if (Array.isArray(child)) child.forEach((one) => add(node, one));
    else if (child !== null && child !== undefined && child !== false) node.append(child);
    return node;
  };

  const made = (node, attributes, children) => {
    for (const [name, value] of Object.entries(attributes ?? {})) {
      if (value === null || value === undefined || value === false) continue;
      if (typeof value === "function") node.addEventListener(name, value);
      else node.setAttribute(name, value === true ? "" : String(value));
    }
    return add(node, children);
  };

  const h = (name, attributes, ...children) => made(document.createElement(name), attributes, children);
  const svg = (name, attributes, ...children) => made(document.createElementNS(SVG, name), attributes, children);

  // Drawings come as nested lists; only what drawings need is built from them.
  const DRAWN = new Set(["svg", "g", "rect", "path", "circle", "line", "text", "title"]);
  const LISTED = new Set(["dl", "dt", "dd", "div", "span"]);
  const ATTRIBUTES = new Set([
    "class", "d", "x", "y", "x1", "x2", "y1", "y2", "cx", "cy", "r", "rx", "width", "height", "viewBox", "role",
  ]);
  const build = (tree) => {
    if (typeof tree === "string") return document.createTextNode(tree);
    const [name, attributes, ...children] = tree;
    const kept = Object.fromEntries(Object.entries(attributes).filter(([key]) => ATTRIBUTES.has(key)));
    const parts = children.map(build);
    if (DRAWN.has(name)) return svg(name, kept, parts);
    return LISTED.has(name) ? h(name, kept, parts) : h("span", {}, parts);
  };

  const fill = (node, ...children) => {
    node.replaceChildren();
    return add(node, children);
  };

  const count = (number) => number.toLocaleString("en");
  const plural = (number, one, many) => `${count(number)} ${number === 1 ? one : many ?? `${one}s`}`;
  const spaced = (name) => name.replaceAll("_", " ");
  const yes = (value) => (value === 1 ? "yes" : value === 0 ? "no" : "–");

  // What a browser remembers between pages; a page opened as a file may not be allowed to.
  const store = (lasting) => (lasting ? localStorage : sessionStorage);
  const remembered = (key, lasting = false) => {
    try { return store(lasting).getItem(`plumbline:${key}`); } catch { return null; }
  };
  const remember = (key, value, lasting = false) => {
    try { store(lasting).setItem(`plumbline:${key}`, value); } catch { /* then not */ }
  };

  return { h, svg, build, fill, count, plural, spaced, yes, remembered, remember };
})();
