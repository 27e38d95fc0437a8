"use strict";
// Follows a live run: asks the server every other second whether something is new, and stops when the run is over.
Object.assign(plumbline, (() => {
  const { h } = plumbline;
  const PAUSE = 1500;
  const LONGEST = 30000;
  const meta = document.querySelector("meta[name=plumbline-live]");
  const sign = h("span", { id: "live", role: "status", hidden: true });
  document.querySelector(".bar .brand")?.after(sign);
  const say = (text) => { sign.hidden = !text; sign.textContent = text; };

  // Keep the reader's place when content is added above it: the part nearest to the top of the window stays where it
  // is. Sticky elements cannot serve as that part.
  const keepPlace = (change) => {
    const marks = scrollY ? [...document.querySelectorAll("main [id]")]
      .filter((node) => node.getClientRects().length && !node.closest(".side, .stepbar"))
      .map((node) => ({ id: node.id, top: node.getBoundingClientRect().top })) : [];
    const [mark] = marks.sort((a, b) => Math.abs(a.top) - Math.abs(b.top));
    change();
    const now = mark && document.getElementById(mark.id);
    if (now) scrollBy(0, now.getBoundingClientRect().top - mark.top);
  };

  // The page as the server sends it now. It is as safe as the first time: the server escapes it, scripts of a parsed
  // page never run, and the policy allows only our own.
  const freshPage = async () => {
    try {
      const response = await fetch(location.pathname);
      return response.ok ? new DOMParser().parseFromString(await response.text(), "text/html") : null;
    } catch { return null; }
  };

  // Put the newer parts of a page in place of what is here; what the reader has opened stays open.
  const swap = (fresh) => keepPlace(() => {
    for (const old of document.querySelectorAll("[data-live]")) {
      const found = fresh.querySelector(`[data-live="${old.dataset.live}"]`);
      if (!found || found.isEqualNode(old)) continue;
      const open = new Set([...old.querySelectorAll("details[open] > summary")].map((one) => one.textContent));
      found.querySelectorAll("details > summary").forEach((one) => { one.parentElement.open ||= open.has(one.textContent); });
      old.replaceWith(found);
    }
    document.title = fresh.title;
    plumbline.copyable();
  });

  // `changed` shows what is new; it returns whether it could.
  const follow = (changed) => {
    if (!meta) return;
    let { stamp } = meta.dataset;
    let running = meta.dataset.running === "yes";
    let pause = PAUSE;
    let timer = 0;
    let busy = false;
    const ask = async () => {
      if (busy || document.hidden) return;
      busy = true;
      clearTimeout(timer);
      const began = performance.now();
      let state = null;
      try { state = await (await fetch(meta.content)).json(); } catch { /* ask again later */ }
      if (state && state.stamp !== stamp && await changed(state)) stamp = state.stamp;
      if (state) running = state.running;
      // Poll slow servers less often, and those that are gone.
      pause = state ? Math.max(PAUSE, 4 * (performance.now() - began)) : Math.min(LONGEST, 2 * pause);
      say(!running ? "" : state ? "live" : "the viewer does not answer");
      busy = false;
      if (running) timer = setTimeout(ask, pause);
    };
    document.addEventListener("visibilitychange", ask);
    if (running) { say("live"); timer = setTimeout(ask, PAUSE); }
  };

  return { follow, freshPage, keepPlace, swap };
})());
