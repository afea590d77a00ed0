// @ts-check
/* What is said of two cells that are compared, and what is made of a reader's own file. */

import assert from "node:assert/strict";
import { compared, judged, rowsOf, wayOf } from "../../generate/assets/comparison.js";
import { summaryOf } from "../../generate/assets/comparison_summary.js";
import { nearest } from "../../generate/assets/nearest.js";
import { cellOf, parse } from "../../generate/assets/own.js";
import { medianInterval } from "../../generate/assets/statistics.js";
import comparisons from "./comparisons.json" with { type: "json" };

/** @import { About, Row, Run, Series } from "../../generate/assets/comparison.js" */
/** @import { ByRound } from "../../generate/assets/statistics.js" */

const ROUNDS = Array.from({ length: 12 }, (_, index) => index + 1);
const BUILD = { implementation: "CPython", version: "3.13.1", free_threaded: false };
/** As a file of version 2 has it. */
const PLAIN = { ...BUILD, variant: [], variables: [], options: [] };
const eachRound = (/** @type {number} */ value) => Object.fromEntries(ROUNDS.map((round) => [round, value]));

const spreadRound = (/** @type {number} */ least, /** @type {number} */ most) =>
  Object.fromEntries(ROUNDS.map((round) => [round, round <= 4 ? least : most]));

/** @param {string} run @param {number} value @param {number | null} noise @param {Partial<Series>} changed */
const cell = (run, value, noise, changed = {}) => {
  /** @type {Series} */
  const series = {
    ...{
      name: ["primes", "published", "sync_loop"],
      title: "Elapsed",
      unit: "ns",
      better: "lower",
      is_speed: true,
      why: "",
      code: ["same", "same"],
      needs: ["aiohttp"],
    },
    ...{ values: eachRound(value), reference: eachRound(100), noise, decides: true, reference_decides: true },
    ...changed,
  };
  const packages = { aiohttp: run === "newer" ? "4.0" : "3.14", gevent: run };
  const about = { machine: "m", processor: "p", build: "b", started: "2026-01-01" };
  return { ...about, reference: BUILD, is_reference: false, packages, installed: packages, run, series: [series] };
};

/** @type {[string, ReturnType<typeof cell>, ReturnType<typeof cell>][]} */
const CASES = [
  ["more", cell("r", 100, 1.01), cell("r", 105, 1.02)],
  ["less", cell("r", 100, 1.01), cell("r", 95, 1.02)],
  ["median inside the noise", cell("r", 100, 1.1), cell("r", 105, 1.01)],
  ["median inside the noise", cell("r", 100, 1.01), cell("r", 105, 1.1)],
  ["median inside the noise", cell("r", 100, 1.04), cell("s", 105, 1.04)],
  ["more, reaches into the noise", cell("r", 100, 1.01), cell("r", 0, 1.03, { values: spreadRound(102, 112) })],
  ["no difference seen", cell("r", 100, 1.01), cell("r", 0, 1.01, { values: spreadRound(98, 112) })],
  ["more", cell("r", 100, 1.02), cell("s", 105, 1.02)],
  ["more", { ...cell("r", 100, 1.02, { reference: {} }), is_reference: true }, cell("s", 105, 1.02)],
  ["more, noise not known", cell("r", 100, 1.01), cell("r", 105, null)],
  ["no difference seen, noise not known", cell("r", 100, null), cell("r", 100, null)],
  [
    "not decided (12 rounds, a quick run or a busy machine)",
    cell("r", 100, 1.01, { decides: false }),
    cell("r", 105, 1.01),
  ],
  ["more", cell("r", 100, 1.01), cell("r", 105, 1.01, { reference_decides: false })],
  [
    "not decided (12 rounds, a quick run or a busy machine)",
    cell("r", 100, 1.01),
    cell("s", 105, 1.01, { reference_decides: false }),
  ],
  [
    "the code that was measured differs",
    cell("r", 100, 1.01),
    cell("r", 105, 1.01, { code: ["other", "same"] }),
  ],
  [
    "the reference builds have aiohttp 3.14 and 4.0: what changed in both would cancel",
    cell("r", 100, 1.01),
    cell("newer", 105, 1.01),
  ],
  ["timed out", cell("r", 100, 1.01), cell("r", 105, 1.01, { values: {}, why: "timed out" })],
];

