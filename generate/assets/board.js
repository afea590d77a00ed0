/* The board of verdicts: filters that live in the address, and cards that open in place.
 *
 * Without this script every machine's table is there, and a square leads to the claim on the source's page.
 */
(() => {
  "use strict";

  const matches = (row, wanted) =>
    (!wanted.source || row.dataset.source === wanted.source) &&
    (!wanted.family || row.dataset.families.split(" ").includes(wanted.family)) &&
    (!wanted.verdict || row.dataset.verdicts.split("|").includes(wanted.verdict));

  const apply = (form, wanted) => {
    let shown = 0;
    for (const machine of document.querySelectorAll(".verdicts[data-machine]")) {
      machine.hidden = machine.dataset.machine !== wanted.machine;
      for (const row of machine.querySelectorAll("tr[data-source]")) {
        row.hidden = !matches(row, wanted);
        if (!machine.hidden && !row.hidden) shown += 1;
      }
    }
    form.querySelector("output").textContent = `${shown} ${shown === 1 ? "claim" : "claims"}`;
  };

  const dialog = (signal) => {
    const made = document.createElement("dialog");
    made.className = "card-dialog md-typeset";
    made.setAttribute("aria-label", "Verdict");
    made.addEventListener("click", (event) => {
      if (event.target === made) made.close();
    });
    document.body.append(made);
    signal.addEventListener("abort", () => made.remove());
    return made;
  };

  const element = (tag, attributes, ...children) => {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    made.append(...children.filter(Boolean));
    return made;
  };

  const cells = new Map();
  const cardsOf = (url) => {
    if (!cells.has(url)) {
      const cards = fetch(url).then((answer) => (answer.ok ? answer.json() : Promise.reject(new Error(answer.status))));
      cards.catch(() => cells.delete(url));
      cells.set(url, cards);
    }
    return cells.get(url);
  };

  const square = (part) => {
    const symbol = element("span", { class: "symbol", "aria-hidden": "true" }, part.symbol);
    const leaning = part.leans ? { "data-leans": "" } : {};
    const words = (part.leans ? "leans to: " : "") + part.verdict;
    return element("span", { class: "square", "data-verdict": part.verdict, ...leaning }, symbol, words);
  };

  const links = (part, root) => {
    const page = `${root}scenarios/${part.scenario}.html`;
    const named = part.runners.map((runner) => element("a", { href: `${page}#code-${runner}` }, runner));
    named.push(element("a", { href: page }, "all of it"));
    if (part.file) named.unshift(element("a", { href: `${root}data/raw/${encodeURI(part.file)}` }, "Raw data"));
    return element("p", { class: "note" }, ...named.flatMap((link, index) => (index ? [" · ", link] : [link])));
  };

  const facts = (part) =>
    element("dl", { class: "facts" }, ...Object.entries(part.facts).map(([name, fact]) =>
      element("div", {}, element("dt", {}, name), element("dd", {}, fact))));

  const partOf = (part, root) => {
    const doubt = part.reason && element("span", { class: "caution" }, `Not decided: ${part.reason}.`);
    const command = part.scenario && element("p", { class: "note" },
      "Repeat it: ", element("code", {}, part.command), " or ", element("code", {}, part.hosted));
    return element("div", { class: "part" },
      element("p", {}, square(part), part.name && " ", part.name && element("b", {}, part.name)),
      element("p", {}, part.sentence, doubt && " ", doubt),
      Object.keys(part.facts).length && facts(part),
      part.scenario && links(part, root),
      command);
  };

  /* The card of a square: as the source's page has it for the leading machine. */
  const cardOf = async ({ claim, cell }, root) => {
    const { build, machine, whose, cards } = await cardsOf(`${root}data/verdicts/${cell}.json`);
    const where = element("p", { class: "note" },
      element("bdi", {}, build), ", ", element("bdi", {}, machine), whose);
    return element("div", { class: "card" },
      element("p", { class: "card__title" }, `${claim} · ${cards[claim].says}`),
      where,
      ...cards[claim].parts.map((part) => partOf(part, root)));
  };

  const open = async (event, box) => {
    const link = event.target.closest("a.square");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    event.preventDefault();
    event.stopPropagation(); // instant navigation would follow the link all the same
    try {
      const close = document.createElement("button");
      close.type = "button";
      close.textContent = "Close";
      close.addEventListener("click", () => box.close());
      box.replaceChildren(await cardOf(link.dataset, event.currentTarget.dataset.root), close);
      box.showModal();
      close.focus();
    } catch {
      location.href = link.href;
    }
  };

  /* A card on its own page is inside a folded part: open that one when the address names it. */
  const unfold = () => {
    const id = location.hash.slice(1);
    const named = id ? document.getElementById(decodeURIComponent(id)) : null;
    const fold = named?.closest("details");
    if (!fold) return;
    fold.open = true;
    named.scrollIntoView();
  };

  const start = (signal) => {
    unfold();
    window.addEventListener("hashchange", unfold, { signal });
    const form = document.querySelector("form[data-filters]");
    if (!form) return;
    window.filters(form, (wanted) => apply(form, wanted), signal);
    const box = dialog(signal);
    document.querySelector(".board-page")?.addEventListener("click", (event) => open(event, box));
  };

  window.onEachPage("board", start);
})();
