"""The command line: its commands and the text of `--help`."""

import argparse
import os
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from diglot import DOCS_URL, __version__
from diglot.cli.parsing import (
    LANGUAGES,
    Parser,
    add_command,
    add_options,
    add_verbs,
    common_flags,
    list_of,
    option,
    whole_number,
)
from diglot.cli.project_arguments import add_import, add_init, add_new, add_rename, add_schema
from diglot.cli.site_arguments import add_deploy, add_diff, add_export, add_status, add_theme
from diglot.cli.slides_arguments import add_slides

_GROUPS = {
    "write": ("init", "new", "rename", "import"),
    "see": ("build", "serve", "figures", "explain"),
    "keep true": ("check", "status", "sync", "diff"),
    "publish and present": ("deploy", "slides", "export"),
    "ask the models": ("hardware",),
    "adapt and tidy": ("theme", "schema", "doctor", "clean"),
}
"""The commands, by what one wants to do."""

_EPILOG = f"""\
exit codes:
  0    success
  1    the site has errors (printed with file, line and fix; the last good output stays)
  2    wrong usage, or a folder that cannot be read or written
  3    `diglot status` found a half behind its twin, or `diglot diff` found changes
  130  interrupted; finished work is kept

environment:
  DIGLOT_BASE_URL    the site's address, unless --base-url sets one
  SOURCE_DATE_EPOCH  the time of the build in seconds since 1970, for reproducible output; --clock wins
  NO_COLOR           no colours
  CI, TERM=dumb      no colours, and a line of progress every 10 s, as in pipes
  DIGLOT_PROGRESS=0  no progress at all

documentation: {DOCS_URL}
"""


def parse_arguments(argv: Sequence[str]) -> argparse.Namespace:
    """The arguments as a namespace; without a command, `build`."""
    parser = _parser()
    for word in argv:
        if re.fullmatch(r"-[a-z][a-z-]+", word) and f"-{word}" in parser.flags():  # -jobs, which is -j obs
            parser.error(f'no flag named "{word}": did you mean "-{word}"?')
    arguments = parser.parse_args(argv)
    arguments.command = arguments.command or "build"
    for name, value in _DEFAULTS.items():
        if not hasattr(arguments, name):
            setattr(arguments, name, value)
    return arguments


_DEFAULTS: dict[str, object] = {
    "root": None,
    "config": Path("site/site.yaml"),
    "output": None,
    "drafts": False,
    "future": False,
    "expired": False,
    "clock": None,
    "base_url": None,
    "strict": False,
    "jobs": os.cpu_count() or 1,
    "executor": "processes",
    "json": False,
    "verify": False,
    "precompress": False,
    "relative": False,
    "atomic": False,
    "quiet": False,
    "verbose": 0,
}


