// Heat maps of a bag's page, and the search of the index. Every page can be read without them.

// Heat maps: what modules/imaging/pictures.cc draws into a PNG, with the same numbers, drawn over the embryo when
// somebody looks. A page on disk may not read the pixels of a picture beside it, and need not: the colours lie above
// it in a layer of their own.
//   data-windows  of an embryo: the centres of its windows, as runs "x y step count" of neighbours in a row
//   data-shares   of a map: what these windows add, a signed byte each, as shares of the largest
//   data-scale    the end of the scale, as text
(() => {
  const warm = [226, 74, 10];
  const cold = [0, 92, 200];
  const strongest = 0.8;
  const opacityPower = 0.7;
  const faintest = 0.02;
  const spread = 6;
  const reach = 18;
  const steps = 8;

  const bytesOf = (base64) => Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));

  // Colours for shares of the scale, -1 to 1: the sign is the hue, the magnitude the opacity.
  const paint = (canvas, shares) => {
    const pixels = new ImageData(canvas.width, canvas.height);
    shares.forEach((share, i) => {
      const strength = Math.min(1, Math.abs(share));
      if (strength < faintest) return;
      pixels.data.set(share > 0 ? warm : cold, 4 * i);
      pixels.data[4 * i + 3] = Math.round(255 * strongest * strength ** opacityPower);
    });
    canvas.getContext("2d").putImageData(pixels, 0, 0);
  };

  // Every window spread as a Gaussian, and the spreads added; divided by the largest magnitude.
  const heat = (windows, shares, width, height) => {
    const field = new Float32Array(width * height);
    const heights = Float32Array.from({ length: reach * steps + 1 }, (_, d) =>
      Math.exp(-0.5 * (d / (steps * spread)) ** 2),
    );
    shares.forEach((share, i) => {
      const [x, y] = windows[i];
      const pixels = (centre, length, at) => {
        const last = Math.min(length - 1, Math.floor(centre / steps) + reach);
        for (let p = Math.max(0, Math.ceil(centre / steps) - reach); p <= last; p += 1) {
          at(p, heights[Math.abs(steps * p - centre)]);
        }
      };
      pixels(y, height, (row, down) => {
        pixels(x, width, (column, across) => {
          field[row * width + column] += share * down * across;
        });
      });
    });
    const scale = field.reduce((largest, value) => Math.max(largest, Math.abs(value)), 0);
    return scale > 0 ? field.map((value) => value / scale) : field;
  };

  const canvasOf = (width, height) => {
    const canvas = document.createElement("canvas");
    canvas.width = width;
    canvas.height = height;
    canvas.setAttribute("aria-hidden", "true");
    return canvas;
  };

  const draw = (map) => {
    if (map.querySelector("canvas")) return;
    const embryo = document.querySelectorAll(".embryos figure")[Number(map.dataset.image)];
    const windows = embryo.dataset.windows.split(",").flatMap((run) => {
      const [x, y, step, count] = run.split(" ").map(Number);
      return Array.from({ length: count }, (_, i) => [(x + i * step) * steps, y * steps].map(Math.round));
    });
    const shares = new Int8Array(bytesOf(map.dataset.shares).buffer);
    const picture = embryo.querySelector("img").cloneNode();
    picture.alt = `Heat map over ${picture.alt}`;
    const layer = canvasOf(Number(picture.getAttribute("width")), Number(picture.getAttribute("height")));
    paint(layer, heat(windows, shares, layer.width, layer.height));
    const both = document.createElement("span");
    both.append(picture, layer);
    const bar = canvasOf(107, 1);
    paint(
      bar,
      Array.from({ length: bar.width }, (_, i) => (2 * i) / (bar.width - 1) - 1),
    );
    const legend = document.createElement("div");
    legend.className = "scale";
    legend.append(`against \u2212${map.dataset.scale}`, bar, `+${map.dataset.scale} for`);
    map.prepend(both, legend);
  };

  const drawIn = (details) => {
    if (details.open) details.querySelectorAll(".heat").forEach(draw);
  };
  document.addEventListener("toggle", (event) => drawIn(event.target), true);
  document.querySelectorAll("details").forEach(drawIn);
})();

// Search over all bags, whose list is loaded from search/*.js once somebody types.
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
