// @ts-check
/* Finds which of the cells here is nearest to one of a reader's own. Pure. */

/** @import { About } from "./comparison.js" */

const minorOf = (/** @type {About} */ { version }) => version.split(".").slice(0, 2).join(".");
/** @type {[name: string, of: (about: About) => unknown][]} What makes one build near to another, the most first. */
const TRAITS = [
  ["implementation", ({ implementation }) => implementation],
  ["use of the GIL", ({ free_threaded }) => free_threaded],
  ["Python version", minorOf],
  ["kind of machine", ({ machine }) => machine],
  ["patch release", ({ version }) => version],
];

/**
 * Finds the nearest of *ours* to a reader's own result: its place, and in what it differs.
 * @param {About} own
 * @param {About[]} ours at least one
 */
export const nearest = (own, ours) => {
  const alike = ours.map((about) => TRAITS.map(([, of]) => Number(of(about) === of(own))).join(""));
  const index = alike.indexOf(alike.toSorted().at(-1) ?? "");
  const differing = TRAITS.map(([name]) => name).filter((_, place) => alike[index][place] === "0");
  const isOther = differing.includes("Python version");
  return { index, differing: differing.filter((name) => !(isOther && name === "patch release")) };
};
