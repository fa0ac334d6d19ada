/* Patching: applies to the open page only what differs between the page as it was served (`before`) and as it is
   served now (`after`). The open page differs from both because scripts and the reader have changed it: open
   disclosures, the focus, and notes moved to their marks stay. */

const WHOLE = new Set(["template", "svg", "math", "pre", "script", "style", "iframe", "video", "audio", "canvas", "select", "textarea"]);
const MOST_PAIRS = 1_000_000;

const isBlank = node => node.nodeType === Node.TEXT_NODE && !node.data.trim();
const copyOf = node => document.importNode(node, true);
const textOf = node => {
  if (node.nodeType !== Node.ELEMENT_NODE) return `${node.nodeType} ${node.data}`;
  const bare = node.cloneNode(true);
  bare.removeAttribute("id");
  return bare.outerHTML;
};

/* How alike two children are; 0 if one cannot become the other. Content counts more than the id, because ids number
   the blocks of a section and so may belong to another block now. */
function likeness(one, other, content) {
  if (one.nodeName !== other.nodeName) return 0;
  if (content.get(one) === content.get(other)) return isBlank(one) ? 1 : one.id === other.id ? 12 : 10;
  if (one.nodeType !== Node.ELEMENT_NODE) return 2;
  if (one.id && one.id === other.id) return 8;
  return one.className === other.className ? 3 : 2;
}

/* The best order-preserving pairing of two lists of children, as pairs [old index, new index]. */
function align(olds, news) {
  let start = 0;
  let oldEnd = olds.length;
  let newEnd = news.length;
  const pairs = [];
  while (start < oldEnd && start < newEnd && olds[start].isEqualNode(news[start])) pairs.push([start, start++]);
  const tail = [];
  while (oldEnd > start && newEnd > start && olds[oldEnd - 1].isEqualNode(news[newEnd - 1])) tail.push([--oldEnd, --newEnd]);
  const height = oldEnd - start;
  const width = newEnd - start;
  if (height === 1 && width === 1) {  // one child differs: no need to serialise it for comparison
    if (olds[start].nodeName === news[start].nodeName) pairs.push([start, start]);
    return [...pairs, ...tail.reverse()];
  }
  if (height * width > MOST_PAIRS) return null;
  const content = new Map([...olds.slice(start, oldEnd), ...news.slice(start, newEnd)].map(node => [node, textOf(node)]));
  const best = Array.from({ length: height + 1 }, () => new Int32Array(width + 1));
  const alike = (row, column) => likeness(olds[start + row], news[start + column], content);
  for (let row = height - 1; row >= 0; row--) {
    for (let column = width - 1; column >= 0; column--) {
      const points = alike(row, column);
      const paired = points ? points + best[row + 1][column + 1] : 0;
      best[row][column] = Math.max(paired, best[row + 1][column], best[row][column + 1]);
    }
  }
  for (let row = 0, column = 0; row < height && column < width;) {
    const points = alike(row, column);
    if (points && best[row][column] === points + best[row + 1][column + 1]) pairs.push([start + row++, start + column++]);
    else if (best[row][column] === best[row + 1][column]) row++;
    else column++;
  }
  return [...pairs, ...tail.reverse()];
}

/* The children in the open page that correspond to the served ones; nodes that scripts added are skipped. Null if
   scripts have changed too much to tell. */
function livingOf(live, olds) {
  const here = [...live.childNodes];
  const found = [];
  let at = 0;
  for (const old of olds) {
    const fits = node => node.nodeName === old.nodeName && (!old.id || node.id === old.id);
    let next = at;
    while (next < here.length && !fits(here[next])) next++;
    if (next === here.length) {
      if (old.nodeType === Node.ELEMENT_NODE) return null;
      found.push(null);
    } else {
      found.push(here[next]);
      at = next + 1;
    }
  }
  return found;
}

function patchAttributes(live, before, after) {
  for (const { name } of [...before.attributes]) if (!after.hasAttribute(name)) live.removeAttribute(name);
  for (const { name, value } of after.attributes) if (before.getAttribute(name) !== value) live.setAttribute(name, value);
}

/* Patches a node of the open page, and returns it or its replacement. */
function patch(live, before, after) {
  if (before.isEqualNode(after)) return live;
  if (live.nodeType !== Node.ELEMENT_NODE) {
    live.data = after.data;
    return live;
  }
  if (WHOLE.has(live.localName)) {
    const now = copyOf(after);
    live.replaceWith(now);
    return now;
  }
  patchAttributes(live, before, after);
  const olds = [...before.childNodes];
  const news = [...after.childNodes];
  const living = livingOf(live, olds);
  const pairs = living && align(olds, news);
  if (!pairs) {
    live.replaceChildren(...news.map(copyOf));
    return live;
  }
  const oldOf = new Map(pairs.map(([old, now]) => [now, old]));
  const kept = new Set(pairs.map(([old]) => old));
  let place = living.findLast(node => node)?.nextSibling ?? null;  // nodes that scripts appended stay at the end
  living.forEach((node, old) => { if (node && !kept.has(old)) node.remove(); });
  for (let now = news.length - 1; now >= 0; now--) {
    const target = living[oldOf.get(now)];
    place = target ? patch(target, olds[oldOf.get(now)], news[now]) : live.insertBefore(copyOf(news[now]), place);
  }
  return live;
}
