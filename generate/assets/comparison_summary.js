// @ts-check
/* Sums up in words what a comparison of two cells came to, as generate/pages/compare_summary.py does. Pure. */

import { writeBound, writeRatio } from "./numbers.js";
import { medianInterval } from "./statistics.js";

/** @import { Row } from "./comparison.js" */
/** @import { Interval } from "./statistics.js" */

/** @param {Interval} change @param {boolean} isSpeed */
export const writeChange = ({ median }, isSpeed) => `${writeBound(median)} times as ${isSpeed ? "fast" : "much"}`;

/** @type {[word: string, isSpeed: boolean, isMore: boolean][]} */
const WAYS = [
  ["faster", true, true],
  ["slower", true, false],
  ["larger in amount", false, true],
  ["smaller in amount", false, false],
];

/** Returns why series can't be compared, in most cases. */
const reasonsOf = (/** @type {Row[]} */ rows) => {
  const [[reason, of], ...others] = Object.entries(Object.groupBy(rows, ({ said }) => said))
    .sort(([, a], [, b]) => (b?.length ?? 0) - (a?.length ?? 0));
  return others.length ? `, ${of?.length} of them: ${reason}` : `: ${reason}`;
};

/** @type {[doubt: string, words: string][]} How those are summed up that differ, though not beyond doubt. */
const DOUBTS = [["reaches into the noise", "reaching into the noise"], ["noise not known", "with noise not known"]];

/**
 * Sums up what was compared: how many differ beyond doubt, which way, and by how much; and how many of the others.
 * @param {Row[]} rows
 */
export const summaryOf = (rows) => {
  const differing = rows.filter(({ kind, doubt }) => kind === "differs" && !doubt);
  const doubtful = DOUBTS.flatMap(([doubt, words]) => {
    const { length } = rows.filter((row) => row.kind === "differs" && row.doubt === doubt);
    return length ? [`${length} ${words}`] : [];
  });
  const ways = WAYS.flatMap(([word, isSpeed, isMore]) => {
    const changes = differing.flatMap(({ series, change }) =>
      change && series.is_speed === isSpeed && change.median > 1 === isMore ? [change.median] : []
    );
    const middle = medianInterval(changes);
    if (!middle) return isSpeed ? [`none ${word}`] : [];
    const [limit, most] = isMore ? ["up to", Math.max(...changes)] : ["down to", Math.min(...changes)];
    const end = changes.length > 1 ? ` at the median, ${limit} ${writeRatio(most)}` : "";
    return [`${changes.length} ${word}: ${writeChange(middle, isSpeed)}${end}`];
  });
  const [alike, undecided, apart] = ["alike", "undecided", "apart"].map((kind) =>
    rows.filter((row) => row.kind === kind)
  );
  return [
    ...ways,
    ...doubtful,
    ...(alike.length ? [`${alike.length} without a difference`] : []),
    ...(undecided.length ? [`${undecided.length} not decided`] : []),
    ...(apart.length ? [`${apart.length} not comparable${reasonsOf(apart)}`] : []),
  ];
};
