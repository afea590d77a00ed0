// @ts-check
/* What Choose says of a piece of work: which point of the map it is, and who is at the front there. */

import assert from "node:assert/strict";
import {
  answer as sentences,
  boundWords,
  columnOf,
  instead,
  memory,
  onClients,
  onLonger,
  onSockets,
  placeOf,
  whereWords,
} from "../../generate/assets/choose.js";
import openings from "./openings.json" with { type: "json" };

/** @import { Place, Said, Standing, WorkMap } from "../../generate/assets/choose.js" */

/** @param {Parameters<typeof sentences>} given */
const answer = (...given) => sentences(...given).map(([words]) => words).join(" ");

/** @type {Standing} */
const FASTEST = ["asyncio_tasks", 104_000, 1, 1, 1, 1, 9000, 549, 104_000];
/** @type {Standing} */
const ALIKE = ["greenlets", 105_000, 1, 1.01, 0.99, 1.02, 9000, 549, 104_000];
/** @type {Standing} */
const BEHIND = ["threads", 150_000, 0, 1.44, 1.4, 1.5, 9000, 9590, 150_000];

/** @type {WorkMap} */
const MAP = {
  models: {
    asyncio_tasks: { words: "asyncio tasks", family: "asyncio" },
    greenlets: { words: "gevent greenlets", family: "gevent" },
    threads: { words: "threads", family: "threads" },
  },
  machine: "m",
  build: "b",
  cores: 2,
  started: "2026-01-01",
  rounds: 9,
  raw: "a-run.json",
  why_nothing: "",
  clients: null,
  reasons: ["needs Python 3.14 or later"],
  points: { "timers/1000/100/100000": [FASTEST, ALIKE, BEHIND], "timers/10/0/0": [FASTEST], "hashing/10/1000/0": [] },
};
const asked = (/** @type {string[]} */ ...amounts) => {
  const [kind, tasks, compute, wait] = amounts;
  return { kind, tasks, compute, wait };
};

Deno.test("a point that was measured is found as it is", () => {
  const place = placeOf(MAP, asked("timers", "1000", "100", "100000"));
  assert.equal(place?.key, "timers/1000/100/100000");
  assert.equal(place?.isExact, true);
});

Deno.test("every point of a map is found as it is, one task and ten tasks too", () => {
  const keys = [1, 10, 100].flatMap((tasks) =>
    [0, 100, 10_000].flatMap((compute) => [0, 1000].map((wait) => `timers/${tasks}/${compute}/${wait}`))
  );
  const map = { ...MAP, points: Object.fromEntries(keys.map((key) => [key, [FASTEST]])) };
  for (const key of keys) {
    const [, tasks, compute, wait] = key.split("/");
    const place = placeOf(map, asked("timers", tasks, compute, wait));
    assert.deepEqual([place?.key, place?.isExact], [key, true]);
  }
});

Deno.test("of one that was not, the nearest of its kind is found, and it is said so", () => {
  const place = placeOf(MAP, asked("timers", "1000", "100", "10000"));
  assert.equal(place?.key, "timers/1000/100/100000");
  assert.equal(place?.isExact, false);
  assert.equal(placeOf(MAP, asked("timers", "1", "0", "0"))?.key, "timers/10/0/0");
  assert.equal(placeOf(MAP, asked("sockets", "1", "0", "0")), undefined);
});

Deno.test("work that computes is never answered by work that does not, however near that lies otherwise", () => {
  const points = {
    "timers/10000/0/100000": [FASTEST],
    "timers/100/10000/0": [BEHIND],
    "timers/10/10000/100000": [ALIKE],
  };
  const place = placeOf({ ...MAP, points }, asked("timers", "10000", "10000", "100000"));
  assert.equal(place?.key, "timers/100/10000/0");
  assert.equal(placeOf({ ...MAP, points }, asked("timers", "1", "10000", "100000"))?.key, "timers/10/10000/100000");
});

