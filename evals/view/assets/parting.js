"use strict";
// Where two episodes part first, as `evals.compare` tells it: in an answer, a question, a plan, an attempt or the end.
plumbline.parting = (() => {
  const word = (value) => ({ 1: "yes", 0: "no" })[value] ?? "unreadable";

  // What can be held against another episode, in order. Questions asked together are one stage, whichever came first.
  const stages = (episode) => {
    const found = [];
    let [asking, attempts] = [null, 0];
    const end = () => { if (asking) found.push(asking); asking = null; };
    const ask = (step, phase, first, many) => {
      if (asking && (asking.phase !== phase || asking.attempts !== attempts)) end();
      asking ??= { kind: "asking", step, phase, attempts, answers: new Map(), truth: new Map() };
      const { atom, answer, truth } = episode.asked;
      for (let number = first; number < first + many; number += 1) {
        asking.answers.set(episode.atoms[atom[number]], answer[number]);
        asking.truth.set(episode.atoms[atom[number]], truth[number]);
      }
    };
    const tried = (step, action, outcome) => {
      found.push({ kind: "doing", step, action, outcome, executed: outcome.startsWith("executed") });
      attempts += 1;
    };
    episode.steps.forEach(({ items }, at) => items.forEach(([kind, ...told]) => {
      if (kind === "asked") { ask(at + 1, episode.phases[told[0]], told[1], told[2]); return; }
      if (!["planned", "acted", "called_off", "replanned"].includes(kind)) return;
      end();
      if (kind === "planned") found.push({ kind: "planning", step: at + 1, plan: told[0].plan });
      if (kind === "acted") tried(at + 1, told[0].action, told[0].outcome);
      if (kind === "called_off") tried(at + 1, told[0].action, "called off");
    }));
    end();
    if (episode.finished && !episode.gone) found.push({ kind: "ending", step: Math.max(1, episode.steps.length), reason: episode.verdict.reason });
    return found;
  };

  const told = (stage) => ({
    asking: () => [`asks: ${stage.phase}`],
    planning: () => (stage.plan.length ? stage.plan : ["no plan"]),
    doing: () => [`${stage.action}: ${stage.outcome}`],
    ending: () => [`ends: ${stage.reason}`],
  })[stage?.kind]?.() ?? ["nothing more"];

  const answers = (left, right) => {
    const both = [...left.answers.keys()].filter((atom) => right.answers.has(atom));
    const differing = both.filter((atom) => left.answers.get(atom) !== right.answers.get(atom)).sort();
    if (differing.length) {
      const said = (side) => differing.map((atom) => `${atom}: ${word(side.answers.get(atom))}`);
      const true_ = differing.filter((atom) => left.truth.get(atom) >= 0).map((atom) => `${atom}: ${word(left.truth.get(atom))}`);
      return { kind: "answers", left: said(left), right: said(right), truth: true_ };
    }
    if (left.phase === right.phase && both.length === left.answers.size && both.length === right.answers.size) return null;
    const only = (one, other) => [...one.answers.keys()].filter((atom) => !other.answers.has(atom)).sort();
    return { kind: "questions", left: only(left, right), right: only(right, left), truth: [] };
  };

  const between = (left, right) => {
    const kinds = [left?.kind, right?.kind];
    const both = kinds[0] === kinds[1] ? kinds[0] : null;
    if (both === "asking") return answers(left, right);
    let kind = kinds.some((one) => one === undefined || one === "ending") ? "end" : "action";
    if (both === "planning") kind = JSON.stringify(left.plan) === JSON.stringify(right.plan) ? null : "plan";
    if (both === "doing") kind = left.action !== right.action ? "action" : left.executed !== right.executed ? "outcome" : null;
    if (both === "ending") kind = left.reason === right.reason ? null : "end";
    return kind ? { kind, left: told(left), right: told(right), truth: [] } : null;
  };

  // The first difference and in which step of either it is; null if there is none. Methods of which one asks nothing
  // are compared by their attempts alone.
  return (one, other) => {
    const sides = [stages(one), stages(other)];
    const only = (kind) => sides[0].some((stage) => stage.kind === kind) !== sides[1].some((stage) => stage.kind === kind);
    const skipped = new Set(["asking", "planning", "ending"].filter(only));
    if (skipped.has("asking")) ["planning", "ending"].forEach((kind) => skipped.add(kind));
    const [left, right] = sides.map((side) => side.filter((stage) => !skipped.has(stage.kind)));
    for (let at = 0; at < Math.max(left.length, right.length); at += 1) {
      const found = between(left[at], right[at]);
      if (found) {
        const step = Math.min(...[left[at], right[at]].filter(Boolean).map((stage) => stage.step));
        return { ...found, step };
      }
    }
    return null;
  };
})();
