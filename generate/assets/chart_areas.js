/* Replaces each picture with a chart when a reader comes near, and has the switch for the order of rows.
 * The chart library is fetched once, from this site, when a reader first moves.
 *
 * <figure class="chart"><div class="chart__area" data-chart="…json" data-plotly="…js">a picture</div>…</figure>
 */

import { loadPlotly, render } from "./charts.js";
import { all, element, loadJson } from "./dom.js";

const NEAR = "600px";
/** Signs of a reader. Scrolling inside the page does not count, because the theme scrolls its own lists. */
export const SIGNS = ["scroll", "pointermove", "pointerdown", "keydown"];
const SWITCHES = "button[data-view]";
const root = document.documentElement.dataset;

const drawn = new Map();

const draw = async (area) => {
  const { chart: url = "", plotly = "" } = area.dataset;
  area.dataset.state = "loading";
  area.setAttribute("aria-busy", "true");
  try {
    const [figure] = await Promise.all([loadJson(url), loadPlotly(plotly)]);
    if (!area.isConnected) return; // replaced meanwhile
    drawn.set(area, figure);
    await render(area, figure, root);
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
  if (figure && area.clientWidth) render(area, figure, root);
};

/** Draws all charts again, after a change of colours, family or order. */
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

/** Shows the switches of a part of the page. */
const showSwitches = (part) => {
  for (const button of all(SWITCHES, part)) button.setAttribute("aria-pressed", String(Boolean(root.order)));
  for (const switches of all(".chart__switches", part)) switches.hidden = false;
};

/** Switches between the order of families and that of values. Tables follow the event `order`. */
const turn = () => {
  const address = new URL(location.href);
  if (root.order) {
    delete root.order;
    address.searchParams.delete("order");
  } else {
    root.order = "family";
    address.searchParams.set("order", "family");
  }
  history.replaceState(history.state, "", address);
  showSwitches(document);
  redrawAll();
  document.dispatchEvent(new Event("order"));
};

export const watchCharts = (part) => {
  showSwitches(part);
  for (const area of all(".chart__area:not([data-state])", part)) {
    area.dataset.state = "waiting";
    watcher?.observe(area);
  }
};

export const start = () => {
  if (new URLSearchParams(location.search).get("order") === "family") root.order = "family";
  for (const type of SIGNS) addEventListener(type, beginWatching, { passive: true });
  document.addEventListener("click", ({ target }) => {
    if (target.closest?.(SWITCHES)) turn();
  });
  watchCharts(document);
};
