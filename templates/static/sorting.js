/* Long tables are sorted by the words of their head, which aids.js makes buttons: up, down, and as their author wrote
   them. */
{
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

  // Of each table that was sorted, its rows in the author's order.
  const own = new Map();
  const rowsOf = table => {
    if (!table.querySelector("[aria-sort]")) own.set(table, [...table.tBodies[0].rows]);
    return own.get(table);
  };
  const put = (table, rows) => table.tBodies[0].append(...rows);
  document.addEventListener("click", event => {
    const head = event.target.closest?.(".sort")?.parentElement;
    if (!head) return;
    const table = head.closest("table");
    const rows = rowsOf(table);
    const column = head.cellIndex;
    const now = { ascending: "descending", descending: "" }[head.getAttribute("aria-sort")] ?? "ascending";
    const order = now ? orderOf(rows, column, now === "ascending" ? 1 : -1) : [...rows.keys()];
    // Side by side, the twin of a table follows it.
    for (const one of (table.closest(".row") ?? table.parentElement).querySelectorAll("table:has(.sort)")) {
      const its = rowsOf(one);
      if (its.length !== rows.length) continue;
      put(one, order.map(at => its[at]));
      [...one.tHead.rows[0].cells].forEach((cell, at) => {
        now && at === column ? cell.setAttribute("aria-sort", now) : cell.removeAttribute("aria-sort");
      });
    }
  });
  // On paper, tables are in their author's order.
  let before = [];
  addEventListener("beforeprint", () => {
    before = [...document.querySelectorAll("table:has([aria-sort])")].map(table => [table, [...table.tBodies[0].rows]]);
    for (const [table] of before) put(table, rowsOf(table));
  });
  addEventListener("afterprint", () => { for (const [table, rows] of before) put(table, rows); });
}
