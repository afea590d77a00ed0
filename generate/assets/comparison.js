// @ts-check
/* Compares two cells: paired by round inside a run, through the common reference build across runs. What lies inside the
 * noise of the two is no difference. Pure. */

import { counted } from "./numbers.js";
import { FEWEST_PAIRS, medianInterval, pairedRatios, ratioOfIntervals } from "./statistics.js";

/** @import { ByRound, Interval } from "./statistics.js" */
/**
 * @typedef {object} Series As data/values/ has it.
 * @property {string[]} name scenario, case and runner
 * @property {string} title of the metric
 * @property {string} unit
 * @property {string} better lower, higher or neither
 * @property {boolean} is_speed whether it is a time that work takes, or a rate: what is faster or slower
 * @property {ByRound} values
 * @property {ByRound} reference of the same series on the reference build; of that build itself its own, or none
 * @property {number | null} noise how far the block's baseline lay from itself; null where that is not known
 * @property {boolean} decides
 * @property {boolean} reference_decides
 * @property {string} why it has no values
 * @property {string[] | null} needs packages of its runner, and those that they need; null where that is not known
 * @property {(string | null)[]} code the first letters of hashes of what was measured, or all of them
 * @property {Record<string, number>} [calibration] what its work was fitted to, in the run; of such scenarios alone
 */
/**
 * @typedef {{ [field: string]: string | boolean | string[] | null | undefined, implementation: string, version: string,
 *   free_threaded: boolean, variant?: string[] }} Build
 */
/**
 * @typedef {{ machine: string, processor: string, build: string, run: string, started: string, reference: Build,
 *   is_reference: boolean, packages: Record<string, string>, installed: Record<string, string>, series: Series[],
 *   about?: About }} Run What one run measured of a cell. `packages` are those of the reference build, `installed` those
 *   of the build itself; `about` is known of a reader's own.
 */
/** @typedef {[run: Run, series: Series]} Measured A series, and the run that measured it. */
/** @typedef {Build & { machine: string }} About Which build on which kind of machine. */
/** @typedef {{ why: string, found?: undefined }} NoResult */
/** @typedef {{ why?: undefined, found: Interval, decides: boolean, reach: number | null }} Result */
/**
 * @typedef {object} Row A series of two cells, compared.
 * @property {Series} series of either
 * @property {"differs" | "alike" | "undecided" | "apart"} kind
 * @property {string} said
 * @property {string} doubt about a difference
 * @property {Interval | null} change the second's speed by the first's; of what is no speed, its amount
 * @property {Side[]} sides what is shown of the first and of the second
 * @property {string} way how it is compared, where two runs measured it
 * @property {string} packages those of which the two have different versions, as a change is of these too
 */
/** @typedef {{ values: ByRound, reference: ByRound }} Side Its values, and the reference build's where they explain them. */

/** What makes two builds the same one, wherever they run. */
const IDENTITY = [
  ...["implementation", "version", "free_threaded", "jit", "compiler", "flags"],
  ...["variant", "variables", "options"],
];
/** A field that is false is not one that is not known. @param {Build} a @param {Build} b */
const isSame = (a, b) => IDENTITY.every((name) => JSON.stringify(a[name] ?? null) === JSON.stringify(b[name] ?? null));

/**
 * Names the packages that either needs, sorted; all that either has where that is not known.
 * @param {Measured} first
 * @param {Measured} second
 * @param {"packages" | "installed"} of
 */
const neededBy = ([a, one], [b, other], of) =>
  one.needs || other.needs
    ? [...new Set([...one.needs ?? [], ...other.needs ?? []])].toSorted()
    : Object.keys({ ...a[of], ...b[of] });

/**
 * Names the packages of which both have a version, and not the same; none where it is not known what is needed.
 * @param {Measured} first
 * @param {Measured} second
 */
const differingPackages = (first, second) => {
  if (!first[1].needs && !second[1].needs) return "";
  const [ours, theirs] = [first, second].map(([{ installed }]) => installed);
  return neededBy(first, second, "installed")
    .filter((name) => ours[name] && theirs[name] && ours[name] !== theirs[name])
    .map((name) => `${name} ${ours[name]} and ${theirs[name]}`).join(", ");
};

