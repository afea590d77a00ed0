// @ts-check
/* Names as Python writes them: tests/javascript/own.json holds the two to each other. */

/** @import { Build } from "./comparison.js" */

const NO_TITLE = /(?:(?!(?<=[\p{L}\p{N}_])[=/](?=[\p{L}\p{N}_]))[^\p{L}\p{N}_ .,:?+()'%-])+/gu;
/** Names go the way of generate/text/names.py: no markup, and nothing that turns text around. */
export const plain = (/** @type {string} */ name) =>
  name.replace(NO_TITLE, " ").split(" ").filter(Boolean).join(" ") || "unnamed";

const LONGEST_WORD = 40;
const DIGEST_LETTERS = 8;
/** Of what runners/harness/record/build_names.py calls a build, what follows the implementation. */
const NAME = /^([0-9.]+(?:(?:a|b|rc)[0-9]+)?\+?)(t?)(-gil)?(-jit)?((?:\+[^+]+)*)$/;
/** @type {Record<string, string>} */
const IMPLEMENTATIONS = { cpython: "CPython", pypy: "PyPy" };

/** What a variant calls a wheel that was installed: package, version and tags, and the first digits of its sha256. */
const WHEEL = /^([^-\s]+-[^-\s]+)-\S+\.whl ([0-9a-f]{8})$/;

/** Returns a word of a variant as it stands in names; a long one with a digest in the place of its end. */
const shortWord = async (/** @type {string} */ word) => {
  const [head, ofWheel = ""] = WHEEL.exec(word)?.slice(1) ?? [word];
  const short = head.replace(/[^A-Za-z0-9._=-]+/g, "-").replace(/^-+|-+$/g, "");
  if (!ofWheel && short.length <= LONGEST_WORD) return short;
  return [short.slice(0, LONGEST_WORD), ofWheel || (await digestOf(word))].filter(Boolean).join("-");
};

/** Returns none where the browser has no digests, as at an address that is not secure. */
const digestOf = async (/** @type {string} */ word) => {
  const { subtle } = /** @type {{ subtle?: SubtleCrypto }} */ (crypto);
  if (!subtle) return "";
  const digest = new Uint8Array(await subtle.digest("SHA-256", new TextEncoder().encode(word)));
  const letters = [...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return letters.slice(0, DIGEST_LETTERS);
};

const nameOf = async (/** @type {Build} */ { implementation, version, free_threaded, gil_at_start, jit, variant }) => {
  const words = await Promise.all((variant ?? []).map(shortWord));
  const kinds = `${free_threaded && gil_at_start ? "-gil" : ""}${jit ? "-jit" : ""}`;
  const different = words.map((word) => `+${word}`).join("") || kinds;
  return `${implementation.toLowerCase()}-${version}${free_threaded ? "t" : ""}${different}`;
};

/**
 * Writes a build as pages call it: "CPython 3.14.0 free-threaded", "CPython 3.14.0 (aiohttp-3.13.5)".
 * @param {Build} build
 */
export const buildWords = async (build) => {
  const name = plain(await nameOf(build));
  const [implementation] = name.split("-", 1);
  const rest = name.slice(implementation.length + 1);
  const [version, freeThreaded = "", gil = "", jit = "", variant = ""] = NAME.exec(rest)?.slice(1) ?? [rest];
  const kind = freeThreaded ? " free-threaded" : "";
  const words = `${IMPLEMENTATIONS[implementation] ?? implementation} ${version}${kind}`;
  const kinds = [gil, jit].filter(Boolean).map((each) => `${each.slice(1).toUpperCase()} on`);
  const more = [...kinds, ...variant.split("+").filter(Boolean)];
  return more.length ? `${words} (${more.join(", ")})` : words;
};
