/* The board of verdicts: its filters, and the card of a build in an opened row. Without it every row opens to its answer. */

import { all, element, loadJson } from "./dom.js";
import { startFilters } from "./filters.js";

const ROWS = "details.row";
const countNoun = (count, noun) => `${count} ${noun}${count === 1 ? "" : "s"}`;
const headsOf = (board) => all(".matrix__heads > span", board);
const squaresOf = (row) => all(".squares > b", row);

/** Counts a row's parts with *letter* on some shown build, and their verdicts. An empty letter matches all. */
const count = ({ dataset: { letters = "" } }, letter, isShown) => {
  const words = letters.split(" "); // one a build, or one for all
  const shown = isShown.flatMap((is, column) => (is ? [words[column] ?? words[0]] : []));
  const byPart = [...words[0]].map((_, part) => shown.filter((word) => !letter || word[part] === letter).length);
  return { parts: byPart.filter(Boolean).length, verdicts: byPart.reduce((sum, each) => sum + each, 0) };
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
  const total = { claims: 0, parts: 0, verdicts: 0 };
  showColumns(board, isShown);
  for (const row of all(ROWS, board)) {
    const { parts, verdicts } = count(row, letter, isShown);
    row.hidden = !verdicts || !matches(row, wanted);
    if (row.hidden) continue;
    total.claims += 1;
    total.parts += parts;
    total.verdicts += verdicts;
  }
  const isFiltered = Boolean(wanted.source || wanted.family || wanted.verdict);
  for (const group of all(".matrix__group", board)) showGroup(group, isFiltered);
  const verdicts = letter ? `, ${countNoun(total.verdicts, "verdict")} “${wanted.verdict}”` : "";
  form.querySelector("[data-found]").textContent =
    `${countNoun(total.claims, "claim")}, ${countNoun(total.parts, "part")}${verdicts}`;
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

/** Shows a build's card of a claim: HTML that the generator made, like the page's own. */
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
  status.className = cards ? "unseen" : ""; // a card's answer is read in it
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