Deno.test("of work that was not measured it says what any model needs at least, and whose answer follows", () => {
  const work = { tasks: 10_000, compute: 10_000, wait: 0 };
  const place = { key: "timers/100/10000/0", kind: "timers", isExact: false, tasks: 100, compute: 10_000, wait: 0 };
  assert.equal(
    instead(place, work, 2),
    "Not measured: 10,000 tasks that each compute 10 ms; no model can take less than 50.0\u00a0s on 2 cores. " +
      "The answer is for the nearest point that was measured: 100 tasks that each compute 10 ms.",
  );
  assert.equal(instead({ ...place, isExact: true }, work, 2), "");
  assert.equal(
    instead({ ...place, tasks: 10, compute: 0 }, { tasks: 1, compute: 0, wait: 0 }, 2),
    "Not measured: 1 task that ends at once. The answer is for the nearest point that was measured: " +
      "10 tasks that each end at once.",
  );
});

const WORK = { tasks: 1000, compute: 0, wait: 100_000 };

Deno.test("a model behind by arithmetic is shown with how many tasks it has room for", () => {
  assert.equal(boundWords(100_000_000, WORK), "at least 100\u00a0s, by arithmetic: one after the other");
  assert.equal(boundWords(16_700_000, WORK), "at least 16.7\u00a0s, by arithmetic: 6 at a time, its default");
  const pool = /** @type {Standing} */ (["threads", null, 16_700_000, 0, 0, 0, null, null, null]);
  const slower = /** @type {Standing} */ (["greenlets", null, 33_400_000, 0, 0, 0, null, null, null]);
  assert.match(
    answer([FASTEST, pool, slower], MAP, WORK),
    /ms\. Ruled out by arithmetic, pools being of the default size, and not measured: threads \(6 at a time, at least 161 times as long\) and gevent greenlets \(3 at a time, at least 321 times\)\.$/,
  );
});

Deno.test("it names the fastest, who is within the noise of it, and how far the others trail", () => {
  assert.equal(
    answer([FASTEST, ALIKE, BEHIND], MAP, WORK),
    "In front: asyncio tasks, 104\u00a0ms; within the noise of it: gevent greenlets. Behind it: threads (1.44 times as long).",
  );
});

/** @type {Standing} */
const UNDECIDED = ["greenlets", 105_000, 2, 1.01, 0.9, 1.2, 9000, 549, 104_000];

Deno.test("who is not distinguished from the fastest is no more within the noise of it than behind it", () => {
  assert.equal(
    answer([FASTEST, UNDECIDED, BEHIND], { ...MAP, rounds: 3 }, WORK),
    "Fastest: asyncio tasks, 104\u00a0ms. In so few rounds not distinguished: gevent greenlets. Behind it: threads (1.44 times as long).",
  );
  assert.match(answer([FASTEST, UNDECIDED], MAP, WORK), /ms\. Not distinguished from it: gevent greenlets\.$/);
});

Deno.test("a map that decides nothing names nobody as fast or slow, and says why", () => {
  assert.equal(
    answer([FASTEST, UNDECIDED], { ...MAP, rounds: 1, why_nothing: "1 round, where 3 is the least" }, WORK),
    "Nothing is decided by this map: 1 round, where 3 is the least. The least median: asyncio tasks, 104\u00a0ms.",
  );
});

Deno.test("nothing measured is said to be nothing", () => {
  assert.equal(
    answer([["threads", null, 2_000_000, 0, 0, 0, null, null, null]], MAP, WORK),
    "Nothing was measured there.",
  );
});

Deno.test("it says what the page opens with, at every point alike", () => {
  /** @typedef {{ sentences: Said[], clients: Said[], where: string, column: string, memory: unknown[] }} Opening */
  /** @type {{ map: WorkMap, said: Record<string, Opening> }[]} */
  const expected = JSON.parse(JSON.stringify(openings.openings));
  for (const { map, said } of expected) {
    for (const [key, opening] of Object.entries(said)) {
      const [kind, tasks, compute, wait] = key.split("/");
      const place = /** @type {Place} */ (placeOf(map, { kind, tasks, compute, wait }));
      const standings = map.points[key];
      assert.equal(place.key, key);
      const words = [...sentences(standings, map, place), ...onSockets(place, map), ...onLonger(place, map)];
      const measured = standings.filter(([, us]) => us !== null);
      assert.deepEqual(
        {
          sentences: words,
          clients: onClients(standings, map, place),
          where: whereWords(place, map),
          column: columnOf(place),
          memory: measured.map(memory),
        },
        opening,
        key,
      );
    }
  }
  for (const [bound, tasks, compute, wait, words] of openings.bounds) {
    const work = { tasks: Number(tasks), compute: Number(compute), wait: Number(wait) };
    assert.equal(boundWords(Number(bound), work), words);
  }
});
