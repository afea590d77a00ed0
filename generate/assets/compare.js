// @ts-check
/* The page that compares two cells: a summary, what differs with its bars, and the rest folded. It comes with its opening,
 * of which what is folded is computed when it is unfolded; generate/pages/compare_opening.py writes that alike. */

import { rowsOf, wayOf } from "./comparison.js";
import { summaryOf, writeChange } from "./comparison_summary.js";
import { all, element, first, loadJson, scroller, unseen } from "./dom.js";
import { selectOf, startFilters } from "./filters.js";
import { nearest, ofOneRun } from "./nearest.js";
import { counted, writeRatio, writeRatioInterval, writeValue } from "./numbers.js";
import { medianInterval } from "./statistics.js";
import { dressTables } from "./tables.js";

/** @import { About, Row, Run } from "./comparison.js" */
/** @import { Chosen } from "./filters.js" */
/** @typedef {[label: string, kind?: string, head?: Node]} Head Of a column. */
/** @typedef {{ content: string | Node, below?: string, sort?: number | null }} Entry A cell of a table. */

const MOST_SHOWN = 20; // with more the page is too long for a phone

/** What bars are drawn on: a log scale whose middle is none. @param {number} most */
const scaleOf = (most) => {
  const [less, more] = [-most, most].map((end) => writeRatio(Math.exp(end)));
  return element(
    "span",
    { class: "scale" },
    element("small", {}, "slower, less", element("br", {}), less),
    element("small", {}, "1"),
    element("small", {}, "faster, more", element("br", {}), more),
  );
};

/** @param {number} most @returns {Head[]} */
const ofDifferences = (most) => [
  ["Runner"],
  ["", "plot", scaleOf(most)],
  ["Change", "n"],
  ["First", "n"],
  ["Second", "n"],
];
/** @type {Head[]} */
const OF_OTHERS = [["Runner"], ["First", "n"], ["Second", "n"], ["Finding"]];

/** @param {string} caption @param {Head[]} heads @param {Entry[][]} rows */
const tableOf = (caption, heads, rows) => {
  const head = heads.map(([label, kind, content]) =>
    element("th", { scope: "col", role: "columnheader", class: kind ?? null }, content?.cloneNode(true) ?? label)
  );
  const body = rows.map(([name, ...others]) => {
    const cells = others.map(({ content, below, sort }, index) => {
      const [label, kind = null] = heads[index + 1];
      const key = sort === undefined ? null : String(sort ?? "");
      const cell = element("td", { role: "cell", "data-label": label || null, class: kind, "data-sort": key }, content);
      if (below) cell.append(element("small", {}, below));
      return cell;
    });
    const rowHead = element("th", { scope: "row", role: "rowheader" }, name.content);
    if (name.below) rowHead.append(element("small", {}, name.below));
    return element("tr", { role: "row" }, rowHead, ...cells);
  });
  const table = element(
    "table",
    { class: "data fold", role: "table" },
    element("caption", {}, element("span", { class: "unseen" }, caption)),
    element("thead", { role: "rowgroup" }, element("tr", { role: "row" }, ...head)),
    element("tbody", { role: "rowgroup" }, ...body),
  );
  return scroller(caption, table);
};

/** @param {Row} row @returns {Entry} */
const nameOf = ({ series: { name: [scenario, inCase, runner], title }, packages }) => ({
  content: runner,
  below: [`${scenario}: ${inCase}`, title, packages].filter(Boolean).join(". "),
});

/** @param {Row} row @returns {Entry[]} */
const mediansOf = ({ series: { unit }, sides }) =>
  sides.map(({ values, reference }) => {
    const [own, beside] = [values, reference].map((byRound) => medianInterval(Object.values(byRound))?.median ?? null);
    const [content, below] = [own, beside].map((median) =>
      median === null ? "" : writeValue(median, unit).replace("\u00a0per second", "/s")
    );
    return { content, below: below && `reference ${below}`, sort: own };
  });

/** Whether a change is better or worse; empty where neither is. @param {Row} row */
const kindOf = ({ series: { better, is_speed }, change }) => {
  if (!change || (!is_speed && better === "neither")) return "";
  const isBetter = is_speed || better === "higher" ? change.median > 1 : change.median < 1;
  return isBetter ? "better" : "worse";
};

