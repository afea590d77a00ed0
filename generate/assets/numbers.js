// @ts-check
/* Writes numbers as generate/text/numbers.py does. Pure. */

const NO_BREAK = "\u00a0";
const SIGNIFICANT = 3;
const EXACT_DIGITS = 30;

/** @typedef {[size: number, name: string][]} Scales How a unit is written, the largest first. */

/** @type {Record<string, Scales>} */
const SCALES = {
  ns: [[1e9, "s"], [1e6, "ms"], [1e3, "µs"], [1, "ns"]],
  us: [[1e6, "s"], [1e3, "ms"], [1, "µs"], [1e-3, "ns"]],
  bytes: [[1e9, "GB"], [1e6, "MB"], [1e3, "kB"], [1, "bytes"]],
  per_s: [[1, "per second"]],
  count: [[1, ""]],
  ratio: [[0.01, "%"]],
};

/**
 * Writes a number as Python does: half to even, of the number as it is stored. Given as a number, Intl would round its
 * shortest form: 1.225 is stored as a little more, and is 1.23.
 * @param {number} number
 * @param {Intl.NumberFormatOptions} options
 */
const write = (number, options) => {
  const exact = /** @type {Intl.StringNumericLiteral} */ (number.toFixed(EXACT_DIGITS));
  return new Intl.NumberFormat("en", { roundingMode: "halfEven", ...options }).format(exact);
};

/** @param {number} number @param {number} digits after the point */
const fixed = (number, digits) => write(number, { minimumFractionDigits: digits, maximumFractionDigits: digits });

/** @param {number} number @param {number} digits that are significant */
const significant = (number, digits) =>
  write(number, { minimumSignificantDigits: digits, maximumSignificantDigits: digits });

/** @param {number} number @param {number} digits that are significant */
const rounded = (number, digits) => Number(number.toPrecision(digits));

/** @param {number} value */
export const writeRatio = (value) => {
  if (value === 0) return "0";
  if (!Number.isFinite(value)) return "infinitely many";
  return significant(value, SIGNIFICANT);
};

/** Writes a bound so that one which is not 1 does not read as 1. @param {number} value */
export const writeBound = (value) => {
  const written = writeRatio(value);
  if (written !== "1.00" || value === 1) return written;
  return [3, 4].map((digits) => fixed(value, digits)).find((finer) => Number(finer) !== 1) ?? written;
};

/** @param {number} low @param {number} high */
export const writeRatioInterval = (low, high) => {
  const [below, above] = [writeBound(low), writeBound(high)];
  return below === above ? below : `${below} to ${above}`;
};

/** Three significant digits; whole counts and bytes exactly, and of other counts all before the point. */
const writeNumber = (/** @type {number} */ number, /** @type {string} */ unit) => {
  const isWhole = ["count", "bytes"].includes(unit) && (Number.isInteger(number) || Math.abs(number) >= 1000);
  return number === 0 || isWhole ? fixed(number, 0) : significant(number, SIGNIFICANT);
};

/** @param {number} amount @param {Scales} scales @param {string} unit */
const scaleOf = (amount, scales, unit) => {
  const fitting = scales.find(([size]) => Math.abs(rounded(amount / size, SIGNIFICANT)) >= 1); // 999.9 ms is 1.00 s
  const smallest = scales[scales.length - 1];
  return fitting ?? (amount === 0 && ["ns", "us"].includes(unit) ? scales[0] : smallest);
};

/** Writes an amount of a metric's unit; a unit that is not known is written as it is. */
export const writeValue = (/** @type {number} */ amount, /** @type {string} */ unit) => {
  const [size, name] = scaleOf(amount, SCALES[unit] ?? [[1, unit]], unit);
  const written = writeNumber(amount / size, unit);
  const sign = name === "bytes" && written === "1" ? "byte" : name;
  return sign ? `${written}${NO_BREAK}${sign}` : written;
};

/**
 * Writes bounds in one unit where they allow it: "1.29 to 1.34 s"; bounds that are written alike are one value.
 * @param {number} low @param {number} high @param {string} unit
 */
export const writeInterval = (low, high, unit) => {
  const [below, above] = [writeValue(low, unit), writeValue(high, unit)];
  if (below === above) return above;
  const [number, sign] = below.split(NO_BREAK);
  return `${low === 0 || sign === above.split(NO_BREAK)[1] ? number : below} to ${above}`;
};

/**
 * Writes a number of things: "1 round", "12 rounds". Below a thousand without Intl, which takes long to make ready.
 * @param {number} count
 * @param {string} noun
 */
export const counted = (count, noun) =>
  `${count < 1000 ? count : count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
