/* The search: a dialog over the index that Pagefind made, which is read when a reader types. Results are articles,
   with the blocks in which the words stand. In the index each Han character is a word (src/diglot/search/texts.py),
   so a run of them is looked for as a phrase: any piece of a Chinese text is found. */
{
  const HAN = "\\u3400-\\u4dbf\\u4e00-\\u9fff\\uf900-\\ufaff\\u{20000}-\\u{3134f}";
  const IS_HAN = new RegExp(`^[${HAN}]`, "u");
  const RUNS = new RegExp(`[${HAN}]+|[^${HAN}]+`, "gu");
  const WIDE = new RegExp(`[${HAN}\\u3000-\\u303f\\uff00-\\uffef“”‘’…—]`, "u");
  const WORD = /[\p{L}\p{N}_]/u;
  const [AT_ONCE, BLOCKS, BEFORE, AFTER, PATIENCE_MS, SORTED] = [8, 3, 40, 120, 120, 24];

  const button = () => document.querySelector("button.find");
  const said = (name, values = {}) => Object.entries(values).reduce((text, [key, value]) => text.replace(`{${key}}`, value), button().dataset[name]);
  const made = (name, attributes = {}, ...children) => {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    element.append(...children);
    return element;
  };

  const indexes = new Map();
  let failures = 0; // browsers remember that a module did not come: the next try has another address
  const indexOf = folder => {
    if (!indexes.has(folder)) {
      const index = import(`${folder}pagefind.js${failures ? `?${failures}` : ""}`).then(async ({ createInstance }) => {
        const one = createInstance({ basePath: folder, baseUrl: folder.replace(/pagefind\/[^/]+\/$/, "") });
        await one.init();
        return one;
      });
      indexes.set(folder, index);
      index.catch(() => { failures += 1; indexes.delete(folder); });
    }
    return indexes.get(folder);
  };

  /* On sites with traditional characters, the same pages in the other ones, which readers may type: the folder of
     their index, or an empty text. */
  const otherOf = folder => document.querySelector('a[data-word="zh-hant"]') && /zh(-hant)?\/$/.test(folder)
    ? folder.replace(/zh(-hant)?\/$/, (_, traditional) => traditional ? "zh/" : "zh-hant/") : "";
  const pagesOf = folder => folder.replace(/pagefind\/([^/]+\/)$/, "$1");

  /* Pages that have every run of the query: by id, with the score and the places of its Latin words. */
  const found = async (index, runs) => {
    let pages = null;
    for (const run of runs) {
      const phrase = IS_HAN.test(run) ? [...run].join(" ") : null;
      const [loose, exact] = await Promise.all([index.search(phrase ?? run), phrase && index.search(`"${phrase}"`)]);
      const ids = exact && new Set(exact.results.map(one => one.id));
      const before = pages;
      pages = new Map();
      for (const one of loose.results) {
        if (ids && !ids.has(one.id) || before && !before.has(one.id)) continue;
        const { score, places } = before?.get(one.id) ?? { score: 0, places: [] };
        pages.set(one.id, { data: one.data, score: score + one.score, places: phrase ? places : [...places, ...one.words] });
      }
    }
    return [...pages?.values() ?? []].sort((one, other) => other.score - one.score);
  };

  /* What is named exactly so, then texts, then figures, chips and talks, whose titles have many of the words that
     articles explain. Kinds are known once a page is loaded, so only the best are sorted. */
  const byKind = async (pages, query) => {
    const ranked = await Promise.all(pages.slice(0, SORTED).map(async page => {
      const { title, kind } = (await page.data()).meta;
      const name = kind === "chip" ? title.slice(-query.length) : title;
      return { page, rank: name.toLowerCase() === query ? 0 : /chip|figure|talk/.test(kind) + 1 };
    }));
    return [...ranked.sort((one, other) => one.rank - other.rank).map(one => one.page), ...pages.slice(SORTED)];
  };

  /* The blocks of a page in which the words stand: [id, first token, end, marked tokens], the richest first. */
  const blocksOf = (page, tokens, runs, places) => {
    const marked = new Set(places);
    for (const run of runs.filter(one => IS_HAN.test(one))) {
      const signs = [...run];
      tokens.forEach((_, at) => {
        if (signs.every((sign, step) => tokens[at + step]?.startsWith(sign))) signs.forEach((_, step) => marked.add(at + step));
      });
    }
    const starts = page.anchors.map(({ id, location }) => ({ id, start: location })).sort((one, other) => one.start - other.start);
    const blocks = starts.map(({ id, start }, at) => {
      const end = starts[at + 1]?.start ?? tokens.length;
      return { id, start, end, marks: [...marked].filter(place => start <= place && place < end).sort((one, other) => one - other) };
    });
    return { marked, blocks: blocks.filter(({ marks }) => marks.length).sort((one, other) => other.marks.length - one.marks.length) };
  };

  /* Words around the first that was found, with all that were found marked. */
  const excerpt = ({ start, end, marks }, tokens, marked) => {
    const width = token => [...token].reduce((sum, sign) => sum + (WIDE.test(sign) ? 2 : 1), 1);
    let [from, to] = [marks[0], marks[0]];
    for (let room = BEFORE; from > start && (room -= width(tokens[from - 1])) > 0;) from -= 1;
    for (let room = AFTER; to < end && (room -= width(tokens[to])) > 0;) to += 1;
    const pieces = from > start ? ["…"] : [];
    for (let at = from; at < Math.max(to, from + 1); at += 1) {
      const [token, last] = [tokens[at], tokens[at - 1] ?? ""];
      if (at > from && !WIDE.test(token[0]) && !WIDE.test([...last].at(-1) ?? "")) pieces.push(" ");
      if (!marked.has(at)) { pieces.push(token); continue; }
      const signs = [...token];
      const first = IS_HAN.test(token) ? 0 : Math.max(0, signs.findIndex(sign => WORD.test(sign)));
      const after = IS_HAN.test(token) ? 1 : signs.findLastIndex(sign => WORD.test(sign)) + 1 || signs.length;
      const [lead, word, rest] = [signs.slice(0, first), signs.slice(first, after), signs.slice(after)].map(part => part.join(""));
      if (lead) pieces.push(lead);
      if (pieces.at(-1)?.tagName) pieces.at(-1).append(word);
      else pieces.push(made("mark", {}, word));
      if (rest) pieces.push(rest);
    }
    return to < end ? [...pieces, "…"] : pieces;
  };

  const shown = async (one, runs, from, to) => {
    const page = await one.data();
    const url = page.url.replace(pagesOf(from), pagesOf(to));
    const tokens = page.content.split(/\s+/);
    const { marked, blocks } = blocksOf(page, tokens, runs, one.places);
    const lang = from === to ? {} : { lang: otherOf(to).endsWith("zh-hant/") ? "zh-Hant" : "zh-Hans" };
    const item = made("li", lang, made("p", {}, button().getAttribute(`data-kind-${page.meta.kind}`)), made("a", { href: url }, page.meta.title));
    const inside = blocks.filter(({ id }) => id !== "_top").slice(0, BLOCKS).sort((one, other) => one.start - other.start);
    if (inside.length) {
      item.append(made("ul", {}, ...inside.map(block =>
        made("li", {}, made("a", { href: `${url}#${encodeURIComponent(block.id)}` }, ...excerpt(block, tokens, marked))))));
    }
    return item;
  };

  const dialog = made("dialog", { class: "search" });
  const field = made("input", { type: "text", role: "searchbox", inputmode: "search", enterkeyhint: "search", autocomplete: "off", autocapitalize: "off", spellcheck: "false" });
  const close = made("button", { type: "button" });
  const status = made("p", { role: "status" });
  const list = made("ul", { class: "found" });
  const more = made("button", { type: "button", hidden: "" });
  dialog.append(made("form", { role: "search" }, field, close), status, list, more);

  let latest = 0;
  const look = async () => {
    const turn = ++latest;
    const query = field.value.normalize("NFKC").trim();
    const runs = query.split(/\s+/).flatMap(term => term.match(RUNS) ?? []).filter(run => WORD.test(run));
    if (!runs.length) {
      status.textContent = location.protocol === "file:" ? said("file") : "";
      list.replaceChildren();
      more.hidden = true;
      return;
    }
    const own = button().dataset.index, other = runs.some(run => IS_HAN.test(run)) ? otherOf(own) : "";
    let pages, from = own;
    try {
      pages = await found(await indexOf(own), runs);
      if (!pages.length && other) pages = await found(await indexOf(from = other), runs);
      pages = await byKind(pages, query.toLowerCase());
    } catch {
      if (turn === latest) status.textContent = said(location.protocol === "file:" ? "file" : "failed");
      return;
    }
    const add = async begin => {
      const items = await Promise.all(pages.slice(begin, begin + AT_ONCE).map(one => shown(one, runs, from, own)));
      if (turn !== latest) return null;
      begin ? list.append(...items) : list.replaceChildren(...items);
      more.hidden = begin + AT_ONCE >= pages.length;
      more.onclick = async () => (await add(begin + AT_ONCE))?.querySelector("a").focus();
      return items[0];
    };
    await add(0);
    if (turn === latest) status.textContent = pages.length ? said(pages.length === 1 ? "foundOne" : "found", { n: pages.length.toLocaleString("en") }) : said("none", { query });
  };

  let waiting;
  field.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(look, PATIENCE_MS);
  });
  dialog.addEventListener("submit", async event => {
    event.preventDefault();
    clearTimeout(waiting);
    await look();
    list.querySelector("a")?.click();
  });
  dialog.addEventListener("keydown", event => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step || event.isComposing || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const stops = [field, ...list.querySelectorAll("a"), ...more.hidden ? [] : [more]];
    stops[Math.min(stops.length - 1, Math.max(0, stops.indexOf(document.activeElement) + step))]?.focus();
  });
  // A click beside the dialog, or on a result that is on this page, ends it.
  dialog.addEventListener("click", event => { if (event.target === dialog || event.target.closest("a")) dialog.close(); });
  close.addEventListener("click", () => dialog.close());
  document.addEventListener("diglot:swapped", () => dialog.close());

  document.addEventListener("click", event => {
    if (!event.target.closest?.("button.find")) return;
    if (dialog.open) return field.select();
    dialog.setAttribute("aria-label", said("label"));
    field.setAttribute("aria-label", said("label"));
    field.placeholder = said("label");
    close.textContent = said("close");
    more.textContent = said("more");
    document.body.append(dialog);
    dialog.showModal();
    field.select();
    look();
  });

  document.head.append(made("link", { rel: "stylesheet", href: button().dataset.style }));
}