/** Draws a change on a log scale whose middle is none: to the right what is more. @param {Row} row @param {number} most */
const barOf = (row, most) => {
  const { change } = row;
  const bar = element("span", { class: ["versus", kindOf(row)].join(" ").trim() });
  if (!change) return bar;
  const placeOf = (/** @type {number} */ ratio) => 50 + 50 * Math.min(1, Math.max(-1, Math.log(ratio) / most));
  const at = placeOf(change.median);
  const places = { from: Math.min(50, at), to: Math.max(50, at), low: placeOf(change.low), high: placeOf(change.high) };
  for (const [name, place] of Object.entries(places)) bar.style.setProperty(`--${name}`, place.toFixed(2));
  return bar;
};

/** @param {string} caption @param {Row[]} rows @param {number} most how far the scale reaches */
const differencesOf = (caption, rows, most) =>
  tableOf(
    caption,
    ofDifferences(most),
    rows.map((row) => {
      const { change, doubt, series } = row;
      const range = change ? writeRatioInterval(change.low, change.high) : "";
      const said = change ? writeChange(change, series.is_speed) : "";
      const worth = series.is_speed ? "" : kindOf(row); // of a speed the words say it
      const below = [worth, range, doubt].filter(Boolean).join("; ");
      const ratio = { content: said, below, sort: change?.median ?? null };
      return [nameOf(row), { content: barOf(row, most) }, ratio, ...mediansOf(row)];
    }),
  );

/** @param {string} caption @param {Row[]} rows */
const othersOf = (caption, rows) =>
  tableOf(
    caption,
    OF_OTHERS,
    rows.map((row) => [nameOf(row), ...mediansOf(row), { content: row.said }]),
  );

/** @param {string} summary @param {Node} content */
const folded = (summary, content) => element("details", { class: "more" }, element("summary", {}, summary), content);

/** Names a cell: its build and machine, and the days of its runs. */
const wordsOf = (/** @type {Run[]} */ runs) => {
  const [{ build, machine }] = runs;
  const processors = [...new Set(runs.map(({ processor }) => processor))].join(", ");
  const days = runs.map(({ started }) => started).toSorted();
  return `${build}, ${machine} (${processors}, ${[...new Set([days[0], days.at(-1)])].join(" to ")})`;
};

/** @param {Run[]} a @param {Run[]} b @param {Row[]} rows */
const shownOf = (a, b, rows) => {
  const differing = rows.filter(({ kind }) => kind === "differs");
  const bounds = differing.flatMap(({ change }) => change ? [change.median, change.low, change.high] : []);
  const sizes = bounds.map((bound) => Math.abs(Math.log(bound))).filter(Number.isFinite);
  const most = Math.max(0, ...sizes) || 1; // no interval is cut at the scale's end
  const [shown, further] = [differing.slice(0, MOST_SHOWN), differing.slice(MOST_SHOWN)];
  const others = rows.filter(({ kind }) => kind !== "differs");
  const way = wayOf(rows);
  return [
    element("p", { class: "between" }, element("b", {}, wordsOf(b)), " against ", element("b", {}, wordsOf(a)), ":"),
    element("ul", { class: "answer" }, ...summaryOf(rows).map((line) => element("li", {}, line))),
    ...(way ? [element("p", { class: "note" }, way)] : []),
    ...(shown.length ? [differencesOf("What differs", shown, most)] : []),
    ...(further.length
      ? [
        folded(
          `${further.length} further ${further.length === 1 ? "difference" : "differences"}`,
          differencesOf("Further differences", further, most),
        ),
      ]
      : []),
    ...(others.length
      ? [
        folded(
          `${counted(others.length, "other")}: no difference, not decided, not comparable`,
          othersOf("Others", others),
        ),
      ]
      : []),
  ];
};