for (const [said, a, b] of CASES) {
  Deno.test(`two cells: ${said}`, () => {
    assert.equal(judged(compared([a, a.series[0]], [b, b.series[0]])).said, said);
  });
}

Deno.test("two cells: of runs whose tasks computed more than 1 % more or less, nothing is compared", () => {
  const fitted = (/** @type {string} */ run, /** @type {Record<string, number>} */ calibration) =>
    cell(run, 100, 1.01, { calibration });
  const said = (/** @type {Record<string, number>} */ theirs) => {
    const [a, b] = [fitted("r", { turns_per_ms: 15_000 }), fitted("s", theirs)];
    return judged(compared([a, a.series[0]], [b, b.series[0]])).said;
  };
  assert.equal(said({ turns_per_ms: 15_150 }), "median inside the noise");
  const differing = "tasks computed different amounts in the two runs: turns per ms 15,000 and";
  assert.equal(said({ turns_per_ms: 15_151 }), `${differing} 15,151`);
  assert.equal(said({ turns_per_ms: 14_800 }), `${differing} 14,800`);
  assert.equal(said({}), `${differing} none`);
});

Deno.test("two cells: what makes them incomparable is said", () => {
  const [a, b] = [cell("r", 100, 1.01), cell("s", 105, 1.01)];
  const said = (/** @type {object} */ of) =>
    judged(compared([{ ...a, ...of }, a.series[0]], [{ ...b, ...of }, b.series[0]])).said;
  assert.equal(judged(compared([a, a.series[0]], undefined)).said, "only one of the two has it");
  assert.match(said({ is_reference: true }), /^both are the reference build/);
  const other = { ...b, reference: { ...BUILD, version: "3.14.0" } };
  assert.equal(judged(compared([a, a.series[0]], [other, b.series[0]])).said, "no common reference build");
});

/** @param {string} runner @param {number} value @param {Partial<Series>} changed */
const seriesOf = (runner, value, changed = {}) =>
  cell("r", value, 1.01, { name: ["primes", "published", runner], ...changed }).series[0];

/** @param {...Series} series */
const cellWith = (...series) => ({ ...cell("r", 1, 1.01), series });

const BYTES = { unit: "bytes", is_speed: false };
const FIRST = cellWith(
  ...[seriesOf("same", 100), seriesOf("slower", 100), seriesOf("faster", 100), seriesOf("much_faster", 100)],
  ...[seriesOf("rate", 100, { better: "higher", unit: "per_s" }), seriesOf("memory", 100, BYTES), seriesOf("gone", 1)],
);
const SECOND = cellWith(
  ...[seriesOf("same", 100), seriesOf("slower", 125), seriesOf("faster", 50), seriesOf("much_faster", 20)],
  ...[seriesOf("rate", 400, { better: "higher", unit: "per_s" }), seriesOf("memory", 150, BYTES)],
);

Deno.test("the largest change comes first, times and rates alike", () => {
  const rows = rowsOf([FIRST], [SECOND], "");
  assert.deepEqual(
    rows.map(({ series, kind, change }) => [series.name[2], kind, change?.median ?? null]),
    [
      ["much_faster", "differs", 5],
      ["rate", "differs", 4],
      ["faster", "differs", 2],
      ["memory", "differs", 1.5],
      ["slower", "differs", 0.8],
      ["same", "alike", 1],
      ["gone", "apart", null],
    ],
  );
  assert.deepEqual(rowsOf([FIRST], [SECOND], "power"), []);
});

