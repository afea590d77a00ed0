/* Keyboard access that Material lacks: a button for the drawer, and no shortcuts of a single letter. */

import { all, element } from "./dom.js";

/** Material's shortcuts that leave the page or open the search. Speech input would trigger them. The slash stays. */
const LETTERS = ["p", ",", "n", ".", "f", "s"];
const LEVELS = ".md-nav__title:not([for=__drawer]), label.md-nav__link";

/** Replaces the label that opens the drawer, which the keyboard cannot reach, with a button. */
const openFromKeyboard = (toggle, drawer) => {
  const label = document.querySelector(".md-header__button[for=__drawer]");
  drawer.id = "site-navigation";
  const attributes = { type: "button", class: label.className, "aria-label": "Navigation", "aria-controls": drawer.id };
  const button = element("button", { ...attributes, "aria-expanded": "false" }, ...label.childNodes);
  label.replaceWith(button);
  drawer.classList.add("is-drawer"); // hidden while it is closed
  for (const level of all(LEVELS, drawer)) level.tabIndex = 0; // Material acts on Enter there
  const turn = (isOpen) => toggle.checked !== isOpen && toggle.click();
  const focusFirst = () => {
    const isSeen = (each) => each.checkVisibility({ visibilityProperty: true });
    all("a[href], label[tabindex]", drawer).find(isSeen)?.focus({ preventScroll: true });
  };
  button.addEventListener("click", () => turn(!toggle.checked));
  toggle.addEventListener("change", () => {
    button.setAttribute("aria-expanded", String(toggle.checked));
    if (toggle.checked) focusFirst();
    else if (drawer.contains(document.activeElement)) button.focus();
  });
  drawer.addEventListener("change", () => toggle.checked && focusFirst()); // another level
  drawer.addEventListener("keydown", ({ key }) => key === "Escape" && turn(false));
  drawer.addEventListener("focusout", ({ relatedTarget: next }) => next && !drawer.contains(next) && turn(false));
};

const isWrittenIn = (target) => target.isContentEditable || target.matches?.("input, textarea, select");

export const start = () => {
  const toggle = document.getElementById("__drawer");
  const drawer = document.querySelector(".md-sidebar--primary");
  if (toggle && drawer) openFromKeyboard(toggle, drawer);
  const stopLetters = (event) => {
    const { key, target, altKey, ctrlKey, metaKey } = event;
    if (altKey || ctrlKey || metaKey || isWrittenIn(target) || !LETTERS.includes(key)) return;
    event.stopImmediatePropagation();
  };
  addEventListener("keydown", stopLetters, true); // before Material's own listener
};
