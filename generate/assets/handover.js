/* A reader's own files: chosen or dropped on a page, and handed to the one that compares, through this browser alone. */
(() => {
  "use strict";

  const hasFiles = ({ dataTransfer }) => dataTransfer?.types.includes("Files"); // not a word or link that is dragged

  /* A file that is dropped anywhere on a page that takes files is taken, not opened by the browser. */
  window.takeDrops = (take, signal) => {
    const over = (event) => {
      if (hasFiles(event)) event.preventDefault();
    };
    const drop = (event) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      if (event.dataTransfer.files.length) take([...event.dataTransfer.files]);
    };
    document.addEventListener("dragover", over, { signal });
    document.addEventListener("drop", drop, { signal });
  };

  const why = ({ name, message }) =>
    name === "QuotaExceededError" ? "Too large to hand over: choose it on the page that compares." : `Not read: ${message}`;

  const handOver = async (input, files, said) => {
    said.textContent = "";
    try {
      const read = await Promise.all(files.map(async (file) => [file.name, await file.text()]));
      sessionStorage.setItem("own", JSON.stringify(read));
      location.href = input.dataset.own;
    } catch (error) {
      said.textContent = why(error);
    }
  };

  window.takeFiles = (input, signal) => {
    const said = document.createElement("output");
    input.closest("label").after(" ", said);
    input.closest("span").hidden = false;
    input.addEventListener("change", () => handOver(input, [...input.files], said), { signal });
    window.takeDrops((files) => handOver(input, files, said), signal);
  };
})();
