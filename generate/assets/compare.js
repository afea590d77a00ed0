/* Compares two cells in the browser: paired by round inside a run, through the common reference build across runs.
 *
 * It reckons as generate/statistics.py does: the median of the ratios, and the order statistics that bound it.
 */
(() => {
  "use strict";

  const form = document.querySelector("form[data-compare]");
  if (!form) return;

  const NAMES = ["a", "b", "scenario"];
  const lows = form.dataset.lows.split(",").map(Number);
  const fewest = Number(form.dataset.fewest);
  const place = document.querySelector("[data-compared]");
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

  const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

  const compared = (a, b, one, other) => {
    if (!one || !other) return { why: "only one of the two has it" };
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

  const digits = (ratio) => (ratio >= 10 ? ratio.toFixed(0) : ratio >= 1.995 ? ratio.toFixed(1) : ratio.toFixed(2));

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
    for (const name of ["Runner", "Case", "Measured", "Ratio", "Range", "Tells"]) cell(head, "th", name, { scope: "col" });
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
      cell(row, "td", result.found ? digits(result.found.median) : "", { "data-label": "Ratio", class: "n" });
      const range = result.found ? `${digits(result.found.low)} to ${digits(result.found.high)}` : "";
      cell(row, "td", range, { "data-label": "Range", class: "n" });
      cell(row, "td", words(result), { "data-label": "Tells" });
    }
    return made;
  };

  const show = async () => {
    const [keyA, keyB] = [form.elements.a.value, form.elements.b.value];
    const output = form.querySelector("output");
    try {
      const [a, b] = await Promise.all([load(keyA), load(keyB)]);
      const chosen = form.elements.scenario.value;
      const made = table(a, b, chosen);
      place.replaceChildren(made);
      output.textContent = `${made.tBodies[0].rows.length} series`;
    } catch (error) {
      place.replaceChildren();
      output.textContent = error.message;
    }
  };

  const remember = () => {
    const address = new URL(location.href);
    for (const name of NAMES) {
      if (form.elements[name].value) address.searchParams.set(name, form.elements[name].value);
      else address.searchParams.delete(name);
    }
    history.replaceState(history.state, "", address);
  };

  const begin = async () => {
    const asked = new URLSearchParams(location.search);
    for (const name of ["a", "b"]) {
      const select = form.elements[name];
      if ([...select.options].some((option) => option.value === asked.get(name))) select.value = asked.get(name);
    }
    if (!form.elements.a.options.length) return;
    const scenarios = new Set((await load(form.elements.a.value)).series.map((series) => series.name[0]));
    for (const name of scenarios) form.elements.scenario.add(new Option(name, name));
    if (scenarios.has(asked.get("scenario"))) form.elements.scenario.value = asked.get("scenario");
    form.hidden = false;
    await show();
    form.addEventListener("change", () => {
      remember();
      show();
    });
    form.addEventListener("submit", (event) => event.preventDefault());
  };

  begin().catch((error) => {
    place.textContent = error.message;
  });
})();
