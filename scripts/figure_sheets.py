"""Draw every figure of a site in all its forms, on one sheet (a PNG file) per figure, to look at them.

    python scripts/figure_sheets.py                       all figures, into figure-sheets/
    python scripts/figure_sheets.py roofline 'parity?x=1' only these; parameters as in a URL
    python scripts/figure_sheets.py roofline --size narrow --theme dark --scale 2

A sheet has a row for each language and theme and a column for each size. Slides are as wide as the text
column on it, so that all twelve drawings fit on a screen. Run it in the folder of a site. Numbers come from
the site's cache; every drawing is made anew, and warnings about it are printed.
"""

import argparse
import os
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from itertools import product
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

from diglot.diagnostics import Diagnostic, DiagnosticError
from diglot.figure_request import FigureRequest
from diglot.figures.drawing.canvas import WIDTH_PX
from diglot.figures.drawing.sheets import MARGIN_PX, SLIDE_PX, layout
from diglot.figures.drawing.style import FONTS
from diglot.figures.palette import COLOURS, THEMES, Theme
from diglot.figures.records import PAGE_SIZES
from diglot.languages import LANGUAGES, Language
from diglot.rules.building import Site
from diglot.rules.options import SiteOptions
from diglot.use.exporting import Sheets, export_figures, list_figures

CSS_DPI = 96
GAP_PX = 20
HEADING_PX = 14
SIZES = ("narrow", "column", "slide")

Cell = tuple[Theme, Language, str]
"""Theme, language and size of a drawing."""


def main(arguments: Sequence[str]) -> int:
    """Write the sheets; 1 if a figure fails, after the others are written."""
    summary, _, rest = (__doc__ or "").partition("\n\n")
    parser = argparse.ArgumentParser(
        description=summary, epilog=rest, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("ids", nargs="*", metavar="ID", help="figures (default: all that have a drawing)")
    parser.add_argument(
        "-o", "--output", type=Path, default=Path("figure-sheets"), help="folder of the sheets"
    )
    parser.add_argument("--size", type=_list_of(_size), default=SIZES, help="also wide, 16:9 or 1920x1080")
    parser.add_argument("--lang", type=_list_of(_one_of(LANGUAGES)), default=LANGUAGES, help="zh,en")
    parser.add_argument("--theme", type=_list_of(_one_of(THEMES)), default=THEMES, help="light,dark")
    parser.add_argument("--scale", type=float, default=1.0, help="enlargement of everything (default: 1)")
    options = parser.parse_args(arguments)
    options.output.mkdir(parents=True, exist_ok=True)
    root, failed = Path.cwd(), False
    with Site(SiteOptions(root=root, output=root / "public", jobs=os.cpu_count() or 1)) as site:
        for request in [FigureRequest.parse(text) for text in options.ids] or _drawable(site):
            try:
                drawn, warnings = draw(
                    site, request, options.theme, options.lang, options.size, scale=options.scale
                )
            except DiagnosticError as error:
                failed = True
                print(*error.diagnostics, sep="\n", file=sys.stderr)
                continue
            path = options.output / f"{request.file_stem}.png"
            sheet(drawn, scale=options.scale).save(path)
            print(path, *warnings, sep="\n", flush=True)
    return 1 if failed else 0


def draw(
    site: Site,
    request: FigureRequest,
    themes: Sequence[Theme],
    languages: Sequence[Language],
    sizes: Sequence[str],
    *,
    scale: float,
) -> tuple[Mapping[Cell, Image.Image], tuple[Diagnostic, ...]]:
    """All drawings of a figure, and the warnings about them. Raises DiagnosticError if it fails."""
    drawn: dict[Cell, Image.Image] = {}
    found: dict[Diagnostic, None] = {}
    for size in sizes:
        wanted = Sheets(
            languages=tuple(languages),
            themes=tuple(themes),
            formats=("png",),
            size=size,
            dpi=round(_dpi(size) * scale),
            background="page",
        )
        with tempfile.TemporaryDirectory() as folder:
            for path, warnings in export_figures(site, [request], wanted, folder=Path(folder)):
                found |= dict.fromkeys(warnings)
                language, theme = path.name.split(".")[-3:-1]
                with Image.open(path) as image:
                    drawn[_theme(theme), _language(language), size] = image.convert("RGB")
    order = [*product(themes, languages, sizes)]
    return {cell: drawn[cell] for cell in order}, tuple(found)


def sheet(drawn: Mapping[Cell, Image.Image], *, scale: float = 1.0) -> Image.Image:
    """The drawings in a grid on the paper of their themes, each with a small heading.

    Themes and languages are rows and sizes are columns, in the order of the mapping.
    """
    gap, heading = round(GAP_PX * scale), round(HEADING_PX * scale)
    above = 2 * gap + heading
    rows = {(theme, language): 0 for theme, language, _ in drawn}
    columns = {size: 0 for _, _, size in drawn}
    for (theme, language, size), image in drawn.items():
        rows[theme, language] = max(rows[theme, language], image.height)
        columns[size] = max(columns[size], image.width)
    width = sum(columns.values()) + gap * (len(columns) + 1)
    whole = Image.new("RGB", (width, sum(rows.values()) + above * len(rows)))
    pen = ImageDraw.Draw(whole)
    font = ImageFont.truetype(FONTS / "DiglotSans-Regular.ttf", heading)
    top = 0
    for (theme, language), height in rows.items():
        paper, mute = (COLOURS[token][THEMES.index(theme)] for token in ("paper", "mute"))
        pen.rectangle((0, top, width, top + above + height), fill=paper)
        left = gap
        for size, room in columns.items():
            pen.text((left, top + gap), f"{size}, {language}, {theme}", fill=mute, font=font)
            whole.paste(drawn[theme, language, size], (left, top + above))
            left += room + gap
        top += above + height
    return whole


def _drawable(site: Site) -> list[FigureRequest]:
    """All figures with a drawing, and those that fail, which will say why."""
    figures, _ = list_figures(site)
    return [
        FigureRequest.of(one.script.figure_id)
        for one in figures
        if one.computed is None or one.computed.drawable
    ]


def _dpi(size: str) -> float:
    """A resolution at which a page's drawing has its own size, and a slide is as wide as a column."""
    if size in PAGE_SIZES:
        return CSS_DPI
    return CSS_DPI * (WIDTH_PX["column"] + 2 * MARGIN_PX) / SLIDE_PX[0]


def _list_of(read: Callable[[str], str]) -> Callable[[str], tuple[str, ...]]:
    return lambda text: tuple(read(word) for word in text.split(","))


def _one_of(known: Sequence[str]) -> Callable[[str], str]:
    def read(word: str) -> str:
        if word not in known:
            raise argparse.ArgumentTypeError(f"{word}: choose from {', '.join(known)}")
        return word

    return read


def _size(word: str) -> str:
    if layout(word) is None:
        raise argparse.ArgumentTypeError(f"{word} is not a size of a figure")
    return word


def _theme(word: str) -> Theme:
    return next(theme for theme in THEMES if theme == word)


def _language(word: str) -> Language:
    return next(language for language in LANGUAGES if language == word)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
