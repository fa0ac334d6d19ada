"""Draws diagrams with Mermaid, all that a build asks for at a time on one page of Chromium.

The library is the project's own (`npm install mermaid`), or that in the Python package `mermaidx`.
"""

import base64
import json
import re
import threading
import time
from collections.abc import Sequence
from concurrent.futures import Future
from html import escape
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from diglot.check.chromium import ChromiumFailed, chromium_version, find_chromium, made_of
from diglot.diagnostics import shortened
from diglot.diagrams.records import DiagramFailed, Drawing, Sketch
from diglot.diagrams.svg import page_svg
from diglot.digests import digest_of
from diglot.figures.palette import LIGHT

_OF_NODE = "node_modules/mermaid/dist/mermaid.min.js"
_OF_PYTHON = ("mermaidx", "assets/mermaid.js")
_MADE = re.compile(r'<pre id="made">([^<]*)</pre>')
_GATHER_S = 0.1
"""How long the first request waits for others, which are then drawn on the same page."""
_SECONDS = 40
"""For a page; each of its diagrams adds to it."""
_SECONDS_EACH = 2
_MOST = 100
"""Diagrams on a page."""


def find_mermaid(root: Path) -> Path | None:
    """The file of the library; None where it is not installed."""
    if (own := root / _OF_NODE).is_file():
        return own
    package, name = _OF_PYTHON
    spec = find_spec(package)
    if spec is None or spec.origin is None:
        return None
    file = Path(spec.origin).parent / name
    return file if file.is_file() else None


def mermaid_version(root: Path) -> str:
    """Which library draws in which browser; empty where one of them is missing."""
    library, browser = find_mermaid(root), find_chromium()
    if library is None or browser is None:
        return ""
    return f"{digest_of(library.read_bytes())} {chromium_version(browser)}"


def missing_of_mermaid(root: Path) -> str | None:
    """What has to be installed for Mermaid, in one sentence; None if nothing has."""
    if find_mermaid(root) is None:
        return "run `pip install 'diglot[mermaid]'`, or `npm install mermaid` in the folder of the site."
    return "install Chromium or Chrome." if find_chromium() is None else None


