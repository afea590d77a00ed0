/* Forms of selects whose choice is in the address. */

import { all } from "./dom.js";

const usualOf = ({ options }) => ([...options].find(({ defaultSelected }) => defaultSelected) ?? options[0])?.value ?? "";

/** Old links name a machine by its label: the value goes on with the processor. */
const optionFor = (select, wanted) => {
  const values = [...select.options].map(({ value }) => value);
  return values.find((value) => value === wanted) ?? values.find((value) => value.startsWith(`${wanted}-`));
};

const SAFE_NAME = /^[\w.+=-]{1,60}$/; // an address can hold any sentence, which the page must not repeat

const noteMissing = (select, wanted) => {
  const note = document.createElement("p");
  note.className = "note missing";
  note.textContent = `${wanted} is not offered here. Shown: ${select.selectedOptions[0]?.text}.`;
  if (SAFE_NAME.test(wanted)) select.form.after(note);
};

const forgetNotes = (form) => all(":scope > .missing", form.parentNode).forEach((note) => note.remove());

const restore = (selects, offer) => {
  const address = new URLSearchParams(location.search);
  for (const select of selects) {
    const wanted = address.get(select.name);
    const option = wanted === null ? undefined : optionFor(select, wanted);
    select.value = option ?? usualOf(select);
    if (wanted !== null && option === undefined) noteMissing(select, wanted);
    offer(select);
  }
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
  restore(selects, offer);
  form.hidden = false;
  form.addEventListener("change", ({ target }) => {
    forgetNotes(form);
    offer(target);
    remember(selects);
    apply(chosen());
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  addEventListener("popstate", () => {
    const before = JSON.stringify(chosen());
    forgetNotes(form);
    restore(selects, offer);
    if (JSON.stringify(chosen()) !== before) apply(chosen());
  });
  apply(chosen());
};
