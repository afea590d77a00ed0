// @ts-check
/* Draws charts with Plotly. Their JSON is a figure as Plotly takes it; its looks stand here and in site.css. */

/** @typedef {(name: string) => string} Look Gives the value of a custom property of the page. */
/** @typedef {{ family: string, quiet?: boolean, open?: boolean }} Meta quiet: grey; open: with a hollow mark */
/** @typedef {{ type: string, fill?: string, meta: Meta }} Trace */
/** @typedef {{ data: Trace[], layout: object }} Figure */

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

/** @param {Look} look */
const axisOf = (look) => ({
  automargin: true,
  color: look("--ink-soft"),
  showgrid: true,
  gridcolor: look("--rule"),
  showline: true,
  linecolor: look("--rule-strong"),
  zeroline: true,
  zerolinecolor: look("--rule-strong"),
  fixedrange: true,
  title: { standoff: 8 },
});

/** @param {Look} look @param {number} width of the area, in pixels */
const layoutOf = (look, width) => ({
  autosize: true,
  margin: { l: 8, r: 16, t: 12, b: 44 },
  paper_bgcolor: "rgba(0,0,0,0)",
  plot_bgcolor: "rgba(0,0,0,0)",
  font: { family: look("--sans"), size: 12, color: look("--ink") },
  hoverlabel: { bgcolor: look("--paper-raised"), bordercolor: look("--rule"), font: { color: look("--ink") } },
  showlegend: false,
  legend: { orientation: "h", y: width < NARROW ? -0.14 : 1.02, yanchor: width < NARROW ? "top" : "bottom", x: 0 },
  dragmode: false,
  xaxis: axisOf(look),
  yaxis: axisOf(look),
  shapedefaults: { line: { color: look("--ideal") } },
});

/**
 * Returns the style of one trace: colour and shape follow from its family.
 * @param {Trace} trace
 * @param {Look} look
 * @param {string} dash
 */
const styleOf = ({ type, fill, meta: { family, quiet, open } }, look, dash) => {
  const color = look(quiet ? "--quiet" : `--family-${family}`) || look("--ink-soft");
  if (fill) return { fillcolor: `${color}2e` };
  const symbol = look(`--symbol-${family}`) || "circle";
  const whiskers = { color: look("--ink"), thickness: 1.5, width: 4 };
  const marker = type === "bar"
    ? { color, opacity: 0.65 }
    : { color, symbol: open ? `${symbol}-open` : symbol, size: 8 };
  return {
    marker,
    error_x: whiskers,
    error_y: whiskers,
    ...(type === "bar" ? {} : { line: { color, width: 2, dash } }),
  };
};

/**
 * Returns a template with the page's look. A template has styles for the first, second and further trace of each type;
 * within a family each line has its own dashes.
 * @param {Trace[]} traces
 * @param {Look} look
 * @param {number} width of the area, in pixels
 */
export const templateOf = (traces, look, width) => {
  /** @type {Record<string, object[]>} */
  const data = {};
  /** @type {Record<string, number>} */
  const lines = {};
  for (const trace of traces) {
    const { type, fill, meta: { family } } = trace;
    const line = lines[family] ?? 0;
    if (!fill) lines[family] = line + 1;
    (data[type] ??= []).push(styleOf(trace, look, DASHES[line % DASHES.length]));
  }
  return { data, layout: layoutOf(look, width) };
};

/** @param {HTMLElement} area @param {Figure} figure */
export const render = (area, { data, layout }) => {
  const style = getComputedStyle(document.body);
  const look = (/** @type {string} */ name) => style.getPropertyValue(name).trim();
  const { family } = document.documentElement.dataset; // chosen by the page's filter
  const shown = data.filter(({ meta }) => !family || meta.family === family);
  const template = templateOf(shown, look, area.clientWidth);
  const options = { responsive: true, displayModeBar: false, locale: "en", plotGlPixelRatio: 1 };
  return plotly().react(area, shown, { ...layout, template }, options);
};

export const purge = (/** @type {HTMLElement} */ area) => plotly().purge(area);
