"use strict";
// Facts by moments on a canvas: it draws what is in view, however much there is.
plumbline.BITS = { BELIEVED: 1, KNOWN: 2, TRUE: 4, WRONG: 8, ASKED: 16, MISREAD: 32, FATAL: 64 };

// One byte for each fact at each moment, from the changes that the data tell.
plumbline.cells = (episode) => {
  const { BELIEVED, KNOWN, TRUE, WRONG, ASKED, MISREAD, FATAL } = plumbline.BITS;
  const { moments, spells, fatal, believing } = episode.timeline;
  const size = episode.atoms.length;
  const cells = new Uint8Array(size * moments.length);
  const row = new Uint8Array(size);
  moments.forEach(([, , believed, truth, known], at) => {
    for (const change of believed) {
      const atom = Math.abs(change) - 1;
      row[atom] = change > 0 ? row[atom] | BELIEVED | KNOWN : (row[atom] & ~BELIEVED) | KNOWN;
    }
    for (const change of truth) {
      const atom = Math.abs(change) - 1;
      row[atom] = change > 0 ? row[atom] | TRUE : row[atom] & ~TRUE;
    }
    if (believing) for (let atom = 0; atom < size; atom += 1) row[atom] = known ? row[atom] | KNOWN : row[atom] & ~KNOWN;
    cells.set(row, at * size);
  });
  const costly = new Set(fatal);
  spells.forEach(([atom, , first, until], number) => {
    const bits = costly.has(number) ? WRONG | FATAL : WRONG;
    for (let at = first; at < (until < 0 ? moments.length : until); at += 1) cells[at * size + atom] |= bits;
  });
  plumbline.askedAt(episode).forEach((numbers, at) => {
    for (const number of numbers) {
      const { atom, answer, truth } = episode.asked;
      cells[at * size + atom[number]] |= answer[number] === truth[number] ? ASKED : ASKED | MISREAD;
    }
  });
  return cells;
};

// For each moment the numbers of the questions asked in it.
plumbline.askedAt = (episode) => {
  const at = episode.timeline.moments.map(() => []);
  const start = new Map();
  episode.timeline.moments.forEach(([turn], moment) => { if (!start.has(turn)) start.set(turn, moment); });
  episode.steps.forEach((step, place) => {
    let moment = start.get(place + 1);
    for (const [kind, , first, many] of step.items) {
      if (kind === "acted" || kind === "called_off") moment += 1;
      if (kind === "asked") for (let number = first; number < first + many; number += 1) at[moment]?.push(number);
    }
  });
  return at;
};

