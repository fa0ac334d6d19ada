"""The command line: what it takes, and what `--help` teaches."""

import argparse
import os
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from diglot import __version__

COMMANDS = ("build", "serve", "check", "figures", "explain", "clean")
EXIT_DONE, EXIT_SITE_ERRORS, EXIT_USAGE = 0, 1, 2

_EPILOG = """\
exit codes:
  0  done
  1  the site has errors (they are printed with file, line and fix; the last good output stays)
  2  wrong usage or configuration

environment:
  SOURCE_DATE_EPOCH  the time of the build, for reproducible output
  NO_COLOR, CI       plain text, no progress line
"""


class Parser(argparse.ArgumentParser):
    """A parser that suggests the nearest command for a mistyped one."""

    def error(self, message: str) -> NoReturn:
        """Print the usage and the mistake, and exit with 2."""
        from diglot.diagnostics import nearest

        if "invalid choice: " in message:
            wrong = message.split("invalid choice: ", 1)[1].split("'")[1]
            near = nearest(wrong, COMMANDS)
            if near:
                message += f'; did you mean "{near}"?'
        self.print_usage()
        self.exit(EXIT_USAGE, f"{self.prog}: error: {message}\nTry `{self.prog} --help`.\n")


def parse_arguments(argv: Sequence[str]) -> argparse.Namespace:
    """The arguments as a namespace; no command means `build`."""
    parser = _parser()
    words = list(argv)
    if not _names_a_command(words):
        words = [*words, "build"] if not any(w in ("-h", "--help", "--version") for w in words) else words
    arguments = parser.parse_args(words)
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
    "strict": False,
    "jobs": os.cpu_count() or 1,
    "json": False,
    "quiet": False,
    "verbose": 0,
}
_TAKES_VALUE = ("-C", "--root", "--config", "-o", "--output", "-j", "--jobs")


def _names_a_command(words: Sequence[str]) -> bool:
    """Whether a word that is not a flag or a flag's value stands on the line."""
    skip = False
    for word in words:
        if skip:
            skip = False
        elif word in _TAKES_VALUE:
            skip = True
        elif not word.startswith("-"):
            return True
    return False


def _parser() -> Parser:
    common = _common_flags()
    parser = Parser(
        prog="diglot",
        description="Build a bilingual site whose figures are computed from models.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        parents=[common],
    )
    parser.add_argument("--version", action="version", version=f"diglot {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", parser_class=Parser)

    def command(name: str, summary: str, detail: str = "") -> Parser:
        return commands.add_parser(
            name,
            help=summary,
            description=detail or summary,
            parents=[common],
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )

    command(
        "build",
        "build the site (the default)",
        "Build the site into the output folder, doing only what changed.",
    )

    serve = command(
        "serve",
        "preview the site and rebuild on every save",
        "Build, serve on this machine alone, rebuild on a saved change and reload the browser.\n"
        "Drafts and future posts are shown.",
    )
    serve.add_argument(
        "--host", default="127.0.0.1", help="loopback address to listen on (default: 127.0.0.1)"
    )
    serve.add_argument("--port", type=_port, default=None, help="port (default: 8000, or the next free one)")
    serve.add_argument("--open", action="store_true", help="open the site in the browser")

    command(
        "check",
        "find every mistake without publishing",
        "Build everything, publish nothing, and check the pages: links, ids, alternative texts, pairs.",
    )

    figures = command("figures", "list figures, or export them for slides")
    verbs = figures.add_subparsers(
        dest="figures_command", metavar="list|export", required=True, parser_class=Parser
    )
    verbs.add_parser(
        "list",
        help="the figures with their parameters",
        description="The figures with their parameters.",
        parents=[common],
    )
    export = verbs.add_parser(
        "export",
        help="files to drop into slides",
        description="Draw figures as files for slides: fonts right in both languages, text as paths in SVG,\n"
        "the alternative text and the figure's key in the metadata.",
        epilog="example:\n  diglot figures export roofline --format svg,png --size 16:9 -o slides\n"
        "  diglot figures export 'roofline?dtype=fp8' --format pdf -o slides",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        parents=[_common_flags(output=False)],
    )
    export.add_argument(
        "ids", nargs="*", metavar="ID", help="figures, parameters as in a web address (default: all)"
    )
    export.add_argument(
        "--lang", type=_list_of("zh", "en"), default=("zh", "en"), help="zh,en (default: both)"
    )
    export.add_argument(
        "--theme", type=_list_of("light", "dark"), default=("light",), help="light,dark (default: light)"
    )
    export.add_argument(
        "--format", type=_list_of("svg", "png", "pdf"), default=("svg",), help="svg,png,pdf (default: svg)"
    )
    export.add_argument(
        "--size",
        type=_size,
        default="16:9",
        help="16:9, column, wide, narrow, or WxH in pixels (default: 16:9)",
    )
    export.add_argument(
        "--dpi", type=_dpi, default=192, help="of PNG; 96 is one pixel a CSS pixel (default: 192)"
    )
    export.add_argument(
        "-o", "--output", type=Path, default=Path("exports"), help="folder (default: exports)"
    )

    explain = command(
        "explain",
        "say why a page or figure was or would be rebuilt",
        "Say what a page or a figure depends on, why it was last rebuilt, and what would rebuild it now.",
    )
    explain.add_argument(
        "target", help="a figure's id, an article's slug, or a page's address such as /zh/posts/x/"
    )

    clean = command("clean", "remove the output and the cache")
    clean.add_argument("--cache", action="store_true", help="remove the cache only")
    return parser


