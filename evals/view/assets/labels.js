"use strict";
// What people say of an episode, and, where a server listens, a form to say it.
plumbline.labels = (place, episode, { step }) => {
  const { h, fill, spaced, server, remembered, remember } = plumbline;
  let run = plumbline.value("run");

  const set = (name) => run.sets.find((one) => one.name === name);
  const own = () => run.sets[0].name; // the failure classes that the trace's own verdict is one of
  const told = (label) => h("li", {},
    h("b", {}, spaced(label.label)), label.set === own() ? null : h("small", {}, ` ${set(label.set)?.title ?? label.set}`),
    label.step ? [" ", h("a", { href: `#step=${label.step}` }, `step ${label.step}`)] : null,
    h("div", { class: "quiet" }, `${label.who}, ${label.at.slice(0, 16).replace("T", " ")}`),
    label.comment ? h("div", { class: "comment" }, label.comment) : null,
    server ? h("button", { type: "button", class: "plain", click: () => send({ set: label.set, label: null, who: label.who, comment: "" }) }, "take back") : null);

  const message = h("span", { role: "status" });
  const send = async (given) => {
    message.className = "quiet";
    message.textContent = "…";
    try {
      const response = await fetch(server.labels, {
        method: "POST",
        headers: { "Content-Type": "application/json", "X-Plumbline-Token": server.token },
        body: JSON.stringify({ run: run.run, episode: episode.id, ...given }),
      });
      if (!response.ok) throw new Error((await response.text()).trim());
      run = await plumbline.load(`${plumbline.dataFolder}/run.js?${Date.now()}`) ?? run;
      show();
      message.textContent = "kept";
    } catch (error) {
      message.className = "bad";
      message.textContent = error.message;
    }
  };

  const form = () => {
    const sets = h("select", { "aria-label": "Label set" }, run.sets.map((one) => h("option", { value: one.name }, one.title)));
    sets.value = remembered("set", true) ?? own();
    if (!sets.value) sets.value = own();
    const labels = h("select", { "aria-label": "Label", name: "label" });
    const meaning = h("p", { class: "quiet meaning" });
    const explain = () => { meaning.textContent = set(sets.value).labels[labels.value] ?? ""; };
    const option = (name) => h("option", { value: name }, spaced(name));
    const offer = () => {
      const chosen = set(sets.value);
      const groups = Object.entries(chosen.groups);
      fill(labels, groups.length
        ? groups.map(([name, members]) => h("optgroup", { label: name }, members.map(option)))
        : Object.keys(chosen.labels).map(option));
      if (chosen.name === own() && episode.verdict.failure) labels.value = episode.verdict.failure;
      explain();
    };
    sets.addEventListener("change", () => { remember("set", sets.value, true); offer(); });
    labels.addEventListener("change", explain);
    offer();
    const comment = h("textarea", { rows: 2, placeholder: "why (for later readers)", "aria-label": "Comment", maxlength: 4000 });
    const who = h("input", { type: "text", placeholder: "your name", "aria-label": "Your name", required: true, maxlength: 100 });
    who.value = remembered("who", true) ?? "";
    const here = h("input", { type: "checkbox" });
    return h("form", { submit: (event) => {
      event.preventDefault();
      remember("who", who.value, true);
      send({ set: sets.value, label: labels.value, who: who.value, comment: comment.value, step: here.checked ? step() : null });
    } },
    h("div", { class: "row" }, sets, labels), meaning, comment,
    h("div", { class: "row" }, who, h("label", { class: "choice" }, here, " about this step"), h("button", { type: "submit" }, "Keep label"), message));
  };

  const automatic = h("b", {});
  const say = () => { automatic.textContent = !episode.finished ? "nothing yet" : episode.verdict.failure ? spaced(episode.verdict.failure) : "success"; };
  const show = () => {
    say();
    const fields = server ? form() : null;
    fill(place, h("h2", {}, "Labels"), h("p", {}, "The trace says ", automatic, "."),
      run.labels.length ? h("ul", { class: "given" }, run.labels.map(told)) : h("p", { class: "quiet" }, "Nobody has said anything else."),
      run.corrected ? h("p", { class: "quiet" }, `${plumbline.plural(run.corrected, "earlier label")} corrected or taken back.`) : null,
      fields ? h("details", {}, h("summary", {}, run.labels.length ? "Say something else" : "Agree or correct"), fields) : null);
  };
  show();
  // A newer episode and run; a form that is being filled in stays as it is.
  const renew = (told, of) => {
    [episode, run] = [told, of];
    if (place.querySelector("details[open]")) say();
    else show();
  };
  return { show: renew, focus: () => {
    const details = place.querySelector("details");
    if (details) { details.open = true; place.querySelector("select[name=label]").focus(); place.scrollIntoView({ block: "nearest" }); }
  } };
};
