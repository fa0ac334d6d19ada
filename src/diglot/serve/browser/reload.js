/* Connects to the preview and puts each new build into the open page. A tab tells which build it shows and learns
   what changed since, so that it misses nothing while it sleeps; a hidden tab disconnects. */

const tag = document.currentScript;
const base = decodeURIComponent(tag.dataset.base);
const status = tag.dataset.status;
const own = "own" in tag.dataset;  // a page of the preview itself: it shows builds, failed ones too
let build = Number(tag.dataset.build);
let shown = Number(tag.dataset.own);  // the state that such a page shows: its `own` number
const version = tag.getAttribute("src");
let before = withoutTag(document.cloneNode(true));  // as served: other scripts have not run yet
let source = null;
let waiting = null;
let working = false;
let behind = false;  // the page is from an earlier build than the last one announced

const all = (selector, from = document) => [...from.querySelectorAll(selector)];
function tagOf(page) {
  return page.querySelector("script[data-build]");
}
/* Also removes white space after the tag, which the open page did not have yet when this script started. */
function withoutTag(page) {
  const tag = tagOf(page);
  while (tag?.nextSibling) tag.nextSibling.remove();
  tag?.remove();
  return page;
}
const inHead = page => [...page.head.children].filter(one => one.localName !== "title" && !isSheet(one));
const isSheet = one => one.matches('link[rel~="stylesheet"]');
const sheets = page => [...page.querySelectorAll('link[rel~="stylesheet"]')];

/* A page that cannot be patched is reloaded at the same scroll position. */
const KEPT = "diglot-preview-place";
function reload() {
  const open = all("[id]:has(details[open])").map(one => one.id);
  try { sessionStorage.setItem(KEPT, JSON.stringify({ path: location.pathname, y: scrollY, open })); } catch {}
  location.reload();
}
function returnToPlace() {
  let kept = null;
  try {
    kept = JSON.parse(sessionStorage.getItem(KEPT));
    sessionStorage.removeItem(KEPT);
  } catch {}
  if (kept?.path !== location.pathname) return;
  for (const id of kept.open) {
    for (const one of document.getElementById(id)?.querySelectorAll("details") ?? []) one.open = true;
  }
  const back = () => scrollTo({ top: kept.y, behavior: "instant" });
  back();
  addEventListener("load", back, { once: true });
}

/* Whether a build changed the file of this page. */
function isMine(pages) {
  return !pages || status !== "200" || pages.includes(ownFile());
}
/* The output path of this page. */
function ownFile() {
  const path = decodeURIComponent(location.pathname).slice(base.length);
  return path === "" || path.endsWith("/") ? `${path}index.html` : path;
}

/* The effects of scripts cannot be undone, so a page whose scripts changed is reloaded. Data about the page is no script. */
function sameScripts(after) {
  const places = page => [page, ...all("template", page).map(one => one.content)];
  const scripts = page => places(page).flatMap(place => all('script:not([type="application/ld+json"])', place)).map(one => one.outerHTML).join("\n");
  return scripts(before) === scripts(after);
}

/* The new sheet is inserted after the old one, which is removed once the new one has loaded: nothing flashes. */
const replaced = new WeakMap();
const leaving = new WeakSet();  // sheets whose replacements are still loading
const named = new WeakMap();  // the address in the page of a sheet that was reloaded under the same name
const nameOf = link => named.get(link) ?? link.getAttribute("href");
function replaceSheet(old, href, media, name = href) {
  const link = document.createElement("link");
  if (old) {
    replaced.set(link, old);
    leaving.add(old);
  }
  named.set(link, name);
  link.rel = "stylesheet";
  link.href = href;
  if (media) link.media = media;
  link.addEventListener("load", () => {
    for (let one = old; one; one = replaced.get(one)) one.remove();  // also one that never finished loading
    document.dispatchEvent(new CustomEvent("diglot:built"));  // heights have changed, so notes move to their marks
  }, { once: true });
  link.addEventListener("error", () => {
    link.remove();
    leaving.delete(old);
  }, { once: true });
  if (old) old.after(link);
  else document.head.append(link);
}

function patchSheets(after) {
  const olds = sheets(before).map(one => one.getAttribute("href"));
  const news = sheets(after).map(one => one.getAttribute("href"));
  const gone = olds.filter(href => !news.includes(href));
  for (const link of sheets(after)) {
    const href = link.getAttribute("href");
    if (olds.includes(href)) continue;
    const old = gone.shift();
    replaceSheet(old === undefined ? null : sheets(document).findLast(one => nameOf(one) === old), href, link.media);
  }
  for (const href of gone) sheets(document).filter(one => nameOf(one) === href).forEach(one => one.remove());
}

function patchHead(after) {
  const missing = (from, other) => inHead(from).filter(one => !inHead(other).some(twin => twin.isEqualNode(one)));
  for (const old of missing(before, after)) [...document.head.children].find(one => one.isEqualNode(old))?.remove();
  document.head.append(...missing(after, before).map(copyOf));
  if (before.title !== after.title) document.title = after.title;
  patchSheets(after);
  const root = document.documentElement;
  for (const { name, value } of after.documentElement.attributes) {
    if (before.documentElement.getAttribute(name) !== value) root.setAttribute(name, value);
  }
}

