/* The entry point. Every page is complete without JavaScript, or links to what is missing. */

import * as chartAreas from "./chart_areas.js";
import { all, element } from "./dom.js";
import { startFilters } from "./filters.js";
import { chooseFamily, dressTables } from "./tables.js";
import * as theme from "./theme.js";

/** Opens the folds around the target of the address, and the target itself if it is a fold. */
const openTarget = () => {
  const target = document.querySelector(":target");
  for (let fold = target?.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
  target?.scrollIntoView();
};

const startPageFilters = () => {
  for (const form of all("form.filters:not(.board form, [data-choose])")) {
    startFilters(form, ({ family }) => chooseFamily(family));
  }
};

/** Adds the age of each run to its date. Days are in UTC. */
const showAges = () => {
  const dayOf = (milliseconds) => Math.floor(milliseconds / 86_400_000);
  for (const age of all("run-age")) {
    const days = dayOf(Date.now()) - dayOf(Date.parse(age.previousElementSibling.dateTime));
    if (days >= 0) age.textContent = ` (${["today", "yesterday"][days] ?? `${days} days ago`})`;
  }
};

const openOnHash = () => {
  addEventListener("hashchange", openTarget);
  if (location.hash) openTarget();
};

/** Loads a module that few pages need. */
const load = async (selector, name) => {
  const form = document.querySelector(selector);
  if (!form) return;
  try {
    (await import(`./${name}.js`)).start(form);
  } catch (error) {
    form.after(element("p", { role: "alert" }, "This part of the page did not load. Reload the page to try again."));
    reportError(error);
  }
};

const steps = [
  () => dressTables(document),
  chartAreas.start,
  startPageFilters,
  showAges,
  openOnHash,
  theme.start,
  () => load(".board form", "board"),
  () => load("form[data-choose]", "choose"),
];
for (const step of steps) {
  try {
    step();
  } catch (error) {
    reportError(error); // the others still start
  }
}
