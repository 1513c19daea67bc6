// Search over all bags, whose list is loaded from search/*.js once somebody types. Every page is complete without it.
// The list arrives by calls of flyscribeBags, one a file: [page, id, symbol, range, image, calls, words].
(() => {
  document.documentElement.classList.add("scripted");
  const box = document.getElementById("search");
  if (!box) return;
  const found = document.getElementById("found");
  const said = document.getElementById("said");
  const browse = document.getElementById("browse");
  const root = box.dataset.root;
  const files = Number(box.dataset.files);
  const mostShown = 96;
  let bags = [];
  let missing = files;
  let asked = false;

  const element = (tag, name, text) => {
    const made = document.createElement(tag);
    if (name) made.className = name;
    if (text !== undefined) made.textContent = text;
    return made;
  };

  const card = ([page, id, symbol, range, picture, calls]) => {
    const image = element("img");
    image.loading = "lazy";
    image.alt = "";
    image.src = `${root}images/${picture}`;
    const words = element("div");
    words.append(
      element("b", "", symbol || id),
      element("small", "", symbol ? `${id} \u00b7 ${range}` : range),
      element("p", calls ? "says" : "says none", calls || "no call"),
    );
    const link = element("a");
    link.href = `${root}bags/${page}.html`;
    link.append(image, words);
    const item = element("li", "card");
    item.append(link);
    return item;
  };

  const find = () => {
    const wanted = box.value.toLowerCase().split(/\s+/).filter(Boolean);
    browse.hidden = wanted.length > 0;
    found.textContent = "";
    said.textContent = "";
    if (wanted.length === 0) return;
    const hits = bags.filter((bag) => wanted.every((word) => bag[6].includes(word)));
    found.append(...hits.slice(0, mostShown).map(card));
    said.textContent =
      (missing > 0 ? "loading\u2026 " : "") +
      (hits.length === 1 ? "1 bag" : `${hits.length} bags`) +
      (hits.length > mostShown ? `, the first ${mostShown} shown` : "");
  };

  const load = () => {
    if (asked) return;
    asked = true;
    for (let i = 0; i < files; i += 1) {
      const script = document.createElement("script");
      script.src = `${root}search/${String(i).padStart(4, "0")}.js`;
      script.onerror = () => {
        said.textContent = "The list of bags could not be loaded; use the pages below.";
      };
      document.head.append(script);
    }
  };

  window.flyscribeBags = (part) => {
    bags = bags.concat(part);
    missing -= 1;
    find();
  };
  box.addEventListener("focus", load);
  box.addEventListener("input", () => {
    load();
    find();
  });
  if (box.value) load();
})();
