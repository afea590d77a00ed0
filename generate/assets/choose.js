// @ts-check
/* Chooses a model: looks the piece of work up on the map, and says who is at the front there and what each costs. */

import { element, first, loadJson, scroller } from "./dom.js";
import { offerBuilds, startFilters } from "./filters.js";
import { counted, writeBound, writeInterval, writeRatio, writeRatioInterval, writeValue } from "./numbers.js";
import { FEWEST_PAIRS } from "./statistics.js";
import { dressTables } from "./tables.js";

/** @import { Chosen } from "./filters.js" */
/**
 * @typedef {[runner: string, us: number | null, atFront: number, ratio: number, low: number, high: number,
 *   cpu: number | null, kB: number | null, worst: number | null, kBLow?: number | null, kBHigh?: number | null]} Standing
 *   At the front is 2 where that is not decided. Of a model that was not measured: the runner, null, the least that it
 *   takes in us or null, and why as an index.
 */
/**
 * @typedef {Record<string, { words: string, family: string, works_as?: string }>} Models `works_as`: as which other it
 *   works where nothing is computed.
 */
/**
 * @typedef {{ models: Models, machine: string, build: string, cores: number, started: string, rounds: number,
 *   raw: string, why_nothing: string, clients: { said: string, on: string, front: Record<string, boolean> } | null,
 *   reasons: string[], points: Record<string, Standing[]> }} WorkMap `why_nothing`: why it decides nothing at any point;
 *   `clients`: how real HTTP clients did, and by model of the map, whether its like was at the front.
 */
/** @typedef {{ tasks: number, compute: number, wait: number }} Work Times in us. */
/** @typedef {Work & { key: string, kind: string, isExact: boolean }} Place */
/** @typedef {[words: string, link: string, to: string]} Said A sentence; those of its words that lead elsewhere, where. */

const US = 1000;
const KB = 1024;
/** In us: where 0 stands among times, a step of ten below the least that is not 0. */
const STEP_OF_NOTHING = 10;
/** What makes a distance outweigh any of what counts less. */
const OUTWEIGHS = 10;

/** How far apart two counts are, in steps of ten. */
const distance = (/** @type {number} */ a, /** @type {number} */ b) => Math.abs(Math.log10(a / b));
/** How far apart two times are, both in us. */
const timeApart = (/** @type {number} */ a, /** @type {number} */ b) =>
  distance(Math.max(a, STEP_OF_NOTHING), Math.max(b, STEP_OF_NOTHING));

/**
 * Finds the point of the map that is nearest to what is asked for; undefined where that kind was not measured.
 *
 * What each task computes counts first: a point at which none computes says nothing of work that does. Then, where the
 * computing of all takes longer than the wait of one, how many there are.
 * @param {WorkMap} map @param {Chosen} chosen @returns {Place | undefined}
 */
export const placeOf = (map, chosen) => {
  const asked = workOf(chosen);
  const isCrowded = asked.tasks * asked.compute > asked.wait * map.cores;
  const places = Object.keys(map.points).map((key) => {
    const [kind, ...amounts] = key.split("/");
    const [tasks, compute, wait] = amounts.map(Number);
    const isExact = tasks === asked.tasks && compute === asked.compute && wait === asked.wait;
    const [ofTasks, ofCompute, ofWait] = [
      distance(tasks, asked.tasks),
      timeApart(compute, asked.compute),
      timeApart(wait, asked.wait),
    ];
    const apart = ofCompute * OUTWEIGHS ** 2 + ofTasks * (isCrowded ? OUTWEIGHS : 2) + ofWait;
    return { key, isExact, kind, tasks, compute, wait, apart };
  });
  return places.filter(({ kind }) => kind === chosen.kind).sort((a, b) => a.apart - b.apart)[0];
};

/** @param {Chosen} chosen @returns {Work} */
const workOf = ({ tasks, compute, wait }) => ({ tasks: Number(tasks), compute: Number(compute), wait: Number(wait) });

/** The least that any model needs, in us: all computing shared out over the cores, or one task from start to end. */
const ideal = (/** @type {Work} */ { tasks, compute, wait }, /** @type {number} */ cores) =>
  Math.max(tasks * compute / cores, compute + wait);

