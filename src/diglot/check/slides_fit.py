"""Finds slides of a talk whose text does not fit, by looking at them in Chromium."""

import re

import msgspec

from diglot.check.chromium import page_after_scripts
from diglot.diagnostics import Diagnostic, Location

_FOUND = re.compile(r'<pre id="slides-that-overflow">(.*?)</pre>')
_MEASURE = """<script>
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
</script>"""


class Overflow(msgspec.Struct, frozen=True, kw_only=True):
    """A slide whose text does not fit."""

    number: int
    line: int
    high: int
    """Pixels by which it is too high, on a slide of 1,280 × 720; not above 0 if it is not."""
    wide: int
    both: bool
    """Whether it fits in one language, but not with both."""


def check_fit(executable: str, html: str, path: str) -> tuple[Diagnostic, ...]:
    """Warnings for slides on the page of a talk whose text comes from the file at `path`.

    Raises ChromiumFailed.
    """
    at = html.rindex("</body>")
    shown = page_after_scripts(executable, html[:at] + _MEASURE + html[at:])
    found = _FOUND.search(shown)
    overflows = msgspec.json.decode(found[1], type=list[Overflow]) if found else []
    return tuple(_warning(one, path) for one in overflows)


def _warning(one: Overflow, path: str) -> Diagnostic:
    wrong = [f"{by} px too {how}" for by, how in ((one.high, "high"), (one.wide, "wide")) if by > 2]
    shown = " with both languages" if one.both else ""
    return Diagnostic(
        rule="slide-overflow",
        message=f"slide {one.number} does not fit{shown}: it is {' and '.join(wrong)}",
        severity="warning",
        location=Location(path=path, line=one.line),
        fix="say less, or make two slides of it.",
    )
