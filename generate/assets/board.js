// @ts-check
/* The board of verdicts: filters that live in the address, and cards that open in place.
 *
 * Without this script every machine's table is there, and a square leads to the claim on the source's page.
 */

import { all, element, first, loadJson } from "./dom.js";
import { offerBuilds, startFilters } from "./filters.js";

/** @import { Chosen } from "./filters.js" */

/** @param {HTMLElement} row @param {Chosen} wanted @param {boolean[]} isShown by build */
const matches = ({ dataset: { source, families = "", verdicts = "" } }, wanted, isShown) =>
  (!wanted.source || source === wanted.source) &&
  (!wanted.family || families.split(" ").includes(wanted.family)) &&
  verdicts.split("|").some((verdict, column) => isShown[column] && (!wanted.verdict || verdict === wanted.verdict));

/**
 * Shows the wanted builds of a table, and returns of each whether it is one. The first cell of a row is the claim's.
 * @param {HTMLTableElement} table
 * @param {Chosen} wanted
 */
const showBuilds = (table, wanted) => {
  const heads = [...table.rows[0].cells].slice(1);
  const isShown = heads.map(({ dataset }) => !wanted.build || dataset.build === wanted.build);
  for (const { cells } of table.rows) isShown.forEach((shown, column) => (cells[column + 1].hidden = !shown));
  table.style.setProperty("--builds", String(isShown.filter(Boolean).length));
  return isShown;
};

/** Returns how many claims of a source are shown. @param {HTMLElement} source @param {Chosen} wanted */
const showSource = (source, wanted) => {
  const isShown = showBuilds(first(HTMLTableElement, "table", source), wanted);
  const rows = all(HTMLTableRowElement, "tr[data-source]", source);
  for (const row of rows) row.hidden = !matches(row, wanted, isShown);
  const count = rows.filter(({ hidden }) => !hidden).length;
  source.hidden = !count;
  return count;
};

/**
 * Returns how many of the claims on which all builds agree are shown; where something is looked for, they unfold.
 * @param {HTMLDetailsElement} agreed
 * @param {Chosen} wanted
 */
const showAgreed = (agreed, wanted) => {
  const isShown = (agreed.dataset.builds ?? "").split("|").map((build) => !wanted.build || build === wanted.build);
  const items = all(HTMLLIElement, "li[data-source]", agreed);
  for (const item of items) item.hidden = !matches(item, wanted, isShown);
  const count = items.filter(({ hidden }) => !hidden).length;
  agreed.hidden = !count;
  if (wanted.source || wanted.family || wanted.verdict) agreed.open = true;
  return count;
};

/** @param {HTMLFormElement} form @param {Chosen} wanted */
const apply = (form, wanted) => {
  let shown = 0;
  for (const machine of all(HTMLElement, ".verdicts[data-machine]")) {
    machine.hidden = machine.dataset.machine !== wanted.machine;
    const counts = [
      ...all(HTMLElement, ".source", machine).map((source) => showSource(source, wanted)),
      ...all(HTMLDetailsElement, "details.agreed", machine).map((agreed) => showAgreed(agreed, wanted)),
    ];
    if (!machine.hidden) { for (const count of counts) shown += count; }
  }
  first(HTMLOutputElement, "output", form).textContent = `${shown} ${shown === 1 ? "claim" : "claims"}`;
};

/**
 * @typedef {{ verdict: string, leans: boolean, quick: boolean, symbol: string, name: string, sentence: string, reason: string,
 *   facts: Record<string, string>, scenario: string, runners: string[], file: string, command: string,
 *   hosted: string }} Part
 */

const squareOf = (/** @type {Part} */ { leans, quick, verdict, symbol }) => {
  const attributes = {
    class: "square",
    "data-verdict": verdict,
    "data-symbol": symbol,
    "data-leans": leans ? "" : null,
    "data-quick": quick ? "" : null,
  };
  return element("span", attributes, `${leans ? "leans to: " : ""}${verdict}${quick ? ", by a quick run" : ""}`);
};

