/* Replaces each picture with a chart when a reader comes near.
 * The chart library is fetched once, from this site, when a reader first moves.
 *
 * <figure class="chart"><div class="chart__area" data-chart="…json" data-plotly="…js">a picture</div>…</figure>
 */

import { loadPlotly, render } from "./charts.js";
import { all, element, loadJson } from "./dom.js";

const NEAR = "600px";
/** Signs of a reader. Scrolling inside the page does not count, because the theme scrolls its own lists. */
export const SIGNS = ["scroll", "pointermove", "pointerdown", "keydown"];
const chosen = document.documentElement.dataset;

const drawn = new Map();

const draw = async (area) => {
  const { chart: url = "", plotly = "" } = area.dataset;
  area.dataset.state = "loading";
  area.setAttribute("aria-busy", "true");
  try {
    const [figure] = await Promise.all([loadJson(url), loadPlotly(plotly)]);
    if (!area.isConnected) return; // replaced meanwhile
    drawn.set(area, figure);
    await render(area, figure, chosen.family);
    area.dataset.state = "drawn";
  } catch (error) {
    area.dataset.state = "failed";
    const words = `This chart could not be drawn: ${error.message}. Its data is behind the link below.`;
    area.after(element("p", { class: "note", role: "status" }, words));
  } finally {
    area.removeAttribute("aria-busy");
  }
};

/** Draws a visible chart again. A chart in a closed fold is drawn when it opens. */
const redraw = (area) => {
  const figure = drawn.get(area);
  if (figure && area.clientWidth) render(area, figure, chosen.family);
};

/** Draws all charts again, after a change of colours or family. */
const redrawAll = () => [...drawn.keys()].forEach(redraw);

let watcher;

const beginWatching = () => {
  for (const type of SIGNS) removeEventListener(type, beginWatching);
  new MutationObserver(redrawAll).observe(document.body, { attributeFilter: ["data-md-color-scheme"] });
  matchMedia("print").addEventListener("change", redrawAll); // paper is light
  document.addEventListener("family", redrawAll);
  watcher = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) {
      if (isIntersecting) target.dataset.state === "waiting" ? draw(target) : redraw(target);
    }
  }, { rootMargin: NEAR });
  for (const area of all('.chart__area[data-state="waiting"]')) watcher.observe(area);
};

export const watchCharts = (part) => {
  for (const area of all(".chart__area:not([data-state])", part)) {
    area.dataset.state = "waiting";
    watcher?.observe(area);
  }
};

export const start = () => {
  for (const type of SIGNS) addEventListener(type, beginWatching, { passive: true });
  watchCharts(document);
};
