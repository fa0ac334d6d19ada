"""A script's drawings while it is written, without a build: `python -m diglot.figures.preview SCRIPT -o DIR`.

Runs in this process and shows Python's own tracebacks; the checks of a build are not made here.
"""

import argparse
import json
import runpy
import sys
from pathlib import Path

from diglot.figures.collisions import collisions
from diglot.figures.export import png
from diglot.figures.palette import THEMES
from diglot.figures.plain_data import plain_data
from diglot.figures.sheets import layout, place
from diglot.figures.style import use_style
from diglot.figures.words import Words
from diglot.languages import LANGUAGES


def main() -> int:
    """Write `<script>.<size>.<language>.<theme>.png` and print data, alt text and labels that collide."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("script", type=Path)
    parser.add_argument("-o", "--output", type=Path, default=Path("figure-preview"))
    parser.add_argument("--size", default="narrow,column,wide,slide")
    parser.add_argument("--lang", default=",".join(LANGUAGES))
    parser.add_argument("--theme", default=",".join(THEMES))
    parser.add_argument("--dpi", type=int, default=144)
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="a JSON value")
    options = parser.parse_args()
    sys.path.insert(0, str(options.script.parent))
    script = runpy.run_path(str(options.script))
    chosen = {name: json.loads(value) for name, _, value in (pair.partition("=") for pair in options.set)}
    data = plain_data(script["compute"](**chosen))
    options.output.mkdir(parents=True, exist_ok=True)
    for language in options.lang.split(","):
        words = Words(language)
        print(
            f"{language}: {script['describe'](data, words)}"
            if "describe" in script
            else f"{language}: no describe"
        )
        if "table" in script:
            print("\n".join("  ".join(row) for row in script["table"](data, words).rows))
        for size in options.size.split(","):
            for theme in options.theme.split(","):
                use_style(language, theme)
                on = layout(size)
                if on is None:
                    parser.error(f"no size {size}")
                canvas = on.canvas(language)
                script["draw"](canvas, data, words)
                path = options.output / f"{options.script.stem}.{size}.{language}.{theme}.png"
                path.write_bytes(png(canvas, place(canvas, on), theme, None, dpi=options.dpi))
                if theme == options.theme.split(",")[0]:
                    for collision in collisions(canvas):
                        print(f"{path.name}: {collision}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
