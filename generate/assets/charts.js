// @ts-check
/* Draws charts with Plotly. Their JSON holds traces and titles alone; what a chart looks like stands here and in
 * site.css. */

/** @typedef {(name: string) => string} Look Gives the value of a custom property of the page. */
/** @typedef {Record<string, any>} Trace */
/** @typedef {Record<string, any>} Chart */

const DASHES = ["solid", "dash", "dot", "dashdot", "longdash"];
const NARROW = 520;

/** @type {Promise<unknown> | null} */
let loading = null;
let failures = 0;
const plotly = () => /** @type {any} */ (globalThis).Plotly; // its script puts itself there

/** Loads the library once; after it failed the next chart tries again, under an address that no browser remembers. */
export const loadPlotly = (/** @type {string} */ url) => {
  const address = new URL(failures ? `${url}#${failures}` : url, document.baseURI).href;
  loading ??= import(address).catch(() => {
    loading = null;
    failures += 1;
    throw new Error("the chart library did not load");
  });
  return loading;
};

/** @param {Look} look @param {Record<string, any>} given */
const axis = (look, given = {}) => ({
  automargin: true,
  color: look("--ink-soft"),
  gridcolor: look("--rule"),
  linecolor: look("--rule-strong"),
  zeroline: given.type !== "log",
  zerolinecolor: look("--rule-strong"),
  fixedrange: true,
  // Ticks that a log axis would otherwise spell as digits between the powers of ten.
  ...(given.type === "log" ? { dtick: 1, minor: { dtick: "D1" } } : {}),
  ...given,
  title: { text: given.title ?? "", standoff: 8 },
});

/** @param {Look} look @param {{ axis: string, at: number }} limit */
const limitLine = (look, { axis: along, at }) => {
  const ends = along === "y" ? { x0: 0, x1: 1, y0: at, y1: at } : { x0: at, x1: at, y0: 0, y1: 1 };
  const refs = along === "y" ? { xref: "paper", yref: "y" } : { xref: "x", yref: "paper" };
  return { type: "line", ...refs, ...ends, line: { color: look("--ideal"), width: 1.5, dash: "dot" } };
};

/** @param {Chart} chart @param {Look} look @param {number} width of the area, in pixels */
export const layoutOf = (chart, look, width) => ({
  autosize: true,
  margin: { l: 8, r: 16, t: 12, b: 44 },
  paper_bgcolor: "rgba(0,0,0,0)",
  plot_bgcolor: "rgba(0,0,0,0)",
  font: { family: look("--sans"), size: 12, color: look("--ink") },
  hoverlabel: { bgcolor: look("--paper-raised"), bordercolor: look("--rule"), font: { color: look("--ink") } },
  hovermode: chart.hover ?? "closest",
  showlegend: chart.legend === true,
  legend: { orientation: "h", y: width < NARROW ? -0.14 : 1.02, yanchor: width < NARROW ? "top" : "bottom", x: 0 },
  bargap: 0.35,
  dragmode: false,
  xaxis: axis(look, chart.xaxis),
  yaxis: axis(look, chart.yaxis),
  shapes: (chart.limits ?? []).map((/** @type {{ axis: string, at: number }} */ limit) => limitLine(look, limit)),
});

/** @param {Trace} trace @param {string} colour */
const bandOf = ({ name, x, y }, colour) => ({
  ...{ type: "scatter", mode: "lines", name, x, y, line: { width: 0 } },
  ...{ fill: "toself", fillcolor: `${colour}2e`, hoverinfo: "skip", showlegend: false },
});

/**
 * A trace names its family; colour and shape follow from it. `quiet` greys what tells no difference; a `band` is the
 * area where a line may lie.
 * @param {Trace} trace
 * @param {Look} look
 * @param {string} dash
 */
const paint = (trace, look, dash) => {
  const { family, quiet, ...rest } = trace;
  const colour = look(quiet ? "--quiet" : `--family-${family}`) || look("--ink-soft");
  if (trace.band) return bandOf(trace, colour);
  const symbol = look(`--symbol-${family}`) || "circle";
  const marker = trace.type === "bar"
    ? { color: colour, opacity: 0.65, ...trace.marker }
    : { color: colour, symbol: trace.open ? `${symbol}-open` : symbol, size: 8, ...trace.marker };
  const whiskers = (/** @type {object | undefined} */ bars) =>
    bars && { color: look("--ink"), thickness: 1.5, width: 4, type: "data", ...bars };
  return {
    ...rest,
    marker,
    line: { color: colour, width: 2, dash, ...trace.line },
    error_x: whiskers(trace.error_x),
    error_y: whiskers(trace.error_y),
  };
};

/**
 * Within a family each line has its own dashes.
 * @param {Chart} chart
 * @param {Look} look
 * @param {string | undefined} family the only one that is shown
 */
export const tracesOf = (chart, look, family) => {
  /** @type {Record<string, number>} */
  const counts = {};
  const shown = chart.traces.filter((/** @type {Trace} */ each) => !family || !each.family || each.family === family);
  return shown.map((/** @type {Trace} */ trace) => {
    const count = counts[trace.family] ?? 0;
    if (!trace.band) counts[trace.family] = count + 1;
    return paint(trace, look, DASHES[count % DASHES.length]);
  });
};

/** @param {HTMLElement} area @param {Chart} chart */
export const render = (area, chart) => {
  const style = getComputedStyle(document.body);
  const look = (/** @type {string} */ name) => style.getPropertyValue(name).trim();
  const traces = tracesOf(chart, look, document.documentElement.dataset.family);
  const options = { responsive: true, displayModeBar: false, staticPlot: false, locale: "en", plotGlPixelRatio: 1 };
  return plotly().react(area, traces, layoutOf(chart, look, area.clientWidth), options);
};

export const purge = (/** @type {HTMLElement} */ area) => plotly().purge(area);
