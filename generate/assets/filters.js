// @ts-check
/* Forms of filters whose state lives in the address: restored from it, written to it. What is chosen for all pages
 * (selects with data-everywhere) holds on the next one as well. */

/** @typedef {Record<string, string>} Chosen The chosen value of each select, by its name. */

/** @param {HTMLFormElement} form @param {string} name @returns {HTMLSelectElement | null} */
export const selectOf = (form, name) => {
  const found = form.elements.namedItem(name);
  return found instanceof HTMLSelectElement ? found : null;
};

const usual = (/** @type {HTMLSelectElement} */ { options }) =>
  ([...options].find((option) => option.defaultSelected) ?? options[0])?.value;

/** What is as usual need not be said, unless what is usual may change (data-kept): then a shared link would too. */
const remember = (/** @type {HTMLSelectElement[]} */ selects) => {
  const address = new URL(location.href);
  for (const select of selects) {
    const isSaid = "kept" in select.dataset || select.value !== usual(select);
    if (isSaid) address.searchParams.set(select.name, select.value);
    else address.searchParams.delete(select.name);
  }
  history.replaceState(history.state, "", address);
};

/**
 * Chooses *value* if it is offered, else what is usual. Returns whether it is offered.
 * @param {HTMLSelectElement} select
 * @param {string | null} value An old link has a machine's label alone; the name offered goes on with its processor.
 */
const choose = (select, value) => {
  const values = [...select.options].map((option) => option.value);
  const isWhole = value === null || values.includes(value) || select.name !== "machine";
  const chosen = isWhole ? value : values.find((each) => each.startsWith(`${value}-`)) ?? null;
  const isOffered = chosen !== null && values.includes(chosen);
  select.value = isOffered ? chosen : usual(select) ?? "";
  return isOffered;
};

const NAME = /^[\w.+=-]{1,60}$/; // an address may hold any sentence: the page shall not say it

/** Says below a form what a reader would miss of what was chosen for all pages, until something else is. */
export const sayBelow = (/** @type {HTMLFormElement} */ form, /** @type {string} */ words) => {
  if (notesOf(form).some(({ textContent }) => textContent === words)) return;
  const note = document.createElement("p");
  note.className = "note gave-way";
  note.textContent = words;
  form.after(note);
};
/** What is said there. @param {HTMLFormElement} form */
const notesOf = (form) => {
  /** @type {Element[]} */
  const notes = [];
  for (let next = form.nextElementSibling; next?.matches(".gave-way"); next = next.nextElementSibling) notes.push(next);
  return notes;
};
const forget = (/** @type {Element[]} */ notes) => notes.forEach((note) => note.remove());

/** Names what was asked for and is not here, and what is shown in its place. */
const sayWhatGaveWay = (/** @type {HTMLSelectElement} */ { form, selectedOptions }, /** @type {string} */ asked) => {
  const why = form?.dataset.lacks ?? "was not measured here";
  if (form) sayBelow(form, `${asked} ${why}. Shown is ${selectedOptions[0]?.text}.`);
};

/** Where what is chosen for all pages is kept until the tab is closed. @type {Storage | undefined} */
let kept;
try {
  kept = sessionStorage;
} catch {
  // the browser refuses: what is chosen holds for its page alone
}
const isForAll = (/** @type {HTMLSelectElement} */ { dataset }) => "everywhere" in dataset;

/** @param {HTMLSelectElement[]} selects @param {boolean} [isArrival] whether what other pages have chosen holds here too */
const restore = (selects, isArrival = false) => {
  const given = new URLSearchParams(location.search);
  for (const select of selects) {
    const before = isArrival && isForAll(select) ? kept?.getItem(select.name) : null;
    const value = given.get(select.name) ?? before ?? null;
    const isOffered = choose(select, value);
    select.dispatchEvent(new Event("restore")); // what the next ones offer may follow from it
    const isNamed = value !== null && NAME.test(value) && isForAll(select);
    if (!isOffered && isNamed) sayWhatGaveWay(select, value);
  }
};

/**
 * Each machine has builds of its own: whenever one is chosen these are offered, and a build that it has not is let go.
 * @param {HTMLFormElement} form
 * @param {(machine: HTMLSelectElement) => HTMLOptionElement[]} buildsOf
 */
export const offerBuilds = (form, buildsOf) => {
  const [machine, build] = [selectOf(form, "machine"), selectOf(form, "build")];
  if (!machine || !build) return;
  const offer = () => {
    const chosen = build.selectedOptions[0]?.defaultSelected ? null : build.value;
    build.replaceChildren(...buildsOf(machine));
    choose(build, chosen);
  };
  for (const type of ["change", "restore"]) machine.addEventListener(type, offer);
};

/**
 * Calls *apply* with what is chosen, now and whenever it changes.
 * @param {HTMLFormElement} form
 * @param {(chosen: Chosen) => void} apply
 */
export const startFilters = (form, apply) => {
  const selects = [...form.elements].filter((each) => each instanceof HTMLSelectElement);
  const chosen = () => Object.fromEntries(selects.map(({ name, value }) => [name, value]));
  const forAll = selects.filter(isForAll);
  restore(selects, true);
  remember(forAll);
  form.hidden = false;
  form.addEventListener("change", ({ target }) => {
    remember(selects);
    const asked = forAll.filter((each) => target === each || target === form); // not what gave way on this page alone
    if (asked.length) forget(notesOf(form));
    for (const { name, value } of asked) kept?.setItem(name, value);
    apply(chosen());
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  addEventListener("popstate", () => {
    const before = JSON.stringify(chosen());
    const notes = notesOf(form);
    restore(selects);
    if (JSON.stringify(chosen()) === before) return; // another place on the same page
    forget(notes);
    apply(chosen());
  });
  apply(chosen());
};
