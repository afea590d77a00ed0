// @ts-check
/* Builds side by side, a radio button each. The page comes with the tables of the current build; those of another are
 * fetched when it is chosen (page_filters.js). Without JavaScript a link leads to where they stand. */

import { all } from "./dom.js";

const INPUTS = ".builds > input";
const CLOSED = "details:not([open])";

/** What the address leads to. */
export const linked = () => document.getElementById(location.hash.slice(1));

/** Marks a build as chosen in every case that has it. */
export const markBuild = (/** @type {string} */ name) => {
  for (const input of all(HTMLInputElement, INPUTS)) if (input.value === name) input.checked = true;
};

/** Calls *chosen* with the name of each build that a reader chooses beside its tables. @param {(name: string) => void} chosen */
export const onChoice = (chosen) =>
  document.addEventListener("change", ({ target }) => {
    if (target instanceof HTMLInputElement && target.matches(INPUTS)) chosen(target.value);
  });

/** The build with which what the address leads to comes, where the page does not have it. */
export const linkedBuild = () => {
  const isLinked = (/** @type {HTMLInputElement} */ { dataset: { anchor } }) => location.hash.endsWith(`-${anchor}`);
  return location.hash && !linked() ? all(HTMLInputElement, INPUTS).find(isLinked)?.value : undefined;
};

/** Shows what the address leads to where it is folded, or a fold itself, or came after the browser had looked for it. */
export const reach = (isNew = false) => {
  const target = linked();
  if (!isNew && target?.checkVisibility() && !target.matches(CLOSED)) return;
  for (let fold = target?.closest(CLOSED); fold; fold = fold.closest(CLOSED)) fold.setAttribute("open", "");
  if (!target) return;
  if (isNew && document.activeElement?.matches("input, select, textarea")) return; // who has begun something else stays there
  target.scrollIntoView();
  if (target.tabIndex < 0) {
    target.tabIndex = -1; // Tab goes on from there, and reading too
    target.addEventListener("blur", () => target.removeAttribute("tabindex"), { once: true });
  }
  target.focus({ preventScroll: true });
};

export const start = () => {
  addEventListener("hashchange", () => reach());
  reach();
};
