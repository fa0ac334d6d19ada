/* Marks articles with a future date, on their page and in lists, because a published build would leave them out.
   Drafts are marked by the theme. */

const FUTURE = { zh: "未到日期", en: "future" };

function markFuture() {
  const today = new Date().toISOString().slice(0, 10);  // in UTC, like the build
  for (const mark of document.querySelectorAll("diglot-future")) mark.remove();
  for (const line of document.querySelectorAll(":is(article .head, .entry) .meta")) {
    const time = line.querySelector("time[datetime]");
    if (!time || time.dateTime.slice(0, 10) <= today) continue;
    const language = time.closest("[lang]")?.lang.startsWith("zh") ? "zh" : "en";
    line.prepend(element("diglot-future", "", element("b", "", FUTURE[language]), "\u00a0· "));
  }
}
