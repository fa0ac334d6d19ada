/* Articles of the future are marked, on their page and in lists: published as they are now, they would be
   left out. Drafts carry their word from the theme. */

const FUTURE = { zh: "未到日期", en: "future" };

function markFuture() {
  const today = new Date().toISOString().slice(0, 10);  // as the build counts days: in UTC
  for (const mark of document.querySelectorAll("diglot-future")) mark.remove();
  for (const line of document.querySelectorAll(":is(article .head, .entry) .meta")) {
    const time = line.querySelector("time[datetime]");
    if (!time || time.dateTime.slice(0, 10) <= today) continue;
    const language = time.closest("[lang]")?.lang.startsWith("zh") ? "zh" : "en";
    line.prepend(element("diglot-future", "", element("b", "", FUTURE[language]), "\u00a0· "));
  }
}
