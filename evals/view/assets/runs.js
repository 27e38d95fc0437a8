"use strict";
// The list of runs: sorted by its headings, filtered by words, sweeps folded, and some runs chosen to be compared.
(() => {
  const { h, fill, keys, plural, server, remembered, remember, follow } = plumbline;
  const FEW = 25;
  const table = document.getElementById("runs");
  const shown = document.getElementById("shown");
  const chosen = new Set();
  let order = null;

  const bodies = () => [...table.tBodies];
  const runs = (body) => [...body.rows].filter((row) => row.dataset.run);
  const all = () => bodies().flatMap(runs);

  // --- sweeps are folded where there is much else to see
  const folded = (body) => {
    const kept = remembered(`folded:${body.dataset.sweep}`);
    return kept === null ? bodies().length > 1 && all().length > FEW : kept === "yes";
  };
  const words = h("input", { type: "search", placeholder: "filter by words", "aria-label": "Filter runs by words" });
  const filter = () => {
    const wanted = words.value.toLowerCase().split(/\s+/).filter(Boolean);
    let count = 0;
    for (const body of bodies()) {
      const head = body.rows[0].classList.contains("sweep") ? body.rows[0] : null;
      const close = head !== null && folded(body) && !wanted.length;
      const name = head?.textContent.toLowerCase() ?? "";
      let found = 0;
      for (const row of runs(body)) {
        const fits = wanted.every((word) => name.includes(word) || row.textContent.toLowerCase().includes(word));
        row.hidden = !fits || close;
        found += fits;
      }
      if (head) {
        head.hidden = !found;
        head.querySelector("button.fold")?.setAttribute("aria-expanded", String(!close));
      }
      count += found;
    }
    const many = all().length;
    shown.textContent = count === many ? plural(count, "run") : `${count} of ${plural(many, "run")}`;
  };
  words.addEventListener("input", filter);
  shown.after(h("p", { class: "filters" }, words));

  // --- some are chosen to be compared
  const bar = h("div", { class: "chosen", hidden: true, role: "status" });
  document.querySelector("main").append(bar);
  const compare = () => { if (chosen.size > 1) location.href = `compare/${[...chosen].map(encodeURIComponent).join(",")}.html`; };
  const choose = (listed, wanted) => {
    listed.forEach((key) => (wanted ? chosen.add(key) : chosen.delete(key)));
    for (const box of table.querySelectorAll("input.pick")) {
      const these = keysOf(box);
      const some = these.filter((key) => chosen.has(key)).length;
      box.checked = some === these.length;
      box.indeterminate = some > 0 && !box.checked;
    }
    bar.hidden = !chosen.size;
    fill(bar, h("span", {}, `${plural(chosen.size, "run")} chosen${chosen.size < 2 ? "; choose another to compare them" : ""}`),
      h("button", { type: "button", class: "main", disabled: chosen.size < 2, click: compare }, "compare"),
      h("button", { type: "button", click: () => choose([...chosen], false) }, "clear"));
  };
  const keysOf = (box) => {
    const row = box.closest("tr");
    return row.dataset.run ? [row.dataset.run] : runs(row.parentElement).map((one) => one.dataset.run);
  };
  const picker = (said) => {
    const box = h("input", { type: "checkbox", class: "pick", "aria-label": said, change: () => choose(keysOf(box), box.checked) });
    return h("label", { class: "picker" }, box);
  };

  const dress = () => {
    for (const body of bodies()) {
      const head = body.rows[0];
      if (head.classList.contains("sweep")) {
        const name = head.querySelector(".name");
        name.replaceWith(h("button", { type: "button", class: "fold", click: () => {
          remember(`folded:${body.dataset.sweep}`, folded(body) ? "no" : "yes");
          filter();
        } }, name.textContent));
        if (server) head.cells[0].prepend(picker(`Choose all runs of ${name.textContent} to compare them`));
      }
      if (server) runs(body).forEach((row) => row.cells[0].prepend(picker("Choose this run to compare it")));
    }
    choose([...chosen].filter((key) => !all().some((row) => row.dataset.run === key)), false);
    sort();
    filter();
  };

  // --- sorted: the rows of a sweep among themselves, and sweeps by their first
  const heads = [...table.tHead.rows[0].cells];
  const sort = () => {
    if (!order) return;
    const [place, sign] = order;
    const value = (row) => row.cells[place].dataset.value ?? row.cells[place].textContent;
    const compared = heads[place].dataset.kind === "number"
      ? (a, b) => sign * (value(a) - value(b))
      : (a, b) => sign * value(a).localeCompare(value(b), "en", { numeric: true });
    for (const body of bodies()) body.append(...runs(body).sort(compared));
    table.append(...bodies().sort((a, b) => compared(runs(a)[0], runs(b)[0])));
  };
  heads.forEach((head, place) => {
    const turn = () => {
      const down = head.getAttribute("aria-sort") === "ascending";
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      order = [place, down ? -1 : 1];
      sort();
    };
    head.replaceChildren(h("button", { type: "button", click: turn }, head.textContent));
  });

  const links = () => all().filter((row) => !row.hidden).map((row) => row.querySelector("a"));
  const move = (by) => {
    const listed = links();
    const at = listed.indexOf(document.activeElement);
    listed[Math.min(listed.length - 1, Math.max(0, at < 0 ? 0 : at + by))]?.focus();
  };
  const pick = () => {
    const key = document.activeElement.closest("tr")?.dataset.run;
    if (server && key) choose([key], !chosen.has(key));
  };
  keys(
    { keys: ["j", "ArrowDown"], does: "next run", run: () => move(1) },
    { keys: ["k", "ArrowUp"], does: "previous run", run: () => move(-1) },
    { keys: ["/"], does: "filter by words", run: () => words.focus() },
  );
  if (server) {
    keys({ keys: ["x"], does: "choose the run, to compare it", run: pick }, { keys: ["c"], does: "compare the chosen runs", run: compare });
  }
  dress();

  follow(async () => {
    const fresh = await plumbline.freshPage();
    const found = fresh?.getElementById("runs");
    if (!found) return false;
    plumbline.keepPlace(() => {
      const focused = table.contains(document.activeElement) ? document.activeElement.getAttribute("href") : null;
      bodies().forEach((body) => body.remove());
      table.append(...found.tBodies);
      dress();
      if (focused) links().find((link) => link.getAttribute("href") === focused)?.focus();
    });
    return true;
  });
})();
