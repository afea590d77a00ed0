/* Puts the tables and charts of another machine in the place of the leading one's, which the page comes with.
 *
 * `showMachine(form, key, dress)` resolves to whether they changed, or to null where another machine was asked for
 * meanwhile. What it fetches is HTML that the generator made, as the page's own is.
 */
(() => {
  "use strict";

  const given = new WeakMap(); // what each piece came with
  const loads = new Map();

  const load = (url) => {
    if (!loads.has(url)) {
      const loading = fetch(url).then((answer) => (answer.ok ? answer.json() : Promise.reject(new Error(answer.status))));
      loading.catch(() => loads.delete(url));
      loads.set(url, loading);
    }
    return loads.get(url);
  };

  const put = (piece, html, dress) => {
    if (!given.has(piece)) given.set(piece, [...piece.childNodes]);
    if (html === null) {
      piece.replaceChildren(...given.get(piece)); // sorted and drawn as they were left
    } else {
      piece.innerHTML = html;
      piece.replaceChildren(...piece.firstElementChild.childNodes); // it comes in a piece's own element
      dress(piece);
    }
  };

  window.showMachine = async (form, key, dress) => {
    const { shown = form.elements.machine.options[0].value, machines, scenario } = form.dataset;
    const said = form.querySelector("output");
    form.dataset.asked = key;
    said.textContent = "";
    if (key === shown) return false;
    try {
      const isOwn = key === form.elements.machine.options[0].value;
      const pieces = isOwn ? {} : await load(`${machines}${key}/${scenario}.json`);
      if (form.dataset.asked !== key || !form.isConnected) return null;
      for (const piece of document.querySelectorAll("[data-piece]")) {
        put(piece, isOwn ? null : pieces[piece.dataset.piece], dress);
      }
      form.dataset.shown = key;
      window.findCharts();
      return true;
    } catch (error) {
      if (form.dataset.asked === key) {
        said.textContent = `That machine's tables did not load (${error.message}). Those of the other are shown.`;
      }
      return null;
    }
  };
})();
