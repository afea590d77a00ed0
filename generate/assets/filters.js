/* Forms of filters whose state lives in the address: restored from it, written to it.
 *
 * `filters(form, apply, signal)` calls `apply` with the chosen values by name, now and whenever they change, until the
 * page is left.
 */
window.filters = (form, apply, signal) => {
  "use strict";

  const selects = [...form.elements].filter((each) => each.matches("select[name]"));
  const usual = ({ options }) => ([...options].find((option) => option.defaultSelected) ?? options[0])?.value;

  /* What is as usual need not be told, unless what is usual may change (data-kept): then a shared link would too. */
  const remember = () => {
    const address = new URL(location.href);
    for (const select of selects) {
      if ("kept" in select.dataset || select.value !== usual(select)) address.searchParams.set(select.name, select.value);
      else address.searchParams.delete(select.name);
    }
    history.replaceState(history.state, "", address);
  };

  const restore = () => {
    const asked = new URLSearchParams(location.search);
    for (const select of selects) {
      const value = asked.get(select.name);
      const isKnown = [...select.options].some((option) => option.value === value);
      select.value = isKnown ? value : usual(select);
      select.dispatchEvent(new Event("restore")); // what the next ones offer may follow from it
    }
  };

  const tell = () => apply(Object.fromEntries(selects.map(({ name, value }) => [name, value])));

  restore();
  form.hidden = false;
  form.addEventListener("change", () => {
    remember();
    tell();
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  const again = () => {
    restore();
    tell();
  };
  window.addEventListener("popstate", again, { signal });
  tell();
};
