// @ts-check
/* Makes of a reader's own result files what data/values/ holds of ours. The version and the fields that are used here
 * are checked; `python -m generate check` checks the rest. Nothing leaves the page. */

import { loadJson } from "./dom.js";
import { buildWords, plain } from "./names.js";
import { versionsOf } from "./packages.js";
import { noiseReach } from "./statistics.js";

/** @import { Build, Run } from "./comparison.js" */
/** @import { Packages } from "./packages.js" */
/** @import { ByRound } from "./statistics.js" */
/**
 * @typedef {{ title: string, unit: string, better: string, is_speed: boolean, column: string | null, calibrates: boolean,
 *   blocks?: Record<string, string>, second_control?: string, bounded?: string[], packages?: Record<string, string[]> }} Metric
 *   A scenario's first. `blocks` are by case, of those that another case's block has; `bounded` runners must beat the second
 *   control too; `packages` are by runner.
 */
/**
 * @typedef {object} Samples A column holds once what all samples have in common.
 * @property {unknown[]} position
 * @property {number[]} [round]
 * @property {string[] | string} [status]
 * @property {Record<string, unknown>} values
 */
/**
 * @typedef {{ scenario: string, case: string, runner: string, role: string, source_sha256?: string, reason?: string,
 *   samples: Samples }} Series
 */
/**
 * @typedef {{ run: { id: string, profile: string, started: string, calibration?: Record<string, number> },
 *   machine: { label: string, cpu?: string, usable_cores?: number, load_before?: number | null, steal_share?: number | null },
 *   build: Build, reference_build: Build, scenario_sha256: Record<string, string>, source_sha256?: Record<string, string>,
 *   packages: Packages, reference_packages?: Packages, series: Series[] }} FileRecord What is used of a result file.
 */

const VERSIONS = [1, 2];
const MOST_BYTES = 5_000_000;
/** Kinds of the fields that are used, by path; those with a question mark may be left out. */
const FIELDS = {
  ...{ "run.id": "string", "run.profile": "string", "run.started": "string", "machine.label": "string" },
  ...{ "run.calibration": "object?" },
  ...{ "build.implementation": "string", "build.version": "string", "build.free_threaded": "boolean" },
  ...{ "build.variant": "list?" },
  ...{ reference_build: "object", scenario_sha256: "object", source_sha256: "object?", series: "list" },
  ...{ packages: "object", reference_packages: "object?" },
};
const FIELDS_OF_SERIES = {
  ...{ scenario: "string", case: "string", runner: "string", role: "string" },
  ...{ "samples.position": "list", "samples.round": "list?", "samples.values": "object" },
};

/**
 * Returns the first fault, as "where: what"; empty where there is none.
 * @param {any} value
 * @param {Record<string, string>} fields
 * @param {string} where
 */
const faultOf = (value, fields, where) => {
  for (const [path, kind] of Object.entries(fields)) {
    const found = path.split(".").reduce((inner, name) => inner?.[name], value);
    const is = Array.isArray(found) ? "list" : typeof found;
    if (found === undefined && !kind.endsWith("?")) return `${where}.${path}: is missing`;
    if (found === null || (found !== undefined && is !== kind.replace("?", ""))) {
      return `${where}.${path}: must be of kind ${kind.replace("?", "")}`;
    }
  }
  return "";
};

const faultOfSeries = (/** @type {unknown[]} */ series) =>
  series.map((each, index) => faultOf(each, FIELDS_OF_SERIES, `$.series[${index}]`)).find(Boolean);

/**
 * Returns the record of a file. The error names what is wrong.
 * @param {string} text
 * @returns {FileRecord}
 */
export const parse = (text) => {
  const record = JSON.parse(text);
  const version = record?.schema_version;
  if (!VERSIONS.includes(version)) {
    throw new Error(`$.schema_version: is ${version}; this page reads ${VERSIONS.join(" and ")}`);
  }
  const fault = faultOf(record, FIELDS, "$") || faultOfSeries(record.series);
  if (fault) throw new Error(fault);
  return record;
};

