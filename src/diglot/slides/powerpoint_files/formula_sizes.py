"""About how large a formula is, before any program has set it."""

import unicodedata
from itertools import zip_longest
from typing import NamedTuple
from xml.etree import ElementTree

_SCRIPT = 0.7
"""Size of exponents, indices and limits, in that of their base."""
_LINE_EM, _LARGE_EM, _RADICAL_EM, _RELATION_EM = 1.2, 1.0, 0.7, 0.9
_BETWEEN_EM = 0.8
"""Between the columns of a matrix."""
_LARGE = frozenset("∑∏∐∫∬∭∮⋂⋃⋀⋁⨁⨂⨀")
_RELATIONS = frozenset("=≠≈≡<>≤≥≪≫∼≃≅∝→⇒⇔+-−±×÷⋅·∈")


class _Size(NamedTuple):
    wide: float
    high: float


def formula_size(mathml: str) -> tuple[float, float]:
    """Width and height in ems of its size."""
    return _size(ElementTree.fromstring(mathml))


def _size(one: ElementTree.Element) -> _Size:
    name = one.tag.rpartition("}")[2]
    inner = [_size(child) for child in one]
    match name:
        case "mi" | "mn" | "mo" | "mtext" | "ms":
            return _token("".join(one.itertext()).strip())
        case "mspace":
            width = one.get("width", "")
            return _Size(float(width[:-2]) if width.endswith("em") else 0.0, 0.0)
        case "mfrac":
            return _Size(max(part.wide for part in inner) + 0.2, sum(part.high for part in inner))
        case "msup" | "msub" | "msubsup" | "mmultiscripts":
            base, *scripts = inner
            wide = max((part.wide for part in scripts), default=0.0) * _SCRIPT
            return _Size(base.wide + wide, base.high + 0.3 * len(scripts))
        case "mover" | "munder" | "munderover":
            base, *limits = inner
            wide = max([base.wide, *(part.wide * _SCRIPT for part in limits)])
            return _Size(wide, base.high + sum(part.high * _SCRIPT for part in limits))
        case "msqrt" | "mroot":
            row = _row(inner[:1] if name == "mroot" else inner)
            return _Size(row.wide + _RADICAL_EM, row.high + 0.2)
        case "mtable":
            return _table([[_row([_size(part) for part in cell]) for cell in row] for row in one])
        case "annotation" | "annotation-xml":
            return _Size(0.0, 0.0)
        case _:
            return _row(inner)


def _row(parts: list[_Size]) -> _Size:
    return _Size(sum(part.wide for part in parts), max((part.high for part in parts), default=_LINE_EM))


def _table(rows: list[list[_Size]]) -> _Size:
    columns = zip_longest(*rows, fillvalue=_Size(0.0, 0.0))
    wide = sum(max(cell.wide for cell in column) + _BETWEEN_EM for column in columns)
    return _Size(wide, sum(_row(row).high * 1.15 for row in rows))


def _token(text: str) -> _Size:
    if text in _LARGE:
        return _Size(_LARGE_EM, _LINE_EM * 1.4)
    if text in _RELATIONS:
        return _Size(_RELATION_EM + 0.4, _LINE_EM)
    widths = (1.0 if unicodedata.east_asian_width(one) in "WF" else 0.55 for one in text)
    return _Size(sum(widths), _LINE_EM)
