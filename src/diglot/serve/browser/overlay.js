/* The overlay shows problems, in the terminal's words, over the unchanged page. All content is set as text. Escape and
   × reduce it to one line, which opens it; so does the next save that fails. A successful build removes it. */

const OVERLAY_STYLE = `
  :host { all: initial; color-scheme: light dark; }
  :host([data-theme="light"]) { color-scheme: light; }
  :host([data-theme="dark"]) { color-scheme: dark; }
  * { box-sizing: border-box; }
  section, .line { --paper: light-dark(#fbfbf8, #14171a); --sunk: light-dark(#f1f1ec, #1d2125); --rule: light-dark(#d5d5ce, #363b40);
    --mute: light-dark(#5f6468, #9aa0a5); --ink: light-dark(#1a1d20, #e7e7e2);
    position: fixed; inset: auto 0 0 0; max-height: min(70vh, 640px); overflow: auto; overscroll-behavior: contain; z-index: 2147483647;
    background: var(--paper); color: var(--ink); border: 0 solid var(--ink); border-top-width: 2px;
    font: 15px/25px "Diglot Sans", system-ui, "PingFang SC", "Noto Sans SC", "Noto Sans CJK SC", "Microsoft YaHei", sans-serif; }
  header { position: sticky; top: 0; background: var(--paper); border-bottom: 1px solid var(--rule); }
  header > div, ol, h2 { max-width: 1040px; margin: 0 auto; padding: 0 20px; }
  header > div { display: flex; align-items: center; gap: 30px; height: 45px; }
  h1 { flex: 1; margin: 0; font: inherit; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
  h1 b { font-weight: 600; }
  h2 { font: 600 15px/25px inherit; font-size: 15px; font-weight: 600; padding-top: 15px; }
  .line { inset: auto 0 0 auto; max-width: 100%; padding: 10px 20px; text-align: start; cursor: pointer; }
  .line b { font-weight: 600; }
  .close { border: 0; background: none; color: var(--mute); font: inherit; font-size: 20px; width: 45px; height: 45px; margin-right: -15px; cursor: pointer; }
  .close:hover { color: var(--ink); }
  :focus-visible { outline: 2px solid var(--ink); outline-offset: -6px; }
  ol { list-style: none; padding-bottom: 20px; }
  li { padding: 14px 0 15px; border-bottom: 1px solid var(--rule); }
  li:last-child { border-bottom: 0; }
  p { margin: 0; overflow-wrap: anywhere; }
  .place, pre { font: 14px/22px ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace, "Noto Sans SC"; }
  .place { color: var(--mute); }
  a { color: inherit; text-underline-offset: .22em; text-decoration: underline 1px color-mix(in srgb, currentColor 40%, transparent); }
  a:hover { text-decoration-color: currentColor; }
  .message { font-weight: 600; }
  .warnings .message { font-weight: 400; }
  pre { margin: 8px 0 0; padding: 8px 12px; background: var(--sunk); white-space: pre-wrap; overflow-wrap: anywhere; }
  mark { background: none; color: inherit; font-weight: 600; text-decoration: underline wavy 1px; text-underline-offset: .3em; }
  .fix { margin-top: 8px; } .fix b { font-weight: 600; }
`;

const element = (name, className, ...children) => {
  const made = document.createElement(name);
  if (className) made.className = className;
  made.append(...children);
  return made;
};
/* A link that opens the editor; addresses that could run a script are shown as text. */
const opener = (text, link) => {
  if (!link || /^\s*(javascript|data|vbscript|blob):/i.test(link)) return text;
  const anchor = element("a", "", text);
  anchor.href = link;
  return anchor;
};

/* "2 errors, 1 warning" */
const counts = problems => ["error", "warning"].flatMap(word => {
  const count = problems.filter(one => one.severity === word).length;
  return count ? [`${count} ${word}${count > 1 ? "s" : ""}`] : [];
}).join(", ");
/* Whether the errors keep this page as it was; `kept` names the pages, one without a name stands for all of them. */
function standing(kept) {
  if (!kept || status !== "200") return " · pages with errors stay as they were";
  return kept.some(page => page === "" || page === ownFile()) ? " · this page is the last good one" : " · this page is up to date";
}

const overlay = {
  host: null,
  shown: "",
  closed: -1,  // the attempt whose overlay the author closed

  show(problems, attempt, kept) {
    if (!problems.length) return this.hide();
    const isClosed = this.closed === attempt;
    const text = JSON.stringify([problems, isClosed, standing(kept)]);
    if (this.host?.isConnected && this.shown === text) return;
    this.hide();
    Object.assign(this, { shown: text, attempt, last: [problems, attempt, kept] });
    this.host = document.createElement("diglot-overlay");
    this.host.dataset.theme = document.documentElement.dataset.theme ?? "auto";
    const shadow = this.host.attachShadow({ mode: "open" });
    const style = document.createElement("style");
    style.textContent = OVERLAY_STYLE;
    shadow.append(style, isClosed ? this.line(problems, kept) : this.section(problems, kept));
    document.documentElement.append(this.host);  // not in the body, whose children belong to the page
  },

  hide() {
    this.host?.remove();
    this.host = null;
    this.shown = "";
  },

  close() {
    if (!this.host || this.closed === this.attempt) return;
    this.closed = this.attempt;
    this.show(...this.last);
  },

  open() {
    this.closed = -1;
    this.show(...this.last);
  },

  /* The closed overlay. */
  line(problems, kept) {
    const line = element("button", "line", element("b", "", counts(problems)), standing(kept));
    line.type = "button";
    line.addEventListener("click", () => this.open());
    return line;
  },

  section(problems, kept) {
    const errors = problems.filter(one => one.severity === "error");
    const warnings = problems.filter(one => one.severity !== "error");
    const close = element("button", "close", "×");
    close.type = "button";
    close.title = "Close (Esc)";
    close.setAttribute("aria-label", "Close");
    close.addEventListener("click", () => this.close());
    const title = element("h1", "", element("b", "", counts(problems)), standing(kept));
    const section = element("section", "", element("header", "", element("div", "", title, close)));
    section.setAttribute("role", "alert");
    if (errors.length) section.append(this.list(errors, "errors"));
    if (warnings.length) section.append(element("h2", "", counts(warnings)), this.list(warnings, "warnings"));
    return section;
  },

  list(problems, className) {
    return element("ol", className, ...problems.map(one => {
      const item = element("li", "");
      const places = [{ text: one.place, link: one.link }, ...one.others].map(({ text, link }) => opener(text, link));
      if (one.place) item.append(element("p", "place", ...places.flatMap((place, at) => at ? [", ", place] : [place])));
      item.append(element("p", "message", `${one.severity}[${one.rule}]: ${one.message}`));
      const [before, wrong, after] = one.source;
      if (before || wrong) item.append(element("pre", "source", before, wrong ? element("mark", "", wrong) : "", after));
      if (one.detail.length) {
        item.append(element("pre", "detail", ...one.detail.flatMap((line, at) => [at ? "\n" : "", opener(line.text, line.link)])));
      }
      if (one.fix) item.append(element("p", "fix", element("b", "", "fix: "), one.fix));
      return item;
    }));
  },
};
addEventListener("keydown", event => { if (event.key === "Escape") overlay.close(); });
