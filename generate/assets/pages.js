/* What the other scripts share: each begins anew on every page that instant navigation brings. This file comes first.
 *
 * `onEachPage(name, start)` has `start(signal)` called on this page and on each that follows; the signal is aborted
 * when the page is left. The script of a page's text runs again with each visit: what it said first holds.
 * `fetchScript(name)` loads one that few pages need, once.
 */
(() => {
  "use strict";

  const folder = document.currentScript.src;
  const starts = new Map();
  const scripts = new Map();
  let page = new AbortController();
  let hasBegun = false;

  /* What goes wrong in one is told, and keeps no other from its start. */
  const begin = (start) => {
    try {
      start(page.signal);
    } catch (error) {
      reportError(error);
    }
  };

  /* Instant navigation brings as elements what is text in a <noscript> on a page that is loaded. */
  const foldAgain = () => {
    for (const each of document.querySelectorAll("noscript")) if (each.firstElementChild) each.textContent = each.innerHTML;
  };

  const beginAll = () => {
    hasBegun = true;
    foldAgain();
    page.abort();
    page = new AbortController();
    for (const start of starts.values()) begin(start);
  };

  window.onEachPage = (name, start) => {
    if (starts.has(name)) return;
    starts.set(name, start);
    if (hasBegun) begin(start);
  };

  /* Material announces each page on document$; without Material the page loads once. */
  document.addEventListener("DOMContentLoaded", () => {
    if (window.document$) window.document$.subscribe(beginAll);
    else beginAll();
  });

  window.fetchScript = (name) => {
    if (!scripts.has(name)) {
      const loading = new Promise((resolve, reject) => {
        const script = document.createElement("script");
        script.src = new URL(name, folder);
        script.onload = resolve;
        script.onerror = () => reject(new Error(`${name} did not load`));
        document.head.append(script);
      });
      loading.catch(() => scripts.delete(name));
      scripts.set(name, loading);
    }
    return scripts.get(name);
  };

  window.noChart = (area, { message }) => {
    area.dataset.state = "failed";
    area.removeAttribute("role"); // text in a picture would not be read out
    area.removeAttribute("aria-label");
    area.textContent = `This chart could not be drawn: ${message}. Its data can be had by the link below.`;
  };

  window.findCharts = async () => {
    const areas = document.querySelectorAll(".chart__area");
    if (!areas.length) return;
    try {
      await window.fetchScript("charts.js");
      window.drawCharts();
    } catch (error) {
      for (const area of areas) window.noChart(area, error);
    }
  };
  window.onEachPage("charts", (signal) => {
    window.findCharts();
    signal.addEventListener("abort", () => window.dropCharts?.());
  });

  /* Instant navigation writes whole addresses into links, as they were at first: links inside a page keep its filters. */
  const keepFilters = ({ target }) => {
    const link = target.closest?.("a[href]");
    if (link?.hash && link.origin === location.origin && link.pathname === location.pathname) link.search = location.search;
  };
  document.addEventListener("click", keepFilters, true);
})();
