// @ts-check
/* Compares two cells in the browser: paired by round inside a run, through the common reference build across runs. What
 * lies inside the noise of the two is no difference. */

import { element, first, loadJson } from "./dom.js";
import { selectOf, startFilters } from "./filters.js";
import { writeBound, writeRatioInterval, writeValue } from "./numbers.js";
import { FEWEST_PAIRS, medianInterval, pairedRatios, ratioOfIntervals } from "./statistics.js";
import { dressTables } from "./tables.js";

/** @import { Chosen } from "./filters.js" */
/** @import { ByRound, Interval } from "./statistics.js" */
/**
 * @typedef {object} Series As data/values/ has it.
 * @property {string[]} name scenario, case and runner
 * @property {string} title of the metric
 * @property {string} unit
 * @property {ByRound} values
 * @property {ByRound} reference of the same series on the reference build
 * @property {number | null} noise how far the block's baseline lay from itself; null where that is not known
 * @property {boolean} decides
 * @property {boolean} reference_decides
 * @property {string} why it has no values
 * @property {string[] | null} needs packages of its runner, and those that they need; null where that is not known
 * @property {(string | null)[]} code hashes of what was measured
 */
/**
 * @typedef {{ [field: string]: string | boolean | null, implementation: string, version: string,
 *   free_threaded: boolean }} Build
 */
/**
 * @typedef {{ machine: string, build: string, run: string, started: string, reference: Build, is_reference: boolean,
 *   packages: Record<string, string>, series: Series[] }} Cell `packages` are those of the reference build.
 */
/** @typedef {{ why: string, found?: undefined }} NoResult */
/** @typedef {{ why?: undefined, found: Interval, decides: boolean, reach: number | null }} Result */

/** What makes two builds the same one, wherever they run. */
const IDENTITY = [
  ...["implementation", "version", "free_threaded", "jit", "compiler", "flags"],
  ...["variant", "variables", "options"],
];
/** @param {Build} a @param {Build} b */
const isSame = (a, b) => IDENTITY.every((name) => String(a[name] ?? "") === String(b[name] ?? ""));

/**
 * Names a package that differs between the reference builds; what changed in both would cancel.
 * @param {Cell} a @param {Cell} b @param {Series} one @param {Series} other
 */
const changedPackage = (a, b, one, other) => {
  const names = one.needs ?? other.needs ?? Object.keys({ ...a.packages, ...b.packages });
  const name = names.find((each) => a.packages[each] !== b.packages[each]);
  if (name === undefined) return "";
  const [ours, theirs] = [a, b].map(({ packages }) => packages[name] ?? "absent");
  return `the reference builds have ${name} ${ours} and ${theirs}: what changed in both would cancel`;
};

/**
 * Through the reference the noise of both is in the ratio, one upon the other.
 * @param {Series} one
 * @param {Series} other
 * @param {boolean} isOneRun
 */
const reachOfBoth = (one, other, isOneRun) => {
  if (!one.noise || !other.noise) return null;
  return isOneRun ? Math.max(one.noise, other.noise) : one.noise * other.noise;
};

/** @param {Series} one @param {Series} other */
const throughReference = (one, other) =>
  ratioOfIntervals(
    medianInterval(pairedRatios(other.values, other.reference)),
    medianInterval(pairedRatios(one.values, one.reference)),
  );

/**
 * Compares a series of two cells: the second divided by the first.
 * @param {Cell} a
 * @param {Cell} b
 * @param {Series | undefined} one
 * @param {Series | undefined} other
 * @returns {Result | NoResult}
 */
export const compared = (a, b, one, other) => {
  if (!one || !other) return { why: "only one of the two has it" };
  if (String(one.code) !== String(other.code)) return { why: "the code that was measured differs" };
  const isOneRun = a.run === b.run;
  if (!isOneRun && a.is_reference && b.is_reference) {
    return { why: "both are the reference build, of different runs: nothing was measured beside both" };
  }
  if (!isOneRun && !isSame(a.reference, b.reference)) return { why: "no common reference build" };
  const changed = isOneRun ? "" : changedPackage(a, b, one, other);
  if (changed) return { why: changed };
  const found = isOneRun ? medianInterval(pairedRatios(other.values, one.values)) : throughReference(one, other);
  if (!found) return { why: one.why || other.why || "no common round" };
  const mayDecide = (/** @type {Series} */ series) => series.decides && (isOneRun || series.reference_decides);
  const decides = mayDecide(one) && mayDecide(other) && found.count >= FEWEST_PAIRS;
  return { found, decides, reach: reachOfBoth(one, other, isOneRun) };
};

/** Says what a comparison came to, by the order of `finding_of` in generate/statistics. */
export const words = (/** @type {Result | NoResult} */ result) => {
  if (!result.found) return result.why;
  const { found, decides, reach } = result;
  if (!decides) return `not decided (${found.count} rounds, or a quick run)`;
  const far = reach ?? 1;
  if (reach && found.median <= far && found.median >= 1 / far) return "inside the noise";
  let said = found.median > 1 ? "more" : "less";
  if (found.low <= 1 && found.high >= 1) said = "no difference seen";
  else if (reach && found.low <= far && found.high >= 1 / far) said += ", but it reaches into the noise";
  return reach ? said : `${said} (noise not known)`;
};

/** @type {Record<string, string>} Heads of the table, and the class of the cells below. */
const HEADS = { Runner: "", Case: "", First: "n", Second: "n", Ratio: "n", Tells: "" };

