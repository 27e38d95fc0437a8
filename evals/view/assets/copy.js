"use strict";
// Commands to copy: a button beside each of them.
Object.assign(plumbline, (() => {
  const { h } = plumbline;

  const button = (pre) => {
    const copy = async () => {
      try {
        await navigator.clipboard.writeText(pre.textContent);
        made.textContent = "copied";
      } catch {
        getSelection().selectAllChildren(pre);
        made.textContent = "press Ctrl-C";
      }
    };
    const made = h("button", { type: "button", class: "copy", click: copy }, "copy");
    return made;
  };

  const copyable = () => document.querySelectorAll("pre.command:not(.copyable)").forEach((pre) => {
    pre.classList.add("copyable");
    pre.after(button(pre));
  });
  const command = (text) => {
    const pre = h("pre", { class: "command copyable" }, text);
    return [pre, button(pre)];
  };
  copyable();
  return { copyable, command };
})());