/* Applies a change while the first visible block keeps its place on the screen. */
function holdingPlace(change) {
  const seen = scrollY < 10 ? [] : all("main [id]").filter(one => one.getBoundingClientRect().bottom > 0).slice(0, 40);
  const tops = seen.map(one => one.getBoundingClientRect().top);
  const focused = document.activeElement?.id;
  const root = document.documentElement;
  root.style.overflowAnchor = "none";  // otherwise the browser would scroll as well
  change();
  const at = seen.findIndex(one => one.isConnected);
  if (at >= 0) scrollBy({ top: seen[at].getBoundingClientRect().top - tops[at], behavior: "instant" });
  if (focused && document.activeElement === document.body) document.getElementById(focused)?.focus({ preventScroll: true });
  requestAnimationFrame(() => requestAnimationFrame(() => {
    root.style.removeProperty("overflow-anchor");
    if (!root.getAttribute("style")) root.removeAttribute("style");
  }));
}

/* Reloads files that keep their address when they change: pictures, and the site's own sheets. `links` are the sheets
   of the page before this build: one that the build added is up to date already. */
function refreshFiles(files, links) {
  const isChanged = address => {
    const url = new URL(address, location.href);
    return url.origin === location.origin && (!files || files.includes(decodeURIComponent(url.pathname).slice(base.length)));
  };
  const renewed = address => {
    const url = new URL(address, location.href);
    url.searchParams.set("build", build);
    return url.href;
  };
  if (files && all("script[src]").some(one => one !== tag && isChanged(one.src))) return reload();
  for (const image of all("img[src]")) if (isChanged(image.src)) image.src = renewed(image.src);
  if (!files) return;
  for (const link of all('link[rel~="icon"]')) if (isChanged(link.href)) link.href = renewed(link.href);
  for (const link of links) {
    if (link.isConnected && !leaving.has(link) && isChanged(link.href)) replaceSheet(link, renewed(link.href), link.media, nameOf(link));
  }
}

/* Updates the page to what is served now, and returns whether that changed anything. */
async function update() {
  const path = location.pathname;
  const answer = await fetch(path + location.search, { cache: "no-store" });
  const after = new DOMParser().parseFromString(await answer.text(), "text/html");
  if (path !== location.pathname) return false;  // the theme has swapped in another page meanwhile
  const sameTag = tagOf(after)?.getAttribute("src") === version;
  if (!before || !sameTag || String(answer.status) !== status || !sameScripts(withoutTag(after))) {
    reload();
    return false;
  }
  const changed = !before.documentElement.isEqualNode(after.documentElement);
  if (changed) {
    holdingPlace(() => {
      patchHead(after);
      patch(document.body, before.body, after.body);
    });
  }
  before = after;
  behind = false;
  return changed;
}

async function showBuilt(pages, files) {
  const links = sheets(document);
  const changed = (own || isMine(pages)) && await update();
  if (!files || files.length) refreshFiles(files, links);
  markFuture();
  document.dispatchEvent(new CustomEvent("diglot:built"));
  if (changed) document.dispatchEvent(new CustomEvent("diglot:swapped", { detail: "built" }));
}

/* Handles states one at a time. States that arrive meanwhile are merged into one, with all changed files. */
const joined = (one, other) => one && other && [...new Set([...one, ...other])];
let last = null;
async function learn(state) {
  last = state;
  waiting = waiting
    ? { ...state, pages: joined(waiting.pages, state.pages), files: joined(waiting.files, state.files) }
    : state;
  if (working) return;
  working = true;
  while (waiting) {
    const { build: number, attempt: count, own: told, pages, files, problems, kept, saved, places, outdated } = waiting;
    waiting = null;
    try {
      if (number !== build || behind || (own && told !== shown)) {
        const seen = build;
        build = number;
        await showBuilt(pages, files).catch(error => { build = seen; throw error; });
      }
      shown = told;
      overlay.show(own || window !== window.top ? [] : problems, count, kept);  // the preview's own pages list problems themselves
      markOutdated(outdated);
      follow.heed(saved, places);
    } catch {
      setTimeout(() => { if (source) connect(); }, 500);  // the server has gone; it announces the state again when it is back
    }
  }
  working = false;
}

function connect() {
  source?.close();
  source = new EventSource(`/__diglot/events?since=${build}${follow.isOn() ? "&follow=on" : ""}`);
  source.addEventListener("dismissed", rest);
  source.onmessage = ({ data }) => learn(JSON.parse(data));
  source.onerror = () => { if (source?.readyState === EventSource.CLOSED) setTimeout(() => { if (source) connect(); }, 1000); };
}
function leave() {
  source?.close();
  source = null;
}
/* The preview has no room for so many tabs: reconnect when this one gets the focus, or after a while. */
const RESTING_MS = 30_000;
function rest() {
  leave();
  const comeBack = () => {
    removeEventListener("focus", comeBack);
    clearTimeout(timer);
    if (!source && !document.hidden) connect();
  };
  const timer = setTimeout(comeBack, RESTING_MS);
  addEventListener("focus", comeBack);
}

/* The theme has swapped in the page of another language, and passes the page as it was served, which may be from
   before the last build. */
document.addEventListener("diglot:swapped", ({ detail }) => {
  if (detail === "built") return;
  const page = detail instanceof Document ? detail.cloneNode(true) : null;  // the theme keeps its own for the next time
  behind = page !== null && Number(tagOf(page)?.dataset.build) < build;
  before = page && withoutTag(page);
  markFuture();
  if (last) {
    markOutdated(last.outdated);
    if (window === window.top) overlay.show(last.problems, last.attempt, last.kept);
  }
  if (behind && last) learn({ ...last, pages: null, files: [] });
});
document.addEventListener("visibilitychange", () => {
  if (document.hidden) return leave();
  follow.skipOne();
  connect();
});
addEventListener("pagehide", leave);
addEventListener("pageshow", ({ persisted }) => { if (persisted && !document.hidden) connect(); });

returnToPlace();
follow.arrive();
if (own) follow.showChoice();
markFuture();
if (!document.hidden) connect();
