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
const coloured = (figure) => {
  const style = getComputedStyle(document.body);
  return JSON.parse(JSON.stringify(figure), (_, value) => {
    const name = typeof value === "string" && /^var\((--[\w-]+)\)$/.exec(value)?.[1];
    return name ? style.getPropertyValue(name).trim() : value;
  });
};

/** Draws a figure without its titles, which are on the page. */
export const render = (area, figure) => {
  const { data, layout } = coloured(figure);
  delete layout.title;
  delete layout.yaxis.title;
  if (!area.classList.contains("js-plotly-plot")) area.replaceChildren(); // remove the static picture
  return plotly().react(area, data, layout, { responsive: true, displayModeBar: false, locale: "en" });
};
