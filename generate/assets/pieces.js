// @ts-check
/* Puts what is of the chosen machine and build in the place of what the page comes with, and what is folded in its folds.
 * What it fetches is HTML that the generator made, as the page's own is. */

import { dropCharts, watchCharts } from "./chart_areas.js";
import { all, first, loadJson } from "./dom.js";
import { dressTables, orderTables } from "./tables.js";

/** @typedef {{ machine: string, build: string }} Choice A machine by its key, a build by its name. */

/** What each piece came with, and what it shows instead. @type {WeakMap<Element, { own: ChildNode[], html: string | null }>} */
const known = new WeakMap();

/** What has the focus in place of what had it: a build's button stands in what came too; a link in a fold may not. */
const nearestTo = (/** @type {Element} */ gone, /** @type {HTMLElement} */ piece) =>
  document.getElementById(gone.id) ?? piece.closest("details")?.querySelector("summary");

/** @param {HTMLElement} piece @param {string | null} html null: what it came with */
const put = (piece, html) => {
  const { own, html: shown } = known.get(piece) ?? { own: [...piece.childNodes], html: null };
  if (html === shown) return;
  const focused = piece.contains(document.activeElement) ? document.activeElement : null;
  known.set(piece, { own, html });
  dropCharts(piece); // drawn anew where they come back: the colours may have changed
  if (html === null) {
    piece.replaceChildren(...own); // sorted as they were left
    orderTables(piece); // the switch may have been turned meanwhile
  } else {
    piece.innerHTML = html;
    dressTables(piece);
  }
  watchCharts(piece);
  if (focused && !focused.isConnected) nearestTo(focused, piece)?.focus({ preventScroll: true });
};

/** What is folded, by piece, once it has come. @type {Record<string, string>} */
let folded = {};

/** Fills the folds but those that show another machine or build; the browser turns to its reader between them. */
export const fillFolds = async (/** @type {Record<string, string>} */ html) => {
  folded = html;
  for (const piece of all(HTMLElement, "[data-piece]")) {
    const ofFold = folded[piece.dataset.piece ?? ""];
    if (ofFold === undefined || (known.get(piece)?.html ?? null) !== null) continue; // "" is of another machine too
    put(piece, ofFold);
    await new Promise((turn) => setTimeout(turn));
  }
};

/** What the page has come with, and of which it is. @param {HTMLFormElement} form @returns {Choice} */
const ownOf = ({ dataset: { machine = "", build = "" } }) => ({ machine, build });

/**
 * Shows the chosen machine and build; returns whether anything changed, or null where something else was chosen meanwhile.
 * @param {HTMLFormElement} form
 * @param {Choice} choice
 */
export const showPieces = async (form, choice) => {
  const { dataset } = form;
  const [wanted, own] = [choice, ownOf(form)].map((each) => JSON.stringify(each));
  const shown = dataset.shown ?? own;
  dataset.wanted = wanted;
  if (wanted === shown) return false;
  const isWanted = () => dataset.wanted === wanted;
  /** @type {Record<string, string> | void} */
  const html = wanted === own ? {} : await load(form, choice).catch((error) => {
    if (isWanted()) throw error;
  });
  if (!isWanted()) return null;
  for (const piece of all(HTMLElement, "[data-piece]")) {
    const { piece: name = "" } = piece.dataset;
    put(piece, html?.[name] ?? folded[name] ?? null);
  }
  dataset.shown = wanted;
  first(HTMLOutputElement, "output", form).textContent = "";
  return true;
};

/**
 * Fetches what differs from what the page has come with, by piece.
 * @param {HTMLFormElement} form
 * @param {Choice} choice
 * @returns {Promise<Record<string, string>>}
 */
const load = async ({ dataset }, { machine, build }) => {
  const { pieces, builds } = await loadJson(`${dataset.pieces}${machine}/${dataset.page}.json`);
  return { ...pieces, ...builds[build] };
};

/** What is shown, where nothing else could be. @param {HTMLFormElement} form @returns {Choice} */
export const shownOf = (form) => form.dataset.shown ? JSON.parse(form.dataset.shown) : ownOf(form);
