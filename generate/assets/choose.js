// @ts-check
/* Shows the answer to what the form asks. Every answer of a map was rendered when the site was made. */

import { all, element, first, loadJson } from "./dom.js";
import { offerBuilds, selectOf, startFilters } from "./filters.js";
import { dressTables } from "./tables.js";

/** @import { Chosen } from "./filters.js" */
/**
 * @typedef {{ measured: string[], answers: Record<string, string | [said: string, models: string]> }} Answers By setting;
 *   text is the setting that means the same work.
 */

const keyOf = (/** @type {Chosen} */ { kind, tasks, compute, wait }) => [kind, tasks, compute, wait].join("/");

/** Offers measured values first. @param {HTMLFormElement} form @param {Chosen} chosen @param {string[]} measured */
const groupOptions = (form, chosen, measured) => {
  for (const name of ["tasks", "compute", "wait"]) {
    const select = selectOf(form, name);
    if (!select || select === document.activeElement) continue;
    const { value } = select;
    const options = all(HTMLOptionElement, "option", select).sort((a, b) => Number(a.value) - Number(b.value));
    const isMeasured = (/** @type {HTMLOptionElement} */ option) =>
      measured.includes(keyOf({ ...chosen, [name]: option.value }));
    const groups = [true, false].map((is) => options.filter((option) => isMeasured(option) === is));
    const labels = ["Measured", "Not measured"];
    select.replaceChildren(
      ...groups.flatMap((each, at) => each.length ? [element("optgroup", { label: labels[at] }, ...each)] : []),
    );
    select.value = value;
  }
};

/**
 * Leads an older link to the machine that it meant: names of machines have their processor at the end now, and a link that
 * names a build alone is older than the second machine.
 * @param {Record<string, Record<string, string>>} maps
 */
const readOldLink = (maps) => {
  const address = new URL(location.href);
  const [machine, build] = ["machine", "build"].map((name) => address.searchParams.get(name));
  const alike = Object.keys(maps).filter((key) => key.startsWith(machine ?? ""));
  if ((!machine && !build) || (machine ?? "") in maps || !alike.length) return;
  address.searchParams.set("machine", alike.find((key) => (build ?? "") in maps[key]) ?? alike[0]);
  history.replaceState(history.state, "", address);
};

export const start = () => {
  const form = first(HTMLFormElement, "form[data-choose]");
  const [said, models] = [first(HTMLOutputElement, "output", form), first(HTMLElement, "[data-chosen]")];
  /** By machine and build, where its answers are. @type {Record<string, Record<string, string>>} */
  const maps = JSON.parse(form.dataset.maps ?? "{}");
  /** @type {Chosen} */
  const opens = JSON.parse(form.dataset.opens ?? "{}");
  /** @type {Chosen | undefined} */
  let wanted;
  readOldLink(maps);
  offerBuilds(form, ({ value }) => Object.keys(maps[value]).map((name, place) => new Option(name, name, !place)));
  startFilters(form, async (chosen) => {
    const isOpening = !wanted && Object.entries(chosen).every(([name, value]) => String(opens[name]) === value);
    wanted = chosen;
    if (isOpening) return; // the page comes with this answer
    try {
      /** @type {Answers} */
      const { measured, answers } = await loadJson(maps[chosen.machine ?? opens.machine][chosen.build]);
      if (wanted !== chosen) return; // something else was chosen meanwhile
      const found = answers[keyOf(chosen)];
      [said.innerHTML, models.innerHTML] = typeof found === "string" ? answers[found] : found;
      groupOptions(form, chosen, measured);
      dressTables(models);
    } catch (error) {
      if (wanted !== chosen) return;
      models.replaceChildren();
      said.textContent = `There is no answer: ${/** @type {Error} */ (error).message}. Choose again to retry.`;
    }
  });
};
