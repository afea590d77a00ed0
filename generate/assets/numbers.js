/* Writes numbers as generate/wording.py does: a test holds the two to each other. */
(() => {
  "use strict";

  const NO_BREAK = "\u00a0";
  const SIGNIFICANT = 3;
  const FURTHER = 30; // digits that tell a half from what is nearly one

  const NS = [[1e9, "s"], [1e6, "ms"], [1e3, "µs"], [1, "ns"]];
  const SCALES = {
    ns: NS,
    us: [[1e6, "s"], [1e3, "ms"], [1, "µs"], [1e-3, "ns"]],
    bytes: [[1e9, "GB"], [1e6, "MB"], [1e3, "kB"], [1, "bytes"]],
    per_s: [[1, "per second"]],
    count: [[1, ""]],
    ratio: [[1, ""]],
  };

  /* As Python rounds: half to even, of the number as it is stored. */
  const roundedText = (number, digits) => {
    const written = number.toFixed(digits);
    const exact = number.toFixed(digits + FURTHER);
    const isHalf = /^50*$/.test(exact.slice(-FURTHER));
    const isOdd = "13579".includes(written.at(-1));
    return isHalf && isOdd ? exact.slice(0, -FURTHER).replace(/\.$/, "") : written; // toFixed takes the larger one
  };

  const fixed = (number, digits) => {
    const [whole, part] = roundedText(number, digits).split(".");
    const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ",");
    return part ? `${grouped}.${part}` : grouped;
  };
  const rounded = (number, digits) => Number(number.toExponential(digits - 1));
  const sizeOf = (number) => Number(number.toExponential().split("e")[1]);

  const ratio = (value) => {
    if (value === 0) return "0";
    if (!Number.isFinite(value)) return "infinitely many";
    const two = rounded(value, 2);
    if ((two >= 0.1 && two < 1) || (value >= 0.995 && value < 1.195)) return fixed(value, 2);
    if (two >= 10) return fixed(value, 0);
    return two >= 1 ? fixed(value, 1) : fixed(value, 1 - sizeOf(two));
  };

  /* A bound that is not 1 does not read as 1. */
  const bound = (value) => {
    const written = ratio(value);
    if (written !== "1.00" || value === 1) return written;
    return [3, 4].map((digits) => fixed(value, digits)).find((finer) => Number(finer) !== 1) ?? written;
  };

  const ratioInterval = (low, high) => {
    const [below, above] = [bound(low), bound(high)];
    const isCoarser = /^\d\.\d\d$/.test(below) && /^\d\.\d$/.test(above); // as many decimals at both ends
    return `${below} to ${isCoarser ? fixed(high, 2) : above}`;
  };

  const number = (value, unit) => {
    if (value === 0 || (["count", "bytes"].includes(unit) && Number.isInteger(value))) return fixed(value, 0);
    const size = sizeOf(rounded(value, SIGNIFICANT));
    return fixed(value, Math.max(SIGNIFICANT - 1 - size, 0));
  };

  const scaleOf = (amount, scales, unit) => {
    const fitting = scales.find(([size]) => Math.abs(rounded(amount / size, SIGNIFICANT)) >= 1); // 999.9 ms is 1.00 s
    return fitting ?? (amount === 0 && ["ns", "us"].includes(unit) ? scales[0] : scales.at(-1));
  };

  const value = (amount, unit) => {
    const [size, name] = scaleOf(amount, SCALES[unit] ?? [[1, unit]], unit);
    const written = number(amount / size, unit);
    const sign = name === "bytes" && written === "1" ? "byte" : name;
    return sign ? `${written}${NO_BREAK}${sign}` : written;
  };

  window.numbers = { ratio, ratioInterval, value };
})();
