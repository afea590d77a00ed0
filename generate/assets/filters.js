/* Forms of filters whose state lives in the address: restored from it, written to it.
 *
 * `filters(form, apply, signal)` calls `apply` with the chosen values by name, now and whenever they change, until the
 * page is left. An option with data-own is of a reader's own file: what it is called stays out of the address.
 */
window.filters = (form, apply, signal) => {
  "use strict";

  const selects = [...form.elements].filter((each) => each.matches("select[name]"));
  const usual = ({ options }) => ([...options].find((option) => option.defaultSelected) ?? options[0])?.value;
  const isOwn = ({ selectedOptions: [chosen] }) => chosen && "own" in chosen.dataset;

  /* What is as usual need not be told, unless what is usual may change (data-kept): then a shared link would too. */
  const remember = () => {
    const address = new URL(location.href);
    for (const select of selects) {
      const isTold = !isOwn(select) && ("kept" in select.dataset || select.value !== usual(select));
      if (isTold) address.searchParams.set(select.name, select.value);
      else address.searchParams.delete(select.name);
    }
    history.replaceState(history.state, "", address);
  };

  const restore = () => {
    const asked = new URLSearchParams(location.search);
    for (const select of selects) {
      const value = asked.get(select.name);
      if (value === null && isOwn(select)) continue;
      const isKnown = [...select.options].some((option) => option.value === value);
      select.value = isKnown ? value : usual(select);
      select.dispatchEvent(new Event("restore")); // what the next ones offer may follow from it
    }
  };

  const chosen = () => Object.fromEntries(selects.map(({ name, value }) => [name, value]));
  const tell = () => apply(chosen());

  restore();
  form.hidden = false;
  form.addEventListener("change", () => {
    remember();
    tell();
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  const again = () => {
    const before = JSON.stringify(chosen());
    restore();
    if (JSON.stringify(chosen()) !== before) tell();
  };
  window.addEventListener("popstate", again, { signal });
  tell();
};
