// @ts-check
/* The Compare page: shows the chosen pair, which the generator rendered. */

import { all, first, loadJson, unseen } from "./dom.js";
import { sayBelow, selectOf, startFilters } from "./filters.js";
import { dressTables } from "./tables.js";

const NO_SUCH_PAIR =
  "This page no longer has the pair that the link names; python -m generate compare takes any two files.";

/** Links that were shared before pairs were rendered name two results, a and b. @param {HTMLFormElement} form */
const followOldLink = (form) => {
  const address = new URL(location.href);
  const [a, b] = ["a", "b"].map((name) => address.searchParams.get(name));
  if (!a && !b) return;
  const pairs = all(HTMLOptionElement, "[name=result] option", form).flatMap((
    { value, dataset: { was, others = "{}" } },
  ) => Object.entries(JSON.parse(others)).map(([kind, other]) => ({ value, kind, names: [was, other] })));
  const pair =
    [[b, a], [a, b]].flatMap(([one, other]) => pairs.filter(({ names }) => names[0] === one && names[1] === other))[0];
  for (const name of ["a", "b", "scenario"]) address.searchParams.delete(name);
  if (pair) {
    address.searchParams.set("result", pair.value);
    address.searchParams.set("with", pair.kind);
  } else {
    sayBelow(form, NO_SUCH_PAIR);
  }
  history.replaceState(history.state, "", address);
};

export const start = () => {
  const form = first(HTMLFormElement, "form[data-compare]");
  const place = first(HTMLElement, "[data-compared]");
  const output = first(HTMLOutputElement, "output", form);
  const own = place.innerHTML;
  const isOwn = () => ["result", "with"].every((name) => selectOf(form, name)?.selectedOptions[0]?.defaultSelected);

  followOldLink(form);
  let turn = 0; // what was chosen last is shown, whichever loads last
  startFilters(form, async ({ result, with: kind }) => {
    turn += 1;
    const mine = turn;
    if (mine === 1 && isOwn()) return;
    try {
      const html = isOwn() ? own : (await loadJson(`${form.dataset.compare}${encodeURIComponent(result)}.json`))[kind];
      if (mine !== turn) return;
      place.innerHTML = html;
      dressTables(place);
      output.replaceChildren(unseen(`Shown: ${place.querySelector("p")?.textContent}`));
    } catch (error) {
      if (mine === turn) {
        output.textContent = `Not shown: ${/** @type {Error} */ (error).message}. Choose again to retry.`;
      }
    }
  });
};
