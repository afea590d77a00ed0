// @ts-check
/* Has each chart drawn when it comes near the viewport. What draws is fetched then, once, from this site.
 *
 * <figure class="chart"><div class="chart__area" data-chart="…json" data-plotly="…js"></div>…</figure>
 */

import { all, loadJson } from "./dom.js";

const NEAR = "600px";

/** @import { Figure } from "./charts.js" */
/** @typedef {{ chart: Figure, version: number, width: number, charts: typeof import("./charts.js") }} Drawn */
/** @type {Map<HTMLElement, Drawn>} what each area was last drawn with */
const drawn = new Map();
/** Counts changes of what all charts look like: one in a tab that is not shown is drawn anew when it is. */
let version = 0;

/** @param {HTMLElement} area @param {Omit<Drawn, "version" | "width">} what */
const render = (area, { chart, charts }) => {
  drawn.set(area, { chart, charts, version, width: area.clientWidth });
  return charts.render(area, chart);
};

const loadCharts = async (/** @type {string} */ plotly) => {
  const charts = await import("./charts.js").catch(() => {
    throw new Error("its script did not load");
  });
  await charts.loadPlotly(plotly);
  return charts;
};

const draw = async (/** @type {HTMLElement} */ area) => {
  const { chart: url = "", plotly = "" } = area.dataset;
  area.dataset.state = "loading";
  area.setAttribute("aria-busy", "true");
  try {
    const [chart, charts] = await Promise.all([loadJson(url), loadCharts(plotly)]);
    if (!area.isConnected) return; // its machine was left meanwhile
    await render(area, { chart, charts });
    area.dataset.state = "drawn";
  } catch (error) {
    area.dataset.state = "failed";
    area.removeAttribute("role"); // text in a picture would not be read out
    area.removeAttribute("aria-label");
    const { message } = /** @type {Error} */ (error);
    area.textContent = `This chart could not be drawn: ${message}. Its data can be had by the link below.`;
  } finally {
    area.removeAttribute("aria-busy");
  }
};

const come = (/** @type {HTMLElement} */ area) => {
  if (area.dataset.state === "waiting") draw(area);
  const was = drawn.get(area);
  if (was && (was.version !== version || was.width !== area.clientWidth)) render(area, was);
};

/** The palette has changed, or the family that is shown: draw again from the same data. */
const repaint = () => {
  version += 1;
  for (const [area, was] of drawn) if (area.clientWidth) render(area, was);
};

/** @type {IntersectionObserver | undefined} */
let watcher;

const beginWatching = () => {
  new MutationObserver(repaint).observe(document.body, { attributes: true, attributeFilter: ["data-md-color-scheme"] });
  matchMedia("print").addEventListener("change", repaint); // paper is light
  document.addEventListener("family", repaint);
  return new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) {
      if (isIntersecting && target instanceof HTMLElement) come(target);
    }
  }, { rootMargin: NEAR });
};

export const watchCharts = (/** @type {ParentNode} */ part) => {
  for (const area of all(HTMLElement, ".chart__area:not([data-state])", part)) {
    area.dataset.state = "waiting";
    watcher ??= beginWatching();
    watcher.observe(area);
  }
};

/** A part of the page is put away for another in its place. */
export const dropCharts = (/** @type {ParentNode} */ part) => {
  for (const area of all(HTMLElement, ".chart__area", part)) {
    watcher?.unobserve(area);
    drawn.get(area)?.charts.purge(area);
    drawn.delete(area);
    if (area.dataset.state !== "failed") delete area.dataset.state;
  }
};

export const start = () => watchCharts(document);
