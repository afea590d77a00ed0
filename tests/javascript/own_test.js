// @ts-check
/* What the page makes of a reader's own file: the same as Python. */

import assert from "node:assert/strict";
import { rowsOf } from "../../generate/assets/comparison.js";
import { buildWords } from "../../generate/assets/names.js";
import { cellOf, parse, whyUndecided } from "../../generate/assets/own.js";
import own from "./own.json" with { type: "json" };

/** @import { Build, Run, Series } from "../../generate/assets/comparison.js" */
/** @import { ByRound } from "../../generate/assets/statistics.js" */
/** @import { Metric } from "../../generate/assets/own.js" */

const DIGITS = 5; // of a published value
const HASH_LETTERS = 12;
const shortened = (/** @type {ByRound} */ values) =>
  Object.fromEntries(Object.entries(values).map(([round, value]) => [round, Number(value.toPrecision(DIGITS))]));

/** Returns a series as it is published; why one has no values is said in other words. @param {Series} series */
const published = ({ why: _why, ...series }) => ({
  ...series,
  values: shortened(series.values),
  reference: shortened(series.reference),
  noise: series.noise && Number(series.noise.toFixed(DIGITS)),
  code: series.code.map((hash) => hash?.slice(0, HASH_LETTERS)),
});

/** @type {{ metrics: Record<string, Metric>, files: { what: string, file: object, told: Run }[], builds: [Build, string][] }} */
const { metrics, files, builds } = JSON.parse(JSON.stringify(own));

for (const { what, file, told } of files) {
  Deno.test(`a reader's own file becomes what Python makes of it: ${what}`, async () => {
    const record = parse(JSON.stringify(file));
    const { about: _about, ...made } = await cellOf(record, [record], metrics);
    assert.deepEqual({ ...made, series: made.series.map(published) }, {
      ...told,
      series: told.series.map(({ why: _why, ...series }) => series),
    });
  });
}

Deno.test("of two files of a reader's own, packages that differ are named beside the runners that need them", async () => {
  const [{ file }] = files;
  const madeWith = (/** @type {string} */ version) => {
    const record = parse(JSON.stringify(file));
    record.packages.gevent.version = version;
    return cellOf(record, [record], metrics);
  };
  const [one, other] = await Promise.all(["26.1", "26.2"].map(madeWith));
  const named = rowsOf([one], [other], "").map(({ series, packages }) => [series.name[2], packages]);
  assert.deepEqual(named.filter(([, packages]) => packages), [["greenlets", "gevent 26.1 and 26.2"]]);
});

Deno.test("why nothing of a run is decided is said: it is a quick one, or the machine was busy", () => {
  const reasonOf = (/** @type {string} */ profile, machine = {}) => {
    const record = parse(JSON.stringify(files[0].file));
    return whyUndecided({
      ...record,
      run: { ...record.run, profile },
      machine: { ...record.machine, load_before: 0, usable_cores: 2, steal_share: 0, ...machine },
    });
  };
  assert.equal(reasonOf("full"), "");
  assert.equal(reasonOf("map"), "");
  assert.equal(reasonOf("quick"), "Nothing of a quick run is decided here.");
  const busy = "Nothing is decided of what was measured while the machine was busy.";
  assert.equal(reasonOf("full", { load_before: 2.1 }), busy);
  assert.equal(reasonOf("full", { steal_share: 0.02 }), busy);
});

for (const [build, words] of builds) {
  Deno.test(`a reader's own build is called as one of ours: ${words}`, async () => {
    assert.equal(await buildWords(build), words);
  });
}

const ROUNDS = Array.from({ length: 12 }, (_, index) => index + 1);
const BUILD = { implementation: "CPython", version: "3.13.1", free_threaded: false };
/** As a file of version 2 has it. */
const PLAIN = { ...BUILD, variant: [], variables: [], options: [] };
const eachRound = (/** @type {number} */ value) => Object.fromEntries(ROUNDS.map((round) => [round, value]));

const METRICS = {
  primes: {
    ...{ title: "Elapsed", unit: "ns", better: "lower", is_speed: true, column: "elapsed_ns" },
    calibrates: false,
  },
};

