"""Lines of text with formulas in them, as runs that are measured and drawn one after the other.

Matplotlib would set a whole line as a formula where it has two dollar signs: a price loses them, and Chinese
next to a formula has no glyphs, because a formula has one font.
"""

import re
from collections.abc import Callable
from typing import NamedTuple

from diglot.dollars import formula_at
from diglot.figures.drawing.line_breaks import GAP_EM, pieces_of
from diglot.languages import HAN

Measure = Callable[[str, bool], tuple[float, float, float]]
"""Width, height and descent of a text, or of a formula with its dollar signs."""
_MARKED = re.compile(r"[\\^_{]")
_CHINESE = re.compile(f"[{HAN}]")
_STEM = "|"


class Run(NamedTuple):
    """A part of a line, as its author wrote it."""

    source: str
    is_formula: bool

    @property
    def drawn(self) -> str:
        r"""What matplotlib draws: `$` for `\$`, and a formula between single dollar signs."""
        if self.is_formula:
            return f"${self.source.strip('$')}$"
        return self.source.replace(r"\$", "$")


def runs_of(line: str) -> list[Run]:
    """The parts of a line: formulas, by the rule of prose, and the texts around them.

    Chinese between dollar signs is no formula unless something else marks it as one, because no formula can
    be set in Chinese: two prices in a row are likelier.
    """
    if "$" not in line:
        return [Run(line, False)]
    runs, begin, at = [], 0, 0
    while (at := line.find("$", at)) >= 0:
        if line.startswith("\\", at - 1) and at > 0:
            at += 1
            continue
        found = formula_at(line, at, len(line))
        if found is None or _is_chinese_text(line[found.first : found.closing]):
            at += 2 if line.startswith("$$", at) else 1
            continue
        if at > begin:
            runs.append(Run(line[begin:at], False))
        runs.append(Run(line[at : found.after], True))
        begin = at = found.after
    if begin < len(line) or not runs:
        runs.append(Run(line[begin:], False))
    return runs


def _is_chinese_text(content: str) -> bool:
    return _CHINESE.search(content) is not None and _MARKED.search(content) is None


def extent_of(line: str, size_px: float, measure: Measure) -> tuple[float, float, float]:
    """Width with gaps, height and descent of a line."""
    runs = runs_of(line)
    if len(runs) == 1:
        run = runs[0]
        width, height, descent = measure(run.drawn, run.is_formula)
        return width + (0.0 if run.is_formula else _gaps_px(run, size_px)), height, descent
    boxes = [measure(run.drawn, run.is_formula) for run in runs]
    width = sum(advance_of(run, size_px, measure) for run in runs)
    descent = max(box[2] for box in boxes)
    return width, max(box[1] - box[2] for box in boxes) + descent, descent


def advance_of(run: Run, size_px: float, measure: Measure) -> float:
    """How far behind a run the next one begins; unlike its width, spaces at its end count."""
    if run.is_formula:
        return measure(run.drawn, True)[0]
    return measure(run.drawn + _STEM, False)[0] - measure(_STEM, False)[0] + _gaps_px(run, size_px)


def _gaps_px(run: Run, size_px: float) -> float:
    return (len(pieces_of(run.drawn)) - 1) * GAP_EM * size_px
