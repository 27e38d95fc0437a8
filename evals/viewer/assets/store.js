"use strict";
// Data come as scripts that call `take`: pages that are opened as files cannot fetch anything.
Object.assign(plumbline, (() => {
  const values = new Map();
  const waiting = new Map();

  const take = (name, text) => {
    const value = JSON.parse(text);
    values.set(name, value);
    (waiting.get(name) ?? []).forEach((done) => done(value));
    waiting.delete(name);
  };

  const load = (name, address) => new Promise((done) => {
    const others = waiting.get(name);
    if (others) { others.push(done); return; }
    waiting.set(name, [done]);
    const script = plumbline.h("script", { src: address });
    script.addEventListener("error", () => {
      (waiting.get(name) ?? []).forEach((one) => one(null));
      waiting.delete(name);
    });
    document.body.append(script);
  });

  // The value of that name, loaded from the address if it is not there yet; null if there is nothing.
  const need = (name, address) => (values.has(name) ? Promise.resolve(values.get(name)) : load(name, address));
  const value = (name) => values.get(name);

  const meta = document.querySelector("meta[name=plumbline-token]");
  const server = meta ? { token: meta.content, labels: meta.dataset.labels } : null;

  return { take, need, load, value, server };
})());
