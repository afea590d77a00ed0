// @ts-check
/* Most of a scenario's page is folded, and fetched when somebody begins to read it: until then, and without JavaScript, a
 * link in each fold leads to where it stands too. */

import { linked, reach } from "./builds.js";
import { SIGNS } from "./chart_areas.js";
import { first, loadJson } from "./dom.js";

/** @type {Promise<void> | undefined} */
let filling;

const load = async () => {
  const { folded = "" } = first(HTMLElement, "[data-folded]").dataset;
  const [html, { fillFolds }] = await Promise.all([loadJson(folded), import("./pieces.js")]);
  await fillFolds(html);
};

/** Where it fails the links stay, and the next fold that is opened asks again. */
const fill = () =>
  filling ??= load().catch(() => {
    filling = undefined;
  });

/** Fills the folds where the address may lead into one. */
const arrive = async () => {
  if (!location.hash || linked()) return;
  await fill();
  reach(true);
};

export const start = () => {
  for (const type of SIGNS) addEventListener(type, fill, { once: true, passive: true });
  document.addEventListener("toggle", fill, true); // it does not bubble
  addEventListener("hashchange", arrive);
  arrive();
  if (document.querySelector("details[open] > [data-piece]")) fill(); // it was opened before this came
};