class Mermaid:
    """Gathers the diagrams of a build and draws them in its own thread."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._lock = threading.Lock()
        self._waiting: list[tuple[Sketch, Future[str | DiagramFailed]]] = []
        self._is_running = False

    def draw(self, sketch: Sketch) -> "Future[str | DiagramFailed]":
        """What the library draws, as text, or why it refuses to."""
        drawn: Future[str | DiagramFailed] = Future()
        with self._lock:
            self._waiting.append((sketch, drawn))
            if not self._is_running:
                self._is_running = True
                threading.Thread(target=self._run, daemon=True).start()
        return drawn

    def _run(self) -> None:
        time.sleep(_GATHER_S)
        while True:
            with self._lock:
                batch, self._waiting = self._waiting[:_MOST], self._waiting[_MOST:]
                if not batch:
                    self._is_running = False
                    return
            try:
                results = draw_all(self._root, [sketch for sketch, _ in batch])
            except Exception as error:  # whoever waits must be told
                for _, drawn in batch:
                    drawn.set_exception(error)
                continue
            for (_, drawn), result in zip(batch, results, strict=True):
                drawn.set_result(result)


_LONGEST = 50_000
"""Characters of a diagram; of a longer one, Mermaid draws a box that says so."""
_WITHOUT_LABELS = ("mindmap",)
"""Kinds whose labels Mermaid puts next to their boxes where they are no HTML."""


def draw_all(root: Path, sketches: Sequence[Sketch]) -> "list[str | DiagramFailed]":
    """What the library makes of each diagram. If one stops all, each is drawn on a page of its own."""
    try:
        return _draw(root, sketches)
    except ChromiumFailed as failure:
        if len(sketches) > 1:
            return [result for one in sketches for result in draw_all(root, [one])]
        fix = "build again; if that does not help, draw less."
        return [DiagramFailed(f"Chromium does not draw it: {failure}", fix, retry=True)]


def _draw(root: Path, sketches: Sequence[Sketch]) -> "list[str | DiagramFailed]":
    browser, library = find_chromium(), find_mermaid(root)
    if browser is None or library is None:
        raise ChromiumFailed("something is not installed")
    seconds = _SECONDS + _SECONDS_EACH * len(sketches)
    page = made_of(browser, _page(library, sketches), "--dump-dom", seconds=seconds)
    made = _MADE.search(page.decode("utf-8", "replace"))
    if made is None:
        raise ChromiumFailed("it has not finished")
    return [
        _refusal(sketch) or one["svg"] if "svg" in one else _refused(one["error"], one["line"], sketch)
        for one, sketch in zip(json.loads(base64.b64decode(made[1])), sketches, strict=True)
    ]


def _refusal(sketch: Sketch) -> DiagramFailed | None:
    """Why a diagram cannot be shown although Mermaid draws something."""
    if len(sketch.source) > _LONGEST:
        return DiagramFailed(f"it has more than {_LONGEST:,} characters", "draw the parts that matter.")
    for number, line in enumerate(sketch.source.split("\n"), 1):
        if line.strip() in _WITHOUT_LABELS:
            message = f"Mermaid draws the labels of a {line.strip()} next to their boxes"
            return DiagramFailed(message, "write `flowchart LR` and an arrow for each branch.", number)
    return None


_PREFIX = re.compile(
    r"(?:Parse|Lexical|Parsing) (?:error|failed)(?: on line \d+)?:? ?\.*(?:Unrecognized text\. ?)?"
)
_ON_LINE = re.compile(r"(?:error on line|line:?) ?(\d+)", re.IGNORECASE)


def _refused(error: str, line: int, sketch: Sketch) -> DiagramFailed:
    place = _ON_LINE.search(error)
    lines = sketch.source.split("\n")
    number = min(_line_of(lines, int(place[1]) if place else line), len(lines))
    words = _PREFIX.sub("", " ".join(error.split()), count=1)
    return DiagramFailed(
        f'Mermaid cannot read it: "{shortened(words or error, 160)}"',
        "correct the line as mermaid.js.org says for this kind of diagram.",
        max(1, number),
    )


def _line_of(lines: Sequence[str], number: int) -> int:
    """The line of the source that Mermaid means: it counts no front matter, comments and blank beginnings."""
    at = 0
    if lines and lines[0].strip() == "---" and "---" in (rest := [line.strip() for line in lines[1:]]):
        at = rest.index("---") + 2
    kept = [n for n, line in enumerate(lines[at:], at + 1) if not re.match(r"\s*%%(?!\{)", line)]
    for end in (0, -1):
        while kept and not lines[kept[end] - 1].strip():
            kept.pop(end)
    return kept[min(max(number, 1), len(kept)) - 1] if kept else 1


def read_drawing(drawn: str, sketch: Sketch) -> Drawing:
    """What the library has drawn as an element of a page."""
    try:
        return Drawing(svg=page_svg(drawn, sketch))
    except DiagramFailed as failure:
        return Drawing(slip=failure.slip)


_POLICY = (
    '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; '
    "script-src file: 'unsafe-inline'; style-src 'unsafe-inline'; font-src file:\">"
)
"""The page loads nothing from anywhere: what it draws is written by authors."""


def _page(library: Path, sketches: Sequence[Sketch]) -> str:
    from diglot.figures.drawing.style import FACES, FONTS, TEXT_PX  # noqa: PLC0415  (loads matplotlib)

    files = {"Diglot Sans": "DiglotSans-Regular.ttf", "Diglot Sans SC": "DiglotSansSC-Regular.ttf"}
    faces = "".join(
        f'@font-face{{font-family:"{name}";src:url("{(FONTS / file).as_uri()}")}}'
        for name, file in files.items()
    )
    given = {
        "settings": _settings(),
        "faces": {
            language: {"fontFamily": family, "themeVariables": {**_theme(), **type_}}
            for language, names in FACES.items()
            for family in [", ".join(f'"{name}"' for name in names)]
            for type_ in [{"fontFamily": family, "fontSize": f"{TEXT_PX[language][0]}px"}]
        },
        "sketches": [{"source": one.source, "language": one.language} for one in sketches],
    }
    data = json.dumps(given, ensure_ascii=True).replace("<", "\\u003c")
    script = Path(__file__).with_name("mermaid.js").read_text("utf-8")
    return (
        f'<!doctype html><meta charset="utf-8">{_POLICY}'
        f"<style>{faces}</style><body>"
        f'<script type="application/json" id="given">{data}</script>'
        f'<script src="{escape(library.as_uri())}"></script><script>{script}</script>'
    )


_OF_THE_SITE = ("themeCSS", "themeVariables", "theme", "fontFamily", "altFontFamily", "look", "darkMode")
_FIXED = (
    *("secure", "securityLevel", "startOnLoad", "maxTextSize", "maxEdges", "suppressErrorRendering"),
    *("htmlLabels", "deterministicIds", "handDrawnSeed"),
)
"""With the ones above: settings of Mermaid that a diagram cannot change."""


def _settings() -> dict[str, Any]:
    return {
        "startOnLoad": False,
        "securityLevel": "strict",
        "htmlLabels": False,
        "theme": "base",
        "deterministicIds": True,
        "handDrawnSeed": 1,
        "maxTextSize": _LONGEST,
        "suppressErrorRendering": True,
        "secure": [*_FIXED, *_OF_THE_SITE],
        **{name: {"htmlLabels": False, "useMaxWidth": False} for name in ("flowchart", "class", "state")},
        "sequence": {"actorFontSize": 14, "messageFontSize": 14, "noteFontSize": 14},
        "gantt": {"useWidth": 720, "fontSize": 13, "sectionFontSize": 13, "barHeight": 24},
        **{name: {"width": 600, "height": 380} for name in ("sankey", "xyChart")},
    }


_SERIES = ("gpu1", "tpu1", "mem", "idle", "gpu3", "tpu3", "net", "gpu2", "tpu2", "cmp", "seq6", "soft")


def _theme() -> dict[str, Any]:
    """The colours of light pages, which become those of the page; `theme.json` says which are whose."""
    named: dict[str, list[str]] = json.loads(Path(__file__).with_name("theme.json").read_text("utf-8"))
    series = [LIGHT[token] for token in _SERIES]
    axes = (f"{axis}Axis{part}Color" for axis in "xy" for part in ("Label", "Title", "Tick", "Line"))
    return {
        **{name: LIGHT[token] for token, names in named.items() for name in names},
        **{
            f"{name}{n + first}": colour
            for n, colour in enumerate(series)
            for name, first in (("pie", 1), ("cScale", 0), ("git", 0), ("fillType", 0))
        },
        **{f"{name}{n}": LIGHT["paper"] for n in range(12) for name in ("cScaleLabel", "gitBranchLabel")},
        **dict.fromkeys(("pieTitleTextSize", "pieSectionTextSize", "pieLegendTextSize"), "14px"),
        "pieOpacity": "1",
        "xyChart": {
            **{"backgroundColor": LIGHT["paper"], "titleColor": LIGHT["ink"]},
            **dict.fromkeys(axes, LIGHT["mute"]),
            "plotColorPalette": ",".join(series),
        },
    }
