/* Helpers to find and make elements, and to load data. */

export const all = (selector, root = document) => [...root.querySelectorAll(selector)];

export const element = (tag, attributes, ...children) => {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
};

const loads = new Map();

/** Loads a JSON file of this site once. A failed load is tried again the next time. */
export const loadJson = (url) => {
  if (!loads.has(url)) {
    const loading = fetch(url).then((response) => {
      if (!response.ok) throw new Error(`its data did not load (${response.status})`);
      return response.json();
    });
    loading.catch(() => loads.delete(url));
    loads.set(url, loading);
  }
  return loads.get(url);
};
