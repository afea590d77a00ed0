/* Sorts tables by their headings, and shows the rows of the chosen family. */

import { all, element } from "./dom.js";

const collator = new Intl.Collator("en", { numeric: true });

/** The key of a cell: data-sort, else its number or text, without the range below it. Null without a value. */
const keyOf = (row, column) => {
  const cell = row.cells[column];
  if (!cell || cell.colSpan > 1) return null;
  const isNumber = cell.matches(".n");
  const shown = isNumber ? cell.firstChild?.textContent ?? "" : cell.textContent;
  const text = (cell.dataset.sort ?? shown).trim();
  if (!text || !isNumber) return text || null;
  const number = Number.parseFloat(text.replaceAll(",", ""));
  return Number.isNaN(number) ? null : number;
};

const compareKeys = (a, b) =>
  typeof a === "number" && typeof b === "number" ? a - b : collator.compare(String(a), String(b));

/** Rows without a value come last in either direction. */
const sorted = (rows, column, sign) => {
  const keyed = rows.map((row) => ({ key: keyOf(row, column), row }));
  const known = keyed.filter(({ key }) => key !== null).sort((a, b) => sign * compareKeys(a.key, b.key));
  return [...known, ...keyed.filter(({ key }) => key === null)].map(({ row }) => row);
};

const SIGNS = { ascending: 1, descending: -1 };

/** The next order of a column; undefined for the original order. Columns with data-high begin with the highest. */
const nextOrder = (head) => {
  const orders = Object.keys(SIGNS);
  if ("high" in head.dataset) orders.reverse();
  return orders[orders.indexOf(head.getAttribute("aria-sort")) + 1];
};

const makeSortable = (table) => {
  const [body] = table.tBodies;
  const rows = [...body.rows];
  if (rows.length < 2) return;
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => {
    if (head.matches(".plot")) return;
    const button = element("button", { type: "button", class: "sort" }, ...head.childNodes);
    head.replaceChildren(button);
    button.addEventListener("click", () => {
      const order = nextOrder(head);
      heads.forEach((each) => each.removeAttribute("aria-sort"));
      if (order) head.setAttribute("aria-sort", order);
      body.append(...(order ? sorted(rows, column, SIGNS[order]) : rows));
    });
  });
};

const hideOtherFamilies = (part) => {
  const { family } = document.documentElement.dataset;
  for (const mark of all("table.data tbody .mark", part)) {
    const row = mark.closest("tr");
    row.hidden = Boolean(family) && !mark.classList.contains(`family-${family}`);
  }
};

/** Shows the rows of one family, or all of them if it is empty. Charts follow the event `family`. */
export const chooseFamily = (family) => {
  document.documentElement.dataset.family = family;
  hideOtherFamilies(document);
  document.dispatchEvent(new Event("family"));
};

/** Adds the buttons of a table when it comes near: long pages have a hundred tables. */
const nearby = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) {
    if (!isIntersecting) continue;
    nearby.unobserve(target);
    makeSortable(target);
  }
}, { rootMargin: "300px" });

/** Makes only tables that scroll sideways reachable by Tab. */
const sizes = new ResizeObserver((entries) => {
  for (const { target: box } of entries) {
    if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
    else if (box !== document.activeElement) box.removeAttribute("tabindex");
  }
});

export const dressTables = (part) => {
  if (document.documentElement.dataset.family) hideOtherFamilies(part);
  for (const table of all("table.data:not(.plain, [data-as-printed])", part)) {
    if (table.tHead && table.tBodies.length === 1) nearby.observe(table);
  }
  for (const box of all(".scroller", part)) sizes.observe(box);
};
