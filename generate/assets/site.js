// @ts-check
/* The entry: loads and starts what a page has use for, in this order. Without JavaScript every page is complete. */

/** @type {[string, () => Promise<{ start: () => void }>][]} */
const MODULES = [
  ["table.data, .facts > time", () => import("./tables.js")],
  [".chart__area", () => import("./chart_areas.js")],
  [".builds", () => import("./builds.js")],
  ["form[data-page-filters]", () => import("./page_filters.js")],
  ["form[data-filters]", () => import("./board.js")],
  ["form[data-compare]", () => import("./compare.js")],
];

for (const [selector, load] of MODULES) {
  const found = document.querySelector(selector);
  if (!found) continue;
  try {
    (await load()).start();
  } catch (error) {
    reportError(error); // and no other is kept from its start
    if (found.matches("form")) found.after("What belongs here did not load: reload the page to try again.");
  }
}
