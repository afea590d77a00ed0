// @ts-check
/* The board of verdicts: filters that live in the address, another machine's rows where one is chosen, and in an opened
 * row the card of a build.
 *
 * Without this script every row opens to its answer and leads to the cards on the source's page.
 */

import { all, element, first, loadJson } from "./dom.js";
import { selectOf, startFilters } from "./filters.js";
import { showChosen } from "./page_filters.js";

/** @import { Chosen } from "./filters.js" */

const ROWS = "details.row";
const counted = (/** @type {number} */ count, /** @type {string} */ noun) =>
  `${count} ${noun}${count === 1 ? "" : "s"}`;
const headsOf = (/** @type {Element} */ board) => all(HTMLElement, ".matrix__heads > span", board);
const squaresOf = (/** @type {Element} */ row) => all(HTMLElement, ".squares > b", row);

/**
 * Counts the parts of a claim that have *letter* on some shown build, and their verdicts; an empty letter is any.
 * @param {HTMLElement} row
 * @param {string} letter
 * @param {boolean[]} isShown by build
 */
const count = ({ dataset: { letters = "" } }, letter, isShown) => {
  const words = letters.split(" "); // one where all builds have the same
  const shown = isShown.flatMap((is, column) => is ? [words[column] ?? words[0]] : []);
  const byPart = [...words[0]].map((_, part) => shown.filter((word) => !letter || word[part] === letter).length);
  return { parts: byPart.filter(Boolean).length, verdicts: byPart.reduce((sum, each) => sum + each, 0) };
};

/** Whether a row is of the chosen source and family. @param {HTMLElement} row @param {Chosen} wanted */
const matches = ({ dataset: { source, families = "" } }, wanted) =>
  (!wanted.source || source === wanted.source) &&
  (!wanted.family || families.split(" ").includes(wanted.family));

/** Shows the squares of the chosen build; a row on which all builds agree has one for all. */
const showColumns = (/** @type {Element} */ board, /** @type {boolean[]} */ isShown) => {
  headsOf(board).forEach((head, column) => (head.hidden = !isShown[column]));
  for (const row of all(HTMLElement, ROWS, board)) {
    const squares = squaresOf(row);
    if (squares.length === isShown.length) squares.forEach((square, column) => (square.hidden = !isShown[column]));
  }
};

/** Where something is looked for, what is folded unfolds. @param {HTMLElement} group @param {Chosen} wanted */
const showGroup = (group, wanted) => {
  const rows = all(HTMLElement, ROWS, group).filter(({ hidden }) => !hidden);
  group.hidden = !rows.length;
  first(HTMLElement, "[data-count]", group).textContent = counted(rows.length, "claim");
  if (group instanceof HTMLDetailsElement && (wanted.source || wanted.family || wanted.verdict)) group.open = true;
};

/** @param {Element} board @param {HTMLFormElement} form @param {Chosen} wanted */
const apply = (board, form, wanted) => {
  const isShown = headsOf(board).map(({ dataset }) => !wanted.build || dataset.build === wanted.build);
  const letter = selectOf(form, "verdict")?.selectedOptions[0]?.dataset.letter ?? "";
  const found = { claims: 0, parts: 0, verdicts: 0 };
  showColumns(board, isShown);
  for (const row of all(HTMLElement, ROWS, board)) {
    const { parts, verdicts } = count(row, letter, isShown);
    row.hidden = !verdicts || !matches(row, wanted);
    if (row.hidden) continue;
    found.claims += 1;
    found.parts += parts;
    found.verdicts += verdicts;
  }
  for (const group of all(HTMLElement, ".matrix__group", board)) showGroup(group, wanted);
  const ofVerdict = letter ? `, ${counted(found.verdicts, "verdict")} “${wanted.verdict}”` : "";
  const said = `${counted(found.claims, "claim")}, ${counted(found.parts, "part")}${ofVerdict}`;
  first(HTMLElement, "[data-found]", form).textContent = said;
};

