// @ts-check
/* What the theme leaves out for those who use no pointer or hear the page: its navigation, where that is a drawer, opens
 * from the keyboard; a message of its own is announced; and no single letter leads away. */

import { all, element } from "./dom.js";

/** Keys by which the theme leaves the page or moves to the search: a stray one, or a word dictated, would. The slash stays:
 * many press it to search, and no word has it. */
const LETTERS = ["p", ",", "n", ".", "f", "s"];
/** What leads from one level of the drawer to the next, and back. */
const LEVELS = ".md-nav__title:not([for=__drawer]), label.md-nav__link";
const IN_DRAWER = "a[href], label[tabindex]";

/**
 * Puts a button in the place of the label that opens the drawer, which no key reaches; what is opened has the focus, and
 * is closed when that leaves it.
 * @param {HTMLInputElement} toggle
 * @param {HTMLElement} drawer
 */
const openFromKeyboard = (toggle, drawer) => {
  const label = document.querySelector(".md-header__button[for=__drawer]");
  if (!label) return;
  drawer.id = "site-navigation";
  const attributes = { type: "button", class: label.className, "aria-label": "Navigation", "aria-controls": drawer.id };
  const button = element("button", { ...attributes, "aria-expanded": "false" }, ...label.childNodes);
  label.replaceWith(button);
  drawer.classList.add("is-drawer"); // now it may be hidden while it is closed: a key opens it
  for (const each of all(HTMLLabelElement, LEVELS, drawer)) each.tabIndex = 0; // the theme hears Enter on them
  const turn = (/** @type {boolean} */ isOpen) => toggle.checked !== isOpen && toggle.click();
  button.addEventListener("click", () => turn(!toggle.checked));
  const isSeen = (/** @type {HTMLElement} */ each) => each.checkVisibility({ visibilityProperty: true });
  const focusFirst = () => all(HTMLElement, IN_DRAWER, drawer).find(isSeen)?.focus({ preventScroll: true });
  toggle.addEventListener("change", () => {
    button.setAttribute("aria-expanded", String(toggle.checked));
    if (toggle.checked) focusFirst();
    else if (drawer.contains(document.activeElement)) button.focus();
  });
  drawer.addEventListener("change", () => toggle.checked && focusFirst()); // another level
  drawer.addEventListener("keydown", ({ key }) => key === "Escape" && turn(false));
  drawer.addEventListener("focusout", ({ relatedTarget: next }) => {
    if (next instanceof Node && !drawer.contains(next)) turn(false);
  });
};

/** On a wide screen the navigation comes after all that is read. @param {HTMLElement} drawer */
const addSkipLink = ({ id }) => {
  const [skip] = all(HTMLAnchorElement, ".md-skip");
  skip?.after(element("a", { href: `#${id}`, class: "md-skip md-skip--wide" }, "Skip to navigation"));
};

const isWrittenIn = (/** @type {EventTarget | null} */ target) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches("input:not([type=radio], [type=checkbox]), textarea, select"));

export const start = () => {
  const toggle = document.getElementById("__drawer");
  const [drawer] = all(HTMLElement, ".md-sidebar--primary");
  if (toggle instanceof HTMLInputElement && drawer) {
    openFromKeyboard(toggle, drawer);
    addSkipLink(drawer);
  }
  document.querySelector(".md-dialog__inner")?.setAttribute("role", "status");
  addEventListener("keydown", (event) => {
    const { key, target, altKey, ctrlKey, metaKey } = event;
    if (altKey || ctrlKey || metaKey || isWrittenIn(target) || !LETTERS.includes(key)) return;
    event.stopImmediatePropagation();
  }, true); // before the theme hears of it
};
