/* The board of verdicts: filters that live in the address, and cards that open in place.
 *
 * Without this script every machine's table is there, and a square leads to its card on the source's page.
 */
(() => {
  "use strict";

  const NAMES = ["machine", "source", "family", "verdict"];

  const matches = (row, wanted) =>
    (!wanted.source || row.dataset.source === wanted.source) &&
    (!wanted.family || row.dataset.families.split(" ").includes(wanted.family)) &&
    (!wanted.verdict || row.dataset.verdicts.split("|").includes(wanted.verdict));

  const apply = (form) => {
    const wanted = Object.fromEntries(NAMES.map((name) => [name, form.elements[name].value]));
    let shown = 0;
    for (const machine of document.querySelectorAll(".verdicts[data-machine]")) {
      machine.hidden = machine.dataset.machine !== wanted.machine;
      for (const row of machine.querySelectorAll("tr[data-source]")) {
        row.hidden = !matches(row, wanted);
        if (!machine.hidden && !row.hidden) shown += 1;
      }
    }
    form.querySelector("output").textContent = `${shown} ${shown === 1 ? "claim" : "claims"}`;
  };

  const remember = (form) => {
    const address = new URL(location.href);
    for (const name of NAMES) {
      const select = form.elements[name];
      if (select.value && select.selectedIndex > 0) address.searchParams.set(name, select.value);
      else address.searchParams.delete(name);
    }
    history.replaceState(history.state, "", address);
  };

  const restore = (form) => {
    const asked = new URLSearchParams(location.search);
    for (const name of NAMES) {
      const select = form.elements[name];
      const value = asked.get(name);
      if (value !== null && [...select.options].some((option) => option.value === value)) select.value = value;
    }
  };

  const dialog = () => {
    const made = document.createElement("dialog");
    made.className = "card-dialog md-typeset";
    made.setAttribute("aria-label", "Verdict");
    made.addEventListener("click", (event) => {
      if (event.target === made) made.close();
    });
    document.body.append(made);
    return made;
  };

  const pages = new Map();
  const fetched = (url) => {
    if (!pages.has(url)) {
      const page = fetch(url).then(async (answer) => {
        if (!answer.ok) throw new Error(`${answer.status}`);
        return new DOMParser().parseFromString(await answer.text(), "text/html");
      });
      page.catch(() => pages.delete(url));
      pages.set(url, page);
    }
    return pages.get(url);
  };

  /* The card as it stands on the source's page. Its links are relative to that page. */
  const cardOf = async (link) => {
    const [url, id] = link.href.split("#");
    const card = (await fetched(url)).getElementById(decodeURIComponent(id))?.cloneNode(true);
    if (!card) throw new Error("no such card");
    card.removeAttribute("id");
    for (const anchor of card.querySelectorAll("a[href]")) anchor.href = new URL(anchor.getAttribute("href"), url).href;
    return card;
  };

  const open = async (event, box) => {
    const link = event.target.closest("a.square");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    event.preventDefault();
    try {
      const close = document.createElement("button");
      close.type = "button";
      close.textContent = "Close";
      close.addEventListener("click", () => box.close());
      box.replaceChildren(await cardOf(link), close);
      box.showModal();
      close.focus();
    } catch {
      location.href = link.href;
    }
  };

  /* A card on its own page is inside a folded part: open that one when the address names it. */
  const unfold = () => {
    const id = location.hash.slice(1);
    const named = id ? document.getElementById(decodeURIComponent(id)) : null;
    const fold = named?.closest("details");
    if (!fold) return;
    fold.open = true;
    named.scrollIntoView();
  };

  const begin = () => {
    unfold();
    window.addEventListener("hashchange", unfold);
    const form = document.querySelector("form[data-filters]");
    if (!form) return;
    restore(form);
    form.hidden = false;
    apply(form);
    form.addEventListener("change", () => {
      apply(form);
      remember(form);
    });
    form.addEventListener("submit", (event) => event.preventDefault());
    window.addEventListener("popstate", () => {
      restore(form);
      apply(form);
    });
    const box = dialog();
    document.querySelector(".board-page")?.addEventListener("click", (event) => open(event, box));
  };

  begin();
})();
