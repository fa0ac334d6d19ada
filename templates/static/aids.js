/* Small aids to reading, which come when the page is there and rests: code is copied, long tables are sorted, pictures
   open large, each block has a link to itself. Without it the page lacks words to click, and nothing that it says. */
{
  const all = (selector, from = document) => [...from.querySelectorAll(selector)];
  const said = name => document.querySelector("main").dataset[name];
  const announce = text => { document.getElementById("_announcement").textContent = text; };
  const made = (name, properties, ...children) => {
    const element = Object.assign(document.createElement(name), properties);
    element.append(...children);
    return element;
  };
  const word = (className, text) => made("button", { type: "button", className, lang: document.documentElement.lang }, text);

  /* A word over each block of code; of a citation, too. */
  const addCopying = () => {
    for (const block of all("main pre, .cite p")) {
      if (block.parentElement.matches(".copied")) continue;
      const box = made("div", { className: "copied" });
      const button = word("copy", said("copy"));
      button.onclick = async () => {
        try { await navigator.clipboard.writeText(block.textContent.replace(/\n$/, "")); }
        catch { return getSelection().selectAllChildren(block); }
        button.textContent = said("copied");
        announce(said("copied"));
        setTimeout(() => { button.textContent = said("copy"); }, 2000);
      };
      block.replaceWith(box);
      box.append(block, button);
    }
  };

  /* Numbers by their value: 1,024 · 4.8 TB/s · 3.2 µs · 70B · 12% · −4. */
  const PREFIXES = { p: 1e-12, n: 1e-9, µ: 1e-6, μ: 1e-6, m: 1e-3, k: 1e3, K: 1e3, M: 1e6, G: 1e9, T: 1e12, P: 1e15, E: 1e18, Ki: 2 ** 10, Mi: 2 ** 20, Gi: 2 ** 30, Ti: 2 ** 40, Pi: 2 ** 50, 万: 1e4, 亿: 1e8 };
  const COUNTS = { K: 1e3, M: 1e6, B: 1e9, T: 1e12 };
  const TIMES = { min: 60, h: 3600, d: 86400 };
  const NUMBER = /^[^\d\p{L}]*?([-−–]?)\s*(\d[\d,]*(?:\.\d+)?|\.\d+)(?:(?:e|\s*×\s*10\^?)([-−+]?\d+))?(\s*)(.*)$/u;
  const valueOf = text => {
    const found = NUMBER.exec(text.trim());
    if (!found) return NaN;
    const [, sign, digits, exponent, space, unit] = found;
    const value = Number(digits.replaceAll(",", "")) * (sign ? -1 : 1) * 10 ** Number((exponent ?? "0").replace("−", "-"));
    if (!space && unit in COUNTS) return value * COUNTS[unit];
    if (unit in TIMES) return value * TIMES[unit];
    const scaled = /^(Ki|Mi|Gi|Ti|Pi|[pnµμmkKMGTPE])(?=(?:B|b|bit|byte|FLOP|OP|W|Wh|Hz|s|J|V|A|eV|tok|token)\w*\b)|^[万亿]/u.exec(unit);
    return scaled ? value * PREFIXES[scaled[0]] : value;
  };
  const isNothing = text => /^[\s—–-]*$|^n\/a$/i.test(text);
  /* The order of rows by a column: numbers by value, words as the language orders them, nothing last. */
  const orderOf = (rows, column, down) => {
    const texts = rows.map(row => row.cells[column].textContent.trim());
    const values = texts.map(valueOf);
    const isNumeric = texts.every((text, at) => isNothing(text) || !Number.isNaN(values[at]));
    const words = new Intl.Collator(rows[0].closest("[lang]").lang, { numeric: true }).compare;
    const compare = isNumeric ? (one, other) => values[one] - values[other] : (one, other) => words(texts[one], texts[other]);
    const [blank, told] = [[], []];
    texts.forEach((text, at) => (isNothing(text) ? blank : told).push(at));
    return [...told.sort((one, other) => down * compare(one, other)), ...blank];
  };

  // Rows from which a table can be sorted.
  const LONG = 8;
  // Of each table, its rows in the author's order.
  const sorted = new Map();
  const put = (table, rows) => table.tBodies[0].append(...rows);
  const addSorting = () => {
    for (const table of all("main table:not(.ask table)")) {
      const heads = table.tHead?.rows.length === 1 ? [...table.tHead.rows[0].cells] : [];
      const rows = [...table.tBodies[0]?.rows ?? []];
      const isPlain = table.tBodies.length === 1 && rows.every(row => row.cells.length === heads.length) && !table.querySelector("[colspan], [rowspan]");
      if (sorted.has(table) || rows.length < LONG || !isPlain) continue;
      sorted.set(table, rows);
      heads.forEach((head, column) => {
        if (!head.textContent.trim()) return;
        const button = word("sort", "");
        // It is in the table's own.
        button.removeAttribute("lang");
        button.title = said("sort").replace("{column}", head.firstChild.textContent.trim());
        button.append(...head.childNodes);
        head.append(button);
        button.onclick = () => {
          const now = { ascending: "descending", descending: "" }[head.getAttribute("aria-sort")] ?? "ascending";
          const order = now ? orderOf(rows, column, now === "ascending" ? 1 : -1) : null;
          // Side by side, the twin of a table follows it.
          for (const one of all("table", table.closest(".row") ?? table.parentElement).filter(one => sorted.get(one)?.length === rows.length)) {
            const own = sorted.get(one);
            put(one, order ? order.map(at => own[at]) : own);
            [...one.tHead.rows[0].cells].forEach((cell, at) => {
              now && at === column ? cell.setAttribute("aria-sort", now) : cell.removeAttribute("aria-sort");
            });
          }
        };
      });
    }
  };
  // On paper, tables are in their author's order.
  let before = [];
  addEventListener("beforeprint", () => {
    before = [...sorted].filter(([table]) => table.querySelector("[aria-sort]")).map(([table, rows]) => [table, [...table.tBodies[0].rows], rows]);
    for (const [table, , rows] of before) put(table, rows);
  });
  addEventListener("afterprint", () => { for (const [table, rows] of before) put(table, rows); });

  /* Pictures and drawings in all of the window; wider ones scroll. */
  const enlarge = (shown, label) => {
    const dialog = made("dialog", { className: "large" });
    const close = word("close", said("close"));
    dialog.setAttribute("aria-label", label);
    dialog.append(close, made("div", {}, shown));
    dialog.onclick = ({ target }) => { if (target.closest("button") || !target.closest("svg, img")) dialog.close(); };
    dialog.onclose = () => dialog.remove();
    document.body.append(dialog);
    dialog.showModal();
  };
  const addEnlarging = () => {
    for (const drawing of all("figure > .drawing:not(form)")) {
      const caption = drawing.parentElement.querySelector("figcaption");
      if (!caption || caption.querySelector(".larger") || !drawing.querySelector("svg")) continue;
      // In the line that says where the numbers come from, so that nothing below moves.
      const line = caption.querySelector(".under") ?? caption;
      const button = word("larger", said("larger"));
      button.onclick = () => {
        const width = svg => svg.viewBox.baseVal?.width ?? 0;
        const svg = all("svg", drawing).reduce((best, one) => (width(one) > width(best) ? one : best)).cloneNode(true);
        svg.style.width = `min(100%, (100dvh - 90px) * ${width(svg) / svg.viewBox.baseVal.height})`;
        svg.style.minWidth = `${width(svg)}px`;
        const box = made("div", { className: "drawing" }, svg);
        box.setAttribute("role", "img");
        box.setAttribute("aria-label", drawing.getAttribute("aria-label") ?? "");
        enlarge(box, caption.querySelector("b")?.textContent ?? "");
      };
      line.append(button);
    }
    for (const picture of all("article .half img")) {
      const box = picture.closest("picture") ?? picture;
      if (picture.closest("a, button, .copied, .larger-box")) continue;
      const open = word("larger", said("larger"));
      const frame = made("span", { className: "larger-box" });
      const show = () => {
        const copy = box.cloneNode(true);
        const image = copy.matches("img") ? copy : copy.querySelector("img");
        image.removeAttribute("width");
        image.removeAttribute("height");
        image.removeAttribute("style");
        image.setAttribute("sizes", "max(100vw, 680px)");
        // A phone scrolls it.
        image.style.minWidth = `min(${picture.getAttribute("width") ?? picture.naturalWidth}px, 680px)`;
        enlarge(copy, picture.alt || said("larger"));
      };
      // Only where there is more to see than is shown.
      const offer = () => { if (Number(picture.getAttribute("width") ?? picture.naturalWidth) > picture.clientWidth * 1.2) { box.replaceWith(frame); frame.append(box, open); } };
      open.onclick = show;
      picture.complete ? offer() : picture.addEventListener("load", offer, { once: true });
    }
  };

  /* A link to the block that the pointer or the focus is in. Headings have their own. */
  const link = made("a", { className: "here" }, "#");
  const point = ({ target }) => {
    const row = target.closest?.("article > .row[id]:not(.head, [data-kind='heading'])");
    if (!row || link.parentElement === row) return;
    link.href = `#${row.id}`;
    link.setAttribute("aria-label", said("permalink"));
    row.append(link);
  };
  link.onclick = () => navigator.clipboard?.writeText(link.href).then(() => announce(said("copied")), () => {});
  addEventListener("pointerover", point, { passive: true });
  addEventListener("focusin", point);

  const add = () => { addCopying(); addSorting(); addEnlarging(); };
  for (const name of ["diglot:swapped", "diglot:built"]) document.addEventListener(name, add);
  // The table of another state of a figure; a step is painted first.
  let resting;
  document.addEventListener("diglot:state", () => { clearTimeout(resting); resting = setTimeout(add, 400); });
  add();
}