def _common_flags(*, output: bool = True) -> Parser:
    """Flags that may stand before or behind the command; SUPPRESS keeps one from undoing the other."""
    common = Parser(add_help=False, argument_default=argparse.SUPPRESS)
    group = common.add_argument_group("common flags")
    group.add_argument(
        "-C", "--root", type=Path, metavar="DIR", help="the project (default: this folder or one above)"
    )
    group.add_argument("--config", type=Path, metavar="FILE", help="configuration (default: site/site.yaml)")
    if output:  # `figures export` has one of its own, for another folder
        group.add_argument("-o", "--output", type=Path, metavar="DIR", help="output folder (default: public)")
    group.add_argument("-D", "--drafts", action="store_true", help="include drafts")
    group.add_argument("-F", "--future", action="store_true", help="include articles dated in the future")
    group.add_argument("--strict", action="store_true", help="treat warnings as errors")
    group.add_argument(
        "-j", "--jobs", type=_jobs, metavar="N", help="figures drawn at once (default: one a core)"
    )
    group.add_argument("--json", action="store_true", help="print the result as JSON on standard output")
    group.add_argument("-q", "--quiet", action="store_true", help="print errors only")
    group.add_argument("-v", "--verbose", action="count", help="say every task that runs, and why")
    return common


def _jobs(text: str) -> int:
    if not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 1")
    return int(text)


def _port(text: str) -> int:
    if not text.isdigit() or not 0 <= int(text) <= 65535:
        raise argparse.ArgumentTypeError(f"{text!r} is not a port from 0 to 65535")
    return int(text)


def _dpi(text: str) -> int:
    if not text.isdigit() or not 36 <= int(text) <= 1200:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 36 to 1200")
    return int(text)


def _size(text: str) -> str:
    if text in ("16:9", "narrow", "column", "wide"):
        return text
    width, _, height = text.partition("x")
    if width.isdigit() and height.isdigit() and 100 <= int(width) <= 8000 and 100 <= int(height) <= 8000:
        return text
    raise argparse.ArgumentTypeError(
        f"{text!r} is none of 16:9, narrow, column, wide, and no WxH such as 1280x720"
    )


class _list_of:
    """A comma-separated list of known words, without repetitions."""

    def __init__(self, *known: str) -> None:
        self.known = known

    def __call__(self, text: str) -> tuple[str, ...]:
        words = tuple(dict.fromkeys(word.strip() for word in text.split(",") if word.strip()))
        for word in words:
            if word not in self.known:
                raise argparse.ArgumentTypeError(f"{word!r} is none of {', '.join(self.known)}")
        if not words:
            raise argparse.ArgumentTypeError(f"name at least one of {', '.join(self.known)}")
        return words
