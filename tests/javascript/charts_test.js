// @ts-check
/* What a chart's template gives its traces, and that no figure is changed by it. */

import assert from "node:assert/strict";
import { templateOf } from "../../generate/assets/charts.js";

/** @type {Record<string, string>} */
const STYLES = {
  "--family-threads": "#a8790f",
  "--symbol-threads": "square",
  "--quiet": "#999999",
  "--ink": "#000000",
};
const look = (/** @type {string} */ name) => STYLES[name] ?? "";
const line = { type: "scatter", meta: { family: "threads" } };

Deno.test("a trace has the colour and mark of its family, and within it a line has its own dashes", () => {
  const { scatter: [one, other] } = /** @type {any} */ (templateOf([line, line], look, 800).data);
  for (const { line: { color }, marker } of [one, other]) {
    assert.deepEqual([color, marker.color, marker.symbol], ["#a8790f", "#a8790f", "square"]);
  }
  assert.deepEqual([one.line.dash, other.line.dash], ["solid", "dash"]);
});

Deno.test("a band has its line's colour and takes none of its dashes", () => {
  const band = { ...line, fill: "toself" };
  const { scatter: [ofBand, ofLine] } = /** @type {any} */ (templateOf([band, line], look, 800).data);
  assert.deepEqual(ofBand, { fillcolor: "#a8790f2e" });
  assert.equal(ofLine.line.dash, "solid");
});

Deno.test("styles of bars and of points stand apart; what tells no difference is grey, a sample is hollow", () => {
  const meta = { family: "threads", quiet: true };
  const traces = [{ type: "bar", meta }, { type: "scatter", meta: { ...meta, open: true } }];
  const { bar: [bar], scatter: [dots] } = /** @type {any} */ (templateOf(traces, look, 800).data);
  assert.deepEqual(bar.marker, { color: "#999999", opacity: 0.65 });
  assert.equal(dots.marker.symbol, "square-open");
  assert.equal(bar.error_x.color, "#000000");
});

Deno.test("the legend stands above the chart, and below it on a phone", () => {
  const places = [800, 390].map((width) => templateOf([], look, width).layout.legend.yanchor);
  assert.deepEqual(places, ["bottom", "top"]);
});
