"use strict";
// The episodes of a run: filtered, sorted, and the address keeps how.
(() => {
  const { h, fill, keys, count, spaced, remember, value, load, follow } = plumbline;
  const place = document.getElementById("table");
  let data = value("episodes");
  if (!place || !data) return;
  const PAGE = 100;
  let { rows } = data;

  const OPTIONAL = { end: (row) => row.end, cost: (row) => row.cost, label: (row) => row.labels.length, saved: (row) => row.saved.length };
  const columns = () => [
    ["id", "episode", "text"], ["split", "split", "split"], ["outcome", "outcome", "text"],
    ["class", "failure class", "text"], ["label", "people say", "text"], ["saved", "saved by", "text"],
    ["end", "end", "text"], ["reason", "ended because", "text"], ...data.columns.map(([key, name]) => [key, name, "number"]),
    ["wrong", "wrong answers", "number"], ["cost", "cost, US$", "number"],
  ].filter(([key]) => !OPTIONAL[key] || rows.some(OPTIONAL[key]));

  const values = (of) => [...new Set(rows.flatMap(of))].filter(Boolean);
  const choices = () => [
    ["outcome", "outcome", values((row) => row.outcome), (row, wanted) => row.outcome === wanted],
    ["class", "failure class", values((row) => row.class).sort(), (row, wanted) => row.class === wanted],
    ["end", "end", values((row) => row.end).sort(), (row, wanted) => row.end === wanted],
    ["split", "split", data.splits, (row, wanted) => row.split === wanted],
    [data.dimension, "wrong about", values((row) => row.missed).sort(), (row, wanted) => row.missed.includes(wanted)],
    ["label", "people say", values((row) => row.labels.map(([, label]) => label)).sort(),
      (row, wanted) => row.labels.some(([, label]) => label === wanted)],
    ["saved", "saved by", values((row) => row.saved).sort(), (row, wanted) => row.saved.includes(wanted)],
    ["differ", "official and robust", rows.some((row) => row.differ) ? ["differ"] : [], (row) => row.differ],
    ...tagged(),
  ];
  // The tags of questions, where they have few values; a picture or a scene of its own for each is none to choose from.
  const MOST = 60;
  const tagged = () => [...new Set(rows.flatMap((row) => Object.keys(row.tags)))]
    .map((name) => [`tag:${name}`, name, values((row) => row.tags[name] ?? "").sort((a, b) => a.localeCompare(b, "en", { numeric: true })),
      (row, wanted) => row.tags[name] === wanted])
    .filter(([, , possible]) => possible.length > 1 && possible.length <= MOST);

  // A choice that leaves out nothing is none: one class is worth choosing where some episodes do not have it.
  const tellingOf = (listed) => new Set(listed.filter(([, , possible, fits]) => possible.some((one) => rows.some((row) => !fits(row, one))))
    .map(([key]) => key));
  let [COLUMNS, CHOICES] = [columns(), choices()];
  let telling = tellingOf(CHOICES);

  let state = {};
  let most = PAGE;
  const read = () => { state = Object.fromEntries(new URLSearchParams(location.hash.slice(1))); };
  const write = () => {
    const kept = new URLSearchParams(Object.entries(state).filter(([, wanted]) => wanted));
    history.replaceState(null, "", `#${kept}`);
  };
  const change = (more) => { state = { ...state, ...more }; most = PAGE; write(); show(); };

  const text = (row) => [row.id, row.split, row.outcome, spaced(row.class), spaced(row.end), row.reason, row.detail,
    ...Object.values(row.tags), ...row.labels.flat()].join(" ").toLowerCase();
  const matching = () => {
    const words = (state.text ?? "").toLowerCase().split(/\s+/).filter(Boolean);
    return rows.filter((row) => words.every((word) => text(row).includes(word))
      && CHOICES.every(([key, , , fits]) => !state[key] || fits(row, state[key])));
  };

  const cell = (row, key) => (key === "label" ? row.labels.map(([, label]) => spaced(label)).join(", ")
    : key === "saved" ? row.saved.join(", or ") : row[key]);
  const sorted = (list) => {
    const key = state.sort?.replace("-", "");
    const column = COLUMNS.find(([name]) => name === key);
    if (!column) return list;
    const sign = state.sort.startsWith("-") ? -1 : 1;
    const order = { number: (a, b) => a - b, split: (a, b) => data.splits.indexOf(a) - data.splits.indexOf(b) }[column[2]]
      ?? ((a, b) => String(a).localeCompare(String(b), "en", { numeric: true }));
    return [...list].sort((a, b) => sign * order(cell(a, key), cell(b, key)));
  };

  const heading = ([key, name, kind]) => {
    const way = state.sort === key ? "ascending" : state.sort === `-${key}` ? "descending" : null;
    const next = way === "ascending" ? `-${key}` : way === "descending" ? "" : key;
    const button = h("button", { type: "button", click: () => change({ sort: next }) }, name);
    return h("th", { scope: "col", "aria-sort": way, "data-kind": kind }, button);
  };

  const shown = (row, key, kind) => {
    if (key === "id") return h("th", { scope: "row" }, h("a", { href: `episodes/${encodeURIComponent(row.id)}.html` }, row.id));
    if (key === "outcome") return h("td", {}, h("span", { class: `badge ${row.outcome.replace(" ", "-")}` }, row.outcome));
    if (key === "reason") return h("td", {}, row.reason, row.detail ? h("small", {}, ` ${row.detail}`) : null);
    if (kind !== "number") return h("td", {}, spaced(String(cell(row, key))) || "–");
    return h("td", { class: "number" }, key === "cost" ? row.cost.toFixed(4) : count(row[key]));
  };

  const chooser = ([key, name, possible]) => {
    if (!telling.has(key) && !state[key]) return null;
    const listed = possible.includes(state[key]) || !state[key] ? possible : [...possible, state[key]];
    const select = h("select", { change: () => change({ [key]: select.value }) },
      h("option", { value: "" }, "all"), listed.map((one) => h("option", { value: one }, spaced(one))));
    select.value = state[key] ?? "";
    return h("label", {}, name, " ", select);
  };

  const words = h("input", { type: "search", placeholder: "words", "aria-label": "Filter by words",
    input: () => change({ text: words.value }) });

  const status = h("p", { class: "note", id: "shown", role: "status" });
  const controls = h("p", { class: "filters" });
  const table = h("div", { class: "scroll" });
  fill(place, status, controls, table);

  const show = ({ renewing = false } = {}) => {
    const list = sorted(matching());
    document.getElementById("episodes").hidden = !rows.length;
    status.textContent = list.length === rows.length
      ? plumbline.plural(list.length, "episode") : `${count(list.length)} of ${plumbline.plural(rows.length, "episode")}`;
    const focused = document.activeElement === words;
    const link = table.contains(document.activeElement) ? document.activeElement.getAttribute("href") : null;
    if (!focused) words.value = state.text ?? "";
    const clear = Object.values(state).some(Boolean)
      ? h("button", { type: "button", click: () => { words.value = ""; state = {}; change({}); } }, "clear") : null;
    // A choice that is open is not taken away under the reader's hand.
    if (!renewing || focused || !controls.contains(document.activeElement)) fill(controls, CHOICES.map(chooser), words, clear);
    if (focused) words.focus();
    const body = list.slice(0, most).map((row) => h("tr", {}, COLUMNS.map(([key, , kind]) => shown(row, key, kind))));
    const more = list.length > most
      ? h("p", {}, h("button", { type: "button", click: () => { most += 10 * PAGE; show(); } },
        `show more of ${count(list.length)}`)) : null;
    fill(table, h("table", { class: "episodes", id: "episodes-table" },
      h("thead", {}, h("tr", {}, COLUMNS.map(heading))), h("tbody", {}, body)), more);
    if (link) [...table.querySelectorAll("tbody a")].find((one) => one.getAttribute("href") === link)?.focus();
    remember(`order:${location.pathname.replace(/[^/]*$/, "")}`, JSON.stringify(list.map((row) => row.id)));
    remember(`wrong:${location.pathname.replace(/[^/]*$/, "")}`, JSON.stringify(list.filter((row) => row.outcome === "failure").map((row) => row.id)));
  };

  const move = (by) => {
    const links = [...table.querySelectorAll("tbody a")];
    const at = links.indexOf(document.activeElement);
    links[Math.min(links.length - 1, Math.max(0, at < 0 ? 0 : at + by))]?.focus();
  };
  keys(
    { keys: ["j", "ArrowDown"], does: "next episode", run: () => move(1) },
    { keys: ["k", "ArrowUp"], does: "previous episode", run: () => move(-1) },
    { keys: ["n"], does: "open the first one that failed", run: () => {
      const first = sorted(matching()).find((row) => row.outcome === "failure");
      if (first) location.href = `episodes/${encodeURIComponent(first.id)}.html`;
    } },
    { keys: ["/"], does: "filter by words", run: () => words.focus() },
  );
  window.addEventListener("hashchange", () => {
    read();
    most = PAGE;
    show();
    document.getElementById("episodes").scrollIntoView();
  });
  read();
  show();

  // A live run grows: replace the figures around the table and the rows in it.
  follow(async (now) => {
    const [fresh, told] = await Promise.all([plumbline.freshPage(), load(`episodes.js?${now.stamp}`)]);
    if (!fresh || !told) return false;
    plumbline.swap(fresh);
    plumbline.keepPlace(() => {
      data = told;
      ({ rows } = data);
      [COLUMNS, CHOICES] = [columns(), choices()];
      telling = tellingOf(CHOICES);
      const left = table.scrollLeft;
      show({ renewing: true });
      table.scrollLeft = left;
    });
    return true;
  });
})();