/** @param {string} role @param {unknown} values @param {object} more */
const recorded = (role, values, more = {}) => ({
  ...{ scenario: "primes", case: "published", runner: "sync_loop", role },
  samples: { position: ROUNDS, values: { elapsed_ns: values }, ...more },
});

/** @param {object[]} series @param {object} changed */
const fileOf = (series, changed = {}) =>
  JSON.stringify({
    ...{ schema_version: 1, run: { id: "own", profile: "full", started: "2026-02-03T04:05:06Z" } },
    ...{ machine: { label: "<b>mine</b>\u202e" }, build: BUILD, reference_build: { ...BUILD, version: "3.12.0" } },
    ...{ packages: { pip: { version: "24.0" }, gevent: { version: null } } },
    ...{ scenario_sha256: { primes: "s" }, source_sha256: { "primes/sync_loop": "r" }, series, ...changed },
  });

Deno.test("a reader's own file becomes what data/values/ has of ours", async () => {
  const control = recorded("control", ROUNDS.map((round) => 100 + (round % 3)));
  const record = parse(fileOf([recorded("subject", 100), control, recorded("reference", 50)]));
  const { machine, build, run, started, is_reference, about, series: [series, ...others] } = await cellOf(
    record,
    [record],
    METRICS,
  );
  assert.deepEqual(about, { ...PLAIN, machine });
  assert.deepEqual(
    [machine, build, run, started, is_reference],
    ["b mine b", "CPython 3.13.1", "own", "2026-02-03", false],
  );
  assert.deepEqual(others, []);
  assert.deepEqual(series, {
    ...{ name: ["primes", "published", "sync_loop"], title: "Elapsed", unit: "ns", code: ["r", "s"], why: "" },
    ...{ better: "lower", is_speed: true },
    ...{
      values: eachRound(100),
      reference: eachRound(50),
      noise: 1.02,
      decides: true,
      reference_decides: true,
      needs: null,
    },
  });
});

Deno.test("the noise of one's own is that of the case's block, and of bounded runners the second control's too", async () => {
  const fitted = {
    ...METRICS.primes,
    blocks: { smaller: "published" },
    second_control: "one_thread",
    bounded: ["threads"],
  };
  const ofRunner = (/** @type {string} */ runner, /** @type {number} */ value, inCase = "published") => ({
    ...recorded("subject", value),
    ...{ runner, case: inCase },
  });
  const control = recorded("control", ROUNDS.map((round) => 100 + (round % 3)));
  const series = [
    ...[recorded("subject", 100), control, ofRunner("one_thread", 90), ofRunner("threads", 80)],
    ...[ofRunner("processes", 80), ofRunner("threads", 80, "smaller")],
  ];
  const noiseOf = async (/** @type {object} */ changed) => {
    const record = parse(fileOf(series, changed));
    return (await cellOf(record, [record], { primes: fitted })).series.map((
      { name, noise },
    ) => [...name.slice(1), noise]);
  };
  assert.deepEqual(await noiseOf({}), [
    ["published", "sync_loop", 1.02],
    ["published", "one_thread", 1.02],
    ["published", "threads", 1 / 0.9],
    ["published", "processes", 1.02],
    ["smaller", "threads", 1.02],
  ]);
  const withoutGil = { build: { ...BUILD, gil_at_start: false } };
  assert.deepEqual((await noiseOf(withoutGil))[2], ["published", "threads", 1.02]);
});

Deno.test("what a reader's machine measured while it had other work decides nothing", async () => {
  const decides = async (/** @type {object} */ work) => {
    const record = parse(fileOf([recorded("subject", 100)], { machine: { label: "m", usable_cores: 2, ...work } }));
    return (await cellOf(record, [record], METRICS)).series[0].decides;
  };
  assert.deepEqual(
    await Promise.all([{}, { load_before: 2 }, { load_before: null, steal_share: 0.01 }].map(decides)),
    [true, true, true],
  );
  assert.deepEqual(await Promise.all([{ load_before: 2.1 }, { steal_share: 0.011 }].map(decides)), [false, false]);
});

Deno.test("a reader's run decides, be it of all scenarios or of the map, unless it is a quick one", async () => {
  const decides = async (/** @type {string} */ profile) => {
    const record = parse(fileOf([recorded("subject", 100)], { run: { id: "own", profile, started: "2026-02-03" } }));
    return (await cellOf(record, [record], METRICS)).series[0].decides;
  };
  assert.deepEqual(await Promise.all(["full", "map", "quick"].map(decides)), [true, true, false]);
});

