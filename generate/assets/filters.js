/* Forms of selects that keep their choice in the address. */

import { all } from "./dom.js";

const usualOf = ({ options }) => ([...options].find(({ defaultSelected }) => defaultSelected) ?? options[0])?.value ?? "";

const remember = (selects) => {
  const address = new URL(location.href);
  for (const select of selects) {
    if (select.value === usualOf(select)) address.searchParams.delete(select.name);
    else address.searchParams.set(select.name, select.value);
  }
  history.replaceState(history.state, "", address);
};

/** Calls *apply* with the chosen values by name, now and at each change. */
export const startFilters = (form, apply) => {
  const selects = all("select[name]", form);
  const chosen = () => Object.fromEntries(selects.map(({ name, value }) => [name, value]));
  const address = new URLSearchParams(location.search);
  for (const select of selects) {
    const wanted = address.get(select.name);
    const isOffered = [...select.options].some(({ value }) => value === wanted);
    select.value = isOffered ? wanted : usualOf(select);
  }
  form.hidden = false;
  form.addEventListener("change", () => {
    remember(selects);
    apply(chosen());
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  apply(chosen());
};