Deno.test("the summary says how many differ which way, and by how much", () => {
  assert.deepEqual(summaryOf(rowsOf([FIRST], [SECOND], "")), [
    "3 faster: 4.00 times as fast at the median, up to 5.00",
    "1 slower: 0.800 times as fast",
    "1 more: 1.50 times as much",
    "1 without a difference",
    "1 not comparable: only one of the two has it",
  ]);
  assert.deepEqual(summaryOf(rowsOf([FIRST], [FIRST], "")), ["none faster", "none slower", "7 without a difference"]);
});

Deno.test("why most can't be compared is in the summary", () => {
  const other = cellWith(...SECOND.series.map((each) => ({ ...each, code: ["new", "same"] })));
  assert.equal(
    summaryOf(rowsOf([FIRST], [other], "")).at(-1),
    "7 not comparable, 6 of them: the code that was measured differs",
  );
});

/** @param {string} machine @param {string} version @param {boolean} free_threaded @returns {About} */
const about = (machine, version, free_threaded = false) => ({
  ...{ implementation: "CPython", machine },
  ...{ version, free_threaded },
});

Deno.test("beside a reader's own result stands the nearest of ours, and in what it differs is named", () => {
  const ours = [about("m", "3.13.1"), about("m", "3.14.0"), about("n", "3.13.2"), about("m", "3.13.2", true)];
  assert.deepEqual(nearest(about("m", "3.14.0"), ours), { index: 1, differing: [] });
  assert.deepEqual(nearest(about("m", "3.13.2"), ours), { index: 0, differing: ["patch release"] });
  assert.deepEqual(nearest(about("o", "3.13.2"), ours), { index: 2, differing: ["kind of machine"] });
  assert.deepEqual(nearest(about("m", "3.12.0"), ours), { index: 0, differing: ["Python version"] });
  assert.deepEqual(nearest(about("o", "3.14.1", true), ours), {
    index: 3,
    differing: ["Python version", "kind of machine"],
  });
});

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

