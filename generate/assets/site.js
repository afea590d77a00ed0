// @ts-check
/* The entry: starts what pages have in common, at once where the address leads to a place on the page, and fetches what
 * few pages need. Without JavaScript every page is complete, or links to what it lacks. */

import * as builds from "./builds.js";
import * as chartAreas from "./chart_areas.js";
import { element } from "./dom.js";
import "./filters.js"; // asked for with the others, not once page_filters.js has come
import * as pageFilters from "./page_filters.js";
import * as tables from "./tables.js";

const start = () => {
  for (const module of [tables, chartAreas, pageFilters, builds]) {
    try {
      module.start();
    } catch (error) {
      reportError(error); // and no other is kept from its start
    }
  }
};
if (location.hash) start();
else setTimeout(start); // not in one go with what the theme starts

/* The theme's search takes a sign at the end for an operator that lacks its word, and fails: "free-", on the way to
 * "free-threading". It hears of what is typed next. */
addEventListener("keyup", (event) => {
  const { target } = event;
  if (target instanceof HTMLInputElement && target.type === "text" && /[-+~^:]$/.test(target.value)) {
    event.stopImmediatePropagation();
  }
}, true);

/** @type {[string, () => Promise<{ start: () => void }>][]} */
const OF_FEW_PAGES = [
  [".board form", () => import("./board.js")],
  ["form[data-compare]", () => import("./compare.js")],
  ["form[data-choose]", () => import("./choose.js")],
  ["[data-folded]", () => import("./folds.js")],
];
const startTheme = () => import("./theme.js").then((theme) => theme.start()).catch(reportError);
const whenIdle = globalThis.requestIdleCallback ?? setTimeout;
if (document.readyState === "complete") whenIdle(startTheme);
else addEventListener("load", () => whenIdle(startTheme)); // not ahead of what is read
for (const [selector, load] of OF_FEW_PAGES) {
  const form = document.querySelector(selector);
  if (!form) continue;
  load().then(({ start }) => start()).catch((error) => {
    form.after(element("p", { role: "alert" }, "What belongs here did not load: reload the page to try again."));
    reportError(error);
  });
}
