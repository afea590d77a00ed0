// @ts-check
/* Finds what stands beside a result of a reader's own: another of the same run, or the nearest of ours. Pure. */

/** @import { About, Run } from "./comparison.js" */

const minorOf = (/** @type {About} */ { version }) => version.split(".").slice(0, 2).join(".");
/** @type {[name: string, of: (about: About) => unknown][]} What makes one build near to another, the most first. */
const TRAITS = [
  ["implementation", ({ implementation }) => implementation],
  ["use of the GIL", ({ free_threaded, gil_at_start }) => `${free_threaded} ${free_threaded && gil_at_start}`],
  ["Python version", minorOf],
  ["kind of machine", ({ machine }) => machine],
  ["just-in-time compiler", ({ jit }) => Boolean(jit)],
  ["variant", ({ variant }) => (variant ?? []).join("\n")],
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

/**
 * Finds the two of a reader's own results to show: of the run that measured the last, the reference build, or the first, and
 * the last of another build. Nothing where one build alone is there of that run.
 * @template {Pick<Run, "run" | "machine" | "build" | "is_reference">} Own
 * @param {Own[]} own in the order in which they were chosen
 * @returns {[Own, Own] | undefined}
 */
export const ofOneRun = (own) => {
  const last = own.at(-1);
  const alike = own.filter(({ run, machine }) => run === last?.run && machine === last.machine);
  const one = alike.find(({ is_reference }) => is_reference) ?? alike[0];
  const other = alike.findLast(({ build }) => build !== one.build);
  return other && [one, other];
};
