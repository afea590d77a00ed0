/* Shows the answer for the sliders. All answers of a map were rendered at build time, into one file. */

import { all, loadJson } from "./dom.js";
import { dressTables } from "./tables.js";

const WORK = ["kind", "tasks", "compute", "wait"];
const NAMES = [...WORK, "machine", "build"]; // of an address, in their order: a machine decides which builds there are

const valuesOf = (control) => control.dataset.values?.split(" ") ?? [...control.options].map(({ value }) => value);
const valueOf = (control) => valuesOf(control)[control.selectedIndex ?? control.value];

/** Sets a control if it has the value. Old links name a machine by its label only, without the processor. */
const set = (control, wanted) => {
  const values = valuesOf(control);
  const exact = values.indexOf(wanted);
  const place = exact >= 0 ? exact : values.findIndex((value) => value.startsWith(`${wanted}-`));
  if (place >= 0) control["selectedIndex" in control ? "selectedIndex" : "value"] = place;
};

/** Decodes a part of an address; one that was cut off is no setting's name. */
const decode = (part) => {
  try {
    return decodeURIComponent(part);
  } catch {
    return "";
  }
};

/** Reads the setting after #, or in the query of an old link; null without one, as in a link to a section. */
const readAddress = () => {
  const values = location.hash.slice(1).split("/");
  if (values.length >= WORK.length) return NAMES.map((_, place) => decode(values[place] ?? ""));
  const query = new URLSearchParams(location.search);
  return query.has("tasks") ? NAMES.map((name) => query.get(name)) : null;
};

export const start = (form) => {
  const [answer, models] = ["[data-answer]", "[data-chosen]"].map((place) => document.querySelector(place));
  const maps = JSON.parse(form.dataset.maps); // addresses by machine and build
  const [firstMachine] = Object.keys(maps);
  const { machine, build } = form.elements;
  const work = WORK.map((name) => form.elements.namedItem(name));
  const machineNow = () => machine?.value ?? firstMachine;
  const keyNow = () => work.map(valueOf).join("/");

  const offerBuilds = () => {
    const before = build.value;
    const builds = Object.keys(maps[machineNow()]);
    build.replaceChildren(...builds.map((name) => new Option(name.replace("cpython-", ""), name)));
    if (builds.includes(before)) build.value = before;
  };

  /** Names the stop of each slider, and marks those that were not measured with the other choices, if that is known. */
  const labelStops = (measured) => {
    for (const slider of work.filter(({ type }) => type === "range")) {
      const stops = [...slider.nextElementSibling.children];
      slider.ariaValueText = stops[slider.value].textContent;
      slider.previousElementSibling.textContent = slider.ariaValueText;
      valuesOf(slider).forEach((value, place) => {
        const key = work.map((control) => (control === slider ? value : valueOf(control))).join("/");
        stops[place].classList.toggle("unmeasured", measured?.includes(key) === false);
      });
    }
  };

  const remember = () => {
    const isFirst = machineNow() === firstMachine && build.value === Object.keys(maps[firstMachine])[0];
    const place = isFirst ? [] : [machineNow(), build.value].map(encodeURIComponent);
    history.replaceState(history.state, "", `${location.pathname}#${[keyNow(), ...place].join("/")}`);
  };

  let latest;
  const show = async () => {
    const request = {};
    latest = request;
    remember();
    labelStops();
    for (const example of all(".choose__examples a")) example.ariaCurrent = example.hash === `#${keyNow()}` ? "true" : null;
    try {
      const { measured, answers } = await loadJson(maps[machineNow()][build.value]);
      if (latest !== request) return;
      const entry = answers[keyNow()]; // HTML, or the key of a setting with the same work
      [answer.innerHTML, models.innerHTML] = typeof entry === "string" ? answers[entry] : entry;
      labelStops(measured);
      dressTables(models);
    } catch (error) {
      if (latest !== request) return;
      models.replaceChildren();
      answer.textContent = `There is no answer: ${error.message}. Choose again to retry.`;
    }
  };

  const followAddress = () => {
    const setting = readAddress();
    if (!setting) return; // the page comes with its first answer
    NAMES.forEach((name, place) => {
      const control = form.elements.namedItem(name);
      if (control && setting[place]) set(control, setting[place]);
      if (name === "machine") offerBuilds();
    });
    show().then(() => answer.scrollIntoView({ block: "nearest" }));
  };

  // Without JavaScript a setting leads to its row in the tables. Here the answer is above.
  for (const row of all("tr[id]")) {
    if (row.matches(":target")) row.closest("details").open = false;
    row.removeAttribute("id");
  }
  form.hidden = false;
  form.addEventListener("input", ({ target }) => {
    if (target === machine) offerBuilds();
    show();
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  addEventListener("hashchange", followAddress);
  followAddress();
};
