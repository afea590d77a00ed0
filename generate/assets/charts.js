// @ts-check
/* Draws charts with Plotly. Their JSON is a figure as Plotly takes it; its looks stand here and in site.css. */

/** @typedef {(name: string) => string} Look Gives the value of a custom property of the page. */
/** @typedef {{ order?: string, family?: string }} Views What a reader has chosen for the whole page. */
/**
 * @typedef {{ family: string, colour: string, is_run?: boolean, small?: boolean, row?: number, is_number?: boolean }}
 *   Meta is_run: a dot a run; row: of a chart of bars; is_number: its text is the row's number
 */
/** @typedef {{ type: string, mode?: string, meta: Meta, [more: string]: any }} Trace */
/** @typedef {{ families: number[] }} Rows The place of each row family by family. */
/** @typedef {{ data: Trace[], layout: { meta?: Rows, [more: string]: any } }} Figure */

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

const PHONE = 480; // names of builds below an axis have less room there

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

/** @param {Look} look */
const layoutOf = (look) => ({
  autosize: true,
  margin: { l: 8, r: 8, t: 4, b: 30 },
  paper_bgcolor: "rgba(0,0,0,0)",
  plot_bgcolor: "rgba(0,0,0,0)",
  font: { family: look("--sans"), size: 12, color: look("--ink") },
  hoverlabel: { bgcolor: look("--paper-raised"), bordercolor: look("--rule"), font: { color: look("--ink") } },
  dragmode: false,
  xaxis: { ...axisOf(look), tickfont: { size: globalThis.innerWidth < PHONE ? 11 : 12 } },
  yaxis: axisOf(look),
  shapedefaults: { line: { color: look("--ideal") } },
});

/**
 * Returns the style of one trace: its shape follows from its family, its colour is in its meta.
 * @param {Trace} trace
 * @param {Look} look
 */
const styleOf = ({ type, meta: { family, colour, is_run, small, row } }, look) => {
  const color = look(`--family-${colour}`) || look("--ink-soft");
  const whiskers = { color: look("--ink"), thickness: 1.5, width: 4 };
  if (is_run) {
    const size = row === undefined ? 3 : 4;
    return { marker: { color: look("--paper"), size, line: { color: look("--ink-soft"), width: size / 4 } } };
  }
  const marker = type === "bar"
    ? { color, opacity: 0.75 }
    : { color, symbol: look(`--symbol-${family}`) || "circle", size: small ? 5 : 8 };
  return { marker, error_x: whiskers, error_y: whiskers, ...(type === "bar" ? {} : { line: { color, width: 2 } }) };
};

/**
 * Returns a template with the page's look. A template has styles for the first, second and further trace of each type.
 * @param {Trace[]} traces
 * @param {Look} look
 */
export const templateOf = (traces, look) => {
  /** @type {Record<string, object[]>} */
  const data = {};
  for (const trace of traces) (data[trace.type] ??= []).push(styleOf(trace, look));
  return { data, layout: layoutOf(look) };
};

/**
 * Puts those rows of a chart of bars that have a trace in order, family by family or as they are, and closes the gaps.
 * @param {Figure} figure @param {Rows} rows @param {Views} views @returns {Figure}
 */
const inRows = ({ data, layout }, { families }, { order }) => {
  const rows = [...new Set(data.map(({ meta }) => meta.row ?? 0))].sort((a, b) => a - b);
  if (order === "family") rows.sort((a, b) => families[a] - families[b]);
  const moved = (/** @type {number} */ at, /** @type {number} */ row) => at + rows.indexOf(row) - row;
  const shapes = layout.shapes.flatMap((/** @type {any} */ shape) => {
    const row = Math.round((shape.y0 + shape.y1) / 2);
    return rows.includes(row) ? [{ ...shape, y0: moved(shape.y0, row), y1: moved(shape.y1, row) }] : [];
  });
  return {
    data: data.map((trace) => ({
      ...trace,
      y: trace.y.map((/** @type {number} */ at) => moved(at, trace.meta.row ?? 0)),
    })),
    layout: { ...layout, shapes, yaxis: { ...layout.yaxis, range: [(rows.length || 1) - 0.5, -0.5] } },
  };
};

/**
 * Returns a figure as a reader has chosen to see it. What its values are the page says above it, and what it shows.
 * @param {Figure} figure
 * @param {Views} views
 * @returns {Figure}
 */
export const arranged = (figure, { order, family }) => {
  const rows = figure.layout.meta;
  let { layout } = figure;
  let data = figure.data.filter(({ meta }) => !family || meta.family === family);
  if (rows) ({ data, layout } = inRows({ data, layout }, rows, { order }));
  const said = rows ? "xaxis" : "yaxis";
  return {
    data,
    layout: { ...layout, title: undefined, [said]: { ...layout[said], title: undefined } },
  };
};

/**
 * What keeps the lines of the grid out of the names of so many rows.
 * @param {number} rows @param {Figure["layout"]} layout @param {Look} look
 */
const bandsOf = (rows, { xaxis }, look) => {
  const [first, last] = xaxis.range;
  const [x0, x1] = [first + 0.005 * (last - first), last].map((end) => xaxis.type === "log" ? 10 ** end : end);
  return Array.from({ length: rows }, (_, row) => ({
    type: "rect",
    layer: "between",
    x0,
    x1,
    y0: row - 0.5,
    y1: row - 0.06,
    fillcolor: look("--paper"),
    line: { width: 0 },
  }));
};

/** @param {HTMLElement} area @param {Figure} figure @param {Views} views */
export const render = (area, figure, views) => {
  const style = getComputedStyle(document.body);
  const look = (/** @type {string} */ name) => style.getPropertyValue(name).trim();
  const { data, layout } = arranged(figure, views);
  const options = { responsive: true, displayModeBar: false, locale: "en", plotGlPixelRatio: 1 };
  const rows = layout.meta ? layout.yaxis.range[0] + 0.5 : 0;
  if (rows) area.style.setProperty("--rows", String(rows));
  const shapes = [...bandsOf(rows, layout, look), ...layout.shapes ?? []];
  if (!area.classList.contains("js-plotly-plot")) area.replaceChildren(); // the picture that it comes with
  return plotly().react(area, data, { ...layout, shapes, template: templateOf(data, look) }, options);
};

export const purge = (/** @type {HTMLElement} */ area) => plotly().purge(area);
