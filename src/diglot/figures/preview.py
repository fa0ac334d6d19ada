"""Draw a script while you write it, without a build: `python -m diglot.figures.preview SCRIPT -o DIR`.

Run it in the project's folder. Everything happens in this process, with Python's own tracebacks.
"""

import argparse
import json
import os
import sys
import textwrap
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from diglot.diagnostics import DiagnosticError
from diglot.figure_request import FigureRequest
from diglot.figures.drawing.canvas import Canvas
from diglot.figures.drawing.export import PAPER, png
from diglot.figures.drawing.lint import look_over
from diglot.figures.drawing.sheets import enlargement_on_slide, layout, place
from diglot.figures.drawing.style import use_style
from diglot.figures.palette import THEMES
from diglot.figures.records import PAGE_SIZES, Script
from diglot.figures.scripts.contract import FigureScript, read_contract
from diglot.figures.scripts.loading import SiblingFinder, import_folders, load_script
from diglot.figures.scripts.messages import message_with
from diglot.figures.scripts.parameters import chosen_values
from diglot.figures.scripts.plain_data import canonical_json
from diglot.figures.scripts.words import Words
from diglot.invariants import certain
from diglot.languages import LANGUAGES, Bilingual


def main() -> int:
    """Write `<script>.<size>.<language>.<theme>.png`, and print words, table and warnings."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("script", type=Path)
    parser.add_argument("-o", "--output", type=Path, default=Path("figure-preview"))
    parser.add_argument("--size", default="narrow,column,wide,slide", help="also 16:9 or 1920x1080")
    parser.add_argument("--lang", type=_some_of(LANGUAGES), default=LANGUAGES, help="zh,en")
    parser.add_argument("--theme", type=_some_of(THEMES), default=THEMES, help="light,dark")
    parser.add_argument("--dpi", type=int, default=144)
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="a parameter")
    options = parser.parse_args()
    try:
        script, data, message = _computed(options.script, [tuple(pair.split("=", 1)) for pair in options.set])
    except DiagnosticError as error:
        print(error, file=sys.stderr)
        return 1
    options.output.mkdir(parents=True, exist_ok=True)
    for language in options.lang:
        words = Words(language, script.columns)
        if message is not None:
            print(f"{language}: {message.of(language)}")
        if script.describe is not None:
            print(f"{language}: {script.describe(json.loads(data), words)}")
        if script.table is not None:
            print("\n".join("  ".join(row) for row in script.table(json.loads(data), words).rows))
        if script.draw is None:
            continue
        for size in options.size.split(","):
            if (on := layout(size)) is None:
                parser.error(f"{size} is not a size")
            for theme in options.theme:
                use_style(language, theme)
                canvas = on.canvas(words)
                canvas.origins.script = os.path.relpath(options.script)
                draw_script(partial(_draw, script, data), canvas)
                placed = place(canvas, on)
                path = options.output / f"{options.script.stem}.{size}.{language}.{theme}.png"
                path.write_bytes(png(canvas, placed, None, paper=PAPER[theme], dpi=options.dpi))
            enlarged = None if size in PAGE_SIZES else enlargement_on_slide(placed, on)
            for found in look_over(canvas, laid_out=False, on_slide=enlarged):
                line = canvas.origins.line_of(found.artist) if found.artist is not None else None
                where = options.script if line is None else f"{options.script}:{line}"
                print(f"{where}: {size}, {language}: {found.message}")
                if found.detail is not None:
                    print(textwrap.indent(found.detail, "    "))
    return 0


def _draw(script: FigureScript, data: bytes, figure: Canvas, t: Words) -> None:
    certain(script.draw, "scripts without `draw` are refused above")(figure, json.loads(data), t)


def draw_script(draw: Callable[[Canvas, Words], object], canvas: Canvas) -> None:
    """Draw on a canvas in the language of its words, and lay out its charts.

    Charts only note what they are to show until `draw` returns. So it is called once more in the other
    language, on a canvas that is thrown away: their margins have room for the longer of both texts.
    """
    draw(canvas, canvas.words)
    if canvas.arrangement is not None:
        twin = canvas.twin()
        draw(twin, twin.words)
        canvas.lay_out(twin)
        canvas.paint()


def _computed(path: Path, chosen: list[tuple[str, str]]) -> tuple[FigureScript, bytes, Bilingual | None]:
    """The script, its data as JSON, and its message."""
    root = Path.cwd()
    script = Script(figure_id=path.stem, path=os.path.relpath(path, root))
    sys.meta_path.insert(0, SiblingFinder(import_folders(script, root), os.path.isfile, root=root))
    parts = read_contract(load_script(script, root), script)
    if parts.not_drawable:
        raise DiagnosticError(*parts.not_drawable)
    values = chosen_values(FigureRequest.of(path.stem, tuple(chosen)), parts.parameters)
    data = canonical_json(parts.compute(**values))
    return parts, data, message_with(parts.message, data, script, root) if parts.message else None


def _some_of(known: Sequence[str]) -> Callable[[str], list[str]]:
    """A parser of lists such as `en,zh`, for argparse. It rejects words that are not in `known`."""

    def read(text: str) -> list[str]:
        words = text.split(",")
        if wrong := [word for word in words if word not in known]:
            raise argparse.ArgumentTypeError(f"{', '.join(wrong)}: choose from {', '.join(known)}")
        return words

    return read


if __name__ == "__main__":
    sys.exit(main())
