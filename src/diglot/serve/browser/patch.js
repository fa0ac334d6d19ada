/* Patching: what differs between a page as it was served (`before`) and as it is served now (`after`) is
   changed in the page on the screen, and nothing else. Three of them, because scripts have worked on the one
   on the screen: open disclosures, a focus, notes moved to their marks are theirs and stay. */

const WHOLE = new Set(["svg", "math", "pre", "script", "style", "iframe", "video", "audio", "canvas", "select", "textarea"]);
const MOST_PAIRS = 1_000_000;

const isBlank = node => node.nodeType === Node.TEXT_NODE && !node.data.trim();
const copyOf = node => document.importNode(node, true);
const textOf = node => {
  if (node.nodeType !== Node.ELEMENT_NODE) return `${node.nodeType} ${node.data}`;
  const bare = node.cloneNode(true);
  bare.removeAttribute("id");
  return bare.outerHTML;
};

/* How alike two children are: 0 where one cannot become the other. An id may belong to another block now
   (ids count the blocks of a section), so that the content speaks first. */
function likeness(one, other, content) {
  if (one.nodeName !== other.nodeName) return 0;
  if (content.get(one) === content.get(other)) return isBlank(one) ? 1 : one.id === other.id ? 12 : 10;
  if (one.nodeType !== Node.ELEMENT_NODE) return 2;
  if (one.id && one.id === other.id) return 8;
  return one.className === other.className ? 3 : 2;
}

/* The best pairing of two lists of children that keeps both orders: [index, index] of what belongs together. */
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
  if (height === 1 && width === 1) {  // the way down to a block: what is around it need not be written out
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

/* The children on the screen that the served ones became; what scripts have added is passed over. Null where
   they have rebuilt too much to tell. */
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

/* What became of the element on the screen: itself, or what replaced it. */
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
  let place = living.findLast(node => node)?.nextSibling ?? null;  // what scripts have put behind stays there
  living.forEach((node, old) => { if (node && !kept.has(old)) node.remove(); });
  for (let now = news.length - 1; now >= 0; now--) {
    const target = living[oldOf.get(now)];
    place = target ? patch(target, olds[oldOf.get(now)], news[now]) : live.insertBefore(copyOf(news[now]), place);
  }
  return live;
}
