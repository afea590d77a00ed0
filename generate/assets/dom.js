// @ts-check
/* What the other modules share: elements that are found, made and filled. */

/**
 * Finds the elements of one kind below *root*.
 * @template {Element} T
 * @param {{ new (): T }} kind
 * @param {string} selector
 * @param {ParentNode} [root]
 * @returns {T[]}
 */
export const all = (kind, selector, root = document) =>
  [...root.querySelectorAll(selector)].flatMap((each) => each instanceof kind ? [each] : []);

/**
 * Finds the first of them; an error where there is none.
 * @template {Element} T
 * @param {{ new (): T }} kind
 * @param {string} selector
 * @param {ParentNode} [root]
 * @returns {T}
 */
export const first = (kind, selector, root = document) => {
  const found = root.querySelector(selector);
  if (found instanceof kind) return found;
  throw new Error(`the page has no ${selector}`);
};

/**
 * Makes an element; an attribute whose value is null is left out.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, string | null>} attributes
 * @param {...(Node | string)} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export const element = (tag, attributes, ...children) => {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) if (value !== null) made.setAttribute(name, value);
  made.append(...children);
  return made;
};

/** Words for those who hear the page: others see what they say. */
export const unseen = (/** @type {string} */ words) => element("span", { class: "unseen" }, words);

/** @type {Map<string, Promise<any>>} */
const loads = new Map();

/**
 * Loads a JSON file of this site once; what failed is asked for again the next time.
 * @param {string} url
 * @returns {Promise<any>}
 */
export const loadJson = (url) => {
  let loading = loads.get(url);
  if (!loading) {
    loading = fetch(url).then((response) => {
      if (!response.ok) throw new Error(`its data did not load (${response.status})`);
      return response.json();
    });
    loading.catch(() => loads.delete(url));
    loads.set(url, loading);
  }
  return loading;
};
