/* Compares two cells in the browser: paired by round inside a run, through the common reference build across runs.
 *
 * It reckons as generate/statistics.py does: the median of the ratios, and the order statistics that bound it.
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

  /* What makes two builds the same one, wherever they run. */
  const IDENTITY = ["implementation", "version", "free_threaded", "jit", "compiler", "flags"];
  const same = (a, b) => IDENTITY.every((name) => a[name] === b[name]);

  const compared = (a, b, one, other) => {
    if (!one || !other) return { why: "only one of the two has it" };
    if (String(one.code) !== String(other.code)) return { why: "the code that was measured differs" };
    if (a.run !== b.run && a.is_reference && b.is_reference) {
      return { why: "both are the reference build, of different runs: nothing was measured beside both" };
    }
    const found =
      a.run === b.run
        ? interval(paired(other.values, one.values))
        : same(a.reference, b.reference)
          ? throughReference(one, other)
          : null;
    if (found) return { found, decides: one.decides && other.decides && found.count >= fewest };
    if (a.run !== b.run && !same(a.reference, b.reference)) return { why: "no common reference build" };
    return { why: one.why || other.why || "no common round" };
  };

  /* A bound that is not 1 does not read as 1. */
  const bound = (ratio) => (digits(ratio) === "1.00" && ratio !== 1 ? String(Number(ratio.toFixed(4))) : digits(ratio));

  const digits = (ratio) => (ratio >= 10 ? ratio.toFixed(0) : ratio >= 1.995 ? ratio.toFixed(1) : ratio.toFixed(2));

  const STEPS = { ns: [["s", 1e9], ["ms", 1e6], ["µs", 1e3], ["ns", 1]], us: [["s", 1e6], ["ms", 1e3], ["µs", 1]] };
  const amount = (value, unit) => {
    const [name, size] = (STEPS[unit] ?? []).find(([, step]) => Math.abs(value) >= step) ?? [unit === "per_s" ? "/s" : "", 1];
    return `${Number((value / size).toPrecision(3))}\u00a0${name}`.trim();
  };
  const middle = (series) => {
    const found = series && interval(Object.values(series.values));
    return found ? amount(found.median, series.unit) : "";
  };

  const cell = (row, tag, text, attributes = {}) => {
    const made = document.createElement(tag);
    made.textContent = text;
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    row.append(made);
    return made;
  };

  const words = ({ found, decides, why }) => {
    if (why) return why;
    if (!decides) return `not decided (${found.count} rounds, or a quick run)`;
    return found.low <= 1 && 1 <= found.high ? "no difference seen" : found.high < 1 ? "less" : "more";
  };

  const table = (a, b, scenario) => {
    const others = new Map(b.series.map((series) => [series.name.join("\n"), series]));
    const known = new Map(a.series.map((series) => [series.name.join("\n"), series]));
    const made = document.createElement("table");
    made.className = "data fold";
    const caption = made.createCaption();
    caption.textContent = `${b.build}, ${b.machine} (${b.started}) divided by ${a.build}, ${a.machine} (${a.started})`;
    const head = made.createTHead().insertRow();
    for (const name of ["Runner", "Case", "Measured", "First", "Second", "Ratio", "Range", "Tells"]) cell(head, "th", name, { scope: "col" });
    const body = made.createTBody();
    for (const key of new Set([...known.keys(), ...others.keys()])) {
      const [one, other] = [known.get(key), others.get(key)];
      const [of, inCase, runner] = (one ?? other).name;
      if (scenario && of !== scenario) continue;
      const result = compared(a, b, one, other);
      const row = body.insertRow();
      cell(row, "th", runner, { scope: "row" });
      cell(row, "td", `${of}: ${inCase}`, { "data-label": "Case" });
      cell(row, "td", (one ?? other).title, { "data-label": "Measured" });
      cell(row, "td", middle(one), { "data-label": "First", class: "n" });
      cell(row, "td", middle(other), { "data-label": "Second", class: "n" });
      cell(row, "td", result.found ? digits(result.found.median) : "", { "data-label": "Ratio", class: "n" });
      const range = result.found ? `${bound(result.found.low)} to ${bound(result.found.high)}` : "";
      cell(row, "td", range, { "data-label": "Range", class: "n" });
      cell(row, "td", words(result), { "data-label": "Tells" });
    }
    return made;
  };

  const show = async (wanted) => {
    const output = form.querySelector("output:not([data-own-said])");
    try {
      const [a, b] = await Promise.all([load(wanted.a), load(wanted.b)]);
      const made = table(a, b, wanted.scenario);
      place.replaceChildren(made);
      output.textContent = `${made.tBodies[0].rows.length} series`;
    } catch (error) {
      place.replaceChildren();
      output.textContent = error.message;
    }
  };

  const offer = (key, { build, machine }) => {
    if ([...form.elements.a.options].some(({ value }) => value === key)) return;
    for (const name of ["a", "b"]) form.elements[name].add(new Option(`${build}, ${machine} (your file)`, key));
  };

  /* Adds a reader's own files to what can be chosen, and shows the last beside ours. */
  const take = async (files) => {
    const said = form.querySelector("[data-own-said]");
    said.textContent = "";
    try {
      const { cells: found, faults } = await window.ownResults(files, form.dataset.root);
      for (const one of found) {
        const key = `own-${one.run}-${one.machine}-${one.build}`;
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

  const start = (signal) => {
    form = document.querySelector("form[data-compare]");
    if (!form?.elements.a.options.length) return;
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
    form.addEventListener("dragover", (event) => event.preventDefault());
    form.addEventListener("drop", (event) => {
      event.preventDefault();
      take([...event.dataTransfer.files]);
    });
  };

  window.onEachPage("compare", start);
})();
