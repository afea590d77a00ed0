/* The filters of the board of claims. Without this script all claims are shown. */

import { all } from "./dom.js";
import { startFilters } from "./filters.js";

const countNoun = (count, noun) => `${count} ${noun}${count === 1 ? "" : "s"}`;
const countShown = (part) => all("details.row", part).filter(({ hidden }) => !hidden).length;

const matches = ({ dataset: { source, families = "" } }, wanted) =>
  (!wanted.source || source === wanted.source) && (!wanted.family || families.split(" ").includes(wanted.family));

const showGroup = (group, isFiltered) => {
  const count = countShown(group);
  group.hidden = !count;
  group.querySelector("[data-count]").textContent = countNoun(count, "claim");
  if (isFiltered) group.open = true;
};

export const start = (form) => {
  const board = form.closest(".board");
  startFilters(form, (wanted) => {
    for (const row of all("details.row", board)) row.hidden = !matches(row, wanted);
    for (const group of all(".claims", board)) showGroup(group, Boolean(wanted.source || wanted.family));
    form.querySelector("[data-found]").textContent = countNoun(countShown(board), "claim");
  });
};
