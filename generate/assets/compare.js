/* Compares two cells in the browser: paired by round inside a run, through the common reference build across runs.
 *
 * It reckons as generate/statistics.py does: the median of the ratios, and the order statistics that bound it. What lies
 * inside the noise of the two is no difference.
 */
(() => {
  "use strict";

  let form, place, lows, fewest; // of the page that is open
  const cells = new Map();

  const load = (key) => {
    if (!cells.has(key)) {
      const loading = fetch(`${form.dataset.compare}${encodeURIComponent(key)}.json`).then((answer) => {
        if (!answer.ok) throw new Error(`the values did not load (${answer.status})`);
        return answer.json();
      });
      loading.catch(() => cells.delete(key));
      cells.set(key, loading);
    }
    return cells.get(key);
  };

  const interval = (ratios) => {
    if (!ratios.length) return null;
    const sorted = [...ratios].sort((x, y) => x - y);
    const count = sorted.length;
    const low = lows[Math.min(count, lows.length - 1)];
    const middle = (sorted[Math.floor((count - 1) / 2)] + sorted[Math.floor(count / 2)]) / 2;
    return { median: middle, low: sorted[low - 1], high: sorted[count - low], count };
  };

  /* Empty where a round has a baseline of nothing: to leave that one out would be to choose. */
  const paired = (candidate, baseline) => {
    const rounds = Object.keys(candidate).filter((round) => round in baseline);
    if (rounds.some((round) => baseline[round] <= 0 || candidate[round] < 0)) return [];
    return rounds.map((round) => candidate[round] / baseline[round]);
  };

  const throughReference = (a, b) => {
    const [first, second] = [interval(paired(a.values, a.reference)), interval(paired(b.values, b.reference))];
    if (!first || !second || first.low <= 0) return null;
    const count = Math.min(first.count, second.count);
    return { median: second.median / first.median, low: second.low / first.high, high: second.high / first.low, count };
  };

  /* How far the baseline of the series' block lay from itself, as a ratio from 1 up; null where that is not known. Of
   * one's own file it is reckoned here. */
  const reachOf = ({ noise, control }) => {
    if (noise || !control) return noise ?? null;
    const found = interval(paired(control.values, control.baseline));
    if (!found || found.count < fewest || found.low <= 0) return null;
    return Math.max(found.high, 1 / found.low, 1);
  };

  /* Through the reference the noise of both is in the ratio, one upon the other. */
  const reachOfBoth = (one, other, isOneRun) => {
    const [x, y] = [reachOf(one), reachOf(other)];
    if (!x || !y) return null;
    return isOneRun ? Math.max(x, y) : x * y;
  };

  /* What makes two builds the same one, wherever they run. */
  const IDENTITY = ["implementation", "version", "free_threaded", "jit", "compiler", "flags"];
  const same = (a, b) => IDENTITY.every((name) => a[name] === b[name]);

  const compared = (a, b, one, other) => {
    if (!one || !other) return { why: "only one of the two has it" };
    if (String(one.code) !== String(other.code)) return { why: "the code that was measured differs" };
    const isOneRun = a.run === b.run;
    if (!isOneRun && a.is_reference && b.is_reference) {
      return { why: "both are the reference build, of different runs: nothing was measured beside both" };
    }
    if (!isOneRun && !same(a.reference, b.reference)) return { why: "no common reference build" };
    const found = isOneRun ? interval(paired(other.values, one.values)) : throughReference(one, other);
    if (!found) return { why: one.why || other.why || "no common round" };
    const may = (series) => series.decides && (isOneRun || series.reference_decides);
    const decides = may(one) && may(other) && found.count >= fewest;
    return { found, decides, reach: reachOfBoth(one, other, isOneRun) };
  };

  const words = ({ found, decides, reach, why }) => {
    if (why) return why;
    if (!decides) return `not decided (${found.count} rounds, or a quick run)`;
    const far = reach ?? 1;
    const none = reach ? "no difference beyond the noise" : "no difference seen";
    const told = found.low > far ? "more" : found.high < 1 / far ? "less" : none;
    return reach ? told : `${told} (noise not known)`;
  };

  const medianOf = (series) => series && interval(Object.values(series.values))?.median;
  const written = (median, unit) =>
    median === undefined ? "" : window.numbers.value(median, unit).replace("\u00a0per second", "\u00a0/s");

  const cell = (row, tag, text, attributes) => {
    const made = document.createElement(tag);
    made.textContent = text;
    for (const [name, value] of Object.entries(attributes)) if (value) made.setAttribute(name, value);
    row.append(made);
    return made;
  };

  const HEADS = { Runner: "", Case: "", First: "n", Second: "n", Ratio: "n", Tells: "" };

  const emptyTable = (a, b) => {
    const made = document.createElement("table");
    made.className = "data fold";
    made.setAttribute("role", "table");
    const caption = made.createCaption();
    cell(caption, "span", `${b.build}, ${b.machine} (${b.started}) divided by ${a.build}, ${a.machine} (${a.started})`, {});
    made.createTHead().setAttribute("role", "rowgroup");
    const head = made.tHead.insertRow();
    head.setAttribute("role", "row");
    for (const [name, kind] of Object.entries(HEADS)) cell(head, "th", name, { scope: "col", role: "columnheader", class: kind });
    made.createTBody().setAttribute("role", "rowgroup");
    return made;
  };

  const addRow = (body, one, other, result) => {
    const { name: [of, inCase, runner], title, unit } = one ?? other;
    const [first, second] = [medianOf(one), medianOf(other)];
    const { found } = result;
    const row = body.insertRow();
    row.setAttribute("role", "row");
    cell(row, "th", runner, { scope: "row", role: "rowheader" });
    const texts = {
      Case: `${of}: ${inCase}`,
      First: written(first, unit),
      Second: written(second, unit),
      Ratio: found ? window.numbers.ratio(found.median) : "",
      Tells: words(result),
    };
    const below = { Case: title, Ratio: found ? window.numbers.ratioInterval(found.low, found.high) : "" };
    const sorts = { First: first, Second: second, Ratio: found?.median };
    for (const [name, text] of Object.entries(texts)) {
      const made = cell(row, "td", text, { role: "cell", "data-label": name, class: HEADS[name] });
      if (below[name]) cell(made, "small", below[name], {});
      if (name in sorts) made.dataset.sort = sorts[name] ?? "";
    }
  };

  const table = (a, b, scenario) => {
    const others = new Map(b.series.map((series) => [series.name.join("\n"), series]));
    const known = new Map(a.series.map((series) => [series.name.join("\n"), series]));
    const made = emptyTable(a, b);
    for (const key of new Set([...known.keys(), ...others.keys()])) {
      const [one, other] = [known.get(key), others.get(key)];
      if (scenario && (one ?? other).name[0] !== scenario) continue;
      addRow(made.tBodies[0], one, other, compared(a, b, one, other));
    }
    return made;
  };

  const put = (made) => {
    const scroller = document.createElement("div");
    scroller.className = "scroller";
    scroller.tabIndex = 0;
    scroller.setAttribute("role", "region");
    scroller.setAttribute("aria-label", "The two compared");
    scroller.append(made);
    place.replaceChildren(scroller);
    window.dressTables(place);
  };

  /* What was asked for last is shown, whichever loads last. */
  let turn = 0;
  const show = async (wanted) => {
    const mine = (turn += 1);
    const output = form.querySelector("output:not([data-own-said])");
    try {
      const [a, b] = await Promise.all([load(wanted.a), load(wanted.b)]);
      if (mine !== turn) return;
      const made = table(a, b, wanted.scenario);
      put(made);
      output.textContent = `${made.tBodies[0].rows.length} series`;
    } catch (error) {
      if (mine !== turn) return;
      place.replaceChildren();
      output.textContent = error.message;
    }
  };

  const offer = (key, { build, machine }) => {
    for (const name of ["a", "b"]) {
      const option = new Option(`${build}, ${machine} (your file)`, key);
      option.dataset.own = ""; // its name stays out of the address
      form.elements[name].add(option);
    }
  };

  /* Adds a reader's own files to what can be chosen, and shows the last beside ours. */
  let taken = 0;
  const take = async (files) => {
    const said = form.querySelector("[data-own-said]");
    said.textContent = "";
    try {
      const { cells: found, faults } = await window.ownResults(files, form.dataset.root);
      for (const one of found) {
        const key = `own-${(taken += 1)}`;
        cells.set(key, Promise.resolve(one));
        offer(key, one);
        form.elements.b.value = key;
      }
      said.textContent = faults.join(" ") || `${found.length} read`;
      if (found.length) form.dispatchEvent(new Event("change"));
    } catch (error) {
      said.textContent = error.message;
    }
  };

  /* Scripts of a page that instant navigation brings come in any order: what this one needs it waits for. */
  const NEEDED = ["handover.js", "numbers.js", "own.js"];

  const start = async (signal) => {
    form = document.querySelector("form[data-compare]");
    if (!form?.elements.a.options.length) return;
    try {
      await Promise.all(NEEDED.map(window.fetchScript));
    } catch ({ message }) {
      form.hidden = false;
      form.querySelector("output").textContent = message;
      return;
    }
    if (signal.aborted) return;
    place = document.querySelector("[data-compared]");
    lows = form.dataset.lows.split(",").map(Number);
    fewest = Number(form.dataset.fewest);
    window.filters(form, show, signal);
    const own = form.querySelector("input[type=file]");
    own.addEventListener("change", () => {
      take([...own.files]);
      own.value = ""; // the same file can be chosen again
    });
    const handed = sessionStorage.getItem("own"); // by another page
    sessionStorage.removeItem("own");
    if (handed) take(JSON.parse(handed).map(([name, text]) => new File([text], name)));
    window.takeDrops(take, signal);
  };

  window.onEachPage("compare", start);
})();
