// Sorting by a table's headers, and singling out a series of a chart. The page is complete without it.
(() => {
  document.documentElement.classList.add("scripted");

  // A number, a text, or NaN for what has no value.
  const cellValue = (row, column) => {
    const value = row.cells[column].dataset.v;
    if (value === "") return Number.NaN;
    return Number.isNaN(Number(value)) ? value : Number(value);
  };
  const compare = (a, b) =>
    typeof a === "string" || typeof b === "string" ? String(a).localeCompare(String(b)) : a - b;

  for (const table of document.querySelectorAll("table.sortable")) {
    const heads = Array.from(table.tHead.rows[0].cells);
    heads.forEach((head, column) => {
      const sort = () => {
        const [first, other] = column === 0 ? ["ascending", "descending"] : ["descending", "ascending"];
        const way = head.getAttribute("aria-sort") === first ? other : first;
        for (const each of heads) each.removeAttribute("aria-sort");
        head.setAttribute("aria-sort", way);
        const sign = way === "ascending" ? 1 : -1;
        const body = table.tBodies[0];
        const rows = Array.from(body.rows).sort((p, q) => {
          const a = cellValue(p, column);
          const b = cellValue(q, column);
          // What has no value stands last either way.
          if (Number.isNaN(a) || Number.isNaN(b)) return Number.isNaN(a) - Number.isNaN(b);
          return sign * compare(a, b);
        });
        body.append(...rows);
      };
      head.tabIndex = 0;
      head.addEventListener("click", sort);
      head.addEventListener("keydown", (event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        sort();
      });
    });
  }

  for (const figure of document.querySelectorAll("figure.curves")) {
    for (const item of figure.querySelectorAll("[data-series]")) {
      const same = figure.querySelectorAll(`[data-series="${item.dataset.series}"]`);
      const choose = (on) => {
        figure.classList.toggle("single", on);
        for (const each of same) each.classList.toggle("chosen", on);
      };
      item.addEventListener("mouseenter", () => choose(true));
      item.addEventListener("mouseleave", () => choose(false));
    }
  }
})();
