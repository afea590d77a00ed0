/* Tables that can be sorted, filters of a whole page, and how old a run is. Without this script every row is there. */
(() => {
  "use strict";

  const DAY_MS = 86_400_000;
  let collator; // made when it is needed: that takes as long as all else here

  /* What a cell is sorted by: data-sort, else its number or text. Null, a row without a value, stands last either way. */
  const keyOf = (row, column) => {
    const cell = row.cells[column];
    if (!cell || cell.colSpan > 1) return null;
    const text = (cell.dataset.sort ?? cell.textContent).trim();
    if (!text) return null;
    if (!cell.matches(".n")) return text;
    const number = Number.parseFloat(text.replaceAll(",", ""));
    return Number.isNaN(number) ? null : number;
  };

  const compare = (a, b) => {
    if (typeof a !== "string") return a - b;
    collator ??= new Intl.Collator("en", { numeric: true });
    return collator.compare(a, b);
  };

  const sorted = (rows, column, sign) => {
    const keyed = rows.map((row) => [keyOf(row, column), row]);
    const known = keyed.filter(([key]) => key !== null).sort(([a], [b]) => sign * compare(a, b));
    return [...known, ...keyed.filter(([key]) => key === null)].map(([, row]) => row);
  };

  /* A column in which more is better (data-high) begins with the best as well. */
  const SIGN = { ascending: 1, descending: -1 };
  const nextOf = (head) => {
    const orders = Object.keys(SIGN);
    if ("high" in head.dataset) orders.reverse();
    return orders[orders.indexOf(head.getAttribute("aria-sort")) + 1];
  };

  const sortable = (table) => {
    const [body] = table.tBodies;
    const given = [...body.rows];
    if (given.length < 2) return;
    const heads = [...table.tHead.rows[0].cells];
    heads.forEach((head, column) => {
      if (head.matches(".plot")) return;
      const button = document.createElement("button");
      button.type = "button";
      button.className = "sort";
      button.append(...head.childNodes);
      head.replaceChildren(button);
      button.addEventListener("click", () => {
        const order = nextOf(head);
        for (const each of heads) each.removeAttribute("aria-sort");
        if (order) head.setAttribute("aria-sort", order);
        body.append(...(order ? sorted(given, column, SIGN[order]) : given));
      });
    });
  };

  /* A page may have a hundred tables: each gets its buttons when it comes near. On a phone each row is a card, and the
   * head is hidden: such a table waits until the phone is turned. */
  const folded = new Set();
  const watcher = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting) continue;
        watcher.unobserve(target);
        if (getComputedStyle(target.tHead).position === "absolute") folded.add(target);
        else sortable(target);
      }
    },
    { rootMargin: "300px" },
  );
  const watchFolded = () => {
    for (const table of folded) watcher.observe(table);
    folded.clear();
  };

  const hideOtherFamilies = (part) => {
    const { family } = document.documentElement.dataset;
    for (const mark of part.querySelectorAll("table.data tbody .mark")) {
      mark.closest("tr").hidden = Boolean(family) && !mark.classList.contains(`family-${family}`);
    }
  };

  const chooseFamily = (family, isNew) => {
    const { dataset } = document.documentElement;
    if (!isNew && family === (dataset.family ?? "")) return;
    dataset.family = family;
    hideOtherFamilies(document);
    document.dispatchEvent(new Event("family"));
  };

  const tellAge = (time) => {
    const days = Math.floor((Date.now() - Date.parse(time.dateTime)) / DAY_MS);
    const told = ["today", "yesterday"][days] ?? `${days} days ago`; // the minifier knows no template in another
    if (days >= 0) time.after(` (${told})`);
  };

  /* What is done to tables that were there from the start, and to those that come later, of other builds or machines. */
  window.dressTables = (part) => {
    if (document.documentElement.dataset.family) hideOtherFamilies(part);
    for (const table of part.querySelectorAll("table.data:not(.plain, .verdicts, [data-as-printed])")) {
      if (table.tHead && table.tBodies.length === 1) watcher.observe(table);
    }
    for (const time of part.querySelectorAll(".facts > time[datetime]")) tellAge(time);
  };

  /* Each machine has builds of its own. */
  const offerBuilds = (machine, build) => {
    const { builds: names, leading } = machine.selectedOptions[0].dataset;
    const chosen = build.selectedOptions[0]?.defaultSelected ? null : build.value;
    const made = JSON.parse(names).map((name) => new Option(name, name, name === leading, name === leading));
    build.replaceChildren(...made);
    if (made.some(({ value }) => value === chosen)) build.value = chosen;
  };

  /* Tells whether another machine's tables have come; null where yet another was asked for meanwhile, or they failed:
   * the filters then begin again with the machine that is shown. */
  const showMachine = async (form, machine) => {
    const [{ value: first }] = machine.options;
    if (!window.showMachine && machine.value === first) return false;
    try {
      await window.fetchScript("machines.js");
      return await window.showMachine(form);
    } catch ({ message }) {
      if (!form.isConnected) return null;
      form.querySelector("output").textContent =
        `That machine's tables did not load (${message}). Those of the other are shown.`;
      machine.value = form.dataset.shown ?? first;
      machine.dispatchEvent(new Event("change", { bubbles: true }));
      return null;
    }
  };

  const filterPage = (form, signal) => {
    const { build, machine, family } = form.elements;
    let shown = new URLSearchParams(location.search).has("build") ? null : build?.value;
    const show = async () => {
      const isNew = machine ? await showMachine(form, machine) : false;
      if (isNew === null || signal.aborted) return;
      if (build && (isNew || build.value !== shown)) window.chooseBuild(build.value);
      shown = build?.value;
      chooseFamily(family.value, isNew); // what is chosen now, not what was when the tables were asked for
    };
    if (machine && build) {
      for (const type of ["change", "restore"]) machine.addEventListener(type, () => offerBuilds(machine, build));
    }
    window.filters(form, show, signal);
    const follow = ({ target }) => {
      if (!build || !target.matches(".builds > input") || target.value === build.value) return;
      build.value = target.value;
      form.dispatchEvent(new Event("change"));
    };
    document.addEventListener("change", follow, { signal });
  };

  window.onEachPage("tables", (signal) => {
    delete document.documentElement.dataset.family;
    window.dressTables(document);
    window.addEventListener("resize", watchFolded, { signal });
    signal.addEventListener("abort", () => watcher.disconnect());
    const own = document.querySelector("input[data-own]");
    if (own) window.fetchScript("handover.js").then(() => window.takeFiles(own, signal));
    const form = document.querySelector("form[data-page-filters]");
    if (form) filterPage(form, signal);
  });
})();
