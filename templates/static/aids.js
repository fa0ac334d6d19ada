/* Small aids to reading, which come when the page is there and rests: the table of contents marks the section that the
   reader is in, code is copied, long tables are sorted, pictures open large, each block has a link to itself. Without it
   the page lacks words to click, and nothing that it says. */
{
  const root = document.documentElement;
  const all = (selector, from = document) => [...from.querySelectorAll(selector)];
  // In the language of what is near, which side by side is not always the page's.
  const words = near => document.querySelector(`[data-words="${near.closest("[lang]").lang}"], main`).dataset;
  const made = (name, properties, ...children) => {
    const element = Object.assign(document.createElement(name), properties);
    element.append(...children);
    return element;
  };
  const scripts = document.querySelector("script[data-aids]").dataset;
  // A word to click; diglot.js fetches the script that does what it says.
  const word = (className, near, script) => {
    const own = words(near);
    const button = made("button", { className, lang: own.words ?? root.lang }, own[className]);
    if (script) button.dataset.script = scripts[script];
    return button;
  };
  const copy = async (text, element) => {
    await navigator.clipboard.writeText(text);
    if (element.matches(".said")) return;
    const before = element.textContent;
    document.getElementById("_announcement").textContent = element.textContent = words(element).copied;
    element.classList.add("said");
    setTimeout(() => { element.classList.remove("said"); element.textContent = before; }, 2000);
  };

  /* A word over each block of code; of a citation, too. */
  const addCopying = () => {
    for (const block of all("main pre, .cite p")) {
      if (block.parentElement.matches(".copied")) continue;
      const box = made("div", { className: "copied" });
      const button = word("copy", block);
      button.onclick = () => copy(block.textContent.replace(/\n$/, ""), button).catch(() => getSelection().selectAllChildren(block));
      block.replaceWith(box);
      box.append(block, button);
    }
  };

  /* Tables of at least eight rows can be sorted (sorting.js). */
  const addSorting = () => {
    for (const table of all("main table:not(.ask table, :has(.sort, [colspan], [rowspan]))")) {
      const heads = table.tHead?.rows.length === 1 ? [...table.tHead.rows[0].cells] : [];
      const rows = [...table.tBodies[0]?.rows ?? []];
      if (rows.length < 8 || table.tBodies.length > 1 || rows.some(row => row.cells.length !== heads.length)) continue;
      for (const head of heads) {
        if (!head.textContent.trim()) continue;
        const button = word("sort", table, "sorting");
        // It is in the table's own.
        button.removeAttribute("lang");
        button.title = button.textContent.replace("{column}", head.firstChild.textContent.trim());
        button.replaceChildren(...head.childNodes);
        head.append(button);
      }
    }
  };

  /* Drawings, and pictures of which there is more to see than is shown, open large (enlarging.js). */
  const addEnlarging = () => {
    for (const drawing of all("figure > .drawing:not(form):has(svg)")) {
      const caption = drawing.parentElement.querySelector("figcaption:not(:has(.larger))");
      // In the line that says where the numbers come from, so that nothing below moves.
      (caption?.querySelector(".under") ?? caption)?.append(word("larger", drawing, "enlarging"));
    }
    for (const picture of all("article .half img")) {
      if (picture.closest("a, button, .copied, .larger-box")) continue;
      const offer = () => {
        if (Number(picture.getAttribute("width") ?? picture.naturalWidth) <= picture.clientWidth * 1.2) return;
        const frame = made("span", { className: "larger-box" });
        const box = picture.closest("picture") ?? picture;
        const button = word("larger", picture, "enlarging");
        picture.onclick = () => button.click();
        box.replaceWith(frame);
        frame.append(box, button);
      };
      picture.complete ? offer() : picture.addEventListener("load", offer, { once: true });
    }
  };

  /* A link to the block that the pointer or the focus is in. Headings have their own. */
  const link = made("a", { className: "here" }, "#");
  const point = ({ target }) => {
    const row = target.closest?.("article > .row[id]:not(.head, [data-kind='heading'])");
    if (!row || link.parentElement === row) return;
    link.href = `#${row.id}`;
    link.ariaLabel = words(root).permalink;
    row.append(link);
  };
  addEventListener("pointerover", point, { passive: true });
  addEventListener("focusin", point);
  document.addEventListener("click", ({ target }) => {
    const sign = target.closest?.("a.anchor, a.here");
    if (sign) copy(sign.href, sign).catch(() => {});
    if (target.closest?.(".contents a")) document.querySelector(".contents:popover-open")?.hidePopover();
  });

  /* The table of contents marks the section that the reader is in. */
  let watch;
  const follow = () => {
    watch?.disconnect();
    const list = document.getElementById("_contents");
    if (!list) return;
    const links = new Map(all("a", list).map(link => [decodeURIComponent(link.hash.slice(1)), link]));
    const passed = new Set();
    // What is above a third of the window counts as seen, however far above: so one jump misses no heading.
    watch = new IntersectionObserver(changes => {
      for (const { target, isIntersecting } of changes) passed[isIntersecting ? "add" : "delete"](target.id);
      const here = [...links.keys()].filter(id => passed.has(id)).pop();
      for (const [id, link] of links) link.ariaCurrent = id === here ? "location" : null;
      const link = links.get(here);
      if (link) list.scrollTop += link.getBoundingClientRect().top - list.getBoundingClientRect().top - list.clientHeight / 2;
    }, { rootMargin: "9999999px 0px -66% 0px" });
    for (const id of links.keys()) {
      const heading = document.getElementById(id);
      if (heading) watch.observe(heading);
    }
  };

  /* Tabs that are named alike switch together. */
  addEventListener("toggle", ({ target }) => {
    for (const tab of all(`[data-sync="${target.dataset.sync}"]`)) tab.open ||= target.open;
  }, true);

  const add = () => { addCopying(); addSorting(); addEnlarging(); };
  const begin = () => { add(); follow(); };
  document.addEventListener("diglot:swapped", begin);
  document.addEventListener("diglot:built", begin);
  // The table of another state of a figure; a step is painted first.
  let resting;
  document.addEventListener("diglot:state", () => { clearTimeout(resting); resting = setTimeout(add, 400); });
  begin();
}
