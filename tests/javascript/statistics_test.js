// @ts-check
/* The browser's statistics and words, held to the vectors of tests/generate/statistics/test_vectors.py. */

import assert from "node:assert/strict";
import { writeRatio, writeRatioInterval, writeValue } from "../../generate/assets/numbers.js";
import {
  FEWEST_PAIRS,
  medianInterval,
  noiseReach,
  pairedRatios,
  ratioOfIntervals,
} from "../../generate/assets/statistics.js";
import vectors from "./vectors.json" with { type: "json" };

Deno.test("medians and their intervals are those of Python", () => {
  /** @type {Record<string, number[]>} */
  const values = vectors.values;
  for (const expected of vectors.intervals) assert.deepEqual(medianInterval(values[expected.count]), expected);
  assert.equal(medianInterval([]), null);
});

Deno.test("ratios are paired by round, and noise is computed of them, as in Python", () => {
  assert.equal(FEWEST_PAIRS, vectors.fewest_pairs);
  /** @typedef {import("../../generate/assets/statistics.js").ByRound} ByRound */
  /** @type {{ name: string, candidate: ByRound, baseline: ByRound, ratios: number[], noise: number | null }[]} */
  const pairs = JSON.parse(JSON.stringify(vectors.pairs));
  for (const { name, candidate, baseline, ratios, noise } of pairs) {
    assert.deepEqual(pairedRatios(candidate, baseline), ratios, name);
    assert.equal(noiseReach(candidate, baseline), noise, name);
  }
});

Deno.test("a ratio of intervals holds both of them", () => {
  const [one, other] = [medianInterval([2, 4, 6]), medianInterval([10, 20])];
  assert.deepEqual(ratioOfIntervals(other, one), { median: 15 / 4, low: 10 / 6, high: 20 / 2, count: 2 });
  assert.equal(ratioOfIntervals(other, null), null);
  assert.equal(ratioOfIntervals(other, medianInterval([0, 1, 2])), null);
});

Deno.test("numbers are written as in Python", () => {
  for (const [amount, unit, expected] of vectors.amounts) {
    assert.equal(writeValue(Number(amount), String(unit)), expected, `${amount} ${unit}`);
  }
  for (const [ratio, expected] of vectors.ratios) assert.equal(writeRatio(Number(ratio)), expected, `${ratio}`);
  for (const [low, high, expected] of vectors.ratio_intervals) {
    assert.equal(writeRatioInterval(Number(low), Number(high)), expected, `${low} ${high}`);
  }
});