Deno.test("of version 2 every column is a list, and the reference build has packages of its own", async () => {
  const many = (/** @type {unknown} */ value) => ROUNDS.map(() => value);
  const series = recorded("subject", many(100), { round: ROUNDS, status: many("ok"), reason: many(null) });
  const packages = {
    aiohttp: { version: "4.0.dev0", source: "aio-libs/aiohttp@abc" },
    "Zope.interface": { version: "8.0" },
  };
  const record = parse(
    fileOf([{ ...series, source_sha256: "r" }], { schema_version: 2, reference_packages: packages }),
  );
  const read = await cellOf(record, [record], METRICS);
  assert.deepEqual([read.series[0].values, read.series[0].code], [eachRound(100), ["r", "s"]]);
  assert.deepEqual(read.packages, { aiohttp: "4.0.dev0 (aio-libs/aiohttp@abc)", "zope-interface": "8.0" });
  assert.deepEqual(read.installed, { pip: "24.0" });
});

Deno.test("what a run was fitted to is kept of scenarios that fit their work to the machine, and of no other", async () => {
  const run = { id: "own", profile: "map", started: "2026-02-03T04:05:06Z", calibration: { turns_per_ms: 15_000 } };
  const record = parse(fileOf([recorded("subject", 100)], { run }));
  const fitted = { primes: { ...METRICS.primes, calibrates: true } };
  assert.deepEqual((await cellOf(record, [record], fitted)).series[0].calibration, { turns_per_ms: 15_000 });
  assert.equal((await cellOf(record, [record], METRICS)).series[0].calibration, undefined);
});

Deno.test("the reference build's series may stand in the file beside it", async () => {
  const record = parse(fileOf([recorded("subject", 100)]));
  const reference = parse(fileOf([recorded("subject", 50)], { build: { ...BUILD, version: "3.12.0" } }));
  const [series] = (await cellOf(record, [record, reference], METRICS)).series;
  assert.deepEqual(series.reference, eachRound(50));
  assert.equal(series.noise, null);
  assert.equal((await cellOf(reference, [record, reference], METRICS)).is_reference, true);
  assert.deepEqual((await cellOf(record, [record], METRICS)).reference, { ...PLAIN, version: "3.12.0" });
});

Deno.test("a round that failed has no value, and a series that has one decides nothing", async () => {
  const status = ROUNDS.map((round) => (round === 2 ? "failed" : "ok"));
  const record = parse(fileOf([recorded("subject", 100, { status })]));
  const [series] = (await cellOf(record, [record], METRICS)).series;
  assert.equal(Object.keys(series.values).length, 11);
  assert.equal(series.decides, false);
});

/** @type {[string, string][]} */
const FAULTS = [
  ["null", "$.schema_version: is undefined; this page reads 1 and 2"],
  [fileOf([], { schema_version: 3 }), "$.schema_version: is 3; this page reads 1 and 2"],
  [fileOf([], { machine: null }), "$.machine.label: is missing"],
  [fileOf([], { run: { id: 1 } }), "$.run.id: must be of kind string"],
  [fileOf([], { scenario_sha256: null }), "$.scenario_sha256: must be of kind object"],
  [fileOf([recorded("subject", 1), {}]), "$.series[1].scenario: is missing"],
  [fileOf([recorded("subject", 1, { round: 3 })]), "$.series[0].samples.round: must be of kind list"],
];

for (const [text, message] of FAULTS) {
  Deno.test(`a file is refused: ${message}`, () => assert.throws(() => parse(text), { message }));
}

Deno.test("a long word of a variant has no digest where the browser has none, and the build is named all the same", async () => {
  const [[one]] = builds;
  const long = { ...one, variant: ["a".repeat(60)] };
  const { subtle } = crypto;
  assert.match(await buildWords(long), /\(a{40}-[0-9a-f]{8}\)$/);
  Object.defineProperty(crypto, "subtle", { value: undefined, configurable: true });
  try {
    assert.match(await buildWords(long), /\(a{40}\)$/);
  } finally {
    Object.defineProperty(crypto, "subtle", { value: subtle, configurable: true });
  }
});
