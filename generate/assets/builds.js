/* Builds side by side, a radio button each. The page comes with the tables of the build that leads; those of the others
 * are text, in a <noscript>, until somebody wants them: as elements they would be most of the page.
 *
 * `chooseBuild(name)` chooses it in every case that has it. Without JavaScript all tables are there, behind the same
 * buttons.
 */
(() => {
  "use strict";

  const INPUTS = ".builds > input";
  const blockOf = (input) => input.nextElementSibling.nextElementSibling; // its label stands between
  const inputOf = (block) => block.previousElementSibling.previousElementSibling;
  const linked = () => document.getElementById(location.hash.slice(1));

  /* What comes is HTML that the generator made, as the page's own is. */
  const unfold = (blocks) => {
    const folded = blocks.filter((block) => block.firstElementChild?.matches("noscript"));
    for (const block of folded) {
      block.innerHTML = block.firstElementChild.innerHTML;
      window.dressTables(block);
    }
    if (folded.length) window.findCharts();
  };
  const unfoldChosen = () => unfold([...document.querySelectorAll(`${INPUTS}:checked`)].map(blockOf));
  const unfoldAll = () => unfold([...document.querySelectorAll(".build")]);

  window.chooseBuild = (name) => {
    for (const input of document.querySelectorAll(INPUTS)) if (input.value === name) input.checked = true;
    unfoldChosen();
  };

  /* What the address leads to may stand with a build that is not chosen. */
  const reach = () => {
    const { hash } = location;
    if (!hash || linked()?.offsetParent) return;
    const holds = (block) => block.contains(linked()) || block.textContent.includes(`id="${hash.slice(1)}"`);
    const block = [...document.querySelectorAll(".build")].find(holds);
    if (!block) return;
    inputOf(block).click();
    linked()?.scrollIntoView();
  };

  window.onEachPage("builds", (signal) => {
    reach();
    window.addEventListener("hashchange", reach, { signal });
    window.addEventListener("pageshow", unfoldChosen, { signal }); // on the way back a browser chooses as it was left
    window.addEventListener("beforeprint", unfoldAll, { signal });
    document.addEventListener("change", ({ target }) => target.matches(INPUTS) && unfoldChosen(), { signal });
  });
})();
