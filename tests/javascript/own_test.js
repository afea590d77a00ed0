// @ts-check
/* What the page makes of a reader's own file, beside what Python makes of the same. */

import assert from "node:assert/strict";
import { rowsOf } from "../../generate/assets/comparison.js";
import { cellOf, parse } from "../../generate/assets/own.js";
import own from "./own.json" with { type: "json" };

/** @import { Run, Series } from "../../generate/assets/comparison.js" */
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

/** @type {{ metrics: Record<string, Metric>, files: { what: string, file: object, told: Run }[] }} */
const { metrics, files } = JSON.parse(JSON.stringify(own));

for (const { what, file, told } of files) {
  Deno.test(`a reader's own file becomes what Python makes of it: ${what}`, () => {
    const record = parse(JSON.stringify(file));
    const { about: _about, ...made } = cellOf(record, [record], metrics);
    assert.deepEqual({ ...made, series: made.series.map(published) }, {
      ...told,
      series: told.series.map(({ why: _why, ...series }) => series),
    });
  });
}

Deno.test("of two files of a reader's own, packages that differ are named beside the runners that need them", () => {
  const [{ file }] = files;
  const [one, other] = ["26.1", "26.2"].map((version) => {
    const record = parse(JSON.stringify(file));
    record.packages.gevent.version = version;
    return cellOf(record, [record], metrics);
  });
  const named = rowsOf([one], [other], "").map(({ series, packages }) => [series.name[2], packages]);
  assert.deepEqual(named.filter(([, packages]) => packages), [["greenlets", "gevent 26.1 and 26.2"]]);
});
