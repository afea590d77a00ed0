/* Forms of selects that keep their choice in the address. */

import { all } from "./dom.js";

const usualOf = ({ options }) => ([...options].find(({ defaultSelected }) => defaultSelected) ?? options[0])?.value ?? "";

/** Finds the option for a value. Old links name a machine by its label only, without the processor. */
const optionFor = (select, wanted) => {
  const values = [...select.options].map(({ value }) => value);
  return values.find((value) => value === wanted) ?? values.find((value) => value.startsWith(`${wanted}-`));
};

const remember = (selects) => {
  const address = new URL(location.href);
  for (const select of selects) {
    if (select.value === usualOf(select)) address.searchParams.delete(select.name);
    else address.searchParams.set(select.name, select.value);
  }
  history.replaceState(history.state, "", address);
};

/** Calls *apply* with the chosen values by name, now and at each change; *offer* after a select that others depend on. */
export const startFilters = (form, apply, offer = () => {}) => {
  const selects = all("select[name]", form);
  const chosen = () => Object.fromEntries(selects.map(({ name, value }) => [name, value]));
  const address = new URLSearchParams(location.search);
  for (const select of selects) {
    const wanted = address.get(select.name);
    select.value = (wanted !== null && optionFor(select, wanted)) || usualOf(select);
    offer(select);
  }
  form.hidden = false;
  form.addEventListener("change", ({ target }) => {
    offer(target);
    remember(selects);
    apply(chosen());
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  apply(chosen());
};
