"""How large an SVG file says it is."""

import re

_ROOT = re.compile(r"<svg\b[^>]*>")
_LENGTH = r"""\s{}=["']\s*([\d.]+)\s*(px|pt|pc|mm|cm|in)?\s*["']"""
_WIDTH, _HEIGHT = (re.compile(_LENGTH.format(side)) for side in ("width", "height"))
_VIEW_BOX = re.compile(r"""\sviewBox=["']\s*\S+[\s,]+\S+?[\s,]+([\d.]+)[\s,]+([\d.]+)\s*["']""")
_PX = {"": 1.0, "px": 1.0, "pt": 96 / 72, "pc": 16.0, "mm": 96 / 25.4, "cm": 96 / 2.54, "in": 96.0}


def _px(length: re.Match[str]) -> float:
    return float(length[1]) * _PX[length[2] or ""]


def svg_size(svg: str | bytes) -> tuple[float, float] | None:
    """Width and height in CSS pixels; those of its view box where it has none. None if it does not say."""
    text = svg.decode("utf-8", "replace") if isinstance(svg, bytes) else svg
    root = _ROOT.search(text)
    if root is None:
        return None
    width, height = _WIDTH.search(root[0]), _HEIGHT.search(root[0])
    if width is not None and height is not None:
        return _px(width), _px(height)
    box = _VIEW_BOX.search(root[0])
    return None if box is None else (float(box[1]), float(box[2]))