const time = (/** @type {number} */ us) => writeValue(us * US, "ns");
const workWords = (/** @type {Work} */ { tasks, compute, wait }) => {
  const verb = (/** @type {string} */ word) => tasks === 1 ? `${word}s` : word;
  const done = [[compute, verb("compute")], [wait, verb("wait")]].filter(([us]) => us).map(([us, word]) =>
    `${word} ${Number(us) / US} ms`
  );
  return `${counted(tasks, "task")} that ${tasks === 1 ? "" : "each "}${
    done.join(" and ") || verb("end") + " at once"
  }`;
};
const UNDECIDED = 2;
const PLACES = ["", "within the noise", "not decided"];
/** @type {Intl.ListFormat | undefined} */
let conjunction; // made when it is needed: that takes as long as all else here
/** @param {string[]} names Some have an "and" of their own. */
const list = (names) => {
  if (names.some((name) => name.includes(" and "))) return names.join("; ");
  conjunction ??= new Intl.ListFormat("en-GB", { type: "conjunction" }); // no comma before "and", as in all pages
  return conjunction.format(names);
};

const wordsIn = (/** @type {Models} */ models) => (/** @type {Standing} */ [runner]) => models[runner]?.words ?? runner;
/**
 * Says as which other model one works, having nothing to hand over; empty where it is one of its own.
 * @param {Standing} standing @param {Models} models @param {Pick<Work, "compute">} work
 */
const worksAs = ([runner], models, { compute }) =>
  compute || !models[runner]?.works_as ? "" : `as ${models[runner].works_as}: nothing to compute`;
/** @param {Standing} fastest @param {Models} models @param {Work} work */
const takenBy = (fastest, models, work) => {
  const as = worksAs(fastest, models, work);
  return `${wordsIn(models)(fastest)}${as && ` (${as})`}, ${time(/** @type {number} */ (fastest[1]))}`;
};
/** @param {Standing} fastest @param {Standing[]} alike @param {Models} models @param {Work} work */
const front = (fastest, alike, models, work) =>
  takenBy(fastest, models, work) +
  (alike.length ? `; within the noise of it: ${list(alike.map(wordsIn(models)))}` : "");
/** @returns {Said} */
const plain = (/** @type {string} */ words) => [words, "", ""];

/**
 * Says in words who is at the front, or that nothing is decided: sentences, the answer first.
 * @param {Standing[]} standings @param {Pick<WorkMap, "models" | "rounds" | "why_nothing">} map @param {Work} work
 */
export const answer = (standings, { models, rounds, why_nothing: why }, work) => {
  const words = wordsIn(models);
  const [fastest, ...rest] = standings.filter(([, us]) => us !== null);
  if (!fastest) return [plain("Nothing was measured there.")];
  if (why) {
    return [`Nothing is decided by this map: ${why}.`, `The least median: ${takenBy(fastest, models, work)}.`].map(
      plain,
    );
  }
  const others = rest.filter((each) => !worksAs(each, models, work));
  const [behind, alike, undecided] = [0, 1, UNDECIDED].map((at) => others.filter((each) => each[2] === at));
  const said = [`${alike.length ? "In front" : "Fastest"}: ${front(fastest, alike, models, work)}.`];
  const few = rounds < FEWEST_PAIRS ? "In so few rounds not distinguished" : "Not distinguished from it";
  if (undecided.length) said.push(`${few}: ${list(undecided.map(words))}.`);
  const trailing = behind.map((each, number) =>
    `${words(each)} (${writeBound(each[3])} times${number ? "" : " as long"})`
  );
  if (trailing.length) said.push(`Behind it: ${list(trailing)}.`);
  return [...said.map(plain), ...ruledOut(standings, fastest, models, work)];
};

const HOW_MANY = "how many threads?";
/** The model whose size a program is free to choose, since its tasks only wait. */
const WAY_OUT = "thread_pool";

/**
 * Says who is ruled out by arithmetic, and the way out where a pool of threads is among them.
 * @param {Standing[]} standings @param {Standing} fastest @param {Models} models @param {Work} work @returns {Said[]}
 */
