/* Figures that readers can turn. Every state was computed and drawn at build: the page holds the first one, and a
   file tells in which attributes and texts the others differ. It is fetched when a reader first reaches for a
   control. Without this script, or the file, the first state stays.

   A step is told to other scripts by the event `diglot:state` on the document, with the name of the figure, the
   values of its parameters, and the drawings that changed. */
{
  const root = document.documentElement;
  const all = (selector, from = document) => [...from.querySelectorAll(selector)];
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  const PLAY_MS = 400;
  const REST_MS = 200;
  const STOP_PX = 6;
  const PAGE_STOPS = 16;
  // Half of a target for a finger.
  const REACH_PX = 22;
  // Up to so many states, each gets a layer: hidden ones are painted, too.
  const FEW = 4;

  /* The figures of the page by name, and what readers chose: kept while the languages are swapped. */
  let figures = new Map();
  const chosen = new Map();

  const files = new Map();
  const ready = new Map();
  const fetched = url => {
    if (!files.has(url)) {
      // A talk holds its files itself, because it may have been opened from one.
      const inside = url[0] === "#" && JSON.parse(document.getElementById(url.slice(1)).textContent);
      const file = inside ? Promise.resolve(inside) : fetch(url).then(answer => answer.ok ? answer.json() : Promise.reject(answer));
      files.set(url, file);
      file.then(content => ready.set(url, content), () => files.delete(url));
    }
    return files.get(url);
  };

  /* What is already there is not put again: even the same text makes the browser lay out what is around it.
     The node of the text stays: for a new one, the browser would go through all rules with `:has()`. */
  const put = (element, text) => {
    const [node, more] = element.childNodes;
    if (more || node?.nodeType !== Node.TEXT_NODE) element.textContent = text;
    else if (node.data !== text) node.data = text;
  };
  const painted = then => requestAnimationFrame(() => setTimeout(then));
  const set = (element, name, value) => { if (element.getAttribute(name) !== `${value}`) element.setAttribute(name, value); };

  /* Drawings: elements that only other states have are inserted, then attributes and texts are set. Of a figure with
     few states, each keeps a layer of its own once it was shown, and later steps change the layers' opacity alone:
     then the browser lays out nothing. */
  const drawings = new WeakMap();
  const at = (svg, path) => path.reduce((element, index) => element?.children[index], svg);
  const group = () => document.createElementNS("http://www.w3.org/2000/svg", "g");
  const parsed = markup => {
    const holder = group();
    holder.innerHTML = markup;
    return holder.firstElementChild;
  };
  const prepared = (box, file) => {
    const svg = box.querySelector("svg");
    const known = drawings.get(box);
    if (known?.svg === svg && known.file === file) return known;
    // The preview has new states of a drawing that stayed the same.
    if (known?.svg === svg) {
      svg.replaceWith(known.pristine);
      drawings.delete(box);
      return prepared(box, file);
    }
    const pristine = svg.cloneNode(true);
    // The figure may stand on the page twice.
    const own = svg.querySelector("title").id.replace(/-title$/, "");
    const mine = text => own === file.prefix || !text ? text : text.replaceAll(file.prefix, own);
    for (const [path, markup] of file.insert) {
      const parent = at(svg, path.slice(0, -1));
      parent.insertBefore(parsed(mine(markup)), parent.children[path.at(-1)] ?? null);
    }
    const slots = file.slots.map(([path, attribute, values, which, [start, end]]) =>
      ({ element: at(svg, path), attribute, values: values.map(value => value === null ? null : mine(start + value + end)), which, shown: -1 }));
    const drawing = { svg, file, pristine, slots };
    if (file.frames <= FEW) {
      drawing.model = group();
      drawing.model.append(...all(":scope > :not(title, desc, metadata, defs, style)", svg));
      drawing.layers = [];
    }
    drawings.set(box, drawing);
    return drawing;
  };
  const setText = (element, text) => {
    if (element.firstChild?.nodeType === Node.TEXT_NODE) element.firstChild.data = text;
    else element.prepend(text);
  };
  const show = (box, file, frame) => {
    const { svg, slots, model, layers } = prepared(box, file);
    const isDrawn = layers?.[frame];
    for (const slot of slots) {
      const index = slot.which ? slot.which[frame] : frame;
      if (index === slot.shown || isDrawn && model.contains(slot.element)) continue;
      slot.shown = index;
      const value = slot.values[index];
      if (!slot.attribute) setText(slot.element, value);
      else if (value === null) slot.element.removeAttribute(slot.attribute);
      else slot.element.setAttribute(slot.attribute, value);
    }
    if (layers && !isDrawn) svg.append(layers[frame] = model.cloneNode(true));
    layers?.forEach((layer, at) => set(layer, "opacity", Number(at === frame)));
    return svg.querySelector("desc").textContent;
  };

  /* What a page holds: controls, and in its prose values that follow and numbers that can be turned. */
  const parameterOf = element => {
    const { parameter, values, texts } = element.dataset;
    const radios = all('input[type="radio"]', element);
    // A page begins with the states it was published with.
    for (const one of all("input", element)) one.autocomplete = "off";
    const input = element.querySelector("input");
    if (radios.length) {
      const first = radios.findIndex(one => one.defaultChecked);
      return { name: parameter, element, radios, values: radios.map(one => one.value), texts: radios.map(one => one.nextElementSibling.textContent), first };
    }
    if (input.type === "checkbox") {
      return { name: parameter, element, box: input, values: ["false", "true"], texts: ["false", "true"], first: Number(input.defaultChecked) };
    }
    return { name: parameter, element, slider: input, values: values.split("\n"), texts: texts.split("\n"), first: Number(input.defaultValue) };
  };
  const setAt = ({ radios, box, slider }) => radios ? radios.findIndex(one => one.checked) : Number(box ? box.checked : slider.value);
  const figureOf = element => {
    const name = element.dataset.figure;
    const parameters = all("[data-parameter]", element).map(parameterOf);
    for (const one of parameters) {
      one.at = setAt(one);
      one.slider?.style.setProperty("--stops", one.values.length - 1);
    }
    const own = selector => all(selector).filter(one => one.dataset.figure === name);
    // Side by side, there are drawings in each language; those of the controls come first.
    const frames = [...new Set([element.parentElement, element.closest(".row") ?? element].flatMap(one => all("[data-frames]", one)))];
    return { name, element, frames, parameters, handles: own("[data-turns]"), followers: own("[data-value]"), descriptions: own("[data-described]"), messages: own("[data-message]"), tables: own("[data-tables]"), stated: own("[data-stated]"), boxes: [], turn: 0 };
  };
  const frameOf = (figure, place = "at") => figure.parameters.reduce((frame, one) => frame * one.values.length + one[place], 0);
  const isTurned = figure => figure.parameters.some(one => one.at !== one.first);
  const valuesOf = figure => Object.fromEntries(figure.parameters.map(one => [one.name, one.values[one.at]]));

  /* Controls, and numbers in prose that can be turned, show the state; the drawing follows. */
  const handlesOf = (figure, { name }) => figure.handles.filter(handle => handle.dataset.turns === name);
  const setControls = (figure, place = "at") => {
    figure.element.classList.toggle("on", isTurned(figure));
    for (const one of figure.parameters) {
      one.radios?.forEach((radio, index) => { radio.checked = index === one.at; });
      if (one.box) one.box.checked = one.at === 1;
      if (one.slider) one.slider.value = one.at;
      const said = [one.texts[one[place]], figure.said].filter(Boolean).join(root.lang === "en" ? ": " : "：");
      if (one.slider) set(one.slider, "aria-valuetext", said);
      for (const handle of handlesOf(figure, one)) {
        for (const [name, value] of Object.entries({ role: "slider", tabindex: 0, "aria-label": handle.dataset.label, "aria-valuemin": 0, "aria-valuemax": one.values.length - 1, "aria-valuenow": one.at, "aria-valuetext": said })) set(handle, name, value);
      }
    }
  };
  const setTexts = (figure, place = "at") => {
    for (const one of figure.parameters) {
      const text = one.texts[one[place]];
      if (one.slider) put(one.element.querySelector("output"), text);
      for (const handle of handlesOf(figure, one)) put(handle, handle.dataset.texts?.split("\n")[one[place]] ?? text);
    }
  };
  const sync = figure => { setControls(figure); setTexts(figure); };
  const textsOf = (figure, element) => figure.element.getAttribute(`data-following-${element.closest(".second, .half, .slide")?.lang.toLowerCase()}`);
  const filesOf = figure => [
    ...figure.boxes.map(box => box.dataset.frames),
    ...new Set(figure.followers.map(element => textsOf(figure, element))),
    ...figure.tables.map(element => element.dataset.tables),
  ].filter(Boolean);

  const draw = async figure => {
    const turn = ++figure.turn;
    try {
      const needed = figure.isReady ? [] : filesOf(figure).filter(url => !ready.has(url));
      if (needed.length) {
        sync(figure);
        await Promise.all(needed.map(fetched));
      }
      figure.isReady = true;
      if (turn === figure.turn && figure.element.isConnected) paint(figure, figure.boxes);
    } catch {
      if (turn !== figure.turn) return;
      say(figure, figure.element.dataset.unreachable);
      for (const one of figure.parameters) one.at = one.first;
      sync(figure);
    }
  };
  const paint = (figure, boxes, place = "at") => {
    const frame = frameOf(figure, place);
    for (const box of [...boxes].reverse()) {
      const file = ready.get(box.dataset.frames);
      figure.said = show(box, file, frame);
      box.parentElement.setAttribute("aria-label", figure.said);
      for (const element of figure.descriptions) put(element, figure.said);
      for (const element of file.messages ? figure.messages : []) put(element, file.messages[frame]);
    }
    const follow = element => {
      const of = ready.get(textsOf(figure, element))?.[figure.name]?.[element.dataset.value];
      const text = of?.[0][of[1][frame]];
      // A new node: another number has not moved there from the line where the last one was.
      if (of && element.textContent !== text) element.textContent = text;
    };
    const rest = () => {
      setTexts(figure, place);
      figure.followers.forEach(follow);
      for (const element of figure.tables) {
        const { states, tables, which } = ready.get(element.dataset.tables) ?? {};
        if (!which) continue;
        if (element.dataset.shown !== `${which[frame]}`) element.innerHTML = tables[which[frame]];
        element.dataset.shown = which[frame];
        for (const one of figure.stated) put(one, states[frame]);
      }
    };
    const { turn } = figure;
    if (paper.matches) rest();
    // What the browser would lay out outside of the drawing waits until this is painted.
    else painted(() => {
      if (turn !== figure.turn) return;
      setTexts(figure, place);
      figure.followers.filter(one => !outOfSight.has(one)).forEach(follow);
    });
    clearTimeout(figure.resting);
    figure.resting = setTimeout(() => {
      rest();
      if (figure.speaks && figure.said) put(document.getElementById("_announcement"), figure.said);
      figure.speaks = false;
    }, REST_MS);
    setControls(figure, place);
    document.dispatchEvent(new CustomEvent("diglot:state", { detail: { figure: figure.name, values: valuesOf(figure), frame, boxes } }));
  };
  const say = (figure, text) => put(figure.element.querySelector(".said"), text);

  /* The address: `#fig-roofline?dtype=fp8&batch=64`, with a semicolon before another figure. */
  const stateOf = figure => `${figure.name}?${figure.parameters.map(one => `${one.name}=${encodeURIComponent(one.values[one.at])}`).join("&")}`;
  const written = () => [...figures.values()].filter(isTurned).sort((one, other) => other.since - one.since).map(stateOf).join(";");
  const readAddress = hash => new Map(hash.replace(/^#/, "").split(";").filter(part => part.includes("?")).map(part => {
    const [name, query] = part.split("?");
    return [name, Object.fromEntries(new URLSearchParams(query))];
  }));
  // The control of the last step: its steps are one entry of the history.
  let latest = null;
  let resting;
  const write = control => {
    const path = location.pathname;
    root.dataset.state = written();
    // A new entry takes the browser longer than the step, so that the step is painted first.
    if (control !== latest) {
      painted(() => { if (path === location.pathname) history.pushState({ y: scrollY }, "", addressOf(root.dataset.state)); });
    }
    latest = control;
    // Browsers allow only so many changes of the address: further steps are written when the reader rests.
    clearTimeout(resting);
    resting = setTimeout(() => {
      for (const link of all("a[data-word][href]")) link.hash = root.dataset.state;
      if (path === location.pathname) history.replaceState(history.state, "", addressOf(root.dataset.state));
    }, REST_MS);
  };
  // In a talk, the slide comes first.
  const slide = () => location.hash.match(/^#(\/\d+)/)?.[1];
  const addressOf = state => location.pathname + location.search + (state || slide() ? `#${[slide(), state].filter(Boolean).join(";")}` : "");
  /* Turns figures to what an address or a reader's memory says; what it does not know stays as it was published. */
  const restore = states => {
    for (const figure of figures.values()) {
      const state = states.get(figure.name) ?? {};
      const before = frameOf(figure);
      for (const one of figure.parameters) {
        const index = one.values.indexOf(state[one.name]);
        one.at = index < 0 ? one.first : index;
      }
      figure.since = isTurned(figure) ? performance.now() : 0;
      isTurned(figure) ? chosen.set(figure.name, valuesOf(figure)) : chosen.delete(figure.name);
      if (frameOf(figure) !== before || isTurned(figure)) draw(figure);
      else sync(figure);
    }
    root.dataset.state = written();
  };

  /* A step of a reader. */
  const step = (figure, parameter, index, control) => {
    const next = Math.max(0, Math.min(parameter.values.length - 1, index));
    if (next === parameter.at) return;
    parameter.at = next;
    figure.since = performance.now();
    // Sliders say their value themselves.
    figure.speaks = !parameter.slider;
    chosen.set(figure.name, valuesOf(figure));
    say(figure, "");
    draw(figure);
    write(control);
  };

  let player = null;
  const stop = () => {
    if (!player) return;
    clearInterval(player.timer);
    const { button } = player;
    button.textContent = button.dataset.play;
    button.setAttribute("aria-pressed", "false");
    player = null;
  };
  const play = (figure, parameter, button) => {
    if (parameter.at === parameter.values.length - 1) step(figure, parameter, 0, button);
    button.textContent = button.dataset.pause;
    button.setAttribute("aria-pressed", "true");
    const timer = setInterval(() => {
      if (!button.isConnected || parameter.at === parameter.values.length - 1) return stop();
      step(figure, parameter, parameter.at + 1, button);
    }, PLAY_MS);
    player = { timer, button };
  };

  const tell = (button, text) => {
    const before = button.dataset.before ??= button.textContent;
    button.textContent = text;
    document.getElementById("_announcement").textContent = text;
    setTimeout(() => { button.textContent = before; }, 2000);
  };
  const share = async (figure, button) => {
    const url = `${location.href.split("#")[0]}#${stateOf(figure)}`;
    try {
      await navigator.clipboard.writeText(url);
      tell(button, button.dataset.done);
    } catch {
      history.replaceState(history.state, "", url);
      tell(button, button.dataset.instead);
    }
  };

  /* Where a parameter is the quantity of an x axis, the axis is the track of its slider. */
  const place = figure => {
    // Asked for here alone, because every question about places makes the browser lay out the page.
    figure.isReady = false;
    figure.boxes = figure.frames.filter(box => box.getClientRects().length);
    const svg = figure.boxes[0]?.querySelector("svg");
    for (const { name, slider, values } of figure.parameters) {
      const track = svg?.getAttribute(`data-track-${name}`)?.split(" ");
      if (!track || !slider?.closest(".on-axis")?.offsetParent) continue; // none on paper
      const holder = slider.parentElement;
      const [low, high, left, right, y] = track.slice(1).map(Number);
      const along = track[0] === "log" ? Math.log : Number;
      const [box, around] = [svg, holder.offsetParent].map(one => one.getBoundingClientRect());
      const scale = Math.min(box.width / svg.viewBox.baseVal.width, box.height / svg.viewBox.baseVal.height);
      const x = value => box.left - around.left + scale * (left + (along(value) - along(low)) / (along(high) - along(low)) * (right - left));
      const ends = [x(Number(values[0])), x(Number(values.at(-1)))];
      // A slide is scaled to the window.
      const enlarged = around.width / holder.offsetParent.offsetWidth || 1;
      holder.style.left = `${ends[0] / enlarged - REACH_PX}px`;
      holder.style.width = `${(ends[1] - ends[0]) / enlarged + 2 * REACH_PX}px`;
      holder.style.top = `${(box.top - around.top + scale * y) / enlarged - REACH_PX}px`;
    }
  };

  /* Events reach every page that is swapped in, because they are heard on the document. */
  const reached = event => {
    const holder = event.target.closest?.(".controls, [data-turns]");
    const figure = holder && figures.get(holder.dataset.figure);
    const element = event.target.closest?.("[data-parameter], [data-turns]");
    const name = element?.dataset.parameter ?? element?.dataset.turns;
    return figure ? { figure, holder, parameter: figure.parameters.find(one => one.name === name) } : {};
  };
  const ahead = event => {
    const { figure } = reached(event);
    if (figure) filesOf(figure).forEach(url => fetched(url).catch(() => {}));
  };
  for (const name of ["pointerover", "pointerdown", "focusin"]) document.addEventListener(name, ahead);
  for (const name of ["pointerdown", "focusin"]) document.addEventListener(name, () => { latest = null; });
  document.addEventListener("input", event => {
    const { figure, parameter } = reached(event);
    if (!parameter) return;
    stop();
    if (parameter.radios) latest = null;
    step(figure, parameter, setAt(parameter), event.target);
  });
  document.addEventListener("click", event => {
    const { figure, parameter } = reached(event);
    const button = event.target.closest?.("button");
    if (!figure || !button) return;
    if (button.matches(".share")) return share(figure, button);
    const isPlaying = player?.button === button;
    stop();
    if (!isPlaying && parameter) play(figure, parameter, button);
  });

  /* A number in a sentence: dragged, or turned with the keys. */
  let drag = null;
  document.addEventListener("pointerdown", event => {
    const { figure, holder, parameter } = reached(event);
    if (event.target.matches?.(".slider input")) stop();
    if (!parameter || !holder.matches("[data-turns]") || event.button) return;
    stop();
    drag = { figure, holder, parameter, from: parameter.at, x: event.clientX, moved: false };
    holder.setPointerCapture(event.pointerId);
    holder.classList.add("on");
  });
  document.addEventListener("pointermove", event => {
    if (!drag) return;
    const stops = Math.round((event.clientX - drag.x) / STOP_PX);
    drag.moved ||= stops !== 0;
    step(drag.figure, drag.parameter, drag.from + stops, drag.holder);
  });
  for (const name of ["pointerup", "pointercancel"]) {
    document.addEventListener(name, () => {
      if (!drag) return;
      const { figure, holder, parameter, moved } = drag;
      holder.classList.remove("on");
      // A choice has few values: a click goes to the next one.
      if (name === "pointerup" && !moved && !parameter.slider) step(figure, parameter, (parameter.at + 1) % parameter.values.length, holder);
      drag = null;
    });
  }
  document.addEventListener("keydown", event => {
    const { figure, holder, parameter } = reached(event);
    if (!parameter || !holder.matches("[data-turns]") || event.altKey || event.ctrlKey || event.metaKey) return;
    const by = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: PAGE_STOPS, PageDown: -PAGE_STOPS, Home: -Infinity, End: Infinity }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    stop();
    step(figure, parameter, parameter.at + by, holder);
  });

  /* On paper, the state that was published. */
  const paper = matchMedia("print");
  paper.addEventListener("change", () => {
    for (const figure of figures.values()) {
      const boxes = figure.frames.filter(box => drawings.has(box));
      if (boxes.length) paint(figure, boxes, paper.matches ? "first" : "at");
    }
  });

  /* Prose out of sight follows when the reader rests: a step lays out what is seen alone. */
  const outOfSight = new Set();
  const sight = new IntersectionObserver(seen => {
    for (const { target, isIntersecting } of seen) isIntersecting ? outOfSight.delete(target) : outOfSight.add(target);
  });

  const scan = () => {
    stop();
    sight.disconnect();
    outOfSight.clear();
    figures = new Map(all(".controls[data-figure]").map(element => [element.dataset.figure, figureOf(element)]));
    for (const button of all(".play")) button.hidden = still.matches;
    for (const figure of figures.values()) {
      place(figure);
      figure.followers.forEach(one => sight.observe(one));
    }
  };
  let popped = false;
  addEventListener("popstate", () => {
    latest = null;
    popped = true;
    clearTimeout(resting);
    stop();
    restore(readAddress(location.hash));
  });
  document.addEventListener("diglot:swapped", ({ detail }) => {
    scan();
    if (detail === "built" || !popped) {
      restore(new Map(chosen));
      const state = written();
      if (state) history.replaceState(history.state, "", addressOf(state));
    } else restore(readAddress(location.hash));
    popped = false;
  });
  addEventListener("resize", () => {
    figures.forEach(place);
    for (const figure of figures.values()) if (isTurned(figure)) draw(figure);
  });
  document.fonts.ready.then(() => figures.forEach(place));
  still.addEventListener("change", () => { if (still.matches) stop(); for (const button of all(".play")) button.hidden = still.matches; });

  scan();
  const asked = readAddress(location.hash);
  if (asked.size && performance.getEntriesByType("navigation")[0]?.type === "navigate") {
    document.getElementById([...asked.keys()][0])?.scrollIntoView();
  }
  // What a reader has turned before this script was there.
  for (const one of figures.values()) if (isTurned(one)) asked.set(one.name, valuesOf(one));
  restore(asked);
}
