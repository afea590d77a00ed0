/* Tables that can be sorted, filters of a whole page, and how old a run is. Without this script every row is there. */
(() => {
  "use strict";

  const DAY_MS = 86_400_000;

  /* What a cell is sorted by: data-sort, else its number or text. Null, a row without a value, stands last either way. */
  const keyOf = (row, column) => {
    const cell = row.cells[column];
    if (!cell || cell.colSpan > 1) return null;
    const text = (cell.dataset.sort ?? cell.textContent).trim();
    if (!text) return null;
    if (!cell.matches(".n")) return text.toLowerCase();
    const number = Number.parseFloat(text.replaceAll(",", ""));
    return Number.isNaN(number) ? null : number;
  };

  const compare = (a, b) => (typeof a === "string" ? a.localeCompare(b, "en", { numeric: true }) : a - b);

  const sorted = (rows, column, sign) => {
    const keyed = rows.map((row) => [keyOf(row, column), row]);
    const known = keyed.filter(([key]) => key !== null).sort(([a], [b]) => sign * compare(a, b));
    return [...known, ...keyed.filter(([key]) => key === null)].map(([, row]) => row);
  };

  const NEXT = { none: "ascending", ascending: "descending", descending: "none" };
  const SIGN = { ascending: 1, descending: -1 };

  const sortable = (table) => {
    const [body] = table.tBodies;
    const given = [...body.rows];
    const isFolded = getComputedStyle(table.tHead).position === "absolute"; // on a phone each row is a card
    if (given.length < 2 || isFolded) return;
    const heads = [...table.tHead.rows[0].cells];
    heads.forEach((head, column) => {
      if (head.matches(".plot")) return;
      const button = document.createElement("button");
      button.type = "button";
      button.className = "sort";
      button.append(...head.childNodes);
      head.replaceChildren(button);
      button.addEventListener("click", () => {
        const order = NEXT[head.getAttribute("aria-sort") ?? "none"];
        for (const each of heads) each.removeAttribute("aria-sort");
        if (order !== "none") head.setAttribute("aria-sort", order);
        body.append(...(order === "none" ? given : sorted(given, column, SIGN[order])));
      });
    });
  };

  /* A page may have a hundred tables: each gets its buttons when it comes near. */
  const watcher = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting) continue;
        watcher.unobserve(target);
        sortable(target);
      }
    },
    { rootMargin: "300px" },
  );

  const builds = ".tabbed-set.builds > input";
  const buildOf = (input) => document.querySelector(`label[for="${CSS.escape(input.id)}"]`)?.textContent;
  const chooseBuild = (build) => {
    for (const input of document.querySelectorAll(builds)) {
      if (!input.checked && buildOf(input) === build) input.click();
    }
    for (const figure of document.querySelectorAll("figure.chart[data-build]")) {
      figure.toggleAttribute("data-other", figure.dataset.build !== build);
    }
  };

  const chooseFamily = (family) => {
    if (!family && !document.documentElement.dataset.family) return; // all are shown
    for (const mark of document.querySelectorAll("table.data tbody .mark")) {
      mark.closest("tr").hidden = Boolean(family) && !mark.classList.contains(`family-${family}`);
    }
    document.documentElement.dataset.family = family;
    document.dispatchEvent(new Event("family"));
  };

  const ages = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
  const tellAge = (time) => {
    const days = Math.floor((Date.now() - Date.parse(time.dateTime)) / DAY_MS);
    if (days >= 0) time.after(` (${ages.format(-days, "day")})`);
  };

  /* One's own files go to the page that compares, through this browser alone. */
  const handOver = async (input, files) => {
    const read = [...files].map(async (file) => [file.name, await file.text()]);
    try {
      sessionStorage.setItem("own", JSON.stringify(await Promise.all(read)));
      location.href = input.dataset.own;
    } catch {
      input.after(" Too large to hand over: choose it on the page that compares.");
    }
  };

  /* A file that is dropped anywhere on a page that takes files is taken, not opened by the browser. */
  const takeFiles = (input, signal) => {
    input.closest("span").hidden = false;
    input.addEventListener("change", () => handOver(input, input.files));
    document.addEventListener("dragover", (event) => event.preventDefault(), { signal });
    const drop = (event) => {
      event.preventDefault();
      if (event.dataTransfer.files.length) handOver(input, event.dataTransfer.files);
    };
    document.addEventListener("drop", drop, { signal });
  };

  /* What is done to tables that were there from the start, and to those that another machine's take the place of. */
  const dress = (part) => {
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

  const filterPage = (form, signal) => {
    const { build, machine } = form.elements;
    let shown = new URLSearchParams(location.search).has("build") ? null : build?.value;
    const show = async ({ family }) => {
      if (machine) await window.fetchScript("machines.js");
      const changed = machine ? await window.showMachine(form, machine.value, dress) : false;
      if (changed === null) return;
      if (build && (changed || build.value !== shown)) chooseBuild(build.value);
      shown = build?.value;
      chooseFamily(family);
    };
    if (machine && build) {
      for (const type of ["change", "restore"]) machine.addEventListener(type, () => offerBuilds(machine, build));
    }
    window.filters(form, show, signal);
    const follow = ({ target }) => {
      if (!build || !target.matches(builds) || buildOf(target) === build.value) return;
      build.value = buildOf(target);
      form.dispatchEvent(new Event("change"));
    };
    document.addEventListener("change", follow, { signal });
  };

  window.onEachPage("tables", (signal) => {
    delete document.documentElement.dataset.family;
    dress(document);
    const own = document.querySelector("input[data-own]");
    if (own) takeFiles(own, signal);
    const form = document.querySelector("form[data-page-filters]");
    if (form) filterPage(form, signal);
  });
})();