export const start = () => {
  const form = first(HTMLFormElement, "form[data-compare]");
  const place = first(HTMLElement, "[data-compared]");
  const output = first(HTMLOutputElement, "output:not([data-own-said])", form);
  const [said, input] = [
    first(HTMLOutputElement, "[data-own-said]", form),
    first(HTMLInputElement, "input[type=file]", form),
  ];
  const [ones, others] = [selectOf(form, "a"), selectOf(form, "b")];
  const { folder = "" } = form.dataset;
  /** @type {Map<string, Run[]>} */
  const own = new Map();
  const load = (/** @type {string} */ key) =>
    own.get(key) ?? loadJson(`${folder}values/${encodeURIComponent(key)}.json`);

  let turn = 0; // what was chosen last is shown, whichever loads last
  const show = async (/** @type {Chosen} */ chosen) => {
    turn += 1;
    const mine = turn;
    if (mine === 1 && isOpening(chosen)) return;
    if (chosen.a === chosen.b) {
      place.replaceChildren();
      output.textContent = "First and second are the same result: choose another, or a file of your own.";
      return;
    }
    try {
      const [a, b] = await Promise.all([load(chosen.a), load(chosen.b)]);
      if (mine !== turn) return;
      const rows = rowsOf(a, b, chosen.scenario);
      place.replaceChildren(...shownOf(a, b, rows));
      dressTables(place);
      output.replaceChildren(`${rows.length} series`, unseen(`: ${summaryOf(rows).join("; ")}`));
    } catch (error) {
      if (mine !== turn) return;
      place.replaceChildren();
      output.textContent = `Nothing is compared: ${/** @type {Error} */ (error).message}. Choose again to retry.`;
    }
  };

  /** Fills what is folded of the opening. */
  const unfold = async () => {
    const unfetched = all(HTMLDetailsElement, "[data-unfetched]", place);
    if (!unfetched.length) return;
    try {
      const [a, b] = await Promise.all([ones, others].map((select) => load(select?.value ?? "")));
      const made = shownOf(a, b, rowsOf(a, b, "")).filter((each) => each instanceof HTMLDetailsElement);
      for (const [index, each] of unfetched.entries()) {
        if (!("unfetched" in each.dataset)) continue; // filled meanwhile
        delete each.dataset.unfetched;
        each.append(...[...made[index].children].slice(1));
        dressTables(each);
      }
    } catch (error) {
      output.textContent = `Not shown: ${/** @type {Error} */ (error).message}. Unfold it again to retry.`;
    }
  };

  /** Finds the published result that is nearest to another one, and says how near. */
  const besideOf = (/** @type {About} */ about) => {
    const published = [...(ones?.options ?? [])].filter(({ dataset }) => !("own" in dataset || "local" in dataset));
    if (!published.length) return null;
    const { index, differing } = nearest(about, published.map(({ dataset }) => JSON.parse(dataset.about ?? "{}")));
    const words = differing.length
      ? `Of ours none has the same ${differing.join(" and ")}: beside it stands the nearest.`
      : "Beside it stands ours of the same Python and kind of machine.";
    return { key: published[index].value, words };
  };

  /** Chooses two of a reader's own that one run measured, else ours beside the last, and says which. */
  const chooseOwn = () => {
    const cells = [...own].map(([key, [cell]]) => ({ ...cell, key }));
    const pair = ofOneRun(cells);
    const { about, key } = cells[cells.length - 1];
    const words = "Two of one run stand beside each other; ours can be chosen instead.";
    const beside = pair ? { key: pair[0].key, words } : about && besideOf(about);
    if (ones && beside) ones.value = beside.key;
    if (others) others.value = pair ? pair[1].key : key;
    return beside?.words ?? "";
  };

  /** Adds a reader's own files to what can be chosen, and shows them. */
  const take = async (/** @type {File[]} */ files) => {
    said.textContent = "";
    try {
      const { readOwn } = await import("./own.js");
      const { cells, doubts, faults } = await readOwn(files, folder);
      for (const cell of cells) {
        const key = `own-${own.size + 1}`;
        own.set(key, [cell]);
        for (const select of [ones, others]) {
          const option = new Option(`${cell.build.replace(/^CPython /, "")}, ${cell.machine} (your file)`, key);
          option.dataset.own = ""; // its name stays out of the address
          select?.add(option);
        }
      }
      const read = cells.length ? [`${cells.length} read.`, ...doubts, chooseOwn()] : [];
      said.textContent = [...faults, ...read].filter(Boolean).join(" ");
      if (cells.length) form.dispatchEvent(new Event("change"));
    } catch (error) {
      said.textContent = /** @type {Error} */ (error).message;
    }
  };

  if (!ones?.options.length) return;
  const local = place.childElementCount ? undefined : [...ones.options].find(({ dataset }) => "local" in dataset);
  const published = local && besideOf(JSON.parse(local.dataset.about ?? "{}"));
  if (published) {
    for (const option of ones.options) option.defaultSelected = option.value === published.key;
    for (const option of others?.options ?? []) option.defaultSelected = option.value === local.value;
  }
  const isOpening = (/** @type {Chosen} */ { scenario, ...chosen }) =>
    place.childElementCount > 0 && !scenario &&
    [ones, others].every((select) => select?.querySelector(`[value="${CSS.escape(chosen[select.name])}"][selected]`));
  for (const each of all(HTMLDetailsElement, "[data-unfetched]", place)) each.addEventListener("toggle", unfold);
  startFilters(form, show);
  input.addEventListener("change", () => {
    take([...(input.files ?? [])]);
    input.value = ""; // the same file can be chosen again
  });
};
