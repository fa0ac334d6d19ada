"""How wide pictures are shown, and which of their files browsers load."""

import re

from diglot.check.parsed_pages import Candidate, Picture

COLUMN_PX = 680
"""Width of the text on a wide screen, in CSS pixels."""

DOTS = 2
"""Dots of a screen for a CSS pixel, on most phones and new laptops."""


def shown_width_px(picture: Picture) -> int:
    """The width of a picture on a wide screen, in CSS pixels."""
    if found := re.fullmatch(r"([0-9.]+)(px|%)?", picture.width):
        number = float(found[1])
        return round(COLUMN_PX * min(number, 100) / 100 if found[2] == "%" else min(number, COLUMN_PX))
    return COLUMN_PX


def loaded(picture: Picture, shown_px: int) -> Candidate:
    """The file that a browser chooses for a sharp screen."""
    wide_enough = [one for one in picture.candidates if (one.width_px or 0) >= DOTS * shown_px]
    if wide_enough:
        return min(wide_enough, key=lambda one: one.width_px or 0)
    return max(picture.candidates, key=lambda one: one.width_px or 0)
