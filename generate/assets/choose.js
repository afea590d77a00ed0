/* Shows the answer for the form's settings. All answers of a map were rendered at build time, into one file. */

import { all, element, loadJson } from "./dom.js";
import { startFilters } from "./filters.js";
import { dressTables } from "./tables.js";

const keyOf = ({ kind, tasks, compute, wait }) => [kind, tasks, compute, wait].join("/");

/** Groups the options of each select: those that were measured with the other choices, and the rest. */
const groupOptions = (form, chosen, measured) => {
  for (const name of ["tasks", "compute", "wait"]) {
    const select = form.elements.namedItem(name);
    if (select === document.activeElement) continue; // changing its options would close the list
    const { value } = select;
    const options = [...select.options].sort((a, b) => Number(a.value) - Number(b.value));
    const isMeasured = (option) => measured.includes(keyOf({ ...chosen, [name]: option.value }));
    const groups = { Measured: options.filter(isMeasured), "Not measured": options.filter((each) => !isMeasured(each)) };
    const filled = Object.entries(groups).filter(([, group]) => group.length);
    select.replaceChildren(...filled.map(([label, group]) => element("optgroup", { label }, ...group)));
    select.value = value;
  }
};

export const start = (form) => {
  const [output] = all("output", form);
  const [models] = all("[data-chosen]");
  const maps = JSON.parse(form.dataset.maps); // addresses by machine and build
  const [ownMachine] = Object.keys(maps);
  const { machine, build } = form.elements;
  const offerBuilds = (select) => {
    if (select !== machine) return;
    const before = build.value;
    const builds = Object.keys(maps[machine.value]);
    build.replaceChildren(...builds.map((name, place) => new Option(name.replace("cpython-", ""), name, place === 0)));
    build.value = builds.includes(before) ? before : builds[0];
  };
  let latest;
  const apply = async (chosen) => {
    const isFirst = !latest;
    latest = chosen;
    if (isFirst && !location.search) return; // the page already has this answer
    try {
      const { measured, answers } = await loadJson(maps[chosen.machine ?? ownMachine][chosen.build]);
      if (latest !== chosen) return;
      const answer = answers[keyOf(chosen)]; // HTML, or the key of a setting with the same work
      [output.innerHTML, models.innerHTML] = typeof answer === "string" ? answers[answer] : answer;
      groupOptions(form, chosen, measured);
      dressTables(models);
    } catch (error) {
      if (latest !== chosen) return;
      models.replaceChildren();
      output.textContent = `There is no answer: ${error.message}. Choose again to retry.`;
    }
  };
  startFilters(form, apply, offerBuilds);
};
