/* Puts the tables and charts of another machine in the place of the leading one's, which the page comes with.
 *
 * `showMachine(form)` resolves to whether they changed, or to null where another machine was asked for meanwhile. What
 * it fetches is HTML that the generator made, as the page's own is.
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

  const put = (piece, html) => {
    if (!given.has(piece)) given.set(piece, [...piece.childNodes]);
    window.dropCharts?.(piece); // drawn anew where they come back: the colours may have changed
    if (html === null) {
      piece.replaceChildren(...given.get(piece)); // sorted as they were left
    } else {
      piece.innerHTML = html;
      piece.replaceChildren(...piece.firstElementChild.childNodes); // it comes in a piece's own element
      window.dressTables(piece);
    }
  };

  window.showMachine = async (form) => {
    const { value: key, options } = form.elements.machine;
    const { shown = options[0].value, machines, scenario } = form.dataset;
    form.dataset.asked = key;
    if (key === shown) return false;
    const isOwn = key === options[0].value;
    const wanted = () => form.dataset.asked === key && form.isConnected;
    const pieces = isOwn ? {} : await load(`${machines}${key}/${scenario}.json`).catch((error) => {
      if (wanted()) throw error;
    });
    if (!wanted()) return null;
    for (const piece of document.querySelectorAll("[data-piece]")) put(piece, isOwn ? null : pieces[piece.dataset.piece]);
    form.dataset.shown = key;
    form.querySelector("output").textContent = "";
    window.findCharts();
    return true;
  };
})();
