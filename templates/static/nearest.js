/* On the page that is not there: the articles whose names are most like the address. */
for (const list of document.querySelectorAll("[data-nearest]")) {
  const pairs = text => new Set([...text.toLowerCase()].map((letter, at, letters) => letter + (letters[at + 1] ?? "")));
  const asked = pairs(decodeURI(location.pathname).replace(/\.html$/, "").split("/").filter(Boolean).pop() ?? "");
  const likeness = entry => [...pairs(entry.dataset.slug)].filter(pair => asked.has(pair)).length;
  const ranked = [...list.querySelectorAll("[data-slug]")].sort((one, other) => likeness(other) - likeness(one));
  list.append(...ranked);
  ranked.slice(Number(list.dataset.nearest)).forEach(entry => { entry.hidden = true; });
}