plumbline.Grid = class {
  constructor(place, episode, cells, { pointed, chosen }) {
    const { h } = plumbline;
    this.episode = episode;
    this.cells = cells;
    this.size = episode.atoms.length;
    this.moments = episode.timeline.moments;
    this.rows = [];
    this.current = 1;
    this.canvas = h("canvas", { role: "img", "aria-label": "Facts by steps: believed and true" });
    this.sizer = h("div", { class: "sizer" }, this.canvas);
    this.box = h("div", { class: "grid", tabindex: "0" }, this.sizer);
    place.append(this.box);
    this.box.addEventListener("scroll", () => this.draw(), { passive: true });
    this.box.addEventListener("mousemove", (event) => pointed(this.at(event), event));
    this.box.addEventListener("mouseleave", () => pointed(null));
    this.box.addEventListener("click", (event) => { const found = this.at(event); if (found) chosen(found); });
    this.watching = new ResizeObserver(() => this.fit());
    this.watching.observe(place);
    this.over = new AbortController();
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.draw(), { signal: this.over.signal });
  }

  close() { this.watching.disconnect(); this.over.abort(); }

  place() { return [this.box.scrollLeft, this.box.scrollTop]; }

  scroll([left, top]) { this.box.scrollTo(left, top); this.draw(); }

  show(rows) { this.rows = rows; this.fit(); }

  go(step) {
    this.current = step;
    const left = (step - 1) * this.pitch;
    const room = this.box.clientWidth - this.left;
    if (left < this.box.scrollLeft || left + this.pitch > this.box.scrollLeft + room) {
      this.box.scrollLeft = left - room / 2;
    }
    this.draw();
  }

  fit() {
    const steps = this.episode.steps.length || 1;
    this.top = 22;
    this.high = 19;
    const pen = this.canvas.getContext("2d");
    pen.font = this.font();
    const names = this.rows.slice(0, 3000).map((atom) => pen.measureText(this.episode.atoms[atom]).width);
    this.left = Math.min(260, 22 + Math.ceil(Math.max(40, ...names)));
    const room = this.box.parentElement.clientWidth - this.left - 8;
    this.wide = Math.max(9, Math.min(30, Math.floor((room / steps - 6) / 2)));
    this.pitch = 2 * this.wide + 6;
    const width = this.left + steps * this.pitch + 4;
    const height = this.top + this.rows.length * this.high + 4;
    this.box.style.maxHeight = `${Math.min(height, 20 * this.high + this.top) + 16}px`;
    this.sizer.style.width = `${width}px`;
    this.sizer.style.height = `${height}px`;
    this.seen = { width: Math.min(width, this.box.clientWidth), height: Math.min(height, this.box.clientHeight) };
    const scale = devicePixelRatio || 1;
    this.canvas.width = Math.ceil(this.seen.width * scale);
    this.canvas.height = Math.ceil(this.seen.height * scale);
    this.canvas.style.width = `${this.seen.width}px`;
    this.canvas.style.height = `${this.seen.height}px`;
    this.draw();
  }

  font() { return `12px ${getComputedStyle(document.body).fontFamily}`; }

  colours() {
    const style = getComputedStyle(document.documentElement);
    return new Proxy({}, { get: (_, name) => style.getPropertyValue(`--${name.replaceAll("_", "-")}`).trim() });
  }

  x(moment) {
    const [turn, acting] = this.moments[moment];
    return this.left + (turn - 1) * this.pitch + (acting ? 0 : this.wide) - this.box.scrollLeft;
  }

  draw() {
    if (!this.seen) return;
    const pen = this.canvas.getContext("2d");
    const scale = devicePixelRatio || 1;
    const paint = { ...Object.fromEntries(["paper", "ink", "muted", "line", "cell_true", "cell_false", "cell_claimed",
      "cell_missed", "cell_dot", "here"].map((name) => [name, this.colours()[name]])) };
    pen.setTransform(scale, 0, 0, scale, 0, 0);
    pen.clearRect(0, 0, this.seen.width, this.seen.height);
    pen.font = this.font();
    pen.textBaseline = "middle";
    const from = Math.floor(this.box.scrollLeft / this.pitch);
    const until = Math.ceil((this.box.scrollLeft + this.seen.width - this.left) / this.pitch);
    this.here(pen, paint, this.seen.height);
    this.body(pen, paint, from, until);
    this.heads(pen, paint, from, Math.min(until, this.episode.steps.length));
    this.names(pen, paint);
  }

  here(pen, paint, height) {
    pen.fillStyle = paint.here;
    pen.fillRect(this.left + (this.current - 1) * this.pitch - this.box.scrollLeft - 3, 0, this.pitch, height);
  }

  lines() {
    const first = Math.max(0, Math.floor(this.box.scrollTop / this.high));
    const last = Math.min(this.rows.length, first + Math.ceil(this.seen.height / this.high) + 1);
    return [first, last];
  }

  y(line) { return this.top + line * this.high - this.box.scrollTop; }

  body(pen, paint, from, until) {
    const [first, last] = this.lines();
    for (let moment = 0; moment < this.moments.length; moment += 1) {
      const turn = this.moments[moment][0] - 1;
      if (turn < from - 1) continue;
      if (turn > until) break;
      const x = this.x(moment);
      for (let line = first; line < last; line += 1) {
        this.cell(pen, paint, this.cells[moment * this.size + this.rows[line]], x, this.y(line));
      }
    }
  }

  cell(pen, paint, cell, x, y) {
    const { BELIEVED, KNOWN, TRUE, WRONG, ASKED, MISREAD, FATAL } = plumbline.BITS;
    const [wide, high] = [this.wide - 2, this.high - 3];
    if (!(cell & KNOWN)) {
      pen.fillStyle = paint.line;
      pen.fillRect(x + wide / 2 - 1, y + high / 2 - 1, 2, 2);
      return;
    }
    if (cell & WRONG) {
      pen.fillStyle = cell & BELIEVED ? paint.cell_claimed : paint.cell_missed;
      pen.fillRect(x, y, wide, high);
      if (!(cell & BELIEVED)) {  // believed false and true: hollow, so that it does not hang on the colour alone
        pen.fillStyle = paint.paper;
        pen.fillRect(x + 2.5, y + 2.5, wide - 5, high - 5);
      }
      if (cell & FATAL) {
        pen.strokeStyle = paint.ink;
        pen.lineWidth = 1;
        pen.strokeRect(x - 0.5, y - 0.5, wide + 1, high + 1);
      }
    } else {
      pen.fillStyle = cell & TRUE ? paint.cell_true : paint.cell_false;
      pen.fillRect(x, y, wide, high);
    }
    if (cell & ASKED) {
      pen.beginPath();
      pen.arc(x + wide / 2, y + high / 2, cell & MISREAD ? 3 : 1.4, 0, 7);
      pen.fillStyle = cell & MISREAD ? (cell & WRONG && cell & BELIEVED ? paint.paper : paint.cell_claimed) : paint.cell_dot;
      pen.fill();
    }
  }

  heads(pen, paint, from, until) {
    pen.fillStyle = paint.paper;
    pen.fillRect(0, 0, this.seen.width, this.top - 3);
    this.here(pen, paint, this.top - 3);
    pen.textAlign = "center";
    const each = [1, 2, 5, 10, 20, 50, 100].find((one) => one * this.pitch >= 26) ?? 100;
    for (let step = Math.max(0, from); step < until; step += 1) {
      if ((step + 1) % each && step + 1 !== this.current) continue;
      pen.fillStyle = step + 1 === this.current ? paint.ink : paint.muted;
      pen.fillText(String(step + 1), this.left + step * this.pitch + this.wide - this.box.scrollLeft - 1, 10);
    }
  }

  names(pen, paint) {
    const [first, last] = this.lines();
    pen.fillStyle = paint.paper;
    pen.fillRect(0, 0, this.left - 8, this.seen.height);
    pen.fillStyle = paint.muted;
    pen.textAlign = "left";
    pen.fillText("step", 2, 10);
    for (let line = first; line < last; line += 1) {
      if (this.y(line) < this.top - 6) continue;
      const atom = this.episode.atoms[this.rows[line]];
      const before = line ? this.episode.atoms[this.rows[line - 1]].split(" ")[0] : "";
      if (line && before !== atom.split(" ")[0]) {
        pen.fillStyle = paint.line;
        pen.fillRect(0, this.y(line) - 2, this.seen.width, 1);
      }
      pen.fillStyle = paint.ink;
      pen.fillText(atom, 2, this.y(line) + this.high / 2 - 1, this.left - 12);
    }
  }

  at(event) {
    const frame = this.canvas.getBoundingClientRect();
    const [x, y] = [event.clientX - frame.left, event.clientY - frame.top];
    const line = Math.floor((y - this.top + this.box.scrollTop) / this.high);
    const along = x - this.left + this.box.scrollLeft;
    const step = Math.floor(along / this.pitch) + 1;
    if (x < this.left - 4 || y < this.top || line >= this.rows.length || step > this.episode.steps.length) return null;
    const after = along - (step - 1) * this.pitch >= this.wide ? 0 : 1;
    const moment = this.moments.findIndex(([turn, acting]) => turn === step && acting === after);
    return moment < 0 ? null : { atom: this.rows[line], moment, step };
  }
};
