"""The size that an SVG file says it has."""

import pytest

from diglot.figures.svg_sizes import svg_size


@pytest.mark.parametrize(
    ("root", "size"),
    [
        ('<svg xmlns="http://www.w3.org/2000/svg" width="640" height="360.5">', (640.0, 360.5)),
        ("<?xml version='1.0'?>\n<svg height='72pt'\n width='2in'>", (192.0, 96.0)),
        ('<svg width="100%" height="100%" viewBox="0 0 30 20">', (30.0, 20.0)),
        ('<svg viewBox="-5,-5, 30, 20" stroke-width="3">', (30.0, 20.0)),
        ("<svg>", None),
        ("no drawing", None),
    ],
)
def test_sizes(root: str, size: tuple[float, float] | None) -> None:
    assert svg_size(root) == svg_size(root.encode()) == size
