// @ts-check
/* Chooses a model: looks the piece of work up on the map, and says who is at the front there and what each costs. */

import { element, first, loadJson } from "./dom.js";
import { offerBuilds, startFilters } from "./filters.js";
import { writeRatio, writeRatioInterval, writeValue } from "./numbers.js";
import { dressTables } from "./tables.js";

/** @import { Chosen } from "./filters.js" */
/**
 * @typedef {[runner: string, us: number | null, atFront: number, ratio: number, low: number, high: number,
 *   cpu: number | null, kB: number | null, median: number | null, worst: number | null]} Standing At the front is 2 where
 *   that is not decided. Of a model that was not measured: the runner, null, the least that it takes in us or null, and
 *   why as an index.
 */
/** @typedef {Record<string, { words: string, family: string }>} Models */
/**
 * @typedef {{ models: Models, machine: string, build: string, cores: number, started: string, rounds: number,
 *   why_nothing: string, reasons: string[], points: Record<string, Standing[]> }} WorkMap `why_nothing`: why it decides
 *   nothing at any point.
 */
/** @typedef {{ key: string, isExact: boolean, kind: string, tasks: number, compute: number, wait: number }} Place */

const US = 1000;
const KB = 1024;
const STEP_OF_NOTHING = 10;

/** How far apart two amounts are, in steps of ten; 0 is a step below the least. */
const distance = (/** @type {number} */ a, /** @type {number} */ b) =>
  Math.abs(Math.log10(Math.max(a, STEP_OF_NOTHING)) - Math.log10(Math.max(b, STEP_OF_NOTHING)));

/**
 * Finds the point of the map that is nearest to what is asked for; undefined where that kind was not measured.
 * @param {WorkMap} map @param {Chosen} chosen @returns {Place | undefined}
 */
export const placeOf = (map, chosen) => {
  const asked = [chosen.tasks, chosen.compute, chosen.wait].map(Number);
  const places = Object.keys(map.points).map((key) => {
    const [kind, ...amounts] = key.split("/");
    const [tasks, compute, wait] = amounts.map(Number);
    const apart = [tasks, compute, wait].map((amount, axis) => distance(amount, asked[axis]));
    const isExact = apart.every((each, axis) => each === 0 && [tasks, compute, wait][axis] === asked[axis]);
    return { key, isExact, kind, tasks, compute, wait, apart: apart[0] * 2 + apart[1] + apart[2] };
  });
  return places.filter(({ kind }) => kind === chosen.kind).sort((a, b) => a.apart - b.apart)[0];
};

const time = (/** @type {number} */ us) => writeValue(us * US, "ns");
const duration = (/** @type {number} */ us) => us ? `for ${us / US} ms` : "not at all";
const FEWEST_ROUNDS = 9;
const UNDECIDED = 2;
const PLACES = ["", "within the noise", "not decided"];
const list = new Intl.ListFormat("en", { type: "conjunction" });

/**
 * Says in words who is at the front, or that nothing is decided.
 * @param {Standing[]} standings @param {Pick<WorkMap, "models" | "rounds" | "why_nothing">} map
 */
export const answer = (standings, { models, rounds, why_nothing: why }) => {
  const words = (/** @type {Standing} */ [runner]) => models[runner]?.words ?? runner;
  const measured = standings.filter(([, us]) => us !== null);
  const [fastest, ...others] = measured;
  if (!fastest) return "Nothing was measured there.";
  const taken = `${words(fastest)}, ${time(/** @type {number} */ (fastest[1]))}`;
  if (why) return `Nothing is decided by this map: ${why}. The least median: ${taken}.`;
  const [behind, alike, undecided] = [0, 1, UNDECIDED].map((at) => others.filter((each) => each[2] === at));
  let said = `Fastest: ${taken}.`;
  if (alike.length) said += ` Within the noise of it: ${list.format(alike.map(words))}.`;
  const few = rounds < FEWEST_ROUNDS ? "In so few rounds not told apart from it" : "Not told apart from it";
  if (undecided.length) said += ` ${few}: ${list.format(undecided.map(words))}.`;
  const ratios = behind.map(([, , , ratio]) => ratio);
  if (ratios.length) {
    const [least, most] = [Math.min(...ratios), Math.max(...ratios)].map(writeRatio);
    said += ` The others take ${least === most ? least : `${least} to ${most}`} times as long.`;
  }
  return said;
};