/** Gives an opened row a button a build, and a place for the card. @param {HTMLElement} board @param {HTMLElement} row */
const addNumbers = (board, row) => {
  const buttons = headsOf(board).map((head, column) => {
    const button = element("button", { type: "button", "aria-pressed": "false" }, head.textContent);
    button.addEventListener("click", () => showCard(board, row, column));
    return button;
  });
  const group = element("div", { role: "group", "aria-label": "Numbers of a build" }, ...buttons);
  const said = element("p", { role: "status" });
  const made = element("div", { class: "numbers" }, group, said, element("div", {}));
  row.append(made);
  return made;
};

/**
 * Shows what one build measured of a claim. What comes is HTML that the generator made, as the page's own is.
 * @param {HTMLElement} board
 * @param {HTMLElement} row
 * @param {number} column
 */
const showCard = async (board, row, column) => {
  const place = all(HTMLElement, ".numbers", row)[0] ?? addNumbers(board, row);
  const { cell = "" } = headsOf(board)[column].dataset;
  place.dataset.cell = cell;
  all(HTMLElement, "button", place).forEach((each, index) =>
    each.setAttribute("aria-pressed", String(index === column))
  );
  const cards = await loadJson(`${board.dataset.cards}${cell}.json`).catch(() => null);
  if (place.dataset.cell !== cell) return; // another was asked for meanwhile
  const [, card] = all(HTMLElement, ":scope > div", place);
  const said = first(HTMLElement, ":scope > [role=status]", place);
  card.innerHTML = cards?.[row.dataset.claim ?? ""] ?? "";
  said.className = cards ? "unseen" : ""; // what a card says is read in it
  said.textContent = cards
    ? all(HTMLElement, ".card__answer", card)[0]?.textContent ?? ""
    : "These numbers did not load. The link above leads to them.";
};

/** The build whose card opens first: the chosen one, else the current. @param {Element} board */
const columnOf = (board) => {
  const heads = headsOf(board);
  const shown = heads.findIndex(({ hidden, dataset }) => !hidden && "current" in dataset);
  return shown < 0 ? heads.findIndex(({ hidden }) => !hidden) : shown;
};

const openCards = (/** @type {HTMLElement} */ board) => {
  board.addEventListener("toggle", ({ target }) => {
    if (!(target instanceof HTMLDetailsElement) || !target.matches(ROWS) || !target.open) return;
    if (!target.querySelector(".numbers")) showCard(board, target, columnOf(board));
  }, { capture: true }); // it does not bubble
  board.addEventListener("click", (event) => {
    const square = event.target instanceof Element ? event.target.closest(".squares > b") : null;
    const row = square?.closest(ROWS);
    const squares = row ? squaresOf(row) : [];
    if (!(row instanceof HTMLDetailsElement) || squares.length !== headsOf(board).length) return;
    if (row.open) event.preventDefault(); // another build's card, and the row stays open
    showCard(board, row, squares.findIndex((each) => each === square));
  });
};

/**
 * Offers the builds of the machine that is shown; one that it has not is let go. Returns whether one was.
 * @param {Element} board
 * @param {HTMLSelectElement} build
 * @param {HTMLOptionElement[]} every
 */
const offerBuilds = (board, build, every) => {
  const names = new Set(["", ...headsOf(board).map(({ dataset }) => dataset.build)]);
  const { value } = build;
  build.replaceChildren(...every.filter((option) => names.has(option.value)));
  build.value = names.has(value) ? value : "";
  return build.value !== value;
};

export const start = () => {
  const board = first(HTMLElement, ".board:has(form)");
  const form = first(HTMLFormElement, "form", board);
  const [machine, build] = ["machine", "build"].map((name) => selectOf(form, name));
  const builds = all(HTMLOptionElement, "[name=build] option", form);
  startFilters(form, async (wanted) => {
    const isNew = await showChosen(form, machine, null);
    if (isNew === null) return;
    if (build && offerBuilds(board, build, builds)) build.dispatchEvent(new Event("change", { bubbles: true }));
    else apply(board, form, wanted);
  });
  openCards(board);
};
