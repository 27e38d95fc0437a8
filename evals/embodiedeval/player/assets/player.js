"use strict";
// Shows what the person sees and can do, and sends the choice: W, A, D, R, F for movements, numbers for every option.
(() => {
  const token = document.querySelector('meta[name="plumbline-player"]').content;
  const KEYS = { "move forward": "w", "turn left": "a", "turn right": "d", "look upward": "r", "look downward": "f" };
  const [view, earlier, text, options, typed] = ["view", "earlier", "text", "options", "typed"].map((id) => document.getElementById(id));
  let now = { number: -1, options: [] };
  let digits = "";
  let busy = false;

  const choose = async (place) => {
    if (busy || place < 0 || place >= now.options.length) return;
    busy = true;
    for (const button of options.children) button.disabled = true;
    try {
      await fetch("choices", { method: "POST", headers: { "Content-Type": "application/json", "X-Plumbline-Token": token },
        body: JSON.stringify({ number: now.number, place }) });
    } catch {
      typed.textContent = "The program does not answer; the choice was not taken.";
      for (const button of options.children) button.disabled = false;
    }
    busy = false;
    digits = "";
    await refresh();
  };

  const show = (state) => {
    now = state.number ? state : { number: 0, options: [] };
    typed.textContent = "";
    if (!state.number) {
      text.textContent = state.over ? "All tasks have been played. The table is in the terminal." : "The next task is being prepared …";
      options.replaceChildren();
      view.hidden = true;
      earlier.replaceChildren();
      return;
    }
    text.textContent = state.text;
    view.hidden = false;
    view.src = `pictures/${state.number}-${state.pictures - 1}.png`;
    const shots = [];
    for (let place = Math.max(0, state.pictures - 5); place < state.pictures - 1; place += 1) {
      const shot = document.createElement("img");
      shot.src = `pictures/${state.number}-${place}.png`;
      shot.alt = "what you saw earlier";
      shots.push(shot);
    }
    earlier.replaceChildren(...shots);
    options.replaceChildren(...state.options.map((option, place) => {
      const button = document.createElement("button");
      button.type = "button";
      const key = document.createElement("kbd");
      key.textContent = KEYS[option] ? KEYS[option].toUpperCase() : String(place + 1);
      button.append(key, ` ${option}`);
      button.addEventListener("click", () => choose(place));
      return button;
    }));
  };

  const refresh = async () => {
    const state = await fetch("state.json").then((got) => got.json()).catch(() => null);
    if (state && state.number !== now.number) show(state);
    else if (state && !state.number) show(state);
  };

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const key = event.key.toLowerCase();
    const place = now.options.findIndex((option) => KEYS[option] === key);
    if (place >= 0) choose(place);
    else if (/^[0-9]$/.test(key)) {
      digits += key;
      const wanted = Number(digits);
      // A number is taken at once where no longer one can follow.
      if (wanted * 10 > now.options.length) choose(wanted - 1);
      if (wanted * 10 > now.options.length) digits = "";
      typed.textContent = digits ? `${digits} … Enter takes it` : "";
    } else if (key === "enter" && digits) { choose(Number(digits) - 1); digits = ""; } else if (key === "escape") { digits = ""; typed.textContent = ""; }
  });

  show({ number: 0, over: false });
  refresh();
  setInterval(refresh, 300);
})();