/** @template T @param {T[] | T} column @param {number} count @returns {T[]} */
const spread = (column, count) => Array.isArray(column) ? column : Array(count).fill(column);

/** @param {Series} series @param {Metric} metric @returns {ByRound} */
const valuesOf = ({ samples }, { column }) => {
  const given = column === null ? undefined : samples.values[column];
  const count = samples.position.length;
  const [values, status] = [spread(given, count), spread(samples.status ?? "ok", count)];
  const rounds = samples.round ?? values.map((_, index) => index + 1);
  const measured = rounds.flatMap((round, index) => {
    const value = values[index];
    return status[index] === "ok" && typeof value === "number" ? [[round, value]] : [];
  });
  return Object.fromEntries(measured);
};

const MOST_STEAL_SHARE = 0.01;
/** Says whether the machine had so much other work that nothing which it measured decides, as generate/analysis does. */
const isBusy = (/** @type {FileRecord["machine"]} */ { usable_cores, load_before, steal_share }) =>
  (load_before ?? 0) > (usable_cores ?? Infinity) || (steal_share ?? 0) > MOST_STEAL_SHARE;
/** Says why nothing that a run measured is decided, whatever came out. @param {FileRecord} record */
export const whyUndecided = ({ run, machine }) => {
  if (run.profile === "quick") return "Nothing of a quick run is decided here.";
  return isBusy(machine) ? "Nothing is decided of what was measured while the machine was busy." : "";
};
const isWhole = (/** @type {Series} */ { samples }) => [samples.status ?? "ok"].flat().every((each) => each === "ok");
const nameOf = (/** @type {Series} */ { scenario, case: inCase, runner }) => JSON.stringify([scenario, inCase, runner]);
/** Says whether all that a run knows of two of its builds is alike: one may differ in no more than its variant. */
const isEqual = (/** @type {Build} */ a, /** @type {Build} */ b) => JSON.stringify(a) === JSON.stringify(b);
/** Returns a build with what files of version 1 have no fields for. @param {Build} build @returns {Build} */
const whole = (build) => ({ variant: [], variables: [], options: [], ...build });

/**
 * Returns what one file has of a cell. The reference build's series stand in it, or in the file of that build beside it.
 * @param {FileRecord} record
 * @param {FileRecord[]} records all that were chosen together
 * @param {Record<string, Metric>} metrics by scenario
 * @returns {Promise<Run>}
 */
