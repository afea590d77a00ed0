// @ts-check
/* What generate/statistics computes, for a reader's own file and for any two cells. Pure.
 *
 * tests/javascript/vectors.json, which the Python code writes, holds the two to each other.
 */

/** @typedef {Record<string, number>} ByRound Values by the number of their round. */
/** @typedef {{ median: number, low: number, high: number, count: number }} Interval */

/** With fewer pairs a comparison is shown and decides nothing. */
export const FEWEST_PAIRS = 9;
const COVERAGE_WANTED = 0.95;

/**
 * Returns the rank, from 1, of the lower bound: of the narrowest interval that covers enough, else of the widest.
 * @param {number} count at most 1,000, as a record has at most so many rounds
 */
const lowRank = (count) => {
  let rank = 1;
  let ways = 1; // in which `rank - 1` of the values lie below the median
  let tail = 2 ** -count; // probability that fewer than `rank` do
  while (rank < Math.floor((count + 1) / 2)) {
    ways *= (count - rank + 1) / rank;
    tail += ways * 2 ** -count;
    if (1 - 2 * tail < COVERAGE_WANTED) break;
    rank += 1;
  }
  return rank;
};

/**
 * Returns the median and the order statistics that bound it; null where there is no value.
 * @param {number[]} values
 * @returns {Interval | null}
 */
export const medianInterval = (values) => {
  const count = values.length;
  if (!count) return null;
  const sorted = values.toSorted((a, b) => a - b);
  const rank = lowRank(count);
  const median = (sorted[Math.floor((count - 1) / 2)] + sorted[Math.floor(count / 2)]) / 2;
  return { median, low: sorted[rank - 1], high: sorted[count - rank], count };
};

/**
 * Returns candidate / baseline of each round that has both. Empty where one of these rounds has a baseline that is not
 * above 0 or a candidate below 0: to leave that one out would be to choose.
 * @param {ByRound} candidate
 * @param {ByRound} baseline
 */
export const pairedRatios = (candidate, baseline) => {
  const rounds = Object.keys(candidate).filter((round) => round in baseline);
  if (rounds.some((round) => baseline[round] <= 0 || candidate[round] < 0)) return [];
  return rounds.map((round) => candidate[round] / baseline[round]);
};

/**
 * Returns the ratio of two intervals that are independent: its bounds hold both.
 * @param {Interval | null} candidate
 * @param {Interval | null} baseline
 * @returns {Interval | null}
 */
export const ratioOfIntervals = (candidate, baseline) => {
  if (!candidate || !baseline || baseline.low <= 0) return null;
  return {
    median: candidate.median / baseline.median,
    low: candidate.low / baseline.high,
    high: candidate.high / baseline.low,
    count: Math.min(candidate.count, baseline.count),
  };
};

/**
 * Returns how far a baseline lay from itself, as a ratio from 1 up; null where that is not known.
 * @param {ByRound} control the baseline, measured under a second name
 * @param {ByRound} baseline
 */
export const noiseReach = (control, baseline) => {
  const found = medianInterval(pairedRatios(control, baseline));
  if (!found || found.count < FEWEST_PAIRS || found.low <= 0) return null;
  return Math.max(found.high, 1 / found.low, 1);
};
