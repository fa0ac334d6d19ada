/* Cards next to a place in the text: what a reference leads to, small, and, with provenance.js, what a value depends on.
   A pointer that rests there opens one, and so do the focus and a tap; a second tap follows the link. Without this
   script a reference is a link like any other. */
if (!globalThis.diglotCards) { // asked for by two others at once
  const root = document.documentElement;
  const { style } = document.querySelector("[data-cards]").dataset;
  const card = Object.assign(document.createElement("div"), { popover: "auto" });
  card.setAttribute("role", "dialog");
  const styled = new Promise(onload => document.head.append(Object.assign(document.createElement("link"), { rel: "stylesheet", href: style, onload, onerror: onload })));
  const kinds = [];
  const kindAt = ({ target }) => {
    for (const kind of kinds) {
      const place = target.closest?.(kind.places);
      if (place && !card.contains(place)) return [kind, place];
    }
    return [];
  };

  let shown = null;
  const GAP = 8;
  const put = () => {
    const edge = parseFloat(getComputedStyle(root).getPropertyValue("--edge")) || 20;
    const [line] = shown.getClientRects();
    const above = line.top - (document.querySelector(".bar")?.getBoundingClientRect().bottom ?? 0) - GAP;
    const below = innerHeight - line.bottom - GAP;
    const isBelow = below >= Math.min(card.offsetHeight, above);
    card.style.maxHeight = `${(isBelow ? below : above) - GAP}px`;
    const left = Math.max(edge, Math.min(line.left, root.clientWidth - card.offsetWidth - edge));
    card.style.left = `${left + scrollX}px`;
    card.style.top = `${(isBelow ? line.bottom + GAP : line.top - GAP - card.offsetHeight) + scrollY}px`;
  };
  /* Whether there is something to show there. */
  const show = async (kind, place) => {
    clearTimeout(leaving);
    if (shown === place) return true;
    hide();
    shown = place;
    const [content] = await Promise.all([kind.fill(place).catch(() => null), styled]);
    if (shown !== place) return true;
    if (!content?.nodes.length || !place.isConnected) {
      shown = null;
      return false;
    }
    card.className = `beside ${kind.name}`;
    card.replaceChildren(...content.nodes);
    card.lang = content.lang;
    card.setAttribute("aria-label", content.label);
    // Behind the place, so that the keyboard goes on into the card; no link stands in another one.
    (place.closest("a, summary") ?? place).after(card);
    card.style.maxHeight = "";
    card.showPopover();
    put();
    if (place.role) place.ariaExpanded = "true";
    return true;
  };
  const hide = () => {
    clearTimeout(coming);
    if (card.matches(":popover-open")) card.hidePopover();
    shown = null;
  };
  card.addEventListener("beforetoggle", ({ newState }) => {
    if (newState === "open" || !shown) return;
    if (shown.role) shown.ariaExpanded = "false";
    if (card.contains(document.activeElement)) {
      left = shown;
      shown.focus({ preventScroll: true });
    }
    shown = null;
  });
  // The place that the focus returns to from its card, which does not open that again, and the one last tapped.
  let left, tapped;

  /* A pointer opens a card where it rests, and the card stays as long as the pointer is over it or its place. */
  const REST = 400;
  let coming, leaving;
  const isAt = target => target instanceof Node && (card.contains(target) || shown?.contains(target));
  const point = ([kind, place], pointerType) => {
    if (!kind || pointerType === "touch") return;
    if (shown === place) return clearTimeout(leaving);
    clearTimeout(coming);
    coming = setTimeout(() => { if (place.matches(":hover")) show(kind, place); }, REST);
  };
  addEventListener("pointerover", event => point(kindAt(event), event.pointerType));
  addEventListener("pointerout", ({ pointerType, target, relatedTarget }) => {
    clearTimeout(coming);
    if (pointerType === "touch" || !isAt(target) || isAt(relatedTarget)) return;
    leaving = setTimeout(() => { if (!isAt(document.activeElement)) hide(); }, REST);
  });
  card.addEventListener("pointerover", () => clearTimeout(leaving));
  const focus = event => {
    const [kind, place] = kindAt(event);
    if (place === left) left = null;
    else if (place?.matches(":focus-visible")) show(kind, place);
  };
  addEventListener("focusin", focus);
  addEventListener("focusout", ({ target, relatedTarget }) => {
    if (isAt(target) && relatedTarget && !isAt(relatedTarget)) hide();
  });
  addEventListener("keydown", event => {
    const [kind, place] = kindAt(event);
    if (!place?.role || event.target !== place || (event.key !== "Enter" && event.key !== " ")) return;
    event.preventDefault();
    show(kind, place);
  });
  // Mice and keys follow a link at once; a tap asks first.
  addEventListener("click", event => {
    const [kind, place] = kindAt(event);
    if (!place || (place.href && (event.pointerType !== "touch" || tapped === place))) return;
    tapped = place;
    if (place.href) event.preventDefault();
    show(kind, place).then(isThere => { if (!isThere && place.href) location.assign(place.href); });
  });
  document.addEventListener("diglot:swapped", hide);
  document.addEventListener("diglot:built", () => { pages.clear(); hide(); });
  // Another slide is there.
  addEventListener("resize", () => { if (shown && !shown.checkVisibility()) hide(); });

  /* The target of a reference: on this page, or on another one of the site. */
  const REFERENCES = `article a[href*="#"]:not(.anchor, .here, .twin, .back, .number, [href^="#mark-"], [href*="#_"], sup a, .under a, [href^="http"])`;
  const pages = new Map();
  const pageOf = url => {
    if (url === location.href.split("#")[0]) return document;
    if (!pages.has(url)) {
      pages.set(url, fetch(url).then(answer => answer.ok ? answer.text() : Promise.reject(answer)).then(text => {
        const page = new DOMParser().parseFromString(text, "text/html");
        page.head.prepend(Object.assign(page.createElement("base"), { href: url }));
        return page;
      }));
      pages.get(url).catch(() => pages.delete(url));
    }
    return pages.get(url);
  };
  const NOT_SHOWN = ".anchor, .twin, .notes, .meta, .here, .back, .under, .below, .controls, .beside, button, form, script, figure > details, .of-talk";
  const small = (part, isHere) => {
    const copy = part.cloneNode(true);
    for (const one of copy.querySelectorAll(NOT_SHOWN)) one.remove();
    for (const one of copy.querySelectorAll("details")) one.open = true;
    // Addresses of another page may be relative to it.
    for (const one of isHere ? [] : copy.querySelectorAll("[srcset]")) one.removeAttribute("srcset");
    for (const name of ["src", "href"]) for (const one of copy.querySelectorAll(`:not(svg *)[${name}]`)) one.setAttribute(name, one[name]);
    for (const one of [copy, ...copy.querySelectorAll("[id], [tabindex]")]) {
      if (isHere || !one.closest("svg")) one.removeAttribute("id");
      one.removeAttribute("tabindex");
    }
    return document.importNode(copy, true);
  };
  /* A block; of a section its title and how it begins. */
  const partsOf = (found, lang) => {
    const half = row => row.querySelector(`:scope > .half[lang="${lang}"]`) ?? row.querySelector(":scope > .half");
    const row = found.closest("article > .row");
    if (!row || row !== found) return [found];
    const next = row.nextElementSibling;
    const rows = row.dataset.kind === "heading" && next?.dataset.kind === "paragraph" ? [row, next] : [row];
    return rows.flatMap(one => [...half(one)?.children ?? []]);
  };
  const fill = async link => {
    const [url, hash] = link.href.split("#");
    const page = await pageOf(url);
    const found = page.getElementById(decodeURIComponent(hash));
    const lang = link.closest("[lang]").lang;
    const parts = found ? partsOf(found, lang).filter(part => !part.matches(NOT_SHOWN)) : [];
    return { nodes: parts.map(part => small(part, page === document)), lang, label: link.textContent };
  };
  globalThis.diglotCards = {
    hide,
    show,
    /* `places`: what has a card; `fill`: its content, its language and its name. */
    add: kind => {
      kinds.push(kind);
      // What brought the script here.
      const place = document.querySelector(`:is(${kind.places}):hover`);
      if (place) point([kind, place]);
      focus({ target: document.activeElement });
    },
  };
  globalThis.diglotCards.add({ name: "reference", places: REFERENCES, fill });
}
