"use strict";
// The page of a question: pictures large, the answer beside them, what the model was told and said below.
(() => {
  const { h, fill, keys, value, plural, count, spaced, remembered, replyOf, promptOf, server, load, follow } = plumbline;
  const at = (id) => document.getElementById(id);
  const folder = location.pathname.replace(/episodes\/[^/]*$/, "");
  plumbline.dataFolder = `../data/${encodeURIComponent(value("episode").id)}`;
  let version = "";
  plumbline.dataFile = (file) => `${plumbline.dataFolder}/${file}${version}`;
  let [episode, run] = [value("episode"), value("run")];
  let question = episode.question;

  // --- pictures: those of the question, then what the agent made of them, in order
  const happened = () => episode.steps.flatMap((step) => step.items);
  const looks = () => happened().filter(([kind]) => kind === "looked").map(([, told]) => told);
  const address = (sha256) => `../pictures/${sha256}.png`;
  const shown = () => [
    ...question.pictures.map(([, sha256], number) => ({ src: sha256 ? address(sha256) : plumbline.dataFile(`question-${number}.png`), asked: Boolean(sha256),
      name: question.pictures.length > 1 ? `picture ${number + 1}` : "", what: "" })),
    ...looks().map(({ what, picture, sha256 }, number) => {
      const found = sha256 ?? question.known[picture];
      return { src: found ? address(found) : null, asked: Boolean(found), name: `look ${number + 1}`, what };
    }),
  ];
  const scenes = () => {
    const seen = shown().filter(({ src }) => src);
    return { count: seen.length, caption: (number) => [seen[number].name, seen[number].what].filter(Boolean).join(": "),
      scene: (number) => h("div", { class: "scene" }, h("img", { src: seen[number].src, alt: seen[number].name || "the picture" })) };
  };
  const figure = ({ src, name, what }, place) => {
    const holder = h("figure", { class: what ? "made" : "" });
    const gone = () => fill(holder, h("div", { class: "missing" }, "the picture is not kept, and cannot be drawn again"), caption);
    const caption = name || what ? h("figcaption", {}, h("b", {}, name), what ? ` ${what}` : "") : null;
    const open = (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      plumbline.lightbox.open(scenes(), shown().filter((one) => one.src).findIndex((one) => one.src === src));
    };
    if (src) fill(holder, h("a", { href: src, class: "opens", click: open }, h("img", { src, alt: name || `picture ${place + 1}`, error: gone })), caption);
    else gone();
    return holder;
  };
  const pictures = () => {
    const all = shown();
    const own = all.filter(({ what }) => !what);
    const made = all.filter(({ what }) => what);
    fill(at("pictures"), h("div", { class: `shown ${own.length > 1 ? "several" : ""}` }, own.map(figure)),
      own.some(({ asked }) => !asked) || run.looks === false ? h("p", { class: "quiet" }, "drawn for you; this model does not look") : null,
      made.length ? [h("h2", {}, plural(made.length, "look")), h("div", { class: "shown several looks" }, made.map(figure))] : null);
  };

  // --- the answer
  const profiles = () => {
    if (!question.profiles.length) return null;
    const differ = new Set(question.profiles.map(({ right }) => right)).size > 1;
    return h("div", { class: "profiles" }, question.profiles.map(({ name, right, read }) => h("div", { "data-profile": name }, h("span", {}, name),
      h("b", { class: right ? "good" : "bad" }, right ? "right" : "wrong"), read ? h("span", { class: "quiet" }, "reads ", h("code", {}, read)) : null)),
    differ ? h("span", { class: "badge warned" }, "they differ") : null);
  };
  const verdict = () => {
    const { failure, meaning, reason, detail, traceback } = episode.verdict;
    if (!episode.finished) return h("p", { class: "quiet" }, "not finished");
    return [h("p", { class: "said-of-it" }, h("b", { class: failure ? "bad" : "good" }, failure ? spaced(failure) : "right"), failure ? ` ${meaning}` : "",
      reason === "finished" ? "" : ` Ended because: ${reason}${detail ? ` (${detail})` : ""}.`),
    traceback ? h("details", { open: true }, h("summary", {}, "Traceback of the agent"), h("pre", { class: "reply" }, traceback)) : null];
  };
  const tags = () => h("p", { class: "tags" }, Object.entries(question.tags).map(([name, one]) =>
    h("a", { href: `../index.html#${new URLSearchParams({ [name === "split" ? "split" : `tag:${name}`]: one })}`, title: "all with this tag" }, h("span", { class: "quiet" }, `${spaced(name)} `), one)));
  const asked = () => {
    const parts = plumbline.questionParts({ ...question, right: episode.finished ? !episode.verdict.failure : null });
    fill(at("question"), tags(), h("h2", { class: "question-text" }, question.text), parts.answer(),
      question.answered ? null : h("p", { class: "bad" }, "No answer was given."), verdict(), profiles());
  };

  // --- what happened, in order
  const spent = (told) => h("small", {}, ` ${told.seconds ? `${told.seconds.toFixed(2)} s` : ""}${told.cached ? ", from the cache" : ""}`,
    told.prompt_tokens ? `, ${count(told.prompt_tokens)} + ${count(told.completion_tokens)} tokens` : "",
    told.cost ? `, US$ ${told.cost.toFixed(5)}` : "", told.truncated ? ", cut off by the token limit" : "");
  const { plainly } = plumbline.questionParts(question);
  const right = (told) => (told.right === null || told.right === undefined ? null : [" ", h("b", { class: told.right ? "good" : "bad" }, told.right ? "right" : "wrong")]);
  const words = (told) => [replyOf(episode, told.reply), promptOf(told.prompt)];
  let looked = 0;
  const TELL = {
    said: (told, alone) => h("div", { class: "told" }, h("b", {}, told.attempt ? "Asked again" : "Asked"), alone ? null : h("pre", { class: "reply" }, told.question), spent(told),
      h("div", {}, "read as ", told.fault ? h("span", { class: "bad" }, `nothing: ${told.fault.slice(0, 2000)}`) : h("b", {}, plainly(told.value).slice(0, 2000)), right(told)), words(told)),
    answered: (told) => h("div", { class: "told" }, h("b", {}, "Answered"), ` ${plainly(told.value)}`, right(told), question.said ? h("pre", { class: "reply" }, question.said) : null),
    looked: (told) => { looked += 1; return h("div", { class: "told" }, h("b", {}, `Look ${looked}`), ` ${told.what}`); },
    called: (told) => h("div", { class: "told" }, h("b", {}, "Called"), ` ${told.name} ${told.arguments.slice(0, 2000)}`, h("div", { class: told.fault ? "bad" : "quiet" }, replyOf(episode, told.result))),
    decided: (told) => h("div", { class: "told" }, h("b", {}, "Decided"), ` ${told.wanted.join(" · ") || "to call nothing more"}`, spent(told), words(told)),
    entered: () => null,
  };
  const flow = () => {
    looked = 0;
    const items = happened();
    // A single request is the question itself, which stands above.
    const alone = items.filter(([kind]) => kind === "said").length === 1;
    const told = items.map(([kind, one]) => (TELL[kind] ?? (() => null))(one, alone)).filter(Boolean);
    fill(at("flow"), h("h2", {}, "What happened"), told.length ? told : h("p", { class: "quiet" }, episode.gone || "Nothing happened."));
  };
  const damage = () => fill(at("damage"), episode.damaged || episode.gone ? h("div", { class: "banner" }, episode.gone, " ", episode.damage.join("; ")) : null);

  // --- other questions, in the order in which the table last showed them
  const kept = (name) => { try { return JSON.parse(remembered(`${name}:${folder}`)); } catch { return null; } };
  const neighbour = (by) => {
    const order = kept("order");
    const place = order?.indexOf(episode.id) ?? -1;
    return place >= 0 ? order[place + by] ?? null : null;
  };
  const beside = (by) => {
    const known = kept("order")?.includes(episode.id);
    const found = neighbour(by);
    return found ? `${encodeURIComponent(found)}.html` : known ? null : at(by > 0 ? "next" : "previous")?.getAttribute("href");
  };
  // Of those that the table listed; of all of the run where it never listed this one.
  const wrong = (by) => {
    const [order, failed] = [kept("order"), new Set(kept("wrong") ?? [])];
    const place = order?.indexOf(episode.id) ?? -1;
    if (place < 0) return question.wrong[by > 0 ? "next" : "previous"];
    const rest = by > 0 ? order.slice(place + 1) : order.slice(0, place).reverse();
    return rest.find((one) => failed.has(one)) ?? null;
  };
  const toWrong = (by) => { const found = wrong(by); return found ? `${encodeURIComponent(found)}.html` : null; };
  const leave = (next) => { if (next) location.href = next; };
  const ways = () => {
    const link = (text, by) => { const next = toWrong(by); return next ? h("a", { href: next }, text) : h("span", { class: "quiet" }, text); };
    fill(at("wrong-ones"), link("‹ wrong", -1), " ", link("next wrong ›", 1));
  };

  const labels = plumbline.labels(at("labels"), episode, { step: () => 1 });
  const show = () => { question = episode.question; damage(); pictures(); asked(); flow(); ways(); };
  show();

  keys(
    { keys: ["n"], does: "next wrong one, as the table listed them", run: () => leave(toWrong(1)) },
    { keys: ["p"], does: "previous wrong one", run: () => leave(toWrong(-1)) },
    { keys: ["j", "]", "ArrowRight"], does: "next question", run: () => leave(beside(1)) },
    { keys: ["k", "[", "ArrowLeft"], does: "previous question", run: () => leave(beside(-1)) },
    { keys: ["o", "+"], does: "enlarge the picture", run: () => at("pictures").querySelector(".opens")?.click() },
    { keys: ["r"], does: "show the prompt as sent", run: () => { const prompt = at("flow").querySelector("details.prompt"); if (prompt) { prompt.open = !prompt.open; prompt.scrollIntoView({ block: "nearest" }); } } },
    { keys: ["l"], does: "give a label", run: () => labels.focus() },
    { keys: ["u"], does: "up to the run", run: () => { location.href = "../index.html"; } },
  );
  if (server) follow(async (state) => {
    const told = await load(`${plumbline.dataFolder}/episode.js?${state.stamp}`);
    const of = await load(`${plumbline.dataFolder}/run.js?${state.stamp}`);
    if (!told || !of) return false;
    version = `?${state.stamp}`;
    [episode, run] = [told, of];
    show();
    labels.show(episode, run);
    return true;
  });
})();
