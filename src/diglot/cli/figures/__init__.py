"""`diglot figures`."""

import argparse
import re

from diglot.cli.command import LANGUAGES, Command, list_of, number, option, whole_number


def _parameter(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not (equals and name):
        raise argparse.ArgumentTypeError(f'"{text}" is not a parameter: write it like dtype=fp8')
    return name, value


def _background(text: str) -> str:
    if text == "none":
        return ""
    if text == "page" or re.fullmatch(r"#[0-9a-fA-F]{6}", text):
        return text.lower()
    raise argparse.ArgumentTypeError(f'"{text}" is not a colour: write it like #0b1f3a, or page, or none')


_SIZES = ("16:9", "4:3", "half", "square", "poster", "narrow", "column", "wide")


def _size(text: str) -> str:
    if text in _SIZES:
        return text
    if found := re.fullmatch(r"([0-9]{3,4})x([0-9]{3,4})", text):
        width, height = int(found[1]), int(found[2])
        if 100 <= width <= 8000 and 100 <= height <= 8000:
            return text
    raise argparse.ArgumentTypeError(
        f'"{text}" is not a size: use {", ".join(_SIZES)}, or WxH from 100x100 to 8000x8000'
    )


_LIST = Command(
    name="list",
    about="list the figures with their parameters",
    run="diglot.cli.figures.running:run_list",
    detail=("List every figure with its sizes, its parameters and their defaults, and its script."),
)
_EXPORT = Command(
    name="export",
    about="export figures as files for slides",
    run="diglot.cli.figures.running:run_export",
    detail=(
        "Draw figures as files for slides, with the right fonts in both languages. SVG files have their\n"
        "text as paths, and PDF files embed their fonts. The background is transparent. The metadata of\n"
        "each file has the figure's message, its description and what it was made from. manifest.json lists\n"
        "all files, so that `diglot slides check` can find those that are out of date. Prints the paths."
    ),
    epilog=(
        "examples:\n  diglot figures export roofline --format svg,png --theme light,dark -o slides\n"
        "  diglot figures export roofline --state dtype=fp8 --size half --text 1.4\n"
        "  diglot figures export --all --title --credit --background '#ffffff'\n"
        "  diglot figures export systolic_flow --play cycle --format gif"
    ),
    output_help="folder to write to (default: exports, in the project)",
    options={
        "ids ID": option(
            "figure ids, with parameters as in a URL (default: every figure that has a drawing)",
            nargs="*",
        ),
        "--all": "export every figure that has a drawing, as without ids",
        "--state": option(
            "set a parameter of the figures, such as dtype=fp8; may be given several times",
            _parameter,
            action="append",
            default=[],
            metavar="NAME=VALUE",
        ),
        "--play NAME": option(
            "make a picture for each value of this parameter, or with --format gif or mp4 a film of them",
            default="",
        ),
        "--fps": option(
            "frames per second of a film (default: 4)",
            number("a number of pictures a second", 0.1, 60),
            default=4.0,
        ),
        "--lang": LANGUAGES,
        "--theme": option(
            "light, dark, or light,dark (default: light)", list_of("light", "dark"), default=("light",)
        ),
        "--format": option(
            "any of svg, png, pdf, and with --play gif and mp4, which needs ffmpeg (default: svg)",
            list_of("svg", "png", "pdf", "gif", "mp4"),
            default=("svg",),
        ),
        "--size": option(
            "16:9, 4:3, half (of a slide of 16:9), square, poster, narrow, column, wide, or WxH in CSS "
            "pixels (default: 16:9, which is 1280x720)",
            _size,
            default="16:9",
        ),
        "--text TIMES": option(
            "how much larger to make text, such as 1.4; the drawing is laid out again (default: 1)",
            number("a size of text", 0.5, 3),
            default=1.0,
        ),
        "--background COLOUR": option(
            "paint the background: #rrggbb, or by itself the colour of the site's pages (default: none)",
            _background,
            nargs="?",
            const="page",
            default="none",
        ),
        "--title": "put the figure's message above the drawing",
        "--credit": "put the site's name and address below the drawing",
        "--dpi": option(
            "resolution of PNG files; at 96, one pixel is one CSS pixel (default: 192)",
            whole_number("a resolution", 36, 1200),
            default=192,
        ),
    },
)

command = Command(
    name="figures",
    about="list figures or export them for slides",
    group="see",
    verbs=(
        _LIST,
        _EXPORT,
    ),
)
