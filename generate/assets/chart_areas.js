// @ts-check
/* Puts a chart in the place of each picture when a reader comes near, and holds the switches of all charts of a page.
 * What draws is fetched then, once, from this site; a page that nobody has moved in fetches nothing.
 *
 * <figure class="chart"><div class="chart__area" data-chart="…json" data-plotly="…js">a picture</div>…</figure>
 */

import { all, element, loadJson } from "./dom.js";

const NEAR = "600px";
/** What shows that somebody reads. The theme scrolls its own lists by itself: of scrolling only the page's counts. */
export const SIGNS = ["scroll", "pointermove", "pointerdown", "keydown"];
/** By the name of a switch, what the root's data and the address say while it is on. @type {Record<string, string>} */
const VIEWS = { order: "family" };
const root = document.documentElement.dataset;

/** @import { Figure } from "./charts.js" */
/** @typedef {{ chart: Figure, version: number, width: number, charts: typeof import("./charts.js") }} Drawn */
/** @type {Map<HTMLElement, Drawn>} what each area was last drawn with */
const drawn = new Map();
/** Counts changes of what all charts look like: one in a tab that is not shown is drawn anew when it is. */
let version = 0;

/** @param {HTMLElement} area @param {Omit<Drawn, "version" | "width">} what */
const render = (area, { chart, charts }) => {
  drawn.set(area, { chart, charts, version, width: area.clientWidth });
  return charts.render(area, chart, root);
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
    const { message } = /** @type {Error} */ (error);
    const words = `This chart could not be drawn: ${message}. Its data can be had by the link below.`;
    area.after(element("p", { class: "note", role: "status" }, words));
  } finally {
    area.removeAttribute("aria-busy");
  }
};

const come = (/** @type {HTMLElement} */ area) => {
  if (area.dataset.state === "waiting") draw(area);
  const was = drawn.get(area);
  if (was && (was.version !== version || was.width !== area.clientWidth)) render(area, was);
};

/** The palette has changed, the family that is shown, or a switch: draw again from the same data. */
const repaint = () => {
  version += 1;
  for (const [area, was] of drawn) if (area.clientWidth) render(area, was);
};

/** @type {IntersectionObserver | undefined} */
let watcher;

const beginWatching = () => {
  for (const type of SIGNS) removeEventListener(type, beginWatching);
  new MutationObserver(repaint).observe(document.body, { attributes: true, attributeFilter: ["data-md-color-scheme"] });
  matchMedia("print").addEventListener("change", repaint); // paper is light
  document.addEventListener("family", repaint);
  watcher = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) {
      if (isIntersecting && target instanceof HTMLElement) come(target);
    }
  }, { rootMargin: NEAR });
  for (const area of all('.chart__area[data-state="waiting"]')) watcher.observe(area);
};

/** Shows the switches of a part of the page. */
const showViews = (/** @type {ParentNode} */ part) => {
  for (const button of all("button[data-view]", part)) {
    const { view = "" } = button.dataset;
    button.setAttribute("aria-pressed", String(root[view] === VIEWS[view]));
  }
  for (const switches of all(".chart__switches", part)) switches.hidden = false;
};

/** Tables hear of it by the event `order`. @param {string} view */
const turn = (view) => {
  const address = new URL(location.href);
  if (root[view]) {
    delete root[view];
    address.searchParams.delete(view);
  } else {
    root[view] = VIEWS[view];
    address.searchParams.set(view, VIEWS[view]);
  }
  history.replaceState(history.state, "", address);
  showViews(document);
  repaint();
  document.dispatchEvent(new Event("order"));
};

export const watchCharts = (/** @type {ParentNode} */ part) => {
  showViews(part);
  for (const area of all(".chart__area:not([data-state])", part)) {
    area.dataset.state = "waiting";
    watcher?.observe(area);
  }
};

/** A part of the page is put away for another in its place. */
export const dropCharts = (/** @type {ParentNode} */ part) => {
  for (const area of all(".chart__area", part)) {
    watcher?.unobserve(area);
    drawn.get(area)?.charts.purge(area);
    drawn.delete(area);
    if (area.dataset.state !== "failed") delete area.dataset.state;
  }
};

export const start = () => {
  const given = new URLSearchParams(location.search);
  for (const [view, value] of Object.entries(VIEWS)) if (given.get(view) === value) root[view] = value;
  for (const type of SIGNS) addEventListener(type, beginWatching, { passive: true });
  document.addEventListener("click", ({ target }) => {
    const button = target instanceof Element && target.closest("button[data-view]");
    if (button instanceof HTMLElement) turn(button.dataset.view ?? "");
  });
  watchCharts(document);
};
