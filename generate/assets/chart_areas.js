/* Puts a chart in the place of each picture when a reader comes near, and holds the switch of all charts of a page.
 * What draws is fetched then, once, from this site; a page that nobody has moved in fetches nothing.
 *
 * <figure class="chart"><div class="chart__area" data-chart="…json" data-plotly="…js">a picture</div>…</figure>
 */

import { loadPlotly, render } from "./charts.js";
import { all, element, loadJson } from "./dom.js";

const NEAR = "600px";
/** Signs of a reader. Only the page's own scrolling counts: the theme scrolls its lists itself. */
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
    if (!area.isConnected) return; // another piece took its place meanwhile
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

/** Draws again from the same data, if it is shown: one in a fold is drawn when somebody comes to it. */
const redraw = (area) => {
  const figure = drawn.get(area);
  if (figure && area.clientWidth) render(area, figure, root);
};

/** The palette has changed, the chosen family, or the switch. */
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

/** Orders rows family by family, or by value again. Tables hear of it by the event `order`. */
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