export const cellOf = async (record, records, metrics) => {
  const { run, machine } = record;
  const { packages: installed, reference_packages: ofReference = installed } = record;
  const [build, reference] = [record.build, record.reference_build].map(whole);
  const known = record.series.filter(({ scenario }) => Object.hasOwn(metrics, scenario));
  const ofRole = (/** @type {string} */ role) => known.filter((series) => series.role === role);
  const subjects = new Map(ofRole("subject").map((series) => [nameOf(series), series]));
  const beside = records.find((one) =>
    isEqual(one.build, record.reference_build) && one.run.id === run.id && one.machine.label === machine.label
  );
  const held = [...(beside?.series ?? []).filter(({ role }) => role === "subject"), ...ofRole("reference")];
  const references = new Map(held.map((series) => [nameOf(series), series]));
  const decides = (/** @type {(Series | undefined)[]} */ ...compared) =>
    !whyUndecided(record) && compared.every((series) => series && isWhole(series));

  const blockOf = (/** @type {Series} */ { scenario, case: inCase }) =>
    JSON.stringify([scenario, metrics[scenario].blocks?.[inCase] ?? inCase]);
  /** Of each block the baseline, and how far it lay from itself. @type {Map<string, { baseline: ByRound, reach: number | null }>} */
  const blocks = new Map();
  for (const control of ofRole("control")) {
    const measured = subjects.get(nameOf(control));
    const metric = metrics[control.scenario];
    if (!measured || !decides(control, measured)) continue;
    const baseline = valuesOf(measured, metric);
    blocks.set(blockOf(control), { baseline, reach: noiseReach(valuesOf(control, metric), baseline) });
  }

  /** Returns that of a series' block; of a series that the second control bounds, also how far that lay from it. */
  const noiseOf = (/** @type {Series} */ series) => {
    const { baseline = {}, reach = null } = blocks.get(blockOf(series)) ?? {};
    const metric = metrics[series.scenario];
    const isBounded = metric.bounded?.includes(series.runner) && build.gil_at_start !== false;
    const second = isBounded && subjects.get(nameOf({ ...series, runner: metric.second_control ?? "" }));
    if (!reach || !second) return reach;
    const ofSecond = decides(second) ? noiseReach(valuesOf(second, metric), baseline) : null;
    return ofSecond && Math.max(reach, ofSecond);
  };

  /** Names a runner's packages, and those that they need, on its build or on the reference build. @param {string[]} [roots] */
  const needsOf = (roots) =>
    roots
      ? [...new Set([installed, ofReference].flatMap((each) => Object.keys(versionsOf(each, roots))))].toSorted()
      : null;

  const seriesOf = (/** @type {Series} */ series) => {
    const { scenario, case: inCase, runner, source_sha256, reason = "" } = series;
    const metric = metrics[scenario];
    const against = references.get(nameOf(series));
    const source = source_sha256 ?? record.source_sha256?.[`${scenario}/${runner}`] ?? null;
    return {
      name: [scenario, inCase, runner],
      title: metric.title,
      unit: metric.unit,
      better: metric.better,
      is_speed: metric.is_speed,
      values: valuesOf(series, metric),
      reference: against ? valuesOf(against, metric) : {},
      noise: noiseOf(series),
      decides: decides(series),
      reference_decides: decides(series, against),
      why: metric.column
        ? String(reason ?? "").replace(/\p{C}/gu, "")
        : "computed from several columns: python -m generate compare does that",
      needs: needsOf(metric.packages?.[runner]),
      code: [source, record.scenario_sha256[scenario] ?? null],
      ...(metric.calibrates ? { calibration: run.calibration ?? {} } : {}),
    };
  };
  return {
    machine: plain(machine.label),
    processor: plain(machine.cpu ?? "processor not known"),
    build: await buildWords(build),
    run: run.id,
    started: run.started.slice(0, 10),
    reference,
    is_reference: isEqual(record.build, record.reference_build),
    packages: versionsOf(ofReference),
    installed: versionsOf(installed),
    series: [...subjects.values()].map(seriesOf),
    about: { ...build, machine: plain(machine.label) },
  };
};

const read = async (/** @type {File} */ file) => {
  if (file.size > MOST_BYTES) throw new Error(`over ${MOST_BYTES / 1e6} MB; a result file is smaller`);
  return parse(await file.text());
};

/**
 * Reads files; returns their cells, why nothing of some is decided, and what is wrong with those that can't be used.
 * @param {File[]} files
 * @param {string} data address of the folder of the data
 * @returns {Promise<{ cells: Run[], doubts: string[], faults: string[] }>}
 */
export const readOwn = async (files, data) => {
  const metrics = await loadJson(`${data}metrics.json`);
  const done = await Promise.allSettled(files.map(read));
  const records = done.flatMap((each) => each.status === "fulfilled" ? [each.value] : []);
  /** @type {{ cells: Run[], doubts: string[], faults: string[] }} */
  const found = { cells: [], doubts: [...new Set(records.map(whyUndecided))].filter(Boolean), faults: [] };
  for (const [index, each] of done.entries()) {
    try {
      if (each.status === "rejected") throw each.reason;
      found.cells.push(await cellOf(each.value, records, metrics));
    } catch (error) { // and no other file is lost with it
      found.faults.push(`${files[index].name}: no result file: ${/** @type {Error} */ (error).message}`);
    }
  }
  return found;
};
