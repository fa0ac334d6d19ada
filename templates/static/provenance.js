/* What the values of an article depend on: a card next to a value, from the file that the article leads to. The word in
   the bar marks the values, which the keyboard reaches then. diglot.js fetches this script when a reader first points at
   a value or turns the marks on. Without it the values are text, and the link to the file is there. */
{
  const root = document.documentElement;
  const all = (selector, from = document) => [...from.querySelectorAll(selector)];
  const VALUES = ":is(article, .deck) [data-value]";
  const SWITCH = "button:is(.sources, .marks)";
  const made = (name, properties, ...children) => {
    const element = Object.assign(document.createElement(name), properties);
    element.append(...children.filter(child => child !== ""));
    return element;
  };
  // Lines are no paragraphs and no items of lists, which slides and articles give sizes of their own.
  const line = (...children) => made("div", {}, ...children);
  const linked = (text, url, file) => (url ? made("a", { href: placed(url, file) }, text) : text);
  /* Addresses of pages are relative to the file's own; pages that were opened from files have names. */
  const placed = (url, file) => {
    const whole = new URL(url, file);
    if (whole.protocol === "file:" && whole.pathname.endsWith("/")) whole.pathname += "index.html";
    return whole.href;
  };

  const files = new Map();
  const read = url => {
    if (!files.has(url)) {
      files.set(url, fetch(url).then(answer => answer.ok ? answer.json() : Promise.reject(answer)));
      files.get(url).catch(() => files.delete(url));
    }
    return files.get(url);
  };
  /* The file of the language that a value stands in, which on a slide may be the second one. */
  const linkFor = value => {
    for (let part = value.closest("[lang]"); part; part = part.parentElement?.closest("[lang]")) {
      const link = document.querySelector(`.values[lang="${part.lang}"] a`);
      if (link) return link;
    }
    return null;
  };

  /* The figure, the lines of its script that give the value, and what it was computed from. */
  const aboutFigure = (name, { script, script_url: source, page, parameters, files: read_ }, lines, words, file) => {
    const at = number => {
      const end = number ? `#L${number}` : "";
      return linked(number ? `${script}:${number}` : script, source ? source + end : page && `${page}#_script`, file);
    };
    const set = Object.entries(parameters).map(([key, value]) => `${key} = ${value}`);
    const data = read_.filter(one => !/^(diglot|site\/hardware)\//.test(one));
    return [
      line(words.ofFigure, words.colon, linked(name.split("?")[0], page, file), " · ", at(lines[0]?.line)),
      ...lines.map((one, number) => line(...(number ? [at(one.line), " "] : []), made("code", {}, one.code))),
      set.length ? line(words.parameters, words.colon, set.join(words.separator)) : "",
      data.length ? line(words.files, words.colon, data.join(words.separator)) : "",
    ];
  };
  /* Of a chip, the facts with these names, each with its source; without names, the sources of all of them. */
  const aboutChip = ({ name, page, facts, sources, conflicts }, fields, words, file) => {
    const isTold = ({ field }) => !fields || fields.includes(field);
    const from = (said, id) => {
      const { title, url, date } = sources[id];
      return made("div", { className: "from" }, said, made("a", { href: url, lang: "en" }, title), " ", made("span", { className: "num" }, `(${date})`));
    };
    const listed = fields
      ? facts.filter(isTold).map(({ name: fact, text, unit, source }) => from(`${[fact, text, unit].filter(Boolean).join(" ")} · `, source))
      : Object.keys(sources).map(id => from("", id));
    const conflict = ({ name: fact, claims, used }) => {
      const told = claims.map(({ text, source }) => `${text || "–"} (${sources[source].title})`).join(words.separator);
      return line(`${words.conflict}${words.colon}${fact} ${told}${words.semicolon}${used ? words.used.replace("{value}", used) : words.unused}`);
    };
    return [
      line(linked(name, page, file), ...(fields ? [] : [words.colon, words.whole])),
      ...listed,
      ...conflicts.filter(isTold).map(conflict),
    ];
  };
  const MOST_OPEN = 4;
  /* The facts of all chips that a value depends on. Many open on request, below a line that says how many they are. */
  const aboutChips = ({ chips, reach }, told, words, file) => {
    if (reach === "script") return [line(words.given)];
    const read = Object.entries(chips).map(([id, fields]) => [told.chips[id], fields]);
    const lines = read.flatMap(([chip, fields]) => aboutChip(chip, fields, words, file));
    const count = items => read.flatMap(([chip, fields]) => chip[items].filter(one => !fields || fields.includes(one.field))).length;
    if (count("facts") <= MOST_OPEN) return lines;
    const names = read.map(([chip]) => chip.name).join(words.separator);
    const said = words[reach === "figure" ? "factsOfFigure" : "factsOfChips"].replace("{n}", count("facts")).replace("{chips}", names);
    const disagreements = count("conflicts");
    const more = disagreements ? words.semicolon + words.disagreements.replace("{n}", disagreements) : "";
    return [made("details", {}, made("summary", {}, said + more), ...lines)];
  };
  /* The numbers that give the value, each with its name below. */
  const sum = ({ factors, less }) => [
    ...factors.flatMap(({ text, unit, name, power }, at) => [power < 0 ? " ÷ " : at ? " × " : "", made("span", {}, `${text}\u00a0${unit}`, made("small", {}, name))]),
    less ? " − 1 = " : " = ",
  ];
  /* What readers ask first: the sum, and what says its numbers; script and file behind a word. */
  const described = (value, told, words, file) => [
    line(...value.arithmetic ? sum(value.arithmetic) : [], made("b", {}, value.text)),
    ...aboutChips(value, told, words, file),
    made("details", {}, made("summary", {}, words.details),
      ...value.figures.flatMap(name => aboutFigure(name, told.figures[name], value.lines.filter(one => one.figure === name), words, file)),
      line(made("code", {}, value.expression)),
      line(made("a", { href: file }, words.all))),
  ];

  const fill = async value => {
    const link = linkFor(value);
    const words = link.dataset;
    const told = await read(link.href).catch(() => null);
    const quoted = told?.values.find(one => one.expression === value.dataset.value);
    const nodes = quoted ? described(quoted, told, words, link.href) : [line(words.failed)];
    return { nodes, lang: link.parentElement.lang, label: `${value.textContent}${words.colon}${link.textContent}` };
  };

  /* The switch: values are marked, and are buttons for the keyboard and for readers aloud. */
  const mark = () => {
    const on = root.dataset.sources !== undefined;
    for (const button of all(SWITCH)) button.setAttribute("aria-pressed", on);
    for (const value of all(VALUES)) {
      if (value.closest("a, button, summary")) continue;
      if (on) Object.assign(value, { role: "button", tabIndex: 0, ariaHasPopup: "dialog", ariaExpanded: "false" });
      else for (const name of ["role", "tabindex", "aria-haspopup", "aria-expanded"]) value.removeAttribute(name);
    }
  };
  const turn = on => {
    on ? root.dataset.sources = "" : delete root.dataset.sources;
    try { on ? localStorage.setItem("diglot-sources", "on") : localStorage.removeItem("diglot-sources"); } catch {}
    mark();
  };
  document.addEventListener("click", ({ target }) => { if (target.closest?.(SWITCH)) turn(root.dataset.sources === undefined); });
  document.addEventListener("diglot:swapped", mark);
  document.addEventListener("diglot:built", () => { files.clear(); mark(); });
  try { if (localStorage.getItem("diglot-sources")) turn(true); } catch {}
  const add = () => diglotCards.add({ name: "provenance", places: VALUES, fill });
  const { cards } = document.querySelector("[data-cards]").dataset;
  if (globalThis.diglotCards) add();
  else document.head.append(made("script", { src: cards, onload: add }));
}
