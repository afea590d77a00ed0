// @ts-check
/* What a chart's template gives its traces, and what the page's switches make of a figure. */

import assert from "node:assert/strict";
import { arranged, templateOf } from "../../generate/assets/charts.js";

/** @type {Record<string, string>} */
const STYLES = {
  "--family-threads": "#a8790f",
  "--family-threads-1": "#0f79a8",
  "--symbol-threads": "square",
  "--paper": "#ffffff",
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

Deno.test("bars and points have styles of their own; a run is a small dot", () => {
  const traces = [{ type: "bar", meta: threads }, { type: "scatter", meta: { ...threads, row: 0, is_run: true } }];
  const { bar: [bar], scatter: [dots] } = /** @type {any} */ (templateOf(traces, look).data);
  assert.deepEqual(bar.marker, { color: "#a8790f", opacity: 0.75 });
  assert.deepEqual([dots.marker.color, dots.marker.size], ["#ffffff", 4]);
  assert.equal(bar.error_x.color, "#000000");
});

const bar = (/** @type {string} */ family, /** @type {number} */ row, /** @type {number} */ value) => ({
  type: "bar",
  meta: { family, colour: family, row },
  x: [value],
  y: [row + 0.12],
  error_x: { array: [2], arrayminus: [1] },
});
const figure = () => ({
  data: [bar("threads", 0, 4), bar("sync", 1, 10), bar("asyncio", 2, 20)],
  layout: {
    title: { text: "Threads took the least time" },
    xaxis: { title: { text: "Time (ms)" }, range: [0, 25] },
    yaxis: { range: [2.5, -0.5] },
    shapes: [0, 1, 2].map((row) => ({ x0: 2, x1: 2, y0: row - 0.25, y1: row + 0.25 })),
    meta: { families: [1, 0, 2] },
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
  assert.deepEqual(layout.shapes.map((/** @type {any} */ { y0, y1 }) => [y0, y1]), [[0.75, 1.25], [-0.25, 0.25], [
    1.75,
    2.25,
  ]]);
});

Deno.test("lines have no rows to order", () => {
  const lines = {
    data: [{ type: "scatter", meta: threads, x: [1], y: [2] }],
    layout: { xaxis: {}, yaxis: { title: 1 } },
  };
  const { data, layout } = arranged(lines, { order: "family" });
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
