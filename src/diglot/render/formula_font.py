"""The formula font with the characters of a site alone: a few kilobytes in place of more than a hundred."""

import io
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fontTools.ttLib import TTFont

_ITALIC = {
    **{ord("A") + n: 0x1D434 + n for n in range(26)},
    **{ord("a") + n: 0x1D44E + n for n in range(26)},
    **{0x391 + n: 0x1D6E2 + n for n in range(25)},
    **{0x3B1 + n: 0x1D6FC + n for n in range(25)},
    **{ord("h"): 0x210E, ord("ı"): 0x1D6A4, ord("ȷ"): 0x1D6A5},
    **{ord(one): 0x1D715 + n for n, one in enumerate("∂ϵϑϰϕϱϖ")},
    **{ord("∇"): 0x1D6FB, ord("ϴ"): 0x1D6F3},
}
"""Browsers set a letter that is alone in an `<mi>` as one of mathematics' own italic letters."""

_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-−=()[]|,.·×/<>")


def with_letters(characters: set[str]) -> str:
    """These characters in their order, with all Latin letters, digits and common signs if any.

    Every page depends on the font's address, so a formula with another letter would make them all again.
    """
    return "".join(sorted(characters | _LETTERS)) if characters else ""


def _narrow_roots(font: "TTFont") -> None:
    """Make all signs for roots, however high, as wide as the lowest one.

    Chromium keeps room for the widest of them whichever it draws: behind a root that is as high as a line,
    that would be a gap of two fifths of an em.
    """
    lowest = font.getBestCmap().get(ord("√"))
    variants = font["MATH"].table.MathVariants if "MATH" in font else None
    if variants is None or "glyf" not in font or lowest not in variants.VertGlyphCoverage.glyphs:
        return  # it has no root, or is a font of the project's own of another kind
    signs = variants.VertGlyphConstruction[variants.VertGlyphCoverage.glyphs.index(lowest)]
    higher = {one.VariantGlyph for one in signs.MathGlyphVariantRecord} - {lowest}
    if signs.GlyphAssembly is not None:
        higher |= {one.glyph for one in signs.GlyphAssembly.PartRecords}
    width, _ = font["hmtx"][lowest]
    glyphs = font["glyf"]
    for name in sorted(higher):
        glyph = glyphs[name]
        glyph.coordinates.scale((width / font["hmtx"][name][0], 1))
        glyph.coordinates.toInt()
        glyph.recalcBounds(glyphs)
        font["hmtx"][name] = (width, glyph.xMin)


def formula_font(whole: bytes, characters: str) -> bytes:
    """A WOFF font with these characters, all their sizes, and what the layout of formulas needs.

    The same arguments give the same bytes. WOFF is what can be written without Brotli.
    """
    from fontTools.subset import Options, Subsetter  # noqa: PLC0415  (a quarter of a second, for formulas only)
    from fontTools.ttLib import TTFont  # noqa: PLC0415  (slow to load, for formulas only)

    font = TTFont(io.BytesIO(whole), recalcTimestamp=False)
    options = Options()
    options.layout_features = ["ccmp", "kern", "mark", "mkmk", "ssty", "dtls", "flac"]
    options.notdef_outline = True
    options.bidi_closure = False  # which would add the mirror image of each bracket
    subsetter = Subsetter(options)
    # The space makes it the first font of the list, by whose table browsers lay formulas out.
    codes = {ord(" "), *map(ord, characters)}
    subsetter.populate(unicodes=codes | {_ITALIC[code] for code in codes if code in _ITALIC})
    subsetter.subset(font)
    _narrow_roots(font)
    font.flavor = "woff"
    made = io.BytesIO()
    font.save(made, reorderTables=True)
    return made.getvalue()
