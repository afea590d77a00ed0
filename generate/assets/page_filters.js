// @ts-check
/* The filters of a whole page: which machine, build and family its tables and charts are of. */

import { chooseBuild, onChoice } from "./builds.js";
import { first } from "./dom.js";
import { offerBuilds, selectOf, startFilters } from "./filters.js";
import { chooseFamily } from "./tables.js";

/** @returns {HTMLOptionElement[]} */
const buildsOf = (/** @type {HTMLSelectElement} */ { selectedOptions: [machine] }) => {
  const { builds = "[]", leading } = machine.dataset;
  return JSON.parse(builds).map((/** @type {string} */ name) => new Option(name, name, name === leading));
};

/**
 * Returns whether another machine's tables have come; null where yet another was chosen meanwhile, or they failed: the
 * filters then begin again with the machine that is shown.
 * @param {HTMLFormElement} form
 * @param {HTMLSelectElement} machine
 */
export const showMachine = async (form, machine) => {
  const shown = form.dataset.shown ?? machine.options[0].value;
  if (machine.value === shown && !form.dataset.wanted) return false;
  try {
    const machines = await import("./machines.js");
    return await machines.showMachine(form, machine);
  } catch {
    first(HTMLOutputElement, "output", form).textContent =
      "That machine's results did not load. Those of the other are shown.";
    machine.value = shown;
    machine.dispatchEvent(new Event("change", { bubbles: true }));
    return null;
  }
};

export const start = () => {
  const form = document.querySelector("form[data-page-filters]");
  if (!(form instanceof HTMLFormElement)) return;
  const [machine, build, family] = ["machine", "build", "family"].map((name) => selectOf(form, name));
  let shown = new URLSearchParams(location.search).has("build") ? null : build?.value;
  const show = async () => {
    const isNew = machine ? await showMachine(form, machine) : false;
    if (isNew === null) return;
    if (build && (isNew || build.value !== shown)) chooseBuild(build.value);
    shown = build?.value;
    const wanted = family?.value ?? ""; // what is chosen now, not what was when the tables were asked for
    if (isNew || wanted !== (document.documentElement.dataset.family ?? "")) chooseFamily(wanted);
  };
  offerBuilds(form, buildsOf);
  startFilters(form, show);
  onChoice((name) => {
    if (!build || build.value === name) return;
    build.value = name;
    form.dispatchEvent(new Event("change"));
  });
};
