/* The board of verdicts: filters that live in the address, and cards that open in place.
 *
 * Without this script every machine's table is there, and a square leads to the claim on the source's page.
 */
(() => {
  "use strict";

  const matches = (row, wanted, isShown) =>
    (!wanted.source || row.dataset.source === wanted.source) &&
    (!wanted.family || row.dataset.families.split(" ").includes(wanted.family)) &&
    row.dataset.verdicts.split("|").some((verdict, column) =>
      isShown[column] && (!wanted.verdict || verdict === wanted.verdict));

  /* Tells of each build of a table whether it is shown, and shows it or not: the first cell of a row names the claim. */
  const showBuilds = (table, wanted) => {
    const [, ...heads] = table.tHead.rows[0].cells;
    const isShown = heads.map(({ dataset }) => !wanted.build || dataset.build === wanted.build);
    for (const { cells } of table.rows) isShown.forEach((shown, column) => { cells[column + 1].hidden = !shown; });
    table.style.setProperty("--builds", isShown.filter(Boolean).length);
    return isShown;
  };

  const apply = (form, wanted) => {
    let shown = 0;
    for (const machine of document.querySelectorAll(".verdicts[data-machine]")) {
      machine.hidden = machine.dataset.machine !== wanted.machine;
      for (const source of machine.querySelectorAll(".source")) {
        const isShown = showBuilds(source.querySelector("table"), wanted);
        const rows = [...source.querySelectorAll("tr[data-source]")];
        for (const row of rows) row.hidden = !matches(row, wanted, isShown);
        const left = rows.filter(({ hidden }) => !hidden).length;
        source.hidden = !left;
        if (!machine.hidden) shown += left;
      }
    }
    form.querySelector("output").textContent = `${shown} ${shown === 1 ? "claim" : "claims"}`;
  };

  /* Each machine has builds of its own: the others are not offered, and one that it has not is not kept. */
  const offerBuilds = ({ machine, build }) => {
    const heads = document.querySelectorAll(`[data-machine="${CSS.escape(machine.value)}"] th[data-build]`);
    const names = new Set([...heads].map(({ dataset }) => dataset.build));
    for (const option of build.options) option.hidden = option.disabled = Boolean(option.value) && !names.has(option.value);
    if (build.selectedOptions[0]?.disabled) build.value = "";
  };

  const dialog = (signal) => {
    const made = document.createElement("dialog");
    made.className = "card-dialog md-typeset";
    made.setAttribute("aria-label", "Verdict");
    let pressed = null; // to mark words and let go beside the card closes nothing
    made.addEventListener("pointerdown", ({ target }) => {
      pressed = target;
    });
    made.addEventListener("click", ({ target }) => {
      if (target === made && pressed === made) made.close();
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
    const leaning = part.leans ? { "data-leans": "" } : {};
    const words = (part.leans ? "leans to: " : "") + part.verdict;
    return element("span", { class: "square", "data-verdict": part.verdict, "data-symbol": part.symbol, ...leaning }, words);
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

  const closeButton = (box) => {
    const made = element("button", { type: "button" }, "Close");
    made.addEventListener("click", () => box.close());
    return made;
  };

  /* Opens the card of a square, unless something else was clicked meanwhile or the page was left. */
  let turn = 0;
  const open = async (event, box) => {
    const link = event.target.closest("a.square");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    event.preventDefault();
    event.stopPropagation(); // instant navigation would follow the link all the same
    const mine = turn;
    try {
      const card = await cardOf(link.dataset, event.currentTarget.dataset.root);
      if (mine !== turn) return;
      const close = closeButton(box);
      box.replaceChildren(card, close);
      box.showModal();
      close.focus();
    } catch {
      if (mine === turn) location.href = link.href;
    }
  };

  const start = (signal) => {
    const form = document.querySelector("form[data-filters]");
    if (!form) return;
    for (const name of ["machine", "build"]) {
      for (const type of ["change", "restore"]) form.elements[name].addEventListener(type, () => offerBuilds(form.elements));
    }
    window.filters(form, (wanted) => apply(form, wanted), signal);
    const box = dialog(signal);
    const next = () => {
      turn += 1;
    };
    signal.addEventListener("abort", next);
    window.addEventListener("pagehide", next, { signal });
    document.addEventListener("click", next, { signal, capture: true });
    document.querySelector(".board-page")?.addEventListener("click", (event) => open(event, box));
  };

  window.onEachPage("board", start);
})();
