/* Draws charts with Plotly. Their JSON is a Plotly figure, with names of the page's custom properties as colours. */

let loading = null;
let failures = 0;
const plotly = () => globalThis.Plotly; // set by its script

/** Loads the library once. After a failure the next chart tries again, with another address to get round the cache. */
export const loadPlotly = (url) => {
  const address = new URL(failures ? `${url}#${failures}` : url, document.baseURI).href;
  loading ??= import(address).catch(() => {
    loading = null;
    failures += 1;
    throw new Error("the chart library did not load");
  });
  return loading;
};

/** Replaces names of custom properties in a figure with their values on the page. */
export const coloured = (figure, look) =>
  JSON.parse(JSON.stringify(figure), (_, value) => {
    const name = typeof value === "string" && /^var\((--[\w-]+)\)$/.exec(value)?.[1];
    return name ? look(name) : value;
  });

/** Returns a figure with the rows or lines of a family, or with all, and without titles, which are on the page. */
export const arranged = ({ data, layout }, family) => {
  const untitled = { ...layout, title: undefined, yaxis: { ...layout.yaxis, title: undefined } };
  const shown = data.filter(({ meta }) => !family || meta.family === family);
  const every = new Set(data.flatMap(({ meta }) => meta.row ?? []));
  if (!every.size) return { data: shown, layout: untitled };
  const rows = [...new Set(shown.map(({ meta }) => meta.row))];
  const [full] = layout.yaxis.range;
  const rowHeight = full / every.size;
  const height = rowHeight * Math.max(rows.length, 1);
  const moved = shown.map((trace) => {
    const up = rowHeight * (trace.meta.row - rows.indexOf(trace.meta.row));
    return { ...trace, y: trace.y.map((at) => at - up) };
  });
  return { data: moved, layout: { ...untitled, height: layout.height - full + height, yaxis: { ...untitled.yaxis, range: [height, 0] } } };
};

export const render = (area, figure, family) => {
  const style = getComputedStyle(document.body);
  const { data, layout } = coloured(arranged(figure, family), (name) => style.getPropertyValue(name).trim());
  if (!area.classList.contains("js-plotly-plot")) area.replaceChildren(); // remove the static picture
  return plotly().react(area, data, layout, { responsive: true, displayModeBar: false, locale: "en" });
};
