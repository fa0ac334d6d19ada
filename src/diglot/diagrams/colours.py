"""Colours of diagrams: those of the palette become the theme's, others get a twin for dark pages."""

import re

from diglot.figures.palette import LIGHT

_TOKEN_OF = {colour: token for token, colour in reversed([*LIGHT.items()])}
_RGB = re.compile(r"rgba?\((\d+), ?(\d+), ?(\d+)(?:, ?([\d.]+))?\)")
_HEX = re.compile(r"#([0-9a-f]{6})([0-9a-f]{2})?")
_DARKEST, _LIGHTEST = 0.93, 0.2
"""Lightness, in Oklab, of what is black and of what is white on light pages, on dark ones."""


def page_colour(written: str) -> str | None:
    """A colour of the drawing as pages have it; None for what is no colour."""
    if written in ("none", "transparent"):
        return "none"
    if (rgb := _RGB.fullmatch(written)) is not None:
        red, green, blue = (min(int(part), 255) for part in rgb.groups()[:3])
        alpha = float(rgb[4]) if rgb[4] else 1.0
        code = f"#{red:02x}{green:02x}{blue:02x}"
    elif (code_found := _HEX.fullmatch(written.lower())) is not None:
        code, alpha = f"#{code_found[1]}", int(code_found[2] or "ff", 16) / 255
    else:
        from matplotlib import colors  # noqa: PLC0415  (names of colours are rare)

        if not colors.is_color_like(written) or not written.isalnum():
            return None
        code, alpha = colors.to_hex(written), 1.0
    if alpha == 0:
        return "none"
    if (token := _TOKEN_OF.get(code)) is not None and alpha == 1:
        return f"var(--fig-{token})"
    share = f"{round(alpha * 255):02x}" if alpha < 1 else ""
    return f"light-dark({code}{share}, {dark_twin(code)}{share})"


def dark_twin(code: str) -> str:
    """A colour of the same hue, as light on dark pages as it is dark on light ones."""
    lightness, a, b = _oklab(*(int(code[at : at + 2], 16) / 255 for at in (1, 3, 5)))
    turned = _DARKEST + (_LIGHTEST - _DARKEST) * lightness
    for share in (1.0, 0.85, 0.7, 0.55, 0.4, 0.25, 0.0):  # less colourful, until there is such a colour
        parts = _srgb(turned, a * share, b * share)
        if all(-0.001 <= part <= 1.001 for part in parts):
            break
    return "#" + "".join(f"{round(min(max(part, 0), 1) * 255):02x}" for part in parts)


def _oklab(red: float, green: float, blue: float) -> tuple[float, float, float]:
    """Source: Björn Ottosson, "A perceptual color space for image processing", 2020."""
    r, g, b = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in (red, green, blue)
    )
    long = (0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b) ** (1 / 3)
    middle = (0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b) ** (1 / 3)
    short = (0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b) ** (1 / 3)
    return (
        0.2104542553 * long + 0.7936177850 * middle - 0.0040720468 * short,
        1.9779984951 * long - 2.4285922050 * middle + 0.4505937099 * short,
        0.0259040371 * long + 0.7827717662 * middle - 0.8086757660 * short,
    )


def _srgb(lightness: float, a: float, b: float) -> tuple[float, ...]:
    long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
    middle = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
    short = (lightness - 0.0894841775 * a - 1.2914855480 * b) ** 3
    linear = (
        4.0767416621 * long - 3.3077115913 * middle + 0.2309699292 * short,
        -1.2684380046 * long + 2.6097574011 * middle - 0.3413193965 * short,
        -0.0041960863 * long - 0.7034186147 * middle + 1.7076147010 * short,
    )
    return tuple(part * 12.92 if part <= 0.0031308 else 1.055 * part ** (1 / 2.4) - 0.055 for part in linear)
