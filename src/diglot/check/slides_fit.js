(async () => {
  const root = document.documentElement;
  await document.fonts.ready;
  root.dataset.mode = "overview";
  root.style.setProperty("--k", 1);
  const found = [];
  const measure = (slide, index, isBoth) => {
    if (slide.matches(".full:has(img)")) return;
    const [box, foot] = [slide, slide.querySelector("footer")].map(one => one.getBoundingClientRect());
    let [high, wide] = [0, 0];
    for (const one of slide.querySelectorAll("header *, .body *, .about *")) {
      if (one.closest("svg, .unseen, math *") || one.localName === "img") continue;
      const place = one.getBoundingClientRect();
      if (!place.width || !place.height) continue;
      if (getComputedStyle(one).position === "absolute") continue;
      high = Math.max(high, place.bottom - foot.top, box.top - place.top);
      wide = Math.max(wide, place.right - (box.right - 36));
      if (one.localName === "pre") wide = Math.max(wide, one.scrollWidth - one.clientWidth);
    }
    if (Math.max(high, wide) <= 2 || found.some(one => one.number === index + 1)) return;
    const line = Number(slide.dataset.line ?? 1);
    found.push({ number: index + 1, line, high: Math.round(high), wide: Math.round(wide), both: isBoth });
  };
  const slides = document.querySelectorAll("main > .slide");
  slides.forEach((slide, index) => measure(slide, index, false));
  root.dataset.second = "";
  slides.forEach((slide, index) => measure(slide, index, true));
  document.body.innerHTML = `<pre id="slides-that-overflow">${JSON.stringify(found)}</pre>`;
})();