const ruledOut = (standings, fastest, models, work) => {
  const bounded = standings.filter(([, us, bound]) => us === null && bound);
  if (!bounded.length) return [];
  const bounds = [...new Set(bounded.map(([, , bound]) => bound))].sort((a, b) => a - b);
  const least = bounds.map((us, number) => {
    const names = list(bounded.filter(([, , bound]) => bound === us).map(wordsIn(models)));
    const room = roomOf(us, work);
    return `${names} (${room > 1 ? `${room} at a time, ` : ""}at least ${
      writeRatio(us / /** @type {number} */ (fastest[1]))
    } times${number ? "" : " as long"})`;
  });
  const words = `Ruled out by arithmetic, pools being of the default size, and not measured: ${list(least)}.`;
  if (bounded.every(([runner]) => runner !== WAY_OUT)) return [plain(words)];
  return [[`${words} A larger pool of threads takes fewer turns: ${HOW_MANY}`, HOW_MANY, "threads"]];
};

/** Work that may be calls over a network: so many tasks or more, each computes at most so long and waits so long. */
const MAY_BE_CALLS = { tasks: 100, compute: 100, wait: 10_000 };

/**
 * Says how real HTTP clients did, where the work may be calls over a network; nothing where that was not measured.
 *
 * That it came out otherwise is said where models at the front here were tried with clients, and none was in front.
 * @param {Standing[]} standings @param {Pick<WorkMap, "clients" | "why_nothing">} map @param {Place} place
 * @returns {Said[]}
 */
export const onClients = (standings, { clients, why_nothing: why }, { kind, tasks, compute, wait }) => {
  const mayBeCalls = tasks >= MAY_BE_CALLS.tasks && compute <= MAY_BE_CALLS.compute && wait >= MAY_BE_CALLS.wait;
  if (!clients || kind === "hashing" || !mayBeCalls) return [];
  const link = "real HTTP clients";
  const tried = standings.filter(([runner, us, atFront]) => us !== null && atFront && runner in clients.front);
  const isOther = !why && tried.length > 0 && !tried.some(([runner]) => clients.front[runner]);
  const cameOut = isOther ? `with ${link} came out otherwise` : `were measured with ${link} as well`;
  return [[`A thousand downloads ${cameOut}${clients.on}. Against threads, ${clients.said}.`, link, "clients"]];
};

/**
 * Says who is at the front where the same tasks wait for a socket; nothing where that was not measured.
 * @param {Place} place @param {Pick<WorkMap, "models" | "points" | "why_nothing">} map
 */
export const onSockets = (place, { models, points, why_nothing: why }) => {
  const [fastest, ...rest] = place.kind === "timers" ? points[place.key.replace("timers", "sockets")] ?? [] : [];
  if (why || !fastest || fastest[1] === null) return [];
  const others = rest.filter((each) => !worksAs(each, models, place));
  const alike = others.filter(([, us, atFront]) => us !== null && atFront === 1);
  return [plain(`Waiting for a local server instead of a timer: ${front(fastest, alike, models, place)}.`)];
};

/**
 * Says what longer waits would change, where the wait is the longest that was measured of its kind.
 * @param {Place} place @param {Pick<WorkMap, "points" | "why_nothing">} map
 */
export const onLonger = ({ kind, wait }, { points, why_nothing: why }) => {
  const places = Object.keys(points).map((key) => key.split("/")).filter(([of]) => of === kind);
  if (why || !wait || wait < Math.max(...places.map(([, , , us]) => Number(us)))) return [];
  return [
    plain(
      "Longer waits were not measured: what a model adds to the wait should be much the same, so that those that wait " +
        "for all tasks at once lie nearer together.",
    ),
  ];
};

/**
 * Says that a piece of work was not measured, what it needs at least, and of which the answer is.
 * @param {Place} place @param {Work} asked @param {number} cores
 */
