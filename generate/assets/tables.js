// @ts-check
/* Tables that can be sorted by a press on a heading, and rows of the chosen family. */

import { all, element } from "./dom.js";

/** @type {Intl.Collator | undefined} */
let collator; // made when it is needed: that takes as long as all else here

/** @typedef {number | string | null} SortKey Null, of a row without a value, stands last either way. */

/**
 * What a cell is sorted by: data-sort, else its number or text.
 * @param {HTMLTableRowElement} row
 * @param {number} column
 * @returns {SortKey}
 */
const keyOf = (row, column) => {
  const cell = row.cells[column];
  if (!cell || cell.colSpan > 1) return null;
  const own = cell.matches(".n") ? cell.firstChild?.textContent ?? "" : cell.textContent; // a range stands below a number
  const text = (cell.dataset.sort ?? own).trim();
  if (!text) return null;
  if (!cell.matches(".n")) return text;
  const number = Number.parseFloat(text.replaceAll(",", ""));
  return Number.isNaN(number) ? null : number;
};

/** @param {SortKey} a @param {SortKey} b */
const compareKeys = (a, b) => {
  if (typeof a === "number" && typeof b === "number") return a - b;
  collator ??= new Intl.Collator("en", { numeric: true });
  return collator.compare(String(a), String(b));
};

/** @param {HTMLTableRowElement[]} rows @param {number} column @param {number} sign */
const sorted = (rows, column, sign) => {
  const keyed = rows.map((row) => ({ key: keyOf(row, column), row }));
  const known = keyed.filter(({ key }) => key !== null).sort((a, b) => sign * compareKeys(a.key, b.key));
  return [...known, ...keyed.filter(({ key }) => key === null)].map(({ row }) => row);
};

/** @type {Record<string, number>} */
const SIGN = { ascending: 1, descending: -1 };

/** A column in which more is better (data-high) begins with the best as well. */
const nextOrder = (/** @type {HTMLElement} */ head) => {
  const orders = Object.keys(SIGN);
  if ("high" in head.dataset) orders.reverse();
  return orders[orders.indexOf(head.getAttribute("aria-sort") ?? "") + 1];
};

/** The rows that each table came with, in their order: by value. @type {WeakMap<HTMLTableElement, HTMLTableRowElement[]>} */
const given = new WeakMap();

/** Puts rows back as the page has them: as they came, or with the switch of its charts family by family. */
const rest = (/** @type {HTMLTableElement} */ table) => {
  const rows = given.get(table) ?? [];
  const byFamily = document.documentElement.dataset.order === "family" && rows[0]?.cells[0]?.dataset.sort !== undefined;
  table.tBodies[0].append(...(byFamily ? sorted(rows, 0, 1) : rows));
};

const makeSortable = (/** @type {HTMLTableElement} */ table) => {
  const [body] = table.tBodies;
  const rows = [...body.rows];
  if (rows.length < 2) return;
  given.set(table, rows);
  const heads = [...(table.tHead?.rows[0].cells ?? [])];
  heads.forEach((head, column) => {
    if (head.matches(".plot")) return;
    const button = element("button", { type: "button", class: "sort" }, ...head.childNodes);
    head.replaceChildren(button);
    button.addEventListener("click", () => {
      const order = nextOrder(head);
      for (const each of heads) each.removeAttribute("aria-sort");
      if (order) head.setAttribute("aria-sort", order);
      if (order) body.append(...sorted(rows, column, SIGN[order]));
      else rest(table);
    });
  });
  if (document.documentElement.dataset.order) rest(table);
};

/** Puts the tables of a part of the page in the order of the switch, but those that the reader has sorted. */
export const orderTables = (/** @type {ParentNode} */ part) => {
  for (const table of all(HTMLTableElement, "table.data", part)) {
    if (given.has(table) && !table.querySelector("th[aria-sort]")) rest(table);
  }
};

/** A page may have a hundred tables: each gets its buttons when it comes near. @type {IntersectionObserver | undefined} */
let watcher;

const beginWatching = () => {
  document.addEventListener("order", () => orderTables(document));
  const begun = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting || !(target instanceof HTMLTableElement)) continue;
      begun.unobserve(target);
      makeSortable(target);
    }
  }, { rootMargin: "300px" });
  return begun;
};

const hideOtherFamilies = (/** @type {ParentNode} */ part) => {
  const { family } = document.documentElement.dataset;
  for (const mark of part.querySelectorAll("table.data tbody .mark")) {
    const row = mark.closest("tr");
    if (row) row.hidden = Boolean(family) && !mark.classList.contains(`family-${family}`);
  }
};

/** Shows the rows of one family, or of all where it is empty; charts hear of it by the event `family`. */
export const chooseFamily = (/** @type {string} */ family) => {
  document.documentElement.dataset.family = family;
  hideOtherFamilies(document);
  document.dispatchEvent(new Event("family"));
};

/** Where a table is scrolled sideways the keyboard stops at it, and at no other. @type {ResizeObserver | undefined} */
let sizes;
const watchSizes = () =>
  new ResizeObserver((entries) => {
    for (const { target } of entries) {
      const box = target.closest(".scroller");
      if (!(box instanceof HTMLElement)) continue;
      if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
      else if (box !== document.activeElement) box.removeAttribute("tabindex");
    }
  });

/** To look how wide each is has all of a page laid out: it is done for those who use the keyboard. */
let isByKeyboard = false;
const watchBoxes = (/** @type {ParentNode} */ part) => {
  for (const each of all(HTMLElement, ".scroller, .scroller > table", part)) (sizes ??= watchSizes()).observe(each);
};

/** Done to what is there from the start, and to what comes later: of other builds and machines. */
export const dressTables = (/** @type {ParentNode} */ part) => {
  if (document.documentElement.dataset.family) hideOtherFamilies(part);
  for (const table of all(HTMLTableElement, "table.data:not(.plain, .verdicts, [data-as-printed])", part)) {
    if (table.tHead && table.tBodies.length === 1) (watcher ??= beginWatching()).observe(table);
  }
  if (isByKeyboard) watchBoxes(part);
};

export const start = () => {
  dressTables(document);
  addEventListener("keydown", () => {
    isByKeyboard = true;
    watchBoxes(document);
  }, { once: true });
};
