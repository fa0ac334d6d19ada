"""Finds slides of a talk whose text does not fit, by looking at them in Chromium."""

import re
from pathlib import Path

import msgspec

from diglot.check.chromium import page_after_scripts
from diglot.diagnostics import Diagnostic, Location

_FOUND = re.compile(r'<pre id="slides-that-overflow">(.*?)</pre>')
_MEASURE = f"<script>\n{Path(__file__).with_suffix('.js').read_text('utf-8')}</script>"


class Overflow(msgspec.Struct, frozen=True, kw_only=True):
    """A slide whose text does not fit."""

    number: int
    line: int
    high: int
    """Pixels by which it is too high, on a slide of 1,280 × 720; 0 or less if it fits."""
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
