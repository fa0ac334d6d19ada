/* Follows the author: after a save, a visible tab shows the block that changed, on its own page or on another. Off unless
   `diglot serve --follow` or the button in the writers' view turned it on, which this browser remembers. */

const FOLLOWS = "diglot-follow";  // the choice of this browser: on or off
const ARRIVING = "diglot-follow-to";  // the block that this tab is opening
const HIGHLIGHT_MS = 1000;

const follow = {
  seen: Number(document.currentScript.dataset.saved),
  given: document.currentScript.dataset.follow,
  skips: false,
  held: false,  // whether the reader holds a button of the mouse, as while dragging a scroll bar

  isOn() {
    try { return (localStorage.getItem(FOLLOWS) ?? this.given) === "on"; } catch { return this.given === "on"; }
  },

  /* A save does not move a tab that was hidden at the time, even when it is shown again. */
  skipOne() {
    this.skips = true;
  },

  heed(saved, places) {
    const isNew = saved > this.seen && !this.skips;
    this.seen = saved;
    this.skips = false;
    if (!isNew || own || !places.length || !this.isOn() || document.hidden || window !== window.top || this.isBusy()) return;
    const best = this.choose(places);
    if (best.page === ownFile()) return this.reveal(best.row, matchMedia("(prefers-reduced-motion: reduce)").matches ? "instant" : "smooth");
    try { sessionStorage.setItem(ARRIVING, JSON.stringify(best)); } catch {}
    location.assign(`${base}${best.page.replace(/(^|\/)index\.html$/, "$1")}`.split("/").map(encodeURIComponent).join("/"));
  },

  /* Whether the reader is doing something that a jump would disturb. */
  isBusy() {
    const active = document.activeElement;
    const types = active?.matches("input, textarea, select") || active?.isContentEditable;
    return types || this.held;
  },

  /* The open page if it shows the block; else a page of the same view and language, else the first. */
  choose(places) {
    const here = ownFile();
    const isBoth = page => page.endsWith("/both/index.html");
    const language = page => page.split("/", 1)[0];
    const rank = ({ page }) => (page === here) * 4 + (isBoth(page) === isBoth(here)) * 2 + (language(page) === language(here));
    return places.reduce((best, one) => rank(one) > rank(best) ? one : best);
  },

  reveal(row, behavior) {
    const block = row && document.getElementById(row);
    if (!block) return;
    block.dispatchEvent(new CustomEvent("diglot:reveal", { bubbles: true }));  // a talk goes to its slide
    const { top, bottom } = block.getBoundingClientRect();
    const bar = document.querySelector("header.bar")?.getBoundingClientRect().bottom ?? 0;
    const isTall = bottom - top > innerHeight / 2;
    if (top < bar || bottom > innerHeight) scrollBy({ top: top - (isTall ? bar + 15 : innerHeight / 3), behavior });
    const mark = { backgroundColor: "color-mix(in srgb, currentColor 12%, transparent)" };
    const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
    block.animate([mark, isStill ? mark : { backgroundColor: "transparent" }], { duration: HIGHLIGHT_MS, easing: "ease-in" });
  },

  /* After opening another page: shows the block once the page is laid out. */
  arrive() {
    let best = null;
    try {
      best = JSON.parse(sessionStorage.getItem(ARRIVING));
      sessionStorage.removeItem(ARRIVING);
    } catch {}
    if (best?.page === ownFile()) addEventListener("load", () => this.reveal(best.row, "instant"), { once: true });
  },

  showChoice() {
    for (const one of document.querySelectorAll(".follow")) {
      one.hidden = false;
      one.querySelector("button").setAttribute("aria-checked", this.isOn());
      one.querySelector("b").textContent = this.isOn() ? "on" : "off";
    }
  },

  toggle() {
    try { localStorage.setItem(FOLLOWS, this.isOn() ? "off" : "on"); } catch {}
    this.chosen();
  },

  chosen() {
    if (own) this.showChoice();
    if (source) connect();  // the server looks for the changed block only if a browser follows
  },
};
/* A scroll bar reports no release of the button, so each later movement is checked, too. */
for (const name of ["pointerdown", "pointermove", "pointerup", "pointercancel"]) {
  addEventListener(name, ({ buttons }) => { follow.held = buttons !== 0; }, { capture: true, passive: true });
}
addEventListener("storage", ({ key }) => { if (key === FOLLOWS) follow.chosen(); });
addEventListener("click", ({ target }) => { if (own && target.closest?.(".follow button")) follow.toggle(); });
