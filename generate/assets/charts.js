/* Draws each chart when it comes near the viewport. Plotly is fetched then, once, from this site.
 *
 * <figure class="chart"><div class="chart__area" data-chart="…json" data-plotly="…js"></div>…</figure>
 * The JSON holds traces and titles alone; what a chart looks like stands here and in site.css.
 */
(() => {
  "use strict";

  const NEAR = "600px";
  const DASHES = ["solid", "dash", "dot", "dashdot", "longdash"];
  const drawn = new Map();
  let plotly = null;

  /* Instant navigation clears the head of what the next page has not: the library's styles are kept in the body. */
  const keepStyles = () => {
    const sheets = [...document.querySelectorAll("head > style[id^='plotly.js-style']")].map(({ sheet }) => sheet);
    const style = document.createElement("style");
    style.textContent = sheets.flatMap(({ cssRules }) => [...cssRules].map(({ cssText }) => cssText)).join("\n");
    document.body.append(style);
  };

  const loadPlotly = (url) => {
    plotly ??= new Promise((resolve, reject) => {
      const script = document.createElement("script");
      script.src = url;
      script.onload = () => {
        keepStyles();
        resolve(window.Plotly);
      };
      script.onerror = () => {
        plotly = null; // the next chart tries again
        script.remove();
        reject(new Error("the chart library did not load"));
      };
      document.head.append(script);
    });
    return plotly;
  };

  const loadChart = async (url) => {
    const answer = await fetch(url);
    if (!answer.ok) throw new Error(`its data did not load (${answer.status})`);
    return answer.json();
  };

  const palette = () => {
    const style = getComputedStyle(document.body);
    return (name) => style.getPropertyValue(name).trim();
  };

  const axis = (look, given = {}) => ({
    automargin: true,
    color: look("--ink-soft"),
    gridcolor: look("--rule"),
    linecolor: look("--rule-strong"),
    zeroline: given.type !== "log",
    zerolinecolor: look("--rule-strong"),
    fixedrange: true,
    ...given,
    title: { text: given.title ?? "", standoff: 8 },
  });

  /* Ticks that a log axis would otherwise spell as digits between the powers of ten. */
  const logTicks = (given) => (given?.type === "log" ? { dtick: 1, minor: { dtick: "D1" } } : {});

  const layout = (chart, look, width) => ({
    autosize: true,
    margin: { l: 8, r: 16, t: 12, b: 44 },
    paper_bgcolor: "rgba(0,0,0,0)",
    plot_bgcolor: "rgba(0,0,0,0)",
    font: { family: look("--sans"), size: 12, color: look("--ink") },
    hoverlabel: { bgcolor: look("--paper-raised"), bordercolor: look("--rule"), font: { color: look("--ink") } },
    hovermode: chart.hover ?? "closest",
    showlegend: chart.legend === true,
    legend: { orientation: "h", y: width < 520 ? -0.14 : 1.02, yanchor: width < 520 ? "top" : "bottom", x: 0 },
    bargap: 0.35,
    dragmode: false,
    xaxis: axis(look, { ...logTicks(chart.xaxis), ...chart.xaxis }),
    yaxis: axis(look, { ...logTicks(chart.yaxis), ...chart.yaxis }),
    shapes: (chart.limits ?? []).map((limit) => ({
      type: "line",
      xref: limit.axis === "y" ? "paper" : "x",
      yref: limit.axis === "y" ? "y" : "paper",
      x0: limit.axis === "y" ? 0 : limit.at,
      x1: limit.axis === "y" ? 1 : limit.at,
      y0: limit.axis === "y" ? limit.at : 0,
      y1: limit.axis === "y" ? limit.at : 1,
      line: { color: look("--ideal"), width: 1.5, dash: "dot" },
    })),
  });

  /* A trace names its family; colour and shape follow from it, and within a family each line has its own
   * dashes. `quiet` greys what tells no difference; a `band` is the area where a line may lie. */
  const paint = (trace, look, order) => {
    const colour = look(trace.quiet ? "--quiet" : `--family-${trace.family}`) || look("--ink-soft");
    if (trace.band) return band(trace, colour);
    const symbol = look(`--symbol-${trace.family}`) || "circle";
    const { family, quiet, ...rest } = trace;
    const marker = { color: colour, symbol: trace.open ? `${symbol}-open` : symbol, size: 8, ...trace.marker };
    const whiskers = (bars) => bars && { color: look("--ink"), thickness: 1.5, width: 4, type: "data", ...bars };
    return {
      ...rest,
      marker: trace.type === "bar" ? { color: colour, opacity: 0.65, ...trace.marker } : marker,
      line: { color: colour, width: 2, dash: DASHES[order(trace) % DASHES.length], ...trace.line },
      error_x: whiskers(trace.error_x),
      error_y: whiskers(trace.error_y),
    };
  };

  const band = ({ name, x, y }, colour) => ({
    ...{ type: "scatter", mode: "lines", name, x, y, line: { width: 0 } },
    ...{ fill: "toself", fillcolor: `${colour}2e`, hoverinfo: "skip", showlegend: false },
  });

  /* What a chart was last drawn with: one in a tab that is not shown is drawn anew when it is. */
  let dress = 0;

  const render = (area, chart) => {
    const look = palette();
    const seen = {};
    const order = ({ family }) => (seen[family] = (seen[family] ?? -1) + 1);
    const only = document.documentElement.dataset.family; // chosen by the page's filter
    const shown = chart.traces.filter(({ family }) => !only || !family || family === only);
    const traces = shown.map((trace) => paint(trace, look, order));
    const options = { responsive: true, displayModeBar: false, staticPlot: false, locale: "en" };
    drawn.set(area, { chart, dress, width: area.clientWidth });
    return window.Plotly.react(area, traces, layout(chart, look, area.clientWidth), { ...options, plotGlPixelRatio: 1 });
  };

  const draw = async (area) => {
    area.dataset.state = "loading";
    area.setAttribute("aria-busy", "true");
    try {
      const [chart] = await Promise.all([loadChart(area.dataset.chart), loadPlotly(area.dataset.plotly)]);
      if (!area.isConnected) return; // its page or machine was left meanwhile
      await render(area, chart);
      area.dataset.state = "drawn";
    } catch (error) {
      window.noChart(area, error);
    } finally {
      area.removeAttribute("aria-busy");
    }
  };

  const come = (area) => {
    if (area.dataset.state === "waiting") draw(area);
    const was = drawn.get(area);
    if (was && (was.dress !== dress || was.width !== area.clientWidth)) render(area, was.chart);
  };

  const watcher = new IntersectionObserver(
    (entries) => entries.filter(({ isIntersecting }) => isIntersecting).forEach(({ target }) => come(target)),
    { rootMargin: NEAR },
  );

  window.drawCharts = () => {
    for (const area of document.querySelectorAll(".chart__area:not([data-state])")) {
      area.dataset.state = "waiting";
      watcher.observe(area);
    }
  };

  const drop = (area) => {
    watcher.unobserve(area);
    if (drawn.delete(area)) window.Plotly.purge(area);
    if (area.dataset.state !== "failed") delete area.dataset.state;
  };

  /* The page is left, or a part of it for another in its place. */
  window.dropCharts = (part) => {
    if (!part) watcher.disconnect();
    for (const area of part?.querySelectorAll(".chart__area") ?? [...drawn.keys()]) drop(area);
  };

  /* The palette's properties have changed, or the families that are shown: draw again from the same data. */
  const repaint = () => {
    dress += 1;
    for (const [area, { chart }] of drawn) if (area.clientWidth) render(area, chart);
  };
  new MutationObserver(repaint).observe(document.body, { attributes: true, attributeFilter: ["data-md-color-scheme"] });
  matchMedia("print").addEventListener("change", repaint); // paper is light
  document.addEventListener("family", repaint);
})();
