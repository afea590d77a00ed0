// @ts-check
/* The filters of a whole page: which machine, build and family its sentences, tables and charts are of. */

import { linked, linkedBuild, markBuild, onChoice, reach } from "./builds.js";
import { first, unseen } from "./dom.js";
import { offerBuilds, sayBelow, selectOf, startFilters } from "./filters.js";
import { chooseFamily } from "./tables.js";

/** @returns {HTMLOptionElement[]} */
const buildsOf = (/** @type {HTMLSelectElement} */ { selectedOptions: [machine] }) => {
  const { builds = "[]", current } = machine.dataset;
  return JSON.parse(builds).map((/** @type {string} */ name) => new Option(name, name, name === current));
};

/** The filters begin again with what is shown. @param {HTMLFormElement} form @param {import("./pieces.js").Choice} shown */
const goBack = (form, shown) => {
  const [machine, build] = ["machine", "build"].map((name) => selectOf(form, name));
  if (machine) {
    machine.value = shown.machine;
    machine.dispatchEvent(new Event("restore")); // its builds are offered again
  }
  if (build && shown.build) {
    build.value = shown.build;
    markBuild(shown.build);
  }
  const said = first(HTMLOutputElement, "output", form); // from there, it is not taken for a choice that other pages keep
  said.dispatchEvent(new Event("change", { bubbles: true }));
};

/**
 * Says what the page shows now, which is seen in its selects and tables. What did not load is still said.
 * @param {HTMLFormElement} form @param {string} words
 */
const announce = (form, words) => {
  const output = first(HTMLOutputElement, "output", form);
  output.querySelector(".unseen")?.remove();
  output.append(unseen(words));
};

const MANY = 3;
/** Where much of a page was not measured on what was chosen, that is said once, before its sentences do. */
const sayWhatIsMissing = (/** @type {HTMLFormElement} */ form, /** @type {string} */ name) => {
  const pieces = [...document.querySelectorAll("span[data-piece]")];
  const missing = pieces.filter(({ textContent }) => textContent.trim().startsWith("not measured")).length;
  if (missing >= MANY) sayBelow(form, `${name}: ${missing} figures of this page were not measured.`);
};

const wordsOf = (/** @type {(HTMLSelectElement | null)[]} */ selects) =>
  selects.flatMap((select) => [...select?.selectedOptions ?? []].map(({ text }) => text)).join(", ");

/**
 * Shows what is of the chosen machine and build. Returns whether anything changed, or null where something else was chosen
 * meanwhile, or what was chosen did not load.
 * @param {HTMLFormElement} form
 * @param {HTMLSelectElement | null} machine null: there is one alone
 * @param {HTMLSelectElement | null} build null: what the page shows is not of one build
 */
export const showChosen = async (form, machine, build) => {
  const { machine: ownMachine = "", build: ownBuild = "", shown } = form.dataset;
  const choice = { machine: machine?.value ?? ownMachine, build: build?.value ?? ownBuild };
  if (!shown && !form.dataset.wanted && choice.machine === ownMachine && choice.build === ownBuild) return false;
  /** @type {typeof import("./pieces.js") | undefined} */
  let pieces;
  try {
    pieces = await import("./pieces.js");
    const isNew = await pieces.showPieces(form, choice);
    if (isNew) announce(form, `Shown: ${wordsOf([machine, build])}.`);
    return isNew;
  } catch {
    first(HTMLOutputElement, "output", form).textContent =
      "What you chose did not load. The page shows what it showed before.";
    goBack(form, pieces?.shownOf(form) ?? { machine: ownMachine, build: ownBuild });
    return null;
  }
};

export const start = () => {
  const form = document.querySelector("form[data-page-filters]");
  if (!(form instanceof HTMLFormElement)) return;
  const [machine, build, family] = ["machine", "build", "family"].map((name) => selectOf(form, name));
  const [visit] = performance.getEntriesByType("navigation");
  // After a reload and on the way back the browser knows the place.
  let isLanding = visit instanceof PerformanceNavigationTiming && visit.type === "navigate";
  const show = async () => {
    const wanted = family?.value ?? "";
    if (wanted !== (document.documentElement.dataset.family ?? "")) {
      chooseFamily(wanted); // at once: nothing is fetched for it
      announce(form, `Rows and bars shown: ${wanted ? `${wanted} alone` : "all families"}.`);
    }
    const isAwaited = isLanding || !linked();
    isLanding = false;
    if (!await showChosen(form, machine, build)) return;
    sayWhatIsMissing(form, wordsOf([build ?? machine]));
    chooseFamily(family?.value ?? ""); // what came back may have been left with another one
    if (build) markBuild(build.value); // what came before was left with another one marked
    if (isAwaited) reach(true);
  };
  /** A variant, which forms of articles do not offer, has no tables there. @param {string | undefined} name */
  const chooseBuild = (name) => {
    if (!build || build.value === name || ![...build.options].some(({ value }) => value === name)) return;
    build.value = name ?? "";
    form.dispatchEvent(new Event("change"));
  };
  const chooseLinked = () => chooseBuild(linkedBuild());
  offerBuilds(form, buildsOf);
  startFilters(form, show);
  onChoice(chooseBuild);
  addEventListener("hashchange", chooseLinked);
  chooseLinked();
};
