// Draws every diagram of a build on one page, and writes what it has drawn as JSON in Base64.
"use strict";
const given = JSON.parse(document.getElementById("given").textContent);
const svgSpace = "http://www.w3.org/2000/svg";
// What styles say is written into attributes: a page may forbid styles in its HTML.
const inherited = ["fill", "fill-opacity", "fill-rule", "stroke", "stroke-width", "stroke-opacity",
  "stroke-dasharray", "stroke-linecap", "stroke-linejoin", "font-size", "font-weight", "font-style",
  "text-anchor", "dominant-baseline", "visibility", "marker-start", "marker-mid", "marker-end"];
const own = ["alignment-baseline", "opacity", "display", "stop-color", "stop-opacity", "clip-path"];

// The same diagram is the same in each build: ids of commits are made up, and calendars mark the day.
const seedAtFirst = 0x2545f491, RealDate = Date;
let seed = seedAtFirst;
Math.random = () => {
  seed ^= seed << 13; seed ^= seed >>> 17; seed ^= seed << 5;
  return (seed >>> 0) / 2 ** 32;
};
crypto.getRandomValues = (array) => array.map(() => Math.floor(Math.random() * 2 ** 32));
crypto.randomUUID = () => "xxxxxxxx".replace(/x/g, () => Math.floor(Math.random() * 16).toString(16));
window.Date = class extends RealDate {
  constructor(...parts) { parts.length ? super(...parts) : super(0); }
  static now() { return 0; }
};

function valuesOf(element, names) {
  const style = getComputedStyle(element);
  return Object.fromEntries(names.map((name) => [name, style.getPropertyValue(name)]));
}

function writeStyles(element, around, initial) {
  const values = valuesOf(element, inherited), alone = valuesOf(element, own);
  for (const child of [...element.children])
    if (child.namespaceURI === svgSpace) writeStyles(child, values, initial);
  for (const name of inherited)
    if (values[name] === around[name]) element.removeAttribute(name);
    else element.setAttribute(name, values[name]);
  for (const name of own)
    if (alone[name] === initial[name] || (name === "display" && alone[name] !== "none")) element.removeAttribute(name);
    else element.setAttribute(name, alone[name]);
}

async function drawn(sketch, host, initial) {
  seed = seedAtFirst;
  mermaid.initialize({ ...given.settings, ...given.faces[sketch.language] });
  try {
    const { svg } = await mermaid.render("d", sketch.source);
    host.innerHTML = svg;
    const root = host.querySelector("svg");
    writeStyles(root, initial, initial);
    return { svg: new XMLSerializer().serializeToString(root) };
  } catch (error) {
    return { error: String(error?.str ?? error?.message ?? error), line: error?.hash?.loc?.first_line ?? 0 };
  } finally {
    host.replaceChildren();
    document.getElementById("dd")?.remove();
  }
}

(async () => {
  await Promise.all([...document.fonts].map((face) => face.load()));
  const bare = document.createElementNS(svgSpace, "svg");
  document.body.append(bare);
  const initial = valuesOf(bare, [...inherited, ...own]);
  const host = document.createElement("div");
  document.body.append(host);
  const results = [];
  for (const sketch of given.sketches) results.push(await drawn(sketch, host, initial));
  const bytes = new TextEncoder().encode(JSON.stringify(results));
  const made = document.createElement("pre");
  made.id = "made";
  made.textContent = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  document.body.append(made);
})();
