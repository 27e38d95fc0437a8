"use strict";
// Data come as scripts that call `take`: pages that are opened as files cannot fetch anything.
Object.assign(plumbline, (() => {
  const values = new Map();
  const waiting = new Map();
  const asked = new Map();

  // Scripts of the page itself hand over a value of that name; one that was loaded, the value of its address.
  const take = (name, text) => {
    const value = JSON.parse(text);
    const done = waiting.get(document.currentScript);
    if (done) done(value);
    else values.set(name, value);
  };

  // The value at an address as it is now; null if there is nothing.
  const load = (address) => new Promise((done) => {
    const script = plumbline.h("script", { src: address });
    const over = () => { waiting.delete(script); script.remove(); done(null); };
    waiting.set(script, done);
    script.addEventListener("load", over);
    script.addEventListener("error", over);
    document.body.append(script);
  });

  // The value at an address, loaded once.
  const need = (address) => {
    if (!asked.has(address)) {
      asked.set(address, load(address).then((value) => { if (value === null) asked.delete(address); return value; }));
    }
    return asked.get(address);
  };
  const value = (name) => values.get(name);

  const meta = document.querySelector("meta[name=plumbline-token]");
  const server = meta ? { token: meta.content, labels: meta.dataset.labels } : null;

  return { take, need, load, value, server };
})());