Deno.test("a reader's own file becomes what data/values/ has of ours", () => {
  const control = recorded("control", ROUNDS.map((round) => 100 + (round % 3)));
  const record = parse(fileOf([recorded("subject", 100), control, recorded("reference", 50)]));
  const { machine, build, run, started, is_reference, about, series: [series, ...others] } = cellOf(
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

Deno.test("the noise of one's own is that of the case's block, and of bounded runners the second control's too", () => {
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
  const noiseOf = (/** @type {object} */ changed) => {
    const record = parse(fileOf(series, changed));
    return cellOf(record, [record], { primes: fitted }).series.map(({ name, noise }) => [...name.slice(1), noise]);
  };
  assert.deepEqual(noiseOf({}), [
    ["published", "sync_loop", 1.02],
    ["published", "one_thread", 1.02],
    ["published", "threads", 1 / 0.9],
    ["published", "processes", 1.02],
    ["smaller", "threads", 1.02],
  ]);
  const withoutGil = { build: { ...BUILD, gil_at_start: false } };
  assert.deepEqual(noiseOf(withoutGil)[2], ["published", "threads", 1.02]);
});

Deno.test("what a reader's machine measured while it had other work decides nothing", () => {
  const decides = (/** @type {object} */ work) => {
    const record = parse(fileOf([recorded("subject", 100)], { machine: { label: "m", usable_cores: 2, ...work } }));
    return cellOf(record, [record], METRICS).series[0].decides;
  };
  assert.deepEqual(
    [{}, { load_before: 2 }, { load_before: null, steal_share: 0.01 }].map(decides),
    [true, true, true],
  );
  assert.deepEqual([{ load_before: 2.1 }, { steal_share: 0.011 }].map(decides), [false, false]);
});

Deno.test("a reader's run decides, be it of all scenarios or of the map, unless it is a quick one", () => {
  const decides = (/** @type {string} */ profile) => {
    const record = parse(fileOf([recorded("subject", 100)], { run: { id: "own", profile, started: "2026-02-03" } }));
    return cellOf(record, [record], METRICS).series[0].decides;
  };
  assert.deepEqual(["full", "map", "quick"].map(decides), [true, true, false]);
});

Deno.test("of version 2 every column is a list, and the reference build has packages of its own", () => {
  const many = (/** @type {unknown} */ value) => ROUNDS.map(() => value);
  const series = recorded("subject", many(100), { round: ROUNDS, status: many("ok"), reason: many(null) });
  const packages = {
    aiohttp: { version: "4.0.dev0", source: "aio-libs/aiohttp@abc" },
    "Zope.interface": { version: "8.0" },
  };
  const record = parse(
    fileOf([{ ...series, source_sha256: "r" }], { schema_version: 2, reference_packages: packages }),
  );
  const read = cellOf(record, [record], METRICS);
  assert.deepEqual([read.series[0].values, read.series[0].code], [eachRound(100), ["r", "s"]]);
  assert.deepEqual(read.packages, { aiohttp: "4.0.dev0 (aio-libs/aiohttp@abc)", "zope-interface": "8.0" });
  assert.deepEqual(read.installed, { pip: "24.0" });
});

Deno.test("what a run was fitted to is kept of scenarios that fit their work to the machine, and of no other", () => {
  const run = { id: "own", profile: "map", started: "2026-02-03T04:05:06Z", calibration: { turns_per_ms: 15_000 } };
  const record = parse(fileOf([recorded("subject", 100)], { run }));
  const fitted = { primes: { ...METRICS.primes, calibrates: true } };
  assert.deepEqual(cellOf(record, [record], fitted).series[0].calibration, { turns_per_ms: 15_000 });
  assert.equal(cellOf(record, [record], METRICS).series[0].calibration, undefined);
});

Deno.test("the reference build's series may stand in the file beside it", () => {
  const record = parse(fileOf([recorded("subject", 100)]));
  const reference = parse(fileOf([recorded("subject", 50)], { build: { ...BUILD, version: "3.12.0" } }));
  const [series] = cellOf(record, [record, reference], METRICS).series;
  assert.deepEqual(series.reference, eachRound(50));
  assert.equal(series.noise, null);
  assert.equal(cellOf(reference, [record, reference], METRICS).is_reference, true);
  assert.deepEqual(cellOf(record, [record], METRICS).reference, { ...PLAIN, version: "3.12.0" });
});

Deno.test("a round that failed has no value, and a series that has one decides nothing", () => {
  const status = ROUNDS.map((round) => (round === 2 ? "failed" : "ok"));
  const record = parse(fileOf([recorded("subject", 100, { status })]));
  const [series] = cellOf(record, [record], METRICS).series;
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

Deno.test("of packages that differ those are named that are known to be needed", () => {
  const [one, other] = ["r", "s"].map((run) => cell(run, 100, 1.01, { needs: null }));
  assert.equal(rowsOf([one], [other], "")[0].packages, "");
  const known = cell("s", 100, 1.01, { needs: ["gevent"] });
  assert.equal(rowsOf([one], [known], "")[0].packages, "gevent r and s");
});

Deno.test("it says of two cells what the page that opens with them says", () => {
  /** @type {{ cells: Record<string, Run[]>, pairs: [string, string, Partial<Run>, unknown[], string[], string][] }} */
  const { cells, pairs } = JSON.parse(JSON.stringify(comparisons));
  const numbersOf = (/** @type {Row} */ { change }) =>
    change && [change.median, change.low, change.high].map((each) => Number.isFinite(each) ? each : null);
  const middleOf = (/** @type {ByRound} */ values) => medianInterval(Object.values(values))?.median ?? null;
  for (const [one, other, changed, rows, summary, way] of pairs) {
    const found = rowsOf(cells[one], cells[other].map((run) => ({ ...run, ...changed })), "");
    const said = found.map((row) => [
      ...[row.series.name[2], row.kind, row.said, row.doubt, numbersOf(row)],
      row.sides.map(({ values, reference }) => [values, reference].map(middleOf)),
      row.packages,
    ]);
    assert.deepEqual(said, rows);
    assert.deepEqual(summaryOf(found), summary);
    assert.equal(wayOf(found), way);
  }
});