/** @param {WorkMap} map @param {Standing} standing @param {string} code */
const rowOf = (map, standing, code) => {
  const [runner, us, atFront, ratio, low, high, cpu, kB, , worst] = standing;
  const { words, family } = map.models[runner] ?? { words: runner, family: "sync" };
  const isFastest = atFront === 1 && ratio === 1 && low === 1 && high === 1;
  const cell = (/** @type {string} */ label, /** @type {string} */ text, below = "") =>
    element(
      "td",
      { role: "cell", "data-label": label, class: "n" },
      text,
      ...(below ? [element("small", {}, below)] : []),
    );
  const name = element("a", { href: `${code}${runner}` }, words);
  const head = element(
    "th",
    { scope: "row", role: "rowheader", class: `family-${family}` },
    element("span", { class: "mark", "aria-hidden": "true" }),
    name,
  );
  if (us === null) {
    const why = atFront ? `at least ${time(atFront)}, by arithmetic` : map.reasons[ratio] ?? "not measured";
    const all = element("td", { role: "cell", colspan: "5", "data-label": "Takes" }, why);
    return element("tr", { role: "row", class: "noise" }, head, all);
  }
  return element(
    "tr",
    { role: "row" },
    head,
    cell("Takes", time(us)),
    cell(
      "Times the fastest",
      isFastest ? "1" : writeRatio(ratio),
      isFastest ? "" : PLACES[atFront] || writeRatioInterval(low, high),
    ),
    cell("Slowest task", worst === null ? "not known" : time(worst)),
    cell("Processor time", cpu === null ? "not known" : time(cpu)),
    cell("Memory above idle", kB === null ? "not known" : writeValue(kB * KB, "bytes")),
  );
};

const HEADS = ["Model", "Takes", "Times the fastest", "Slowest task", "Processor time", "Memory above idle"];

/** @param {WorkMap} map @param {Standing[]} standings @param {string} code */
const tableOf = (map, standings, code) =>
  element(
    "table",
    { class: "data fold", role: "table" },
    element(
      "thead",
      { role: "rowgroup" },
      element(
        "tr",
        { role: "row" },
        ...HEADS.map((name, index) =>
          element("th", { scope: "col", role: "columnheader", class: index ? "n" : null }, name)
        ),
      ),
    ),
    element("tbody", { role: "rowgroup" }, ...standings.map((each) => rowOf(map, each, code))),
  );

/** @param {Place} place @param {WorkMap} map */
const whereWords = ({ isExact, tasks, compute, wait }, { build, machine, cores, started, rounds }) => {
  const what = `${tasks.toLocaleString("en")} at once, each computes ${duration(compute)}, waits ${duration(wait)}`;
  const nearest = isExact ? "" : "Not measured there. The nearest point: ";
  return `${nearest}${what}. ${build} on ${machine}, ${cores} cores, ${started}, ${rounds} ${
    rounds === 1 ? "round" : "rounds"
  }.`;
};

export const start = () => {
  const form = first(HTMLFormElement, "form[data-choose]");
  const shown = first(HTMLElement, "[data-chosen]");
  const output = first(HTMLOutputElement, "output", form);
  const { maps: folder = "", known = "{}", code = "" } = form.dataset;
  /** By machine, the file of each build's map. @type {Record<string, Record<string, string>>} */
  const files = JSON.parse(known);
  const [leading] = Object.keys(files);
  /** @type {Chosen} */
  let wanted;
  offerBuilds(form, ({ value }) => Object.keys(files[value]).map((name, place) => new Option(name, name, !place)));
  startFilters(form, async (chosen) => {
    wanted = chosen;
    try {
      /** @type {WorkMap} */
      const map = await loadJson(`${folder}${files[chosen.machine ?? leading][chosen.build]}.json`);
      if (wanted !== chosen) return; // something else was chosen meanwhile
      const place = placeOf(map, chosen);
      if (!place) {
        shown.replaceChildren();
        output.textContent = "That was not measured.";
        return;
      }
      const standings = map.points[place.key];
      output.textContent = answer(standings, map);
      const region = { class: "scroller", tabindex: "0", role: "region", "aria-label": "The models at this point" };
      shown.replaceChildren(
        element("p", { class: "note" }, whereWords(place, map)),
        element("div", region, tableOf(map, standings, code)),
      );
      dressTables(shown);
    } catch (error) {
      if (wanted !== chosen) return;
      shown.replaceChildren();
      output.textContent = /** @type {Error} */ (error).message;
    }
  });
};
