/* The filters of the board of claims, which keep their choice in the address. Without this script all claims are shown. */

import { all } from "./dom.js";

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

const remember = (selects) => {
  const address = new URL(location.href);
  for (const { name, value } of selects) {
    if (value) address.searchParams.set(name, value);
    else address.searchParams.delete(name);
  }
  history.replaceState(history.state, "", address);
};

export const start = (form) => {
  const board = form.closest(".board");
  const selects = all("select", form);
  const apply = () => {
    const wanted = Object.fromEntries(selects.map(({ name, value }) => [name, value]));
    for (const row of all("details.row", board)) row.hidden = !matches(row, wanted);
    for (const group of all(".claims", board)) showGroup(group, Boolean(wanted.source || wanted.family));
    form.querySelector("[data-found]").textContent = countNoun(countShown(board), "claim");
  };
  const address = new URLSearchParams(location.search);
  for (const select of selects) {
    const wanted = address.get(select.name);
    select.value = [...select.options].some(({ value }) => value === wanted) ? wanted : "";
  }
  form.hidden = false;
  form.addEventListener("change", () => {
    remember(selects);
    apply();
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  apply();
};