export const instead = (place, asked, cores) => {
  if (place.isExact) return "";
  const least = ideal(asked, cores);
  const atLeast = least ? `; no model can take less than ${time(least)} on ${counted(cores, "core")}` : "";
  const nearest = `The answer is for the nearest point that was measured: ${workWords(place)}.`;
  return `Not measured: ${workWords(asked)}${atLeast}. ${nearest}`;
};

/**
 * Returns how many tasks a model has room for at a time, which is behind by arithmetic.
 * @param {number} bound in us @param {Work} work
 */
const roomOf = (bound, { tasks, compute, wait }) =>
  Math.ceil(tasks / Math.max(1, Math.round(bound / (compute + wait))));

/**
 * Says why a model is behind by arithmetic: how many tasks it has room for at a time.
 * @param {number} bound in us @param {Work} work
 */
export const boundWords = (bound, work) => {
  const room = roomOf(bound, work);
  return `at least ${time(bound)}, by arithmetic: ${
    room === 1 ? "one after the other" : `${room} at a time, its default`
  }`;
};

/** The bounds of a ratio, and what they come to. @param {number} atFront @param {number} low @param {number} high */
const belowRatio = (atFront, low, high) =>
  [atFront === UNDECIDED ? "" : writeRatioInterval(low, high), PLACES[atFront]].filter(Boolean).join("; ");

/** A peak above what the process held before the point, of which it may keep much: less is not believed. */
const LEAST_BYTES = 1_000_000;

/**
 * How much memory was needed: its key, the words, and its bounds; not resolved where they reach below what is believed.
 * @param {Standing} standing @returns {[key: number | null, text: string, below: string]}
 */
export const memory = ([, , , , , , , kB, , kBLow = null, kBHigh = null]) => {
  if (kB === null) return [null, "not known", ""];
  const written = writeValue(kB * KB, "bytes");
  if (kBLow === null || kBHigh === null) return [kB, written, ""];
  const [low, high] = [kBLow * KB, kBHigh * KB];
  if (high < LEAST_BYTES) return [kB, "under 1 MB", ""];
  const bounds = writeInterval(low, high, "bytes");
  if (low < LEAST_BYTES) return [null, "not resolved", bounds];
  return [kB, written, bounds === writeValue(low, "bytes") ? "" : bounds];
};

/** @param {WorkMap} map @param {Standing} standing @param {string} code @param {Work} work */
const rowOf = (map, standing, code, work) => {
  const [runner, us, atFront, ratio, low, high, cpu, , worst] = standing;
  const { words, family } = map.models[runner] ?? { words: runner, family: "sync" };
  const isFastest = atFront === 1 && ratio === 1 && low === 1 && high === 1;
  const cell = (
    /** @type {string} */ label,
    /** @type {number | null} */ key,
    /** @type {string} */ text,
    below = "",
  ) =>
    element(
      "td",
      { role: "cell", "data-label": label, "data-sort": key === null ? "" : String(key), class: "n" },
      text,
      ...(below ? [element("small", {}, below)] : []),
    );
  const name = element("a", { href: `${code}${runner}` }, words);
  const aside = worksAs(standing, map.models, work);
  const head = element(
    "th",
    { scope: "row", role: "rowheader", class: `family-${family}` },
    element("span", { class: "mark", role: "img", "aria-label": family }),
    name,
    ...(aside ? [element("small", {}, aside)] : []),
  );
  if (us === null) {
    const why = atFront ? boundWords(atFront, work) : map.reasons[ratio] ?? "not measured";
    const all = element("td", { role: "cell", colspan: "5", "data-label": "Total time" }, why);
    return element("tr", { role: "row", class: "noise" }, head, all);
  }
  return element(
    "tr",
    { role: "row" },
    head,
    cell("Total time", us, time(us)),
    cell(
      "Relative to the fastest",
      ratio,
      isFastest ? "1" : writeRatio(ratio),
      isFastest ? "" : belowRatio(atFront, low, high),
    ),
    cell("Slowest task", worst, worst === null ? "not known" : time(worst)),
    cell("Processor time", cpu, cpu === null ? "not known" : time(cpu)),
    cell("Memory above idle", ...memory(standing)),
  );
};

const HEADS = ["Model", "Total time", "Relative to the fastest", "Slowest task", "Processor time", "Memory above idle"];

