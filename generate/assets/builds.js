// @ts-check
/* Builds side by side, a radio button each. The page comes with the tables of the current build; those of the others
 * are text, in a <noscript>, until somebody wants them: as elements they would be most of the page. Without JavaScript
 * all tables are there, behind the same buttons. */

import { watchCharts } from "./chart_areas.js";
import { all } from "./dom.js";
import { dressTables } from "./tables.js";

const INPUTS = ".builds > input";
const CLOSED = "details:not([open])";

/** Each radio button has its label and then its tables beside it. */
const blockOf = (/** @type {Element} */ input) => /** @type {Element} */ (input.nextElementSibling?.nextElementSibling);
const linked = () => document.getElementById(location.hash.slice(1));

/** What comes is HTML that the generator made, as the page's own is. */
const unfold = (/** @type {Element[]} */ blocks) => {
  for (const block of blocks) {
    const text = block.firstElementChild;
    if (!text?.matches("noscript")) continue;
    block.innerHTML = text.innerHTML;
    dressTables(block);
    watchCharts(block);
  }
};
const unfoldChosen = () => unfold(all(HTMLInputElement, `${INPUTS}:checked`).map(blockOf));

/** Chooses a build in every case that has it. */
export const chooseBuild = (/** @type {string} */ name) => {
  for (const input of all(HTMLInputElement, INPUTS)) if (input.value === name) input.checked = true;
  unfoldChosen();
};

/** Calls *chosen* with the name of each build that a reader chooses beside its tables. @param {(name: string) => void} chosen */
export const onChoice = (chosen) =>
  document.addEventListener("change", ({ target }) => {
    if (target instanceof HTMLInputElement && target.matches(INPUTS)) chosen(target.value);
  });

/** What the address leads to may stand with a build that is not chosen. */
const reach = () => {
  const { hash } = location;
  const target = linked();
  if (!hash || target?.checkVisibility()) return;
  const holds = (/** @type {Element} */ block) =>
    block.contains(target) || block.textContent.includes(`id="${hash.slice(1)}"`);
  all(HTMLInputElement, INPUTS).find((input) => holds(blockOf(input)))?.click();
  for (let fold = linked()?.closest(CLOSED); fold; fold = fold.closest(CLOSED)) fold.setAttribute("open", "");
  linked()?.scrollIntoView();
};

export const start = () => {
  onChoice(unfoldChosen);
  addEventListener("hashchange", reach);
  addEventListener("pageshow", unfoldChosen); // on the way back a browser chooses as it was left
  unfoldChosen();
  reach();
};
