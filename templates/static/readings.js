/* Readings: the values of the point of a chart that a pointer, a finger or the arrow keys are at, in a line above
   the chart; and chips named in the text light their marks, as marks light the names.
   The points come inside each drawing, as JSON (src/diglot/figures/drawing/readings.py). */
{
  // In px of the drawing: what is farther from a point does not mean it.
  const FAR = 60;
  const SVG = "http://www.w3.org/2000/svg";
  const drawings = () => [...document.querySelectorAll(".drawing:has(metadata[data-points])")];
  const visible = drawing => [...drawing.querySelectorAll("svg")].find(svg => svg.getClientRects().length);
  const kept = new WeakMap();
  // Places are steps of tenths of a pixel; a column with one text everywhere is that text.
  const places = steps => { let tenths = 0; return steps.map(step => (tenths += step) / 10); };
  const spread = charts => charts.flatMap(({ labels, series }, chart) => series.flatMap(({ name, token, x, y, texts }, row) => {
    const [across, down] = [places(x), places(y)];
    const at = place => texts.map(column => (Array.isArray(column) ? column[place] : column));
    return across.map((x, place) => ({ x, y: down[place], texts: at(place), labels, name, token, chart, row, place }));
  }));
  const read = svg => {
    // The text of the element changes where the reader turns a control.
    const held = svg?.querySelector("metadata[data-points]")?.textContent ?? "[]";
    if (kept.get(svg)?.held !== held) {
      const charts = JSON.parse(held);
      kept.set(svg, { held, charts, points: spread(charts) });
    }
    return kept.get(svg);
  };
  const chartsOf = svg => (svg ? read(svg).charts : []);
  const pointsOf = svg => read(svg).points;

  // { drawing, svg, point }
  let shown = null;
  const inWords = ({ name, labels, texts }) => {
    const parts = texts.map((text, at) => [labels[at], text]).filter(([, text]) => text !== name);
    return [...name ? [["", name]] : [], ...parts];
  };
  const lineOf = drawing => {
    const figure = drawing.closest("figure, .figure") ?? drawing.parentElement;
    let line = figure.querySelector(":scope > output.reading");
    if (!line) {
      line = document.createElement("output");
      line.className = "reading";
      figure.append(line);
    }
    line.style.top = `${drawing.offsetTop}px`;
    line.style.left = `${drawing.offsetLeft}px`;
    return line;
  };
  const hide = () => {
    if (!shown) return;
    shown.ring.remove();
    lineOf(shown.drawing).replaceChildren();
    shown = null;
    light(null);
  };
  const show = (drawing, svg, point) => {
    if (shown?.svg === svg && shown.point.x === point.x && shown.point.y === point.y && shown.point.row === point.row) return;
    hide();
    const ring = document.createElementNS(SVG, "circle");
    for (const [name, value] of Object.entries({ cx: point.x, cy: point.y, r: 8, class: "reading" })) ring.setAttribute(name, value);
    svg.append(ring);
    shown = { drawing, svg, point, ring };
    const line = lineOf(drawing);
    line.lang = svg.getAttribute("lang");
    line.replaceChildren(...inWords(point).map(([label, text]) => {
      const part = document.createElement("span");
      const value = document.createElement("b");
      value.textContent = text;
      part.append(...label ? [`${label} `, value] : [value]);
      return part;
    }));
    if (/^(gpu|tpu)/.test(point.token) && point.name) light(point.name, point.token);
  };

  /* The nearest point; of a chart with lines, nearness across counts more than up and down. */
  const nearest = (svg, clientX, clientY) => {
    const box = svg.getBoundingClientRect();
    const { width, height } = svg.viewBox.baseVal;
    const [x, y] = [(clientX - box.left) / box.width * width, (clientY - box.top) / box.height * height];
    let best = null, least = FAR;
    for (const point of pointsOf(svg)) {
      const distance = Math.hypot(point.x - x, point.y - y);
      if (distance < least) [best, least] = [point, distance];
    }
    return best;
  };
  const point = event => {
    const drawing = event.target.closest?.(".drawing:has(metadata[data-points])");
    if (!drawing) {
      // What the keys have chosen stays until the focus goes.
      if (shown && !shown.drawing.contains(document.activeElement)) hide();
      return;
    }
    const svg = visible(drawing);
    const found = svg && nearest(svg, event.clientX, event.clientY);
    if (found) show(drawing, svg, found);
    else hide();
  };
  addEventListener("pointermove", event => { if (event.pointerType !== "touch") point(event); });
  addEventListener("pointerup", event => { if (event.pointerType === "touch") point(event); });

  /* With the keyboard: left and right along a series, up and down from series to series. */
  const reach = () => {
    for (const drawing of drawings()) drawing.tabIndex = 0;
  };
  addEventListener("keydown", event => {
    const drawing = event.target.closest?.(".drawing:has(metadata[data-points])");
    const step = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0], Home: [0, -Infinity], End: [0, Infinity] }[event.key];
    if (!drawing || event.target !== drawing || event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === "Escape") hide();
    if (!step) return;
    event.preventDefault();
    const svg = visible(drawing);
    const rows = [];
    for (const one of pointsOf(svg)) (rows[one.chart * 1000 + one.row] ??= []).push(one);
    const series = Object.values(rows);
    if (!series.length) return;
    const now = shown?.svg === svg ? shown.point : null;
    const row = now ? series.findIndex(([first]) => first.chart === now.chart && first.row === now.row) : 0;
    const next = Math.min(series.length - 1, Math.max(0, row + (now ? step[0] : 0)));
    const to = series[next];
    let place = 0;
    if (now && next === row) place = Math.min(to.length - 1, Math.max(0, now.place + step[1]));
    else if (now) place = to.reduce((best, one, at) => (Math.abs(one.x - now.x) < Math.abs(to[best].x - now.x) ? at : best), 0);
    show(drawing, svg, to[place]);
  });
  addEventListener("focusout", event => { if (event.target.matches?.(".drawing")) hide(); });

  /* Chips: their names in the text, and their marks in all charts of the page. */
  // Name or its short form → { name, token }.
  let names = null;
  const chips = () => {
    if (names) return names;
    names = new Map();
    for (const drawing of drawings()) {
      for (const { series } of chartsOf(visible(drawing))) {
        for (const { name, token } of series) {
          if (!/^(gpu|tpu)/.test(token) || !/^[A-Za-z]/.test(name)) continue;
          names.set(name, { name, token });
          names.set(name.replace(/^TPU /, ""), { name, token });
        }
      }
    }
    return names;
  };
  const pattern = words => new RegExp(`(?<![\\w-])(?:${words.map(word => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|")})(?![\\w-])`, "g");
  const PROSE = "article :is(p, li, td, figcaption, blockquote)";
  const light = (name, token) => {
    CSS.highlights?.delete("chip");
    for (const element of document.querySelectorAll("svg .unlit")) element.classList.remove("unlit");
    if (!name) return;
    for (const drawing of drawings()) {
      const svg = visible(drawing);
      const has = svg && chartsOf(svg).some(({ series }) => series.some(one => one.token === token));
      if (!has) continue;
      for (const element of svg.querySelectorAll('[fill*="--fig-gpu"], [fill*="--fig-tpu"], [stroke*="--fig-gpu"], [stroke*="--fig-tpu"]')) {
        element.classList.toggle("unlit", !element.outerHTML.includes(`--fig-${token}`));
      }
    }
    if (!CSS.highlights) return;
    const words = [...chips()].filter(([, one]) => one.name === name).map(([word]) => word);
    const found = [];
    for (const block of words.length ? document.querySelectorAll(PROSE) : []) {
      const walk = document.createTreeWalker(block, NodeFilter.SHOW_TEXT);
      for (let node = walk.nextNode(); node; node = walk.nextNode()) {
        for (const { index, 0: word } of node.data.matchAll(pattern(words))) {
          const range = document.createRange();
          range.setStart(node, index);
          range.setEnd(node, index + word.length);
          found.push(range);
        }
      }
    }
    CSS.highlights.set("chip", new Highlight(...found));
  };
  let named = null;
  const wordAt = event => {
    if (!event.target.closest?.(PROSE) || !chips().size) return null;
    const at = document.caretPositionFromPoint?.(event.clientX, event.clientY);
    const [node, offset] = at ? [at.offsetNode, at.offset] : (() => {
      const range = document.caretRangeFromPoint?.(event.clientX, event.clientY);
      return [range?.startContainer, range?.startOffset];
    })();
    if (node?.nodeType !== Node.TEXT_NODE) return null;
    for (const { index, 0: word } of node.data.matchAll(pattern([...chips().keys()]))) {
      if (index <= offset && offset <= index + word.length) return chips().get(word);
    }
    return null;
  };
  addEventListener("pointermove", event => {
    if (shown || event.pointerType === "touch") return;
    const chip = wordAt(event);
    if (chip?.name === named) return;
    named = chip?.name ?? null;
    light(named, chip?.token);
  }, { passive: true });

  document.addEventListener("diglot:state", () => { hide(); names = null; });
  for (const name of ["diglot:swapped", "diglot:built"]) {
    document.addEventListener(name, () => { shown = null; names = null; reach(); });
  }
  reach();
}
