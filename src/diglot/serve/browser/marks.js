/* Marks what a published build would not contain: articles with a future date, on their page and in lists, and figures that
   are being made again. Drafts are marked by the theme. */

const FUTURE = { zh: "未到日期", en: "future" };

/* Today as the build has it: in the site's time zone, or in UTC where the browser does not know that. */
function dayOfTheSite() {
  try {
    return new Intl.DateTimeFormat("sv", { timeZone: tag.dataset.zone, dateStyle: "short" }).format();
  } catch {
    return new Date().toISOString().slice(0, 10);
  }
}

function markFuture() {
  const today = dayOfTheSite();
  for (const mark of document.querySelectorAll("diglot-future")) mark.remove();
  for (const line of document.querySelectorAll(":is(article .head, .lead, .entry) .meta")) {
    const time = line.querySelector("time[datetime]");
    if (!time || time.dateTime.slice(0, 10) <= today) continue;
    const language = time.closest("[lang]")?.lang.startsWith("zh") ? "zh" : "en";
    line.prepend(element("diglot-future", "", element("b", "", FUTURE[language]), "\u00a0· "));
  }
}

/* A figure that is being made again is shown as it was, and says so. */
const OUTDATED = {
  zh: {
    computing: "正在重新计算：图和数字还是上一版",
    drawing: "正在重绘：图还是上一版，数字已是最新",
    table: "正在更新：表还是上一版，文中数字已是最新",
  },
  en: {
    computing: "Being computed again: drawing and numbers are still the last ones",
    drawing: "Being redrawn: this is still the last drawing; the numbers are current",
    table: "Being updated: this is still the last table; numbers in the text are current",
  },
};
const outdatedStyle = new CSSStyleSheet();
outdatedStyle.replaceSync(`
  diglot-outdated { display: block; color: var(--mute, GrayText); }
  .half:has(diglot-outdated) :is(.drawing, table) { opacity: .55; }
`);
document.adoptedStyleSheets.push(outdatedStyle);

function markOutdated(figures) {
  const wanted = new Map();
  for (const { page, row, language, stage } of figures) {
    const halves = page === ownFile() ? document.getElementById(row)?.querySelectorAll(":scope > .half") ?? [] : [];
    for (const half of halves) {
      if (half.lang.startsWith(language)) wanted.set(half, OUTDATED[language][stage === "drawing" && half.querySelector(".numbers") ? "table" : stage]);
    }
  }
  for (const note of document.querySelectorAll("diglot-outdated")) {
    const half = note.closest(".half");
    if (wanted.get(half) === note.textContent) wanted.delete(half);
    else note.remove();
  }
  for (const [half, text] of wanted) {
    const note = element("diglot-outdated", "", text);
    note.setAttribute("role", "status");
    (half.querySelector("figcaption, .caption, .below") ?? half).append(note);
  }
}
