/* What a page does with a script: light and dark, the language toggle in place, scrollers within reach of
   the keyboard, notes at the line of their mark. Without it every word of the bar is a plain link, and
   everything can be read. */
{
  const root = document.documentElement;
  const all = (selector, from = document) => [...from.querySelectorAll(selector)];
  const keep = (name, value) => {
    try { value ? localStorage.setItem(`diglot-${name}`, value) : localStorage.removeItem(`diglot-${name}`); } catch {}
  };
  const announce = text => {
    const region = document.getElementById("_announcement");
    region.lang = root.lang;
    region.textContent = text;
  };

  /* Light, dark, or as the system: each click one further, beginning with what the system is not. */
  const showTheme = () => {
    for (const button of all("button[data-swap]")) button.hidden = false;
    const button = document.querySelector("button.theme");
    button.title = button.ariaLabel = button.dataset[root.dataset.theme ?? "auto"];
    const media = { dark: "all", light: "not all" }[root.dataset.theme] ?? "(prefers-color-scheme: dark)";
    for (const source of all("source[data-dark]")) source.media = media;
  };
  const nextTheme = () => {
    const other = matchMedia("(prefers-color-scheme: dark)").matches ? ["light", "dark"] : ["dark", "light"];
    const next = other[other.indexOf(root.dataset.theme) + 1];
    next ? root.dataset.theme = next : delete root.dataset.theme;
    keep("theme", next);
    showTheme();
    announce(document.querySelector("button.theme").title);
  };
  document.querySelector("button.theme").addEventListener("click", nextTheme);

  /* What few readers ask for comes when one does: the script of a button with the first click, which is made again
     then, and that of a form or a value when it is reached for, and so the page of another language. */
  const idle = window.requestIdleCallback ?? setTimeout;
  const { aids, forms, cards } = document.currentScript.dataset;
  const loads = new Map();
  const loaded = new Set();
  const load = url => {
    if (!loads.has(url)) {
      loads.set(url, new Promise((done, failed) => {
        const script = document.createElement("script");
        Object.assign(script, { src: url, onload: () => { loaded.add(url); done(); }, onerror: failed });
        document.head.append(script);
      }));
      loads.get(url).catch(() => loads.delete(url));
    }
    return loads.get(url);
  };
  const explain = () => {
    load(cards).then(() => load(document.querySelector("button.sources").dataset.script)).catch(() => {});
  };
  if (document.querySelector("article")) idle(() => {
    load(aids).catch(() => {});
    try { if (localStorage.getItem("diglot-sources")) explain(); } catch {}
  });
  let clicked;
  document.addEventListener("click", event => {
    const button = event.target.closest?.("button[data-script]");
    const url = button?.dataset.script;
    if (!button || loaded.has(url)) return;
    clicked = button;
    load(url).then(() => {
      // Only the last click counts, and once, however often a reader clicks meanwhile.
      if (clicked !== button) return;
      clicked = null;
      button.click();
    }, () => announce(button.dataset.failed ?? document.querySelector("main").dataset.failed));
  });
  const reach = event => {
    const form = event.target.closest?.("form.ask");
    if (form) load(forms).catch(() => { if (event.type === "input") form.querySelector(".said").textContent = form.dataset.failed; });
    // A finger comes too late to a link: what it will ask for is there from its first touch on.
    if (event.pointerType === "touch" || event.target.closest?.("article [data-value], article a[href*='#']")) explain();
    const link = event.target.closest?.("a[data-word][href]:not([aria-current])");
    if (link && document.querySelector("main[data-announce]")) fetched(bare(link.href)).catch(() => {});
  };
  for (const name of ["pointerover", "focusin", "input"]) document.addEventListener(name, reach);
  addEventListener("keydown", event => {
    const isAsked = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.key.toLowerCase() === "k";
    const button = isAsked && document.querySelector("button.find");
    if (!button) return;
    event.preventDefault();
    button.click();
  });

  /* The block under the reader's eye: what the address names, where it is in sight, else the row nearest to a
     third of the window's height. */
  const rows = () => all("article .row");
  const distance = (row, line) => {
    const { top, bottom } = row.getBoundingClientRect();
    return Math.max(top - line, line - bottom, 0);
  };
  const named = () => {
    try { return document.getElementById(decodeURIComponent(location.hash.slice(1)))?.closest("article .row"); }
    // The address says nothing that can be decoded.
    catch {}
  };
  const underTheEye = () => {
    const line = innerHeight / 3;
    const target = named()?.getBoundingClientRect();
    if (target && target.top >= 0 && target.top <= line) return named();
    return rows().reduce((best, row) => (best && distance(best, line) <= distance(row, line) ? best : row), null);
  };
  const remember = row => {
    // Where this row has no twin, the nearest one before it that has stands in for it.
    const before = rows();
    return scrollY < 10 || !row ? null : before.slice(0, before.indexOf(row) + 1).reverse()
      .map(one => ({ id: one.id, top: one.getBoundingClientRect().top }));
  };
  const putBack = place => {
    const found = place?.find(({ id }) => document.getElementById(id));
    const to = found ? document.getElementById(found.id).getBoundingClientRect().top - found.top : -scrollY;
    scrollBy({ top: to, behavior: "instant" });
  };
  // Fonts of the other language may still be coming: hold the place until the reader moves.
  const hold = place => {
    const watch = new ResizeObserver(() => putBack(place));
    watch.observe(document.querySelector("main"));
    const events = ["wheel", "touchstart", "pointerdown", "keydown", "hashchange"];
    const stop = () => { watch.disconnect(); events.forEach(name => removeEventListener(name, stop, true)); };
    events.forEach(name => addEventListener(name, stop, { capture: true, passive: true }));
    setTimeout(stop, 2000);
    return stop;
  };

  /* Swapping: the page of the other language, fetched, takes the place of this one. */
  const pages = new Map();
  const bare = url => url.split("#")[0];
  const fetched = url => {
    if (!pages.has(url)) {
      const page = fetch(url).then(answer => answer.ok ? answer.text() : Promise.reject(answer))
        .then(text => new DOMParser().parseFromString(text, "text/html"));
      pages.set(url, page);
      page.catch(() => pages.delete(url));
    }
    return pages.get(url);
  };
  const become = (element, other) => {
    for (const { name } of [...element.attributes]) if (!other.hasAttribute(name)) element.removeAttribute(name);
    for (const { name, value } of other.attributes) element.setAttribute(name, value);
    if (!element.querySelector("[data-word]")) {
      element.replaceChildren(...[...other.childNodes].map(node => document.importNode(node, true)));
    }
  };
  const IN_HEAD = 'link[rel="canonical"], link[rel="alternate"], link[rel="prev"], link[rel="next"], meta[name="description"], meta[name="robots"], meta[name="twitter:card"], meta[property], script[type="application/ld+json"]';
  // Made before it is asked for, because that takes a fifth of the toggle's time.
  const ready = page => page.ready ??= document.importNode(page.querySelector("main"), true);
  const show = other => {
    const sheet = page => page.querySelector('link[rel="stylesheet"]').getAttribute("href");
    if (sheet(other) !== sheet(document)) throw Error("published anew");
    const open = new Set(all("article .row:has(details[open])").map(row => row.id));
    root.lang = other.documentElement.lang;
    root.dataset.view = other.documentElement.dataset.view;
    document.title = other.title;
    all(IN_HEAD).forEach(element => element.remove());
    document.head.append(...all(IN_HEAD, other).map(element => document.importNode(element, true)));
    // The words of the bar stay the same elements, so that the focus stays where it is.
    for (const name of ["word", "swap"]) {
      for (const element of all(`[data-${name}]`)) {
        const twin = other.querySelector(`[data-${name}="${element.dataset[name]}"]`);
        if (twin) become(element, twin);
      }
    }
    document.querySelector("main").replaceWith(ready(other));
    other.ready = null;
    for (const id of open) all("details", document.getElementById(id) ?? document.createElement("p")).forEach(one => { one.open = true; });
    showTheme();
    settle();
  };

  let latest = 0;
  let shown = location.pathname;
  let release = () => {};
  const swap = async (url, row, arrive) => {
    const turn = ++latest;
    const page = await fetched(url);
    if (turn !== latest) return;
    release();
    const place = remember(row?.isConnected ? row : underTheEye());
    show(page);
    arrive();
    shown = location.pathname;
    putBack(place);
    release = hold(place);
    aim();
    announce(document.querySelector("main").dataset.announce ?? document.title);
    preloadOthers();
    document.dispatchEvent(new CustomEvent("diglot:swapped", { detail: page }));
  };
  document.addEventListener("click", event => {
    const link = event.target.closest?.("a[data-word][href], a.twin");
    if (!link || event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    if (link.dataset.word) keep("view", link.dataset.word.replace("-hant", "")); // which half comes first elsewhere
    if (!document.querySelector("main[data-announce]")) return;
    event.preventDefault();
    if (link.getAttribute("aria-current")) return;
    const url = bare(link.href);
    const row = link.closest(".row");
    swap(url, row, () => {
      history.scrollRestoration = "manual";
      history.pushState(null, "", named() ? url + location.hash : url);
    }).catch(() => {
      const id = (row ?? underTheEye())?.id;
      location.assign(scrollY < 10 || !id ? url : `${url}#${id}`);
    });
  });
  addEventListener("popstate", ({ state }) => {
    if (location.pathname !== shown) swap(bare(location.href), null, () => {}).catch(() => location.reload());
    else if (state?.y !== undefined) scrollTo({ top: state.y, behavior: "instant" });
  });
  // While places are kept here, the browser must not keep them too; before leaving, it may again.
  addEventListener("pagehide", () => { history.scrollRestoration = "auto"; });
  let resting;
  addEventListener("scroll", () => {
    clearTimeout(resting);
    resting = setTimeout(() => {
      aim();
      if (history.scrollRestoration === "manual") history.replaceState({ y: scrollY }, "");
    }, 150);
  }, { passive: true });

  /* The words lead to the block under the eye, for those who open them in a tab of their own. */
  const aim = () => {
    const id = scrollY < 10 ? "" : underTheEye()?.id ?? "";
    // Figures that a reader has turned come first (controls.js).
    for (const link of all("a[data-word][href]")) link.hash = document.querySelector("article") ? root.dataset.state || id : "";
  };
  /* Before readers ask: the other language's page and letters, and where there is room for both, both. */
  const preload = words => idle(() => {
    const word = words.shift();
    if (!word) return;
    fetched(bare(word.href)).then(page => {
      ready(page);
      const face = getComputedStyle(root).getPropertyValue(word.hreflang === "en" ? "--serif" : "--zh");
      const styles = word.hreflang ? ["400", "600", ...(page.querySelector("article em") ? ["italic"] : [])] : [];
      for (const style of styles) document.fonts.load(`${style} 1em ${face}`, "a").catch(() => {});
    }).catch(() => {}).then(() => preload(words));
  });
  const preloadOthers = () => {
    if (!document.querySelector("main[data-announce]") || navigator.connection?.saveData) return;
    // Who reads one kind of Chinese characters hardly ever turns to the other.
    const words = all('a[data-word][href]:not([aria-current], [data-word="zh-hant"])');
    preload(words.filter(word => word.hreflang || innerWidth >= 1000));
  };

  /* What scrolls by itself must be reachable with the keyboard, and only that. */
  const reachScrollers = () => {
    // First all is measured, then all is written: each measure after a change would lay the page out again.
    // A formula may be a few pixels higher than its box.
    const boxes = all("pre, pre > code, .scroll, .eq").filter(box => !box.closest("details:not([open])"));
    for (const [box, scrolls] of boxes.map(box => [box, box.scrollWidth > box.clientWidth || box.scrollHeight > box.clientHeight + 9])) scrolls ? box.tabIndex = 0 : box.removeAttribute("tabindex");
  };
  /* A note stands beside the line of its mark, as far as its row has room. */
  const alignNotes = () => {
    const found = all(".half > .notes").flatMap(notes => [...notes.children].map(note => ({ note, notes, half: notes.parentElement })));
    for (const { note } of found) note.style.marginTop = "";
    const moves = [];
    let room, moved, before;
    for (const { note, notes, half } of found) {
      if (getComputedStyle(half).display !== "grid") continue;
      if (notes !== before) [room, moved, before] = [half.clientHeight - notes.offsetHeight, 0, notes];
      const mark = document.getElementById(note.querySelector(".number").hash.slice(1));
      if (!mark || room <= 0) continue;
      const line = parseFloat(getComputedStyle(mark.closest("p, li, dd") ?? half).lineHeight);
      const lower = mark.getBoundingClientRect().bottom - note.getBoundingClientRect().top - moved - line;
      const shift = Math.min(room, Math.max(0, lower));
      if (shift) moves.push([note, parseFloat(getComputedStyle(note).marginTop) + shift]);
      moved += shift;
      room -= shift;
    }
    for (const [note, margin] of moves) note.style.marginTop = `${margin}px`;
  };
  const settle = () => { alignNotes(); reachScrollers(); };
  addEventListener("resize", settle);
  document.addEventListener("toggle", reachScrollers, true);
  document.fonts.ready.then(settle);

  /* On paper the title stands at the top of each further page. */
  addEventListener("beforeprint", () => root.style.setProperty("--running-title", JSON.stringify(document.title)));

  /* A preview has put what was built into this page; pages kept from before are old now. */
  document.addEventListener("diglot:built", () => {
    pages.clear();
    showTheme();
    settle();
    aim();
  });

  /* Pages for readers of both languages put the one first that the reader chose last time. The style sheet
     does so before the first paint; this is the order for the keyboard and for readers aloud. */
  for (const half of all(`[data-view-of="${root.dataset.first}"]`)) half.parentElement.prepend(half);

  showTheme();
  settle();
  aim();
  // What a reader has reached for before this script was there.
  reach({ target: document.activeElement });
  // On a first visit the theme's own faces come first (base.html).
  root.dataset.faces ? addEventListener("resize", preloadOthers, { once: true }) : preloadOthers();
}