class _Main(Parser):
    """The parser of all commands. Its help fits on a screen; `--help all` has the flags of all commands."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(add_help=False, **settings)
        self.add_argument(
            "-h",
            "--help",
            action=_Help,
            nargs="?",
            metavar="all|COMMAND",
            help="show what there is to do, all flags, or a command",
        )

    def format_short_help(self) -> str:
        """The commands by what one wants to do."""
        actions = next(action for action in self._actions if isinstance(action, argparse._SubParsersAction))
        about = {choice.dest: choice.help for choice in actions._choices_actions}
        lines = [
            f"{self.description}",
            "",
            "usage: diglot [COMMAND] [flags]; without a command, `diglot build`",
        ]
        for wish, names in _GROUPS.items():
            lines += ["", f"{wish}:", *(f"    {name:<10}{about[name]}" for name in names)]
        return "\n".join([*lines, "", _MORE])


class _Help(argparse.Action):
    def __call__(self, parser: Any, namespace: object, values: Any, option_string: str | None = None) -> None:
        """Print help, and exit; a command that parses its own arguments prints its help when it runs."""
        if values not in (None, "all"):
            vars(namespace).update(vars(parser.parse_args([values, "--help"])))
            return
        print(parser.format_help() if values else parser.format_short_help(), end="")
        parser.exit()


_MORE = f"""\
`diglot COMMAND --help` describes a command, with examples; `diglot --help all` has the flags of all commands,
exit codes and environment variables. Documentation: {DOCS_URL}
"""


def _parser() -> Parser:
    parser = _Main(
        prog="diglot",
        description="Build a bilingual site with figures that are computed from models.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        parents=[common_flags()],
    )
    parser.add_argument("--version", action="version", version=f"diglot {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", parser_class=Parser)
    add_init(commands)
    add_new(commands)
    add_rename(commands)
    add_import(commands)
    add_schema(commands)
    add_command(
        commands,
        "build",
        "build the site (the default)",
        "Build the site into the output folder, redoing only what changed. If the site has errors, all of\n"
        "them are printed and the output stays as it was.",
        options={
            "--verify": "also build a copy of the project from scratch, and compare every file byte for byte",
            "--atomic": (
                "write a complete new output folder next to the old one, then swap the two in one step"
            ),
            "--relative": "write relative addresses on pages, so that browsers can open them from files",
        },
    )
    add_command(
        commands,
        "serve",
        "preview the site, rebuilding on every save",
        "Build the site, serve it to this machine only, and on every save rebuild it and update the open\n"
        "pages. The preview shows drafts and future articles, so it has its own output folder,\n"
        ".diglot/preview. Errors appear here and in the browser, over the last good page.",
        epilog="examples:\n  diglot serve --open\n  diglot serve --port 8080 --poll",
        output_help="build into this folder and serve it (default: .diglot/preview, in the project)",
        options={
            "--host": option(
                "loopback address to listen on: 127.0.0.1 (default), localhost or ::1", default="127.0.0.1"
            ),
            "-p --port": option(
                "port to listen on (default: 8000, or the next free one); 0 means any free port",
                whole_number("a port", 0, 65535),
            ),
            "--open": "open the home page in the browser",
            "--follow": (
                "after a save, show the block that changed in the open pages; a button at /__diglot/ turns "
                "this on and off in a browser"
            ),
            "--poll": (
                "look for changes twice a second, for file systems that do not report them: network drives, "
                "virtual machines, containers"
            ),
            "--no-reload": option(
                "serve pages exactly as they will be published, without live updates",
                dest="reload",
                action="store_false",
            ),
        },
    )
    add_command(
        commands,
        "check",
        "report every error without publishing",
        "Build everything without publishing it, then check the finished site: links and fragments, ids,\n"
        "texts of pictures and their weight, titles and descriptions, versions in other languages, feeds,\n"
        "files and pages that nothing refers to, and names of products; and compare what the two halves\n"
        "of each article say. Some figures are also computed and drawn a second time, in another folder,\n"
        "and compared. `diglot check pairs` only compares halves. `diglot check numbers` finds quantities\n"
        "that are typed in prose and are neither a figure's value ({eval}) nor have a source.\n\n"
        "--fix changes your files before the check: `##标题` becomes `## 标题`, and so on, wherever a\n"
        "warning leaves no doubt. It prints each line that it changes and never changes code; a second run\n"
        "changes nothing.",
        epilog="examples:\n  diglot check --strict\n  diglot check --fix\n  diglot check numbers\n"
        "  diglot check --external --max-age 30d\n"
        "  diglot check --sarif diglot.sarif",
        options={
            "parts": option(
                "what to check (default: site and pairs)",
                _part_of_check,
                nargs="*",
                metavar="site|pairs|numbers",
            ),
            "--fix": "correct Markdown that one wrong character has spoilt; with numbers, also write {eval} "
            "where a figure has the typed number",
            "--external": "ask other sites whether links to them still lead somewhere",
            "--max-age AGE": option(
                "with --external: how long answers are kept, such as 12h or 30d (default: 7d)",
                _age_s,
                default=7 * 86400,
            ),
            "--offline": "with --external: use only the answers that are known, without a network",
            "--format": option(
                "github also prints annotations, and is the default in workflows on GitHub",
                choices=("text", "github"),
                default="github" if os.environ.get("GITHUB_ACTIONS") == "true" else "text",
            ),
            "--sarif FILE": option("also write a SARIF 2.1.0 report to this file, for code scanning", Path),
            "--twice N": option(
                "how many figures to make a second time: a number (default: 8), 0 or all; takes at most 30 s",
                _count_or_all,
                default=8,
            ),
        },
    )
    add_status(commands)
    add_diff(commands)
    figures = add_command(commands, "figures", "list figures or export them for slides")
    verbs = add_verbs(figures, "list|export")
    add_command(
        verbs,
        "list",
        "list the figures with their parameters",
        "List every figure with its sizes, its parameters and their defaults, and its script.",
    )
    add_command(
        verbs,
        "export",
        "export figures as files for slides",
        "Draw figures as files for slides, with the right fonts in both languages. SVG files have their\n"
        "text as paths, and PDF files embed their fonts. The background is transparent. The metadata of\n"
        "each file has the figure's message, its description and what it was made from. manifest.json lists\n"
        "all files, so that `diglot slides check` can find those that are out of date. Prints the paths.",
        epilog="examples:\n  diglot figures export roofline --format svg,png --theme light,dark -o slides\n"
        "  diglot figures export roofline --state dtype=fp8 --size half --text 1.4\n"
        "  diglot figures export --all --title --credit --background '#ffffff'\n"
        "  diglot figures export systolic_flow --play cycle --format gif",
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
                _number("a number of pictures a second", 0.1, 60),
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
                _number("a size of text", 0.5, 3),
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
    add_slides(commands)
    add_export(commands)
    add_deploy(commands)
    add_command(
        commands,
        "explain",
        "show why a page or figure was, or would be, rebuilt, or where a value comes from",
        "Show what a page or figure depends on, why it was last rebuilt, and what would rebuild it now.\n"
        "For a value in prose, show the chain from its expression through the figure to facts about chips,\n"
        "with their sources and dates.",
        epilog="examples:\n  diglot explain /zh/posts/roofline/\n  diglot explain roofline --graph x.dot\n"
        "  diglot explain value 'roofline.h200.ridge | number(0)'\n"
        "  diglot explain value content/posts/roofline/zh.md:12",
        options={
            "target": "a page's address such as /zh/posts/x/, an article's slug, a figure's id, or `value`",
            "expression EXPRESSION": option(
                "after `value`: an expression as in {eval}, or FILE or FILE:LINE for all values there",
                nargs="?",
            ),
            "--graph FILE": option(
                "write all its dependencies as a graph, for Graphviz, or as JSON if FILE ends in .json", Path
            ),
        },
    )
    add_theme(commands)
    commands.add_parser(
        "hardware", help="list chips, show one with its sources, plan how to serve a model", hands_on=True
    )
    add_command(
        commands,
        "doctor",
        "say what this installation lacks, and how to get it",
        "List the optional packages and programs that diglot works with: which are here, what each is for,\n"
        "how to get it, and whether the settings of the site in this folder need it. Exit code 1 if they do\n"
        "and it is missing.",
    )
    clean = add_command(
        commands,
        "clean",
        "remove the output and the cache",
        "Remove the cache, and the output folder if diglot made it. The next build rebuilds everything.",
    )
    add_options(
        clean.add_mutually_exclusive_group(),
        {
            "--cache": "remove the cache only",
            "--older-than AGE": option(
                "remove only cached data that the last build did not use and that is older than AGE: 30d, "
                "12h, or 0d for any age",
                _age_s,
            ),
        },
    )
    return parser


def _count_or_all(text: str) -> int | None:
    """A number, or None for "all"."""
    return None if text == "all" else whole_number("a number of figures, or all,", 0, 100_000)(text)


def _part_of_check(text: str) -> str:
    if text not in ("site", "pairs", "numbers"):
        raise argparse.ArgumentTypeError(f"{text!r} cannot be checked: write site, pairs or numbers")
    return text


def _age_s(text: str) -> int:
    if found := re.fullmatch(r"([0-9]{1,6})([hdw])", text):
        return int(found[1]) * {"h": 3600, "d": 86400, "w": 604800}[found[2]]
    raise argparse.ArgumentTypeError(f'"{text}" is not an age such as 12h, 30d or 8w')


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


def _number(what: str, low: float, high: float) -> Callable[[str], float]:
    """A parser of decimal numbers, for argparse."""

    def read(text: str) -> float:
        if re.fullmatch(r"[0-9]+(\.[0-9]+)?", text) and low <= float(text) <= high:
            return float(text)
        raise argparse.ArgumentTypeError(f'"{text}" is not {what} from {low:g} to {high:g}')

    return read


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