/**
 * Names a package that differs between the reference builds; what changed in both would cancel.
 * @param {Measured} first
 * @param {Measured} second
 */
const changedPackage = (first, second) => {
  const [[a], [b]] = [first, second];
  const name = neededBy(first, second, "packages").find((each) => a.packages[each] !== b.packages[each]);
  if (name === undefined) return "";
  const [ours, theirs] = [a, b].map(({ packages }) => packages[name] ?? "absent");
  return `the reference builds have ${name} ${ours} and ${theirs}: what changed in both would cancel`;
};

const MOST_APART = 0.01;

/**
 * Names the calibrations that differ between two runs: then the same name stands for different work.
 * @param {Series} one
 * @param {Series} other
 */
const changedCalibration = (one, other) => {
  const [ours, theirs] = [one.calibration ?? {}, other.calibration ?? {}];
  const names = Object.keys({ ...ours, ...theirs }).toSorted().filter((name) =>
    !(Math.max(ours[name], theirs[name]) <= (1 + MOST_APART) * Math.min(ours[name], theirs[name]))
  );
  const words = names.map((name) => {
    const [first, second] = [ours, theirs].map((found) => found[name]?.toLocaleString("en") ?? "none");
    return `${name.replaceAll("_", " ")} ${first} and ${second}`;
  });
  return words.length ? `tasks computed different amounts in the two runs: ${words.join(", ")}` : "";
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

/** The values beside which a series stands: on the reference build itself, its own. @param {Measured} measured */
const beside = ([run, series]) => run.is_reference ? series.values : series.reference;

/** @param {Measured} one @param {Measured} other */
const throughReference = (one, other) => {
  const [first, second] = [one, other].map((each) => medianInterval(pairedRatios(each[1].values, beside(each))));
  return ratioOfIntervals(second, first);
};

/** Hashes are compared as far as this site's own files have them. */
const HASH_LETTERS = 12;
const codeOf = (/** @type {Series} */ { code }) => code.map((hash) => hash?.slice(0, HASH_LETTERS) ?? "").join(" ");

/**
 * Compares a series of two cells: the second divided by the first.
 * @param {Measured | undefined} first
 * @param {Measured | undefined} second
 * @returns {Result | NoResult}
 */
export const compared = (first, second) => {
  if (!first || !second) return { why: "only one of the two has it" };
  const [[a, one], [b, other]] = [first, second];
  if (codeOf(one) !== codeOf(other)) return { why: "the code that was measured differs" };
  const refitted = changedCalibration(one, other);
  if (refitted) return { why: refitted };
  const isOneRun = a.run === b.run;
  if (!isOneRun && a.is_reference && b.is_reference) {
    return { why: "both are the reference build, of different runs: nothing was measured beside both" };
  }
  if (!isOneRun && !isSame(a.reference, b.reference)) return { why: "no common reference build" };
  const changed = isOneRun ? "" : changedPackage(first, second);
  if (changed) return { why: changed };
  const found = isOneRun ? medianInterval(pairedRatios(other.values, one.values)) : throughReference(first, second);
  if (!found) return { why: one.why || other.why || "no common round" };
  const mayDecide = (/** @type {Series} */ series) => series.decides && (isOneRun || series.reference_decides);
  const decides = mayDecide(one) && mayDecide(other) && found.count >= FEWEST_PAIRS;
  return { found, decides, reach: reachOfBoth(one, other, isOneRun) };
};

/** Returns what a comparison came to, by the order of `finding_of` in generate/statistics. */
export const judged = (/** @type {Result | NoResult} */ result) => {
  if (!result.found) return { kind: "apart", said: result.why, doubt: "" };
  const { found, decides, reach } = result;
  if (!decides) {
    return {
      kind: "undecided",
      said: `not decided (${counted(found.count, "round")}, a quick run or a busy machine)`,
      doubt: "",
    };
  }
  const far = reach ?? 1;
  if (reach && found.median <= far && found.median >= 1 / far) {
    return { kind: "alike", said: "median inside the noise", doubt: "" };
  }
  let doubt = reach ? "" : "noise not known";
  if (found.low <= 1 && found.high >= 1) {
    return { kind: "alike", said: ["no difference seen", doubt].filter(Boolean).join(", "), doubt };
  }
  if (reach && found.low <= far && found.high >= 1 / far) doubt = "reaches into the noise";
  return { kind: "differs", said: [found.median > 1 ? "more" : "less", doubt].filter(Boolean).join(", "), doubt };
};

/** @param {Series} series @param {Interval | undefined} found @returns {Interval | null} */
const changeOf = ({ is_speed, better }, found) => {
  if (!found) return null;
  const { median, low, high, count } = found;
  return is_speed && better === "lower" ? { median: 1 / median, low: 1 / high, high: 1 / low, count } : found;
};

/** How far a change is from none, whichever way. */
export const sizeOf = (/** @type {Row} */ { change }) => change ? Math.abs(Math.log(change.median)) : 0;

/**
 * Returns the values that a change between two runs is of. The reference build's are those that stood beside the other,
 * in one run with it; where two runs are compared through it, what it took in each explains why the change is not the
 * quotient of the two.
 * @param {Measured} first
 * @param {Measured} second
 * @returns {Side[]}
 */
const sidesOf = ([a, one], [b, other]) => {
  const [ofFirst, ofSecond] = [one, other].map(({ values }) => ({ values, reference: {} }));
  if (a.is_reference) return [{ values: other.reference, reference: {} }, ofSecond];
  if (b.is_reference) return [ofFirst, { values: one.reference, reference: {} }];
  return [one, other].map(({ values, reference }) => ({ values, reference }));
};

/** Says how what two runs measured is compared. @param {Run} a @param {Run} b */
const wayBetween = (a, b) => {
  if (!a.is_reference && !b.is_reference) {
    return "Where two runs are compared, each value is divided by the reference build's in its own run, " +
      "which stands below it.";
  }
  const [{ build }, other] = a.is_reference ? [a, b] : [b, a];
  return `Where two runs are compared, each value of ${build} is of the run that measured ${other.build} beside it.`;
};

/** Says how two cells are compared where no run measured both; empty where one did, or nothing can be compared. */
export const wayOf = (/** @type {Row[]} */ rows) => [...new Set(rows.map(({ way }) => way))].filter(Boolean).join(" ");

/** @param {Run[]} runs @returns {Map<string, Measured>} */
const byName = (runs) => {
  const measured = runs.flatMap((run) => run.series.map((series) => /** @type {Measured} */ ([run, series])));
  return new Map(measured.map((each) => [each[1].name.join("\n"), each]));
};

/** @param {Measured | undefined} one @param {Measured | undefined} other @returns {Row} */
const rowOf = (one, other) => {
  const { 1: series } = /** @type {Measured} */ (one ?? other);
  const result = compared(one, other);
  const change = changeOf(series, result.found);
  const packages = one && other ? differingPackages(one, other) : "";
  const row = { series, .../** @type {Pick<Row, "kind" | "said" | "doubt">} */ (judged(result)), change, packages };
  if (change && one && other && one[0].run !== other[0].run) {
    return { ...row, sides: sidesOf(one, other), way: wayBetween(one[0], other[0]) };
  }
  return { ...row, sides: [one, other].map((each) => ({ values: each?.[1].values ?? {}, reference: {} })), way: "" };
};

/**
 * Compares all series of two cells, or of one scenario: what is beyond doubt first, the largest change before others.
 * @param {Run[]} ones of the first cell
 * @param {Run[]} others of the second
 * @param {string} scenario empty: all
 * @returns {Row[]}
 */
export const rowsOf = (ones, others, scenario) => {
  const [a, b] = [ones, others].map(byName);
  const rows = [...new Set([...a.keys(), ...b.keys()])].map((name) => rowOf(a.get(name), b.get(name)));
  return rows.filter(({ series }) => !scenario || series.name[0] === scenario).sort((x, y) =>
    Number(Boolean(x.doubt)) - Number(Boolean(y.doubt)) || sizeOf(y) - sizeOf(x) || 0
  );
};
