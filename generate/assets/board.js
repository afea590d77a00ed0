/* The board of verdicts: its filters, and the cards in opened rows. Without this script a row opens to its answer. */

import { all, element, loadJson } from "./dom.js";
import { startFilters } from "./filters.js";

const ROWS = "details.row";
const countNoun = (count, noun) => `${count} ${noun}${count === 1 ? "" : "s"}`;
const headsOf = (board) => all(".matrix__heads > span", board);
const squaresOf = (row) => all(".squares > b", row);

/** True if a part of the claim has the verdict *letter* on a shown build. An empty letter matches all. */
const hasVerdict = ({ dataset: { letters = "" } }, letter, isShown) => {
  const words = letters.split(" "); // one for each build, or one for all
  return isShown.some((isThis, column) => isThis && (words[column] ?? words[0]).includes(letter));
};

const matches = ({ dataset: { source, families = "" } }, wanted) =>
  (!wanted.source || source === wanted.source) && (!wanted.family || families.split(" ").includes(wanted.family));

/** Shows the squares of the chosen build. A row on which all builds agree has one square for all. */
const showColumns = (board, isShown) => {
  headsOf(board).forEach((head, column) => (head.hidden = !isShown[column]));
  for (const squares of all(ROWS, board).map(squaresOf)) {
    if (squares.length === isShown.length) squares.forEach((square, column) => (square.hidden = !isShown[column]));
  }
};

const showGroup = (group, isFiltered) => {
  const rows = all(ROWS, group).filter(({ hidden }) => !hidden);
  group.hidden = !rows.length;
  group.querySelector("[data-count]").textContent = countNoun(rows.length, "claim");
  if (group.matches("details") && isFiltered) group.open = true;
};

const apply = (board, form, wanted) => {
  const isShown = headsOf(board).map(({ dataset }) => !wanted.build || dataset.build === wanted.build);
  const letter = form.elements.verdict.selectedOptions[0].dataset.letter ?? "";
  const rows = all(ROWS, board);
  showColumns(board, isShown);
  for (const row of rows) row.hidden = !hasVerdict(row, letter, isShown) || !matches(row, wanted);
  const isFiltered = Boolean(wanted.source || wanted.family || wanted.verdict);
  for (const group of all(".matrix__group", board)) showGroup(group, isFiltered);
  form.querySelector("[data-found]").textContent = countNoun(rows.filter(({ hidden }) => !hidden).length, "claim");
};

const addNumbers = (board, row) => {
  const buttons = headsOf(board).map((head, column) => {
    const button = element("button", { type: "button", "aria-pressed": "false" }, head.textContent);
    button.addEventListener("click", () => showCard(board, row, column));
    return button;
  });
  const group = element("div", { role: "group", "aria-label": "Numbers of a build" }, ...buttons);
  const numbers = element("div", { class: "numbers" }, group, element("p", { role: "status" }), element("div", {}));
  row.append(numbers);
  return numbers;
};

/** Shows the card of a build: HTML from the generator, as safe as the page itself. */
const showCard = async (board, row, column) => {
  const numbers = row.querySelector(".numbers") ?? addNumbers(board, row);
  const { cell } = headsOf(board)[column].dataset;
  numbers.dataset.cell = cell;
  all("button", numbers).forEach((each, index) => each.setAttribute("aria-pressed", String(index === column)));
  const cards = await loadJson(`${board.dataset.cards}${cell}.json`).catch(() => null);
  if (numbers.dataset.cell !== cell) return; // another build was chosen meanwhile
  const status = numbers.querySelector(":scope > [role=status]");
  const card = numbers.lastElementChild;
  card.innerHTML = cards?.[row.dataset.claim] ?? "";
  status.className = cards ? "unseen" : ""; // the card shows it
  status.textContent = cards
    ? card.querySelector(".card__answer")?.textContent ?? ""
    : "These numbers did not load. The link above leads to them.";
};

/** The build whose card opens first: the chosen one, else the current one. */
const firstColumn = (board) => {
  const heads = headsOf(board);
  const current = heads.findIndex(({ hidden, dataset }) => !hidden && "current" in dataset);
  return current < 0 ? heads.findIndex(({ hidden }) => !hidden) : current;
};

const openCards = (board) => {
  const openFirst = ({ target }) => {
    if (target.matches(ROWS) && target.open && !target.querySelector(".numbers")) {
      showCard(board, target, firstColumn(board));
    }
  };
  board.addEventListener("toggle", openFirst, { capture: true }); // it does not bubble
  board.addEventListener("click", (event) => {
    const square = event.target.closest(".squares > b");
    const row = square?.closest(ROWS);
    if (!row || squaresOf(row).length !== headsOf(board).length) return;
    if (row.open) event.preventDefault(); // the row stays open for the other card
    showCard(board, row, squaresOf(row).indexOf(square));
  });
};

export const start = (form) => {
  const board = form.closest(".board");
  startFilters(form, (wanted) => apply(board, form, wanted));
  openCards(board);
};