/** @param {WorkMap} map @param {Place} place @param {string} code */
const tableOf = (map, place, code) =>
  element(
    "table",
    { class: "data fold", role: "table" },
    element(
      "thead",
      { role: "rowgroup" },
      element(
        "tr",
        { role: "row" },
        ...HEADS.map((name, index) =>
          element("th", { scope: "col", role: "columnheader", class: index ? "n" : null }, name)
        ),
      ),
    ),
    element("tbody", { role: "rowgroup" }, ...map.points[place.key].map((each) => rowOf(map, each, code, place))),
  );

/** @param {Place} place @param {WorkMap} map */
export const whereWords = (place, { build, machine, started, rounds }) =>
  `${workWords(place)}. ${build} on ${machine}, ${started}, ${rounds} ${
    rounds === 1 ? "round" : "rounds; ratios are medians over them"
  }.`;

/** What the samples call the times of a place. */
export const columnOf = (/** @type {Work} */ { compute, wait }) => `c${compute}_w${wait}_elapsed_ns`;

/** Writes a sentence, with a link where it has one. @param {Said} said @param {Record<string, string>} addresses */
const written = ([words, link, to], addresses) => {
  if (!link) return [words];
  const at = words.lastIndexOf(link);
  return [words.slice(0, at), element("a", { href: addresses[to] }, link), words.slice(at + link.length)];
};

export const start = () => {
  const form = first(HTMLFormElement, "form[data-choose]");
  const shown = first(HTMLElement, "[data-chosen]");
  const output = first(HTMLOutputElement, "output", form);
  const { maps: folder = "", known = "{}", code = "", raw = "", links = "{}" } = form.dataset;
  /** Where sentences lead. @type {Record<string, string>} */
  const addresses = JSON.parse(links);
  /** By machine, the file of each build's map. @type {Record<string, Record<string, string>>} */
  const files = JSON.parse(known);
  const [current] = Object.keys(files);
  /** What the page comes with the answer to; nothing where it comes with none. @type {Chosen | undefined} */
  const opening = shown.childElementCount ? { ...JSON.parse(form.dataset.opensWith ?? "{}") } : undefined;
  /** @type {Chosen | undefined} */
  let wanted;
  offerBuilds(form, ({ value }) => Object.keys(files[value]).map((name, place) => new Option(name, name, !place)));
  startFilters(form, async (chosen) => {
    const isOpening = !wanted && opening &&
      Object.entries(opening).every(([name, value]) => (chosen[name] ?? value) === value);
    wanted = chosen;
    if (isOpening) return;
    try {
      /** @type {WorkMap} */
      const map = await loadJson(`${folder}${files[chosen.machine ?? current][chosen.build]}.json`);
      if (wanted !== chosen) return; // something else was chosen meanwhile
      const place = placeOf(map, chosen);
      if (!place) {
        shown.replaceChildren();
        output.textContent = "That was not measured.";
        return;
      }
      const standings = map.points[place.key];
      const [lead, ...rest] = [...answer(standings, map, place), ...onSockets(place, map), ...onLonger(place, map)];
      const small = (/** @type {Said[]} */ ...said) =>
        element("small", {}, ...said.flatMap((each, number) => [number ? " " : "", ...written(each, addresses)]));
      const before = element("small", {}, instead(place, workOf(chosen), map.cores));
      const clients = small(...onClients(standings, map, place));
      output.replaceChildren(before, ...written(lead, addresses), clients, small(...rest));
      const samples = element("a", { href: `${raw}${map.raw}` }, "Every sample (JSON)");
      const times = element("code", {}, columnOf(place));
      shown.replaceChildren(
        element("p", { class: "note" }, `${whereWords(place, map)} `, samples, ": times are ", times, "."),
        scroller("The models at this point", tableOf(map, place, code)),
      );
      dressTables(shown);
    } catch (error) {
      if (wanted !== chosen) return;
      shown.replaceChildren();
      output.textContent = `There is no answer: ${/** @type {Error} */ (error).message}. Choose again to retry.`;
    }
  });
};
