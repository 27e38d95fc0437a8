"use strict";
// The list of runs: sorted by its headings, filtered by words.
(() => {
  const { h, keys, plural } = plumbline;
  const table = document.getElementById("runs");
  const body = table.tBodies[0];
  const rows = [...body.rows];
  const shown = document.getElementById("shown");

  const words = h("input", { type: "search", placeholder: "filter by words", "aria-label": "Filter runs by words" });
  const filter = () => {
    const wanted = words.value.toLowerCase().split(/\s+/).filter(Boolean);
    let count = 0;
    for (const row of rows) {
      const text = row.textContent.toLowerCase();
      row.hidden = !wanted.every((word) => text.includes(word));
      count += !row.hidden;
    }
    shown.textContent = count === rows.length ? plural(count, "run") : `${count} of ${plural(rows.length, "run")}`;
  };
  words.addEventListener("input", filter);
  shown.after(h("p", { class: "filters" }, words));

  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, place) => {
    const value = (row) => row.cells[place].dataset.value ?? row.cells[place].textContent;
    const compare = head.dataset.kind === "number"
      ? (a, b) => value(a) - value(b)
      : (a, b) => value(a).localeCompare(value(b), "en", { numeric: true });
    const sort = () => {
      const down = head.getAttribute("aria-sort") === "ascending";
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      body.append(...rows.sort((a, b) => (down ? compare(b, a) : compare(a, b))));
    };
    const text = head.textContent;
    head.replaceChildren(h("button", { type: "button", click: sort }, text));
  });

  const links = () => rows.filter((row) => !row.hidden).map((row) => row.querySelector("a"));
  const move = (by) => {
    const all = links();
    const at = all.indexOf(document.activeElement);
    all[Math.min(all.length - 1, Math.max(0, at < 0 ? 0 : at + by))]?.focus();
  };
  keys(
    { keys: ["j", "ArrowDown"], does: "next run", run: () => move(1) },
    { keys: ["k", "ArrowUp"], does: "previous run", run: () => move(-1) },
    { keys: ["/"], does: "filter by words", run: () => words.focus() },
  );
})();
