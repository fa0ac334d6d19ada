"""Which colours look alike in greyscale, or to readers with one of the three kinds of colour-blindness."""

import math
from collections.abc import Callable
from functools import cache, partial
from types import MappingProxyType

Rgb = tuple[float, float, float]
"""Red, green and blue, linear in light, from 0 to 1."""
Matrix = tuple[Rgb, Rgb, Rgb]

ALIKE = 6.0
"""Distance in hundredths of OKLab below which thin lines and small marks are not told apart for sure. About 2
is just noticeable side by side; neighbouring steps of a family in the palette are 7 to 10 apart."""

CLEAR = 12.0
"""Distance from which two colours are told apart at a glance, as those of values far apart should be."""

_DEFICIENCIES: dict[str, Matrix] = {
    "with protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "with deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "with tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}
_TO_CONES: Matrix = (
    (0.4122214708, 0.5363325363, 0.0514459929),
    (0.2119034982, 0.6806995451, 0.1073969566),
    (0.0883024619, 0.2817188376, 0.6299787005),
)
_TO_LAB: Matrix = (
    (0.2104542553, 0.7936177850, -0.0040720468),
    (1.9779984951, -2.4285922050, 0.4505937099),
    (0.0259040371, 0.7827717662, -0.8086757660),
)


def _times(matrix: Matrix, vector: Rgb) -> Rgb:
    first, second, third = (sum(map(float.__mul__, row, vector)) for row in matrix)
    return first, second, third


def _grey(colour: Rgb) -> Rgb:
    """The grey of the same luminance (ITU-R BT.709)."""
    luminance = 0.2126 * colour[0] + 0.7152 * colour[1] + 0.0722 * colour[2]
    return luminance, luminance, luminance


VISIONS: MappingProxyType[str, Callable[[Rgb], Rgb]] = MappingProxyType(
    {"in greyscale": _grey, **{name: partial(_times, matrix) for name, matrix in _DEFICIENCIES.items()}}
)
"""How colours are seen. The dichromats' matrices are those of complete deficiency (severity 1) by Machado,
Oliveira and Fernandes, "A Physiologically-based Model for Simulation of Color Vision Deficiency", IEEE
Transactions on Visualization and Computer Graphics 15(6), 2009; they apply to linear RGB."""


@cache
def alike(one: str, other: str) -> tuple[str, ...]:
    """The visions in which two hex colours are hard to tell apart: `in greyscale`, `with protanopia` …"""
    first, second = _linear(one), _linear(other)
    return tuple(name for name, seen in VISIONS.items() if _distance(seen(first), seen(second)) < ALIKE)


@cache
def confused(one: str, other: str) -> tuple[str, ...]:
    """The visions in which two hex colours that otherwise differ clearly are hard to tell apart."""
    is_clear = _distance(_linear(one), _linear(other)) >= CLEAR
    return alike(one, other) if is_clear else ()


def _distance(one: Rgb, other: Rgb) -> float:
    """100 times the distance in OKLab (Ottosson, "A perceptual color space for image processing", 2020)."""
    return 100 * math.dist(_oklab(one), _oklab(other))


def _oklab(colour: Rgb) -> Rgb:
    red, green, blue = (min(1.0, max(0.0, part)) for part in colour)
    long, medium, short = (part ** (1 / 3) for part in _times(_TO_CONES, (red, green, blue)))
    return _times(_TO_LAB, (long, medium, short))


def _linear(colour: str) -> Rgb:
    red, green, blue = (int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5))
    return _unfolded(red), _unfolded(green), _unfolded(blue)


def _unfolded(part: float) -> float:
    """A part of an sRGB colour, linear in light."""
    return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