/** @param {Part} part @param {string} root */
const linksOf = ({ scenario, runners, file }, root) => {
  const page = `${root}scenarios/${scenario}.html`;
  const links = runners.map((runner) => element("a", { href: `${page}#code-${runner}` }, runner));
  links.push(element("a", { href: page }, "all of it"));
  if (file) links.unshift(element("a", { href: `${root}data/raw/${encodeURI(file)}` }, "Raw data"));
  return element("p", { class: "note" }, ...links.flatMap((link, index) => (index ? [" · ", link] : [link])));
};

const factsOf = (/** @type {Record<string, string>} */ facts) => {
  const pairs = Object.entries(facts).map(([name, fact]) =>
    element("div", {}, element("dt", {}, name), element("dd", {}, fact))
  );
  return element("dl", { class: "facts" }, ...pairs);
};

/** @param {Part} part @param {string} root */
const partOf = (part, root) => {
  const made = element("div", { class: "part" }, element("p", {}, squareOf(part)), element("p", {}, part.sentence));
  const [title, sentence] = made.children;
  if (part.name) title.append(" ", element("b", {}, part.name));
  if (part.reason) sentence.append(" ", element("span", { class: "caution" }, `Not decided: ${part.reason}.`));
  if (Object.keys(part.facts).length) made.append(factsOf(part.facts));
  if (!part.scenario) return made;
  const [command, hosted] = [part.command, part.hosted].map((text) => element("code", {}, text));
  made.append(linksOf(part, root), element("p", { class: "note" }, "Repeat it: ", command, " or ", hosted));
  return made;
};

/**
 * Returns the card of a square, as the source's page has it for the current machine.
 * @param {DOMStringMap} square
 * @param {string} root
 */
const cardOf = async ({ claim = "", cell }, root) => {
  const { build, machine, whose, cards } = await loadJson(`${root}data/verdicts/${cell}.json`);
  const [ofBuild, ofMachine] = [build, machine].map((name) => element("bdi", {}, name));
  return element(
    "div",
    { class: "card" },
    element("p", { class: "card__title" }, `${claim} · ${cards[claim].says}`),
    element("p", { class: "note" }, ofBuild, ", ", ofMachine, whose),
    ...cards[claim].parts.map((/** @type {Part} */ part) => partOf(part, root)),
  );
};

const addDialog = () => {
  const made = element("dialog", { class: "card-dialog md-typeset", "aria-label": "Verdict" });
  /** @type {EventTarget | null} */
  let pressed = null; // to mark words and let go beside the card closes nothing
  made.addEventListener("pointerdown", ({ target }) => {
    pressed = target;
  });
  made.addEventListener("click", ({ target }) => {
    if (target === made && pressed === made) made.close();
  });
  document.body.append(made);
  return made;
};

/** Counts clicks: a card opens unless something else was clicked meanwhile or the page was left. */
let turn = 0;
const nextTurn = () => {
  turn += 1;
};

/** @param {MouseEvent} event @param {HTMLDialogElement} dialog @param {string} root */
const open = async (event, dialog, root) => {
  const link = event.target instanceof Element ? event.target.closest("a.square") : null;
  if (!(link instanceof HTMLAnchorElement)) return;
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  event.preventDefault();
  const mine = turn;
  try {
    const card = await cardOf(link.dataset, root);
    if (mine !== turn) return;
    const close = element("button", { type: "button" }, "Close");
    close.addEventListener("click", () => dialog.close());
    dialog.replaceChildren(card, close);
    dialog.showModal();
    close.focus();
  } catch {
    if (mine === turn) location.href = link.href;
  }
};

export const start = () => {
  const form = first(HTMLFormElement, "form[data-filters]");
  const builds = all(HTMLOptionElement, "[name=build] option", form);
  offerBuilds(form, ({ value }) => {
    const heads = all(HTMLElement, `[data-machine="${CSS.escape(value)}"] th[data-build]`);
    const names = new Set(["", ...heads.map(({ dataset }) => dataset.build)]);
    return builds.filter((option) => names.has(option.value));
  });
  startFilters(form, (wanted) => apply(form, wanted));
  const dialog = addDialog();
  addEventListener("pagehide", nextTurn);
  document.addEventListener("click", nextTurn, { capture: true });
  const board = first(HTMLElement, ".board-page");
  board.addEventListener("click", (event) => open(event, dialog, board.dataset.root ?? ""));
};
