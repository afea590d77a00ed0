// @ts-check
/* Puts the tables and charts of another machine in the place of the current one's, which the page comes with. What it
 * fetches is HTML that the generator made, as the page's own is. */

import { dropCharts, watchCharts } from "./chart_areas.js";
import { all, first, loadJson } from "./dom.js";
import { dressTables } from "./tables.js";

/** @type {WeakMap<Element, ChildNode[]>} */
const given = new WeakMap(); // what each piece came with

/** @param {HTMLElement} piece @param {string | null} html null: what it came with */
const put = (piece, html) => {
  const own = given.get(piece) ?? [...piece.childNodes];
  given.set(piece, own);
  dropCharts(piece); // drawn anew where they come back: the colours may have changed
  if (html === null) {
    piece.replaceChildren(...own); // sorted as they were left
  } else {
    piece.innerHTML = html;
    piece.replaceChildren(...(piece.firstElementChild?.childNodes ?? [])); // it comes in a piece's own element
    dressTables(piece);
  }
  watchCharts(piece);
};

/**
 * Shows the chosen machine; returns whether it changed, or null where another was chosen meanwhile.
 * @param {HTMLFormElement} form
 * @param {HTMLSelectElement} machine
 */
export const showMachine = async (form, { value: key, options }) => {
  const { shown = options[0].value, machines, scenario } = form.dataset;
  form.dataset.wanted = key;
  if (key === shown) return false;
  const isOwn = key === options[0].value;
  const isWanted = () => form.dataset.wanted === key;
  const pieces = isOwn ? {} : await loadJson(`${machines}${key}/${scenario}.json`).catch((error) => {
    if (isWanted()) throw error;
  });
  if (!isWanted()) return null;
  for (const piece of all(HTMLElement, "[data-piece]")) put(piece, isOwn ? null : pieces[piece.dataset.piece ?? ""]);
  form.dataset.shown = key;
  first(HTMLOutputElement, "output", form).textContent = "";
  return true;
};
