/* What a talk does with a script: one slide at a time, steps, keys and fingers, an overview, the other language on the
   same slide, and a window for the speaker. Windows of one talk stay on the same slide: those of a browser through a
   channel, the speaker's and its opener by messages too, which work from a file. */
{
  const root = document.documentElement;
  const main = document.querySelector("main.deck");
  const desk = document.querySelector(".desk");
  const help = document.querySelector("dialog.keys");
  const all = (selector, from = main) => [...from.querySelectorAll(selector)];
  const WIDTH = 1280;
  const HEIGHT = 720;
  const SWIPE_PX = 50;
  const NARROW = matchMedia("(max-width: 699.98px)");
  const talk = main.dataset.talk;
  const isSpeaker = new URLSearchParams(location.search).has("speaker");
  const mark = (name, isOn) => { isOn ? root.dataset[name] = "" : delete root.dataset[name]; };
  mark("second", "second" in root.dataset || new URLSearchParams(location.search).has("both"));

  // The slide, from 0.
  let at = 0;
  // How many of its steps are there.
  let done = 0;
  const slides = () => all(".slide");
  const stepsIn = (part, isSecond) => all(".step:not(ul, ol), :is(ul, ol).step > li", part).filter(one => isSecond === Boolean(one.closest(".second")));
  // The first is there at once where a slide would be blank without it.
  const stepsOf = slide => stepsIn(slide, false).slice(all(".body .block", slide).every(block => block.matches(".step, :has(.step)")));
  const mode = name => { root.dataset.mode = name; };
  const isOverview = () => root.dataset.mode === "overview";

  /* Sizes: a slide as large as the window, many in an overview, two on the speaker's desk. */
  const fit = () => {
    const [width, height] = [root.clientWidth, innerHeight];
    const columns = Math.max(2, Math.round(width / 360));
    const k = isOverview() ? (width - 20 * (columns + 1)) / columns / WIDTH : Math.min(width / WIDTH, height / HEIGHT);
    const now = Math.max(.1, Math.min((width - 140) * .64 / WIDTH, (height - 330) / HEIGHT));
    const next = Math.max(.1, Math.min((width - 140) / WIDTH - now, now * .6));
    for (const [name, value] of Object.entries({ "--k": k, "--k-now": now, "--k-next": next })) root.style.setProperty(name, value);
  };

  /* Read as a document, on a phone, code may be wider than the window: then the keyboard must reach it. */
  const reachScrollers = () => {
    for (const box of all("pre, .scroll, .eq")) NARROW.matches && box.scrollWidth > box.clientWidth ? box.tabIndex = 0 : box.removeAttribute("tabindex");
  };

  const query = () => isSpeaker ? "?speaker" : "second" in root.dataset ? "?both" : "";
  const address = () => `#${[`/${at + 1}`, stateText()].filter(Boolean).join(";")}`;
  const show = (hush = false) => {
    const list = slides();
    at = Math.max(0, Math.min(list.length - 1, at));
    list.forEach((slide, index) => {
      const on = isOverview() ? (index === at ? "now" : "") : { [at]: "now", [at + 1]: isSpeaker ? "next" : undefined }[index];
      on === undefined || on === "" ? slide.removeAttribute("data-on") : slide.dataset.on = on;
    });
    const steps = stepsOf(list[at]);
    done = Math.max(0, Math.min(steps.length, done));
    all("[data-later]").forEach(one => one.removeAttribute("data-later"));
    const later = new Set(steps.slice(done));
    // Words in the other language come with those that they stand below.
    for (const block of all(".block", list[at])) {
      const own = stepsIn(block, false);
      stepsIn(block, true).forEach((one, index) => { if (later.has(own[index] ?? own.at(-1))) later.add(one); });
    }
    later.forEach(one => one.setAttribute("data-later", ""));
    all("[data-both]").forEach(one => one.setAttribute("aria-pressed", "second" in root.dataset));
    history.replaceState(history.state, "", location.pathname + query() + address());
    for (const link of all("a[data-word]")) link.hash = `/${at + 1}`;
    if (!NARROW.matches) document.getElementById("_announcement").textContent = list[at].querySelector("h1, h2")?.textContent ?? list[at].ariaLabel;
    if (isOverview()) list[at].scrollIntoView({ block: "nearest" });
    if (isSpeaker) brief(list);
    // Figures put their sliders where they are now.
    dispatchEvent(new Event("resize"));
    if (!hush) tell();
  };
  const go = (slide, step = 0) => { at = slide; done = step; show(); };
  const move = by => {
    const steps = stepsOf(slides()[at]).length;
    if (isOverview()) go(at + by);
    else if (by > 0 && done < steps) go(at, done + 1);
    else if (by < 0 && done > 0) go(at, done - 1);
    else if (by > 0 && at < slides().length - 1) go(at + 1);
    else if (by < 0 && at > 0) go(at - 1, Infinity);
  };

  /* The other language waits in a template, of a file that holds everything, or is fetched with the page that shows it; the
     two change places. Where it cannot be fetched, as from a file, its page is opened at the same slide. */
  const own = root.lang;
  const twin = main.querySelector(`a[data-word="${own === "en" ? "zh" : "en"}"]`)?.lang;
  const other = () => root.lang === own ? twin : own;
  const wordOf = lang => main.querySelector(`a[data-word][lang="${lang}"]`);
  const sheetOf = page => page.querySelector('link[rel="stylesheet"]').getAttribute("href");
  let aside = null;
  const slidesAside = async () => document.querySelector("template[data-digest]")?.content ?? (aside ??= fetched(wordOf(other())));
  // Null where it is no talk, or was published anew.
  const fetched = async word => {
    const page = new DOMParser().parseFromString(await (await fetch(word.pathname)).text(), "text/html");
    const slides = sheetOf(page) === sheetOf(document) && page.querySelector("main.deck");
    return slides ? document.createRange().createContextualFragment(slides.innerHTML) : null;
  };
  const placeOf = row => slides().findIndex(slide => slide.dataset.row === row);
  const turn = async (to = other(), hush = false) => {
    const word = wordOf(to);
    if (!word || to !== other()) return;
    const waiting = await slidesAside().catch(() => null);
    if (to !== other()) return;
    if (!waiting) {
      location.assign(word.pathname + query() + address());
      return;
    }
    const row = slides()[at].dataset.row;
    const here = [...main.childNodes];
    main.replaceChildren(waiting);
    waiting.append(...here);
    root.lang = to;
    const same = placeOf(row);
    if (same >= 0) at = same;
    if (location.protocol !== "file:") history.replaceState(history.state, "", word.pathname + query() + address());
    document.dispatchEvent(new CustomEvent("diglot:swapped"));
    show(hush);
  };
  /* Before a reader asks for it: the other language, and the letters that it needs. */
  const prepare = () => {
    if (!twin || navigator.connection?.saveData) return;
    slidesAside().catch(() => { aside = null; });
    for (const style of twin === "en" ? ["400", "600", "italic"] : []) document.fonts.load(`${style} 1em "Diglot Serif"`).catch(() => {});
  };
  const both = () => { mark("second", !("second" in root.dataset)); show(); };
  const overview = () => { mode(isOverview() ? "deck" : "overview"); fit(); show(true); };
  const theme = () => {
    const isDark = (root.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
    root.dataset.theme = isDark ? "light" : "dark";
    try { localStorage.setItem("diglot-theme", root.dataset.theme); } catch {}
  };
  /* What values depend on: the script comes when it is asked for, here or on an earlier page, and turns itself on then. */
  let cards;
  const explain = () => {
    if (cards) return;
    cards = document.createElement("script");
    const onload = () => { if (!("sources" in root.dataset)) marks().click(); };
    document.head.append(Object.assign(cards, { src: marks().dataset.script, onload, onerror: () => { cards = null; } }));
  };
  const marks = () => main.querySelector("button.marks");
  try { if (!isSpeaker && marks() && localStorage.getItem("diglot-sources")) explain(); } catch {}
  const full = () => document.fullscreenElement ? document.exitFullscreen() : root.requestFullscreen?.();

  /* Windows of one talk. A partner is the speaker's window, or the one that opened it: it follows the language, too. */
  const partners = new Set(window.opener ? [window.opener] : []);
  const channel = "BroadcastChannel" in window && location.protocol !== "file:" ? new BroadcastChannel(`diglot-${talk}`) : null;
  // What readers turned figures to.
  const states = new Map();
  const stateText = () => [...states].map(([name, values]) => `${name}?${new URLSearchParams(values)}`).join(";");
  const state = () => ({ talk, row: slides()[at].dataset.row, at, done, lang: root.lang, second: "second" in root.dataset, blank: "blank" in root.dataset, states: stateText() });
  let heardAt = -Infinity;
  const tell = () => {
    channel?.postMessage(state());
    for (const one of partners) one.closed ? partners.delete(one) : one.postMessage(state(), "*");
  };
  const hear = (message, isPartner) => {
    heardAt = performance.now();
    if (isPartner && message.lang[0] !== root.lang[0]) turn(other(), true);
    if (isPartner) mark("second", message.second);
    if (!isSpeaker) mark("blank", message.blank);
    const same = placeOf(message.row);
    at = same < 0 ? message.at : same;
    done = message.done;
    if (message.states !== stateText()) {
      history.replaceState(history.state, "", `#/${at + 1};${message.states}`);
      states.clear();
      // controls.js reads the address.
      dispatchEvent(new PopStateEvent("popstate"));
    }
    show(true);
  };
  channel?.addEventListener("message", ({ data }) => { if (data.talk === talk) hear(data, false); });
  addEventListener("message", ({ data, source, origin }) => {
    if (data?.talk !== talk || (origin !== location.origin && location.protocol !== "file:")) return;
    const isNew = source && !partners.has(source);
    if (isNew) partners.add(source);
    if (data.row) hear(data, true);
    else if (isNew || data.asks) source.postMessage(state(), "*");
  });
  document.addEventListener("diglot:state", ({ detail }) => {
    states.set(detail.figure, detail.values);
    if (performance.now() - heardAt > 500) tell();
  });
  const speaker = () => {
    if (isSpeaker) return;
    const opened = open(`${location.pathname}?speaker${address()}`, "diglot-speaker", "popup,width=1280,height=800");
    if (opened) partners.add(opened);
  };

  /* The speaker's desk: notes, what comes next, the time. */
  const began = { at: Date.now() };
  const minutes = Number(main.dataset.minutes) || 0;
  const clock = s => `${String(Math.floor(s / 60)).padStart(2, "0")}:${String(Math.floor(s % 60)).padStart(2, "0")}`;
  const find = selector => desk.querySelector(selector);
  const brief = list => {
    find(".now b").textContent = `${at + 1} / ${list.length}`;
    const next = find(".next");
    next.dataset.text ??= next.textContent;
    next.textContent = list[at + 1] ? next.dataset.text : next.dataset.end;
    const said = find(".said");
    said.lang = root.lang;
    said.replaceChildren(...all("aside.speaker > *", list[at]).map(one => one.cloneNode(true)));
    said.scrollTop = 0;
    if (minutes) {
      const line = find(".line");
      line.replaceChildren(...list.map((_, index) => {
        const tick = document.createElement("i");
        tick.style.left = `${index / list.length * 100}%`;
        if (index % Math.ceil(list.length / 24) === 0 || index === at) tick.dataset.n = index + 1;
        tick.classList.toggle("here", index === at);
        return tick;
      }), document.createElement("b"));
    }
    tick();
  };
  const tick = () => {
    const s = (Date.now() - began.at) / 1000;
    find(".run").textContent = clock(s);
    find(".wall").textContent = new Date().toTimeString().slice(0, 5);
    if (!minutes) return;
    const each = minutes * 60 / slides().length;
    const [early, left] = [at * each - s, (at + 1) * each - s];
    const { ahead, behind, left: rest } = find(".pace").dataset;
    const words = early > 0 ? ahead.replace("{time}", clock(early)) : left < 0 ? behind.replace("{time}", clock(-left)) : rest.replace("{time}", clock(left));
    find(".pace").textContent = words;
    const now = find(".line b");
    if (now) now.style.left = `${Math.min(100, s / minutes / .6)}%`;
  };
  if (isSpeaker) {
    desk.hidden = false;
    find(".clock button").addEventListener("click", () => { began.at = Date.now(); tick(); });
    setInterval(() => { tick(); for (const one of partners) one.postMessage({ talk }, "*"); }, 1000);
    for (const one of partners) one.postMessage({ talk, asks: true }, "*");
  }

  /* Keys, fingers, and what is clicked. */
  let typed = "";
  const keys = {
    ArrowRight: () => move(1), ArrowDown: () => move(1), PageDown: () => move(1), " ": () => move(1), n: () => move(1),
    ArrowLeft: () => move(-1), ArrowUp: () => move(-1), PageUp: () => move(-1), Backspace: () => move(-1), p: () => move(-1),
    Home: () => go(0), End: () => go(Infinity),
    Enter: () => { if (typed) go(Number(typed) - 1); else if (isOverview()) overview(); else move(1); typed = ""; },
    Escape: () => { if (isOverview()) overview(); }, o: overview, s: speaker, l: () => turn(), t: theme, f: full,
    b: both, v: () => marks()?.click(),
    ".": () => { mark("blank", !("blank" in root.dataset)); tell(); },
    // Its link would take the focus otherwise.
    "?": () => help.open ? help.close() : (help.showModal(), help.focus()),
  };
  addEventListener("keydown", event => {
    if (event.altKey || event.ctrlKey || event.metaKey || (help.open && event.key !== "?")) return;
    const isClicker = event.key === "PageDown" || event.key === "PageUp";
    if (!isClicker && event.target.closest?.("input, select, textarea, button, a[href], [role=slider]") && event.key.length !== 1) return;
    if ([" ", "Enter"].includes(event.key) && event.target.closest?.("input, button, summary, [role=button]")) return;
    if (/^\d$/.test(event.key)) { typed += event.key; return; }
    const run = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!run || (NARROW.matches && !["l", "b", "t", "v"].includes(event.key.toLowerCase()))) return;
    if (event.key !== "Escape") {
      event.preventDefault();
      event.stopPropagation();
    }
    run();
    if (event.key !== "Enter") typed = "";
  }, true);
  // A control that was used with the mouse gives the keys back to the slides.
  document.addEventListener("pointerup", event => {
    if (event.target.closest?.(".controls")) setTimeout(() => document.activeElement?.blur());
  });
  document.addEventListener("click", event => {
    const word = event.target.closest?.("a[data-word]");
    if (word && twin && !event.button && !event.metaKey && !event.ctrlKey && !event.shiftKey) {
      if ([own, twin].includes(word.lang)) event.preventDefault(); // another page holds the traditional characters
      turn(word.lang);
    } else if (event.target.closest?.("[data-both], button.marks")) {
      event.target.matches(".marks") ? explain() : both();
      event.target.blur();
    } else if (isOverview()) {
      const index = slides().indexOf(event.target.closest?.(".slide"));
      if (index >= 0) { mode("deck"); go(index); }
    }
  });
  let from = null;
  addEventListener("touchstart", ({ touches, target }) => {
    from = touches.length === 1 && !target.closest(".controls, .scroll, pre, [data-turns]") ? touches[0] : null;
  }, { passive: true });
  addEventListener("touchend", ({ changedTouches: [to] }) => {
    if (!from || NARROW.matches || isOverview()) return;
    const [x, y] = [to.clientX - from.clientX, to.clientY - from.clientY];
    if (Math.abs(x) > SWIPE_PX && Math.abs(x) > 2 * Math.abs(y)) move(x < 0 ? 1 : -1);
  }, { passive: true });

  /* The address: `#/3` is the third slide, `#roof` the one with that block. */
  const read = () => {
    let id = location.hash.slice(1).split(";")[0];
    try { id = decodeURIComponent(id); } catch { /* it is no id, then */ }
    const block = id && !id.startsWith("/") ? document.getElementById(id) : null;
    const slide = block?.closest(".slide");
    return slide ? slides().indexOf(slide) : (Number(id.slice(1)) || 1) - 1;
  };
  // Where the talk is read as a document, that slide is scrolled to.
  const reach = () => NARROW.matches && at && slides()[at].scrollIntoView();
  addEventListener("hashchange", () => { const to = read(); if (to !== at) go(to); reach(); });
  addEventListener("resize", () => { fit(); reachScrollers(); }, { passive: true });
  document.addEventListener("diglot:reveal", ({ target }) => {
    const to = slides().indexOf(target.closest(".slide"));
    if (to >= 0 && to !== at) go(to, Infinity);
  });
  // A preview has put what was built into this page; what was fetched before is old now.
  document.addEventListener("diglot:built", () => { aside = null; done = Infinity; show(true); });
  NARROW.addEventListener("change", () => show(true));

  for (const part of location.hash.slice(1).split(";").filter(part => part.includes("?"))) {
    const [name, query] = part.split("?");
    states.set(name, Object.fromEntries(new URLSearchParams(query)));
  }
  mode(isSpeaker ? "speaker" : "deck");
  fit();
  at = read();
  show(true);
  reach();
  // On a first visit the theme's own faces come first (head.html).
  const rest = () => root.dataset.faces ? addEventListener("resize", rest, { once: true }) : (window.requestIdleCallback ?? setTimeout)(prepare);
  rest();
}
