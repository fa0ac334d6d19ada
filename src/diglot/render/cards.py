"""Draws the picture that stands for an article where it is shared: its title, and its first figure below."""

import io
import unicodedata
from functools import cache
from pathlib import Path

from PIL import Image, ImageChops, ImageDraw, ImageFont

import diglot
from diglot.figures.drawing.line_breaks import GAP_EM, parts_of, pieces_of
from diglot.figures.palette import LIGHT
from diglot.languages import Language
from diglot.render.materials import CardWords

WIDTH_PX, HEIGHT_PX = 1200, 630
_MARGIN_PX = 60
_ROOM_PX = WIDTH_PX - 2 * _MARGIN_PX
_NAME_PX, _NAME_BASELINE_PX = 26, 68
_OVER_FIGURE = ((64, 1), (50, 2), (35, 3))
"""Sizes of the title in pixels with the number of lines that have room; the first that fits is used."""
_ALONE = ((84, 3), (68, 4), (54, 5))
_LEADING_EM = 1.2
_TITLE_TOP_PX, _FIGURE_TOP_PX = 78, 210
_ALONE_TOP_PX = 150
_MARKS = tuple("，。、；：！？,.;:!?")
_BETWEEN_WORDS = 0.25
"""What a line that ends between words costs, where the square of a line's empty part is the cost of that."""
_FONTS = Path(diglot.__file__).parent / "figures/drawing/fonts"
_FACES: dict[Language, tuple[str, str, str]] = {
    "zh": ("DiglotSansSC-Regular.ttf", "DiglotSans-Regular.ttf", "DiglotSansHant-Regular.ttf"),
    "en": ("DiglotSans-Regular.ttf", "DiglotSansSC-Regular.ttf", "DiglotSansHant-Regular.ttf"),
}
"""Each font has what those before it lack, as in figures."""


def card(words: CardWords, figure: bytes = b"") -> bytes:
    """A PNG file of 1200 × 630 pixels. `figure` is one of 1080 × 380; empty for none."""
    image = Image.new("RGB", (WIDTH_PX, HEIGHT_PX), LIGHT["paper"])
    pen = _Pen(ImageDraw.Draw(image), words.language)
    title = " ".join("".join(filter(_has, words.title)).split())
    pen.write(words.site, size=_NAME_PX, baseline=_NAME_BASELINE_PX, colour=LIGHT["mute"])
    if figure:
        lines, size = pen.fitted(title, _OVER_FIGURE)
        room = _FIGURE_TOP_PX - _TITLE_TOP_PX
        top = _TITLE_TOP_PX + (room - size * _LEADING_EM * len(lines)) / 2
        drawing = Image.open(io.BytesIO(figure)).convert("RGB")
        image.paste(_at_left(drawing), (_MARGIN_PX, _FIGURE_TOP_PX))
    else:
        lines, size = pen.fitted(title, _ALONE)
        top = _ALONE_TOP_PX
        pen.write(words.host, size=_NAME_PX, baseline=HEIGHT_PX - _MARGIN_PX, colour=LIGHT["mute"])
    for number, line in enumerate(lines):
        baseline = top + size * (0.95 + _LEADING_EM * number)
        pen.write(line, size=size, baseline=round(baseline), colour=LIGHT["ink"])
    file = io.BytesIO()
    # A drawing has few colours; with a palette the file is a third as large.
    image.quantize(128, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE).save(file, "png")
    return file.getvalue()


def _at_left(drawing: Image.Image) -> Image.Image:
    """A drawing without the empty columns on its left, so that it begins where the title does."""
    empty = Image.new("RGB", drawing.size, LIGHT["paper"])
    drawn = ImageChops.difference(drawing, empty).getbbox()
    return drawing if drawn is None else drawing.crop((drawn[0], 0, *drawing.size))


def undrawable(text: str) -> tuple[str, ...]:
    """The letters of a text that no bundled font has. Other signs, such as emoji, are left out of cards."""
    return tuple(dict.fromkeys(one for one in text if unicodedata.category(one)[0] == "L" and not _has(one)))


class _Pen:
    def __init__(self, draw: ImageDraw.ImageDraw, language: Language) -> None:
        self._draw, self._faces = draw, _FACES[language]

    def write(self, text: str, *, size: int, baseline: int, colour: str) -> None:
        """Write a line that begins at the left margin."""
        at = float(_MARGIN_PX)
        for run, face, gap in self._runs(text, size):
            self._draw.text((at + gap, baseline), run, fill=colour, font=_font(face, size), anchor="ls")
            at += gap + _font(face, size).getlength(run)

    def fitted(self, text: str, sizes: tuple[tuple[int, int], ...]) -> tuple[list[str], int]:
        """The lines of a text and the size at which they have room; one that never has is cut."""
        for size, most in sizes:
            lines = self._wrapped(text, size)
            if len(lines) <= most and all(self._width(line, size) <= _ROOM_PX for line in lines):
                return lines, size
        size, most = sizes[-1]
        kept = lines[:most]
        last = kept[-1]
        while last and (len(lines) > most or self._width(last, size) > _ROOM_PX):
            if self._width(f"{last}…", size) <= _ROOM_PX:
                last = f"{last.rstrip()}…"
                break
            last = last[:-1]
        return [*kept[:-1], last], size

    def _wrapped(self, text: str, size: int) -> list[str]:
        """As few lines as have room, of about the same length; rather after a mark than between words."""
        parts = parts_of(text)
        best: list[tuple[int, float, int]] = [(0, 0.0, 0)]
        """For each number of parts: the lines they take, how uneven these are, and where the last begins."""
        for end in range(1, len(parts) + 1):
            is_last = end == len(parts)
            ways = []
            for start in range(end - 1, -1, -1):
                width = self._width("".join(parts[start:end]).strip(), size)
                if width > _ROOM_PX and start < end - 1:
                    break
                ends_well = is_last or parts[end - 1].rstrip().endswith(_MARKS)
                uneven = (1 - width / _ROOM_PX) ** 2 + (0 if ends_well else _BETWEEN_WORDS)
                lines, before, _ = best[start]
                ways.append((lines + 1, before + uneven, start))
            best.append(min(ways))
        found, end = [], len(parts)
        while end:
            start = best[end][2]
            found.append("".join(parts[start:end]).strip())
            end = start
        return found[::-1]

    def _width(self, text: str, size: int) -> float:
        return sum(gap + _font(face, size).getlength(run) for run, face, gap in self._runs(text, size))

    def _runs(self, text: str, size: int) -> list[tuple[str, str, float]]:
        """Pieces of a text with the font that has their characters and the gap before them."""
        found: list[tuple[str, str, float]] = []
        for number, piece in enumerate(pieces_of(text)):
            gap = GAP_EM * size if number else 0.0
            for character in piece:
                face = next((one for one in self._faces if _in_face(one, character)), None)
                if face is None:
                    continue
                if not gap and found and found[-1][1] == face:
                    found[-1] = (found[-1][0] + character, face, found[-1][2])
                else:
                    found.append((character, face, gap))
                gap = 0.0
        return found


@cache
def _font(face: str, size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(_FONTS / face, size, layout_engine=ImageFont.Layout.BASIC)


_PROBE_PX = 24


@cache
def _in_face(face: str, character: str) -> bool:
    """Whether a font has a character: what it lacks, it draws as it draws one that no font has."""
    if character.isspace():
        return True
    font = _font(face, _PROBE_PX)
    return bytes(font.getmask(character)) != bytes(font.getmask("\U0010ffff"))


def _has(character: str) -> bool:
    return any(_in_face(face, character) for face in _FACES["zh"])
