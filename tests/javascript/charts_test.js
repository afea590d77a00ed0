// @ts-check
/* What a chart's template gives its traces, and what the page's switches make of a figure. */

import assert from "node:assert/strict";
import { arranged, templateOf } from "../../generate/assets/charts.js";

/** @type {Record<string, string>} */
const STYLES = {
  "--family-threads": "#a8790f",
  "--family-threads-1": "#0f79a8",
  "--symbol-threads": "square",
  "--quiet": "#999999",
  "--ink": "#000000",
};
const look = (/** @type {string} */ name) => STYLES[name] ?? "";
const threads = { family: "threads", colour: "threads" };

Deno.test("a trace has the mark of its family, and the colour that is its own in it", () => {
  const traces = [{ type: "scatter", meta: threads }, { type: "scatter", meta: { ...threads, colour: "threads-1" } }];
  const { scatter: [one, other] } = /** @type {any} */ (templateOf(traces, look).data);
  assert.deepEqual([one.line.color, other.line.color], ["#a8790f", "#0f79a8"]);
  for (const { marker, line } of [one, other]) assert.deepEqual([marker.color, marker.symbol], [line.color, "square"]);
});

Deno.test("styles of bars and of points stand apart; what tells no difference is grey, a sample is hollow", () => {
  const meta = { ...threads, quiet: true };
  const traces = [{ type: "bar", meta }, { type: "scatter", meta: { ...meta, open: true } }];
  const { bar: [bar], scatter: [dots] } = /** @type {any} */ (templateOf(traces, look).data);
  assert.deepEqual(bar.marker, { color: "#999999", opacity: 0.65 });
  assert.equal(dots.marker.symbol, "square-open");
  assert.equal(bar.error_x.color, "#000000");
});

const bar = (/** @type {string} */ family, /** @type {number} */ row, /** @type {number} */ value) => ({
  type: "bar",
  meta: { family, colour: family, row, of: value },
  x: [value],
  y: [row + 0.12],
  text: [`${value} ms`],
  error_x: { array: [2], arrayminus: [1] },
});
const figure = () => ({
  data: [bar("threads", 0, 4), bar("sync", 1, 10), bar("asyncio", 2, 20)],
  layout: {
    title: { text: "Threads took the least time" },
    xaxis: { title: { text: "Time (ms)" }, range: [0, 25] },
    yaxis: { range: [2.5, -0.5] },
    shapes: [0, 1, 2].map((row) => ({ x0: 2, x1: 2, y0: row, y1: row + 0.5 })),
    meta: { families: [1, 0, 2], best: 4 },
  },
});

Deno.test("a chart stands as it came until a switch is turned; what it is of the page says", () => {
  const { data, layout } = arranged(figure(), {});
  assert.deepEqual(data, figure().data);
  assert.equal(layout.title, undefined);
  assert.equal(layout.xaxis.title, undefined);
  assert.deepEqual(layout.xaxis.range, [0, 25]);
});

Deno.test("family by family each row takes all that it has along", () => {
  const { data, layout } = arranged(figure(), { order: "family" });
  assert.deepEqual(data.map(({ y: [at] }) => Math.round(100 * at)), [112, 12, 212]);
  assert.deepEqual(layout.shapes.map((/** @type {any} */ { y0, y1 }) => [y0, y1]), [[0, 0.5], [1, 1.5], [2, 2.5]]);
});

Deno.test("as ratios all that has a value is divided by the best, and written as in tables, on either kind of axis", () => {
  const { data, layout } = arranged(figure(), { scale: "best" });
  assert.deepEqual(data.map(({ x, text }) => [x[0], text[0].trim()]), [[1, "1.00"], [2.5, "2.50"], [5, "5.00"]]);
  assert.deepEqual(data[0].error_x, { array: [0.5], arrayminus: [0.25] });
  assert.deepEqual([layout.xaxis.range, layout.shapes[0].x0, layout.shapes[0].x1], [[0, 6.25], 0.5, 0.5]);
  const log = figure();
  Object.assign(log.layout.xaxis, { type: "log", range: [Math.log10(4), Math.log10(40)] });
  assert.deepEqual(arranged(log, { scale: "best" }).layout.xaxis.range.map(Math.round), [0, 1]);
});

Deno.test("a sample too far out is written as a ratio too", () => {
  const far = figure();
  const words = {
    type: "scatter",
    meta: { ...far.data[0].meta, of: undefined, beyond: [40, 60] },
    x: [25],
    y: [0],
    text: [""],
  };
  const { data } = arranged({ ...far, data: [.../** @type {any[]} */ (far.data), words] }, { scale: "best" });
  assert.deepEqual(data.at(-1)?.text, ["10.0, 15.0 →"]);
});

Deno.test("a best of nothing divides nothing, and lines have neither switch", () => {
  const nothing = figure();
  Object.assign(nothing.layout.meta, { best: null });
  assert.deepEqual(arranged(nothing, { scale: "best" }).data, nothing.data);
  const lines = {
    data: [{ type: "scatter", meta: threads, x: [1], y: [2] }],
    layout: { xaxis: {}, yaxis: { title: 1 } },
  };
  const { data, layout } = arranged(lines, { order: "family", scale: "best" });
  assert.deepEqual(data, lines.data);
  assert.equal(layout.yaxis.title, undefined);
});

Deno.test("a family that is chosen is drawn alone, in as many rows as it has", () => {
  const { data, layout } = arranged(figure(), { family: "sync", order: "family" });
  assert.deepEqual(data.map(({ meta: { family }, y }) => [family, Math.round(100 * y[0])]), [["sync", 12]]);
  assert.deepEqual(layout.yaxis.range, [0.5, -0.5]);
  assert.equal(layout.shapes.length, 1);
});

Deno.test("a chart without a row of the chosen family keeps a height and an axis", () => {
  const { data, layout } = arranged(figure(), { family: "gevent" });
  assert.deepEqual(data, []);
  assert.deepEqual(layout.yaxis.range, [0.5, -0.5]);
});