/** @param {Cell} a @param {Cell} b */
const emptyTable = (a, b) => {
  const [of, by] = [b, a].map(({ build, machine, started }) => `${build}, ${machine} (${started})`);
  const heads = Object.entries(HEADS).map(([name, kind]) =>
    element("th", { scope: "col", role: "columnheader", class: kind || null }, name)
  );
  return element(
    "table",
    { class: "data fold", role: "table" },
    element("caption", {}, element("span", {}, `${of} divided by ${by}`)),
    element("thead", { role: "rowgroup" }, element("tr", { role: "row" }, ...heads)),
    element("tbody", { role: "rowgroup" }),
  );
};

/**
 * @typedef {{ text: string, below?: string, sort?: number | null }} Entry A cell of the table, and what it is sorted
 *   by: null where it has no value, left out where that is its text.
 */

const medianOf = (/** @type {Series | undefined} */ series) => {
  const found = series && medianInterval(Object.values(series.values));
  const text = found ? writeValue(found.median, series.unit).replace("\u00a0per second", "\u00a0/s") : "";
  return { text, sort: found?.median ?? null };
};

/** @param {Series | undefined} one @param {Series | undefined} other @param {Result | NoResult} result */
const rowOf = (one, other, result) => {
  const { name: [scenario, inCase, runner], title } = /** @type {Series} */ (one ?? other);
  const { found } = result;
  const ratio = found &&
    { text: writeBound(found.median), below: writeRatioInterval(found.low, found.high), sort: found.median };
  /** @type {Record<string, Entry>} */
  const entries = {
    Case: { text: `${scenario}: ${inCase}`, below: title },
    First: medianOf(one),
    Second: medianOf(other),
    Ratio: ratio ?? { text: "", sort: null },
    Tells: { text: words(result) },
  };
  const cells = Object.entries(entries).map(([name, { text, below, sort }]) => {
    const key = sort === undefined ? null : String(sort ?? "");
    const made = element(
      "td",
      { role: "cell", "data-label": name, class: HEADS[name] || null, "data-sort": key },
      text,
    );
    if (below) made.append(element("small", {}, below));
    return made;
  });
  return element("tr", { role: "row" }, element("th", { scope: "row", role: "rowheader" }, runner), ...cells);
};

/** @param {Cell} a @param {Cell} b @param {string} scenario empty: all */
const tableOf = (a, b, scenario) => {
  const [ones, others] = [a, b].map(({ series }) => new Map(series.map((each) => [each.name.join("\n"), each])));
  const made = emptyTable(a, b);
  for (const key of new Set([...ones.keys(), ...others.keys()])) {
    const [one, other] = [ones.get(key), others.get(key)];
    if (scenario && (one ?? other)?.name[0] !== scenario) continue;
    made.tBodies[0].append(rowOf(one, other, compared(a, b, one, other)));
  }
  return made;
};

export const start = () => {
  const form = first(HTMLFormElement, "form[data-compare]");
  const place = first(HTMLElement, "[data-compared]");
  const output = first(HTMLOutputElement, "output:not([data-own-said])", form);
  const [said, input] = [
    first(HTMLOutputElement, "[data-own-said]", form),
    first(HTMLInputElement, "input[type=file]", form),
  ];
  const { folder = "" } = form.dataset;
  /** @type {Map<string, Cell>} */
  const own = new Map();
  const load = (/** @type {string} */ key) =>
    own.get(key) ?? loadJson(`${folder}values/${encodeURIComponent(key)}.json`);

  let turn = 0; // what was chosen last is shown, whichever loads last
  const show = async (/** @type {Chosen} */ chosen) => {
    turn += 1;
    const mine = turn;
    try {
      const [a, b] = await Promise.all([load(chosen.a), load(chosen.b)]);
      if (mine !== turn) return;
      const made = tableOf(a, b, chosen.scenario);
      const region = { class: "scroller", tabindex: "0", role: "region", "aria-label": "The two compared" };
      place.replaceChildren(element("div", region, made));
      dressTables(place);
      output.textContent = `${made.tBodies[0].rows.length} series`;
    } catch (error) {
      if (mine !== turn) return;
      place.replaceChildren();
      output.textContent = /** @type {Error} */ (error).message;
    }
  };

  /** Adds a reader's own files to what can be chosen, and shows the last beside ours. */
  const take = async (/** @type {File[]} */ files) => {
    said.textContent = "";
    try {
      const { readOwn } = await import("./own.js");
      const { cells, faults } = await readOwn(files, folder);
      for (const cell of cells) {
        const key = `own-${own.size + 1}`;
        own.set(key, cell);
        for (const select of [selectOf(form, "a"), selectOf(form, "b")]) {
          const option = new Option(`${cell.build}, ${cell.machine} (your file)`, key);
          option.dataset.own = ""; // its name stays out of the address
          select?.add(option);
          if (select?.name === "b") select.value = key;
        }
      }
      said.textContent = faults.join(" ") || `${cells.length} read`;
      if (cells.length) form.dispatchEvent(new Event("change"));
    } catch (error) {
      said.textContent = /** @type {Error} */ (error).message;
    }
  };

  if (!selectOf(form, "a")?.options.length) return;
  startFilters(form, show);
  input.addEventListener("change", () => {
    take([...(input.files ?? [])]);
    input.value = ""; // the same file can be chosen again
  });
};
