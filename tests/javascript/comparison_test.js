// @ts-check
/* What is said of two cells that are compared, and which of ours stands beside a reader's own. */

import assert from "node:assert/strict";
import { compared, judged, rowsOf, wayOf } from "../../generate/assets/comparison.js";
import { summaryOf } from "../../generate/assets/comparison_summary.js";
import { nearest, ofOneRun } from "../../generate/assets/nearest.js";
import { medianInterval } from "../../generate/assets/statistics.js";
import comparisons from "./comparisons.json" with { type: "json" };

/** @import { About, Row, Run, Series } from "../../generate/assets/comparison.js" */
/** @import { ByRound } from "../../generate/assets/statistics.js" */

const ROUNDS = Array.from({ length: 12 }, (_, index) => index + 1);
const BUILD = { implementation: "CPython", version: "3.13.1", free_threaded: false };
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
    "1 larger in amount: 1.50 times as much",
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

Deno.test("a variant stands beside one of ours like it, else beside the plain build, and in what it differs is named", () => {
  const newer = (/** @type {Partial<About>} */ changed = {}) => ({ ...about("m", "3.15.0"), jit: false, ...changed });
  const variant = ["aiohttp 3.13.5"];
  const ours = [newer({ variant }), newer({ variant: [] }), newer({ jit: true, variant: [] })];
  assert.deepEqual(nearest(newer({ variant }), ours), { index: 0, differing: [] });
  assert.deepEqual(nearest(newer(), ours), { index: 1, differing: [] });
  assert.deepEqual(nearest(newer({ variant: ["patched"] }), ours.slice(1)), { index: 0, differing: ["variant"] });
  assert.deepEqual(nearest(newer({ jit: true }), ours), { index: 2, differing: [] });
  assert.deepEqual(nearest(newer({ jit: true }), ours.slice(0, 2)).differing, ["just-in-time compiler"]);
  const freeThreaded = { free_threaded: true, gil_at_start: false };
  const found = nearest(newer({ ...freeThreaded, gil_at_start: true }), [newer(freeThreaded)]);
  assert.deepEqual(found.differing, ["use of the GIL"]);
});

Deno.test("two builds that one run of a reader's own measured stand beside each other, the reference build first", () => {
  const of = (/** @type {string} */ build, run = "r", is_reference = false) => ({
    machine: "m",
    build,
    run,
    is_reference,
  });
  const [plain, other, another, elsewhere] = [of("plain", "r", true), of("other"), of("another"), of("other", "s")];
  assert.deepEqual(ofOneRun([other, plain]), [plain, other]);
  assert.deepEqual(ofOneRun([other, plain, another]), [plain, another]);
  assert.deepEqual(ofOneRun([other, another]), [other, another]);
  assert.deepEqual(ofOneRun([plain, other, elsewhere]), undefined);
  assert.deepEqual(ofOneRun([other, of("other")]), undefined);
  assert.deepEqual(ofOneRun([plain, { ...other, machine: "n" }]), undefined);
  assert.deepEqual(ofOneRun([]), undefined);
});

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
