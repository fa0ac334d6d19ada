"""The command line: what it takes, and what `--help` teaches."""

import argparse
import os
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NoReturn

from diglot import __version__

EXIT_DONE, EXIT_SITE_ERRORS, EXIT_USAGE, EXIT_INTERRUPTED = 0, 1, 2, 130

_EPILOG = """\
Without a command, diglot builds. `diglot COMMAND --help` says more of each.

exit codes:
  0    done
  1    the site has errors (printed with file, line and fix; the last good output stays)
  2    wrong usage, or a folder that cannot be read or written
  130  interrupted; what was finished is kept

environment:
  SOURCE_DATE_EPOCH  the time of the build in seconds since 1970, for reproducible output
  NO_COLOR           no colours
  CI, TERM=dumb      neither colours nor a progress line
"""


class Parser(argparse.ArgumentParser):
    """A parser that suggests the nearest command or flag for a mistyped one."""

    def __init__(self, **settings: Any) -> None:
        # An abbreviation that works today is ambiguous with the next flag.
        super().__init__(**{"allow_abbrev": False, **settings})

    def error(self, message: str) -> NoReturn:
        """Say what is wrong on standard error, and exit with 2."""
        self.exit(EXIT_USAGE, f"{self.prog}: {self._explained(message)}\nTry `{self.prog} --help`.\n")

    def flags(self) -> set[str]:
        """Every long flag, those of the commands included; argparse has no public way to ask."""
        found = {flag for flag in self._option_string_actions if flag.startswith("--")}
        for action in self._actions:
            if isinstance(action, argparse._SubParsersAction):
                found.update(*(parser.flags() for parser in action.choices.values()))
        return found

    def _explained(self, message: str) -> str:
        from diglot.diagnostics import did_you_mean

        if choice := re.search(r"invalid choice: '(.*)' \(choose from (.*)\)", message):
            wrong, known = choice[1], re.findall(r"[\w-]+", choice[2])
            everything = f"commands are {', '.join(known)}."
            return f'no command named "{wrong}": {did_you_mean(wrong, known, otherwise=everything)}'
        if unknown := re.match(r"unrecognized arguments: (\S+)", message):
            wrong = unknown[1].partition("=")[0]
            if not wrong.startswith("-"):
                return f'"{wrong}" is one argument too many'
            hint = did_you_mean(wrong, self.flags(), otherwise="")
            return f'no flag named "{wrong}"' + (f": {hint}" if hint else "")
        return message


def parse_arguments(argv: Sequence[str]) -> argparse.Namespace:
    """The arguments as a namespace; no command means `build`."""
    arguments = _parser().parse_args(argv)
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
    "strict": False,
    "jobs": os.cpu_count() or 1,
    "executor": "processes",
    "json": False,
    "verify": False,
    "twice": 8,
    "quiet": False,
    "verbose": 0,
}


_OUTPUT_HELP = "output folder (default: public, in the project)"


def _parser() -> Parser:
    parser = Parser(
        prog="diglot",
        description="Build a bilingual site whose figures are computed from models.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        parents=[_common_flags()],
    )
    parser.add_argument("--version", action="version", version=f"diglot {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", parser_class=Parser)
    build = _add(
        commands,
        "build",
        "build the site (the default)",
        "Build the site into the output folder, doing only what changed. If anything is wrong with it,\n"
        "every mistake is printed and the output stays as it was.",
    )
    build.add_argument(
        "--verify",
        action="store_true",
        default=argparse.SUPPRESS,
        help="build from nothing as well, beside it, and compare every file byte for byte",
    )
    _add_serve(commands)
    check = _add(
        commands,
        "check",
        "find every mistake without publishing",
        "Build everything, publish nothing, and check the finished pages as well: links and fragments that\n"
        "lead nowhere, ids that stand twice, images without alternative text. Some of the figures are made\n"
        "once more, in another folder, and compared.",
    )
    check.add_argument(
        "--twice",
        type=_count_or_all,
        metavar="N",
        default=argparse.SUPPRESS,
        help="make so many figures once more: a number (default: 8), 0 or all; for 30 s at most",
    )
    figures = _add(commands, "figures", "list figures, or export them for slides")
    verbs = figures.add_subparsers(
        dest="figures_command", metavar="list|export", required=True, parser_class=Parser
    )
    _add(
        verbs,
        "list",
        "the figures with their parameters",
        "Every figure with the sizes it is drawn in, its parameters with their defaults, and its script.",
    )
    _add_export(verbs)
    explain = _add(
        commands,
        "explain",
        "say why a page or a figure was or would be rebuilt",
        "Say what a page or a figure depends on, why it was last rebuilt, and what would rebuild it now.",
        epilog="examples:\n  diglot explain /zh/posts/roofline/\n  diglot explain roofline --graph x.dot",
    )
    explain.add_argument(
        "target", help="a page's address such as /zh/posts/x/, an article's name, or a figure's id"
    )
    explain.add_argument(
        "--graph",
        type=Path,
        metavar="FILE",
        help="write all that it rests on as a graph: for Graphviz, or as JSON where FILE ends in .json",
    )
    clean = _add(
        commands,
        "clean",
        "remove the output and the cache",
        "Remove the output folder, if diglot made it, and the cache. The next build makes everything again.",
    )
    how = clean.add_mutually_exclusive_group()
    how.add_argument("--cache", action="store_true", help="remove the cache only")
    how.add_argument(
        "--older-than",
        type=_age_s,
        metavar="AGE",
        help="remove only what the last build did not need and that is older: 30d, 12h, 0d for any age",
    )
    return parser


def _add(
    commands: Any,
    name: str,
    summary: str,
    detail: str = "",
    *,
    epilog: str = "",
    output_help: str | None = _OUTPUT_HELP,
) -> Parser:
    parser: Parser = commands.add_parser(
        name,
        help=summary,
        description=detail or f"{summary[0].upper()}{summary[1:]}.",
        epilog=epilog,
        parents=[_common_flags(output_help=output_help)],
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    return parser


def _add_serve(commands: Any) -> None:
    serve = _add(
        commands,
        "serve",
        "preview the site and rebuild on every save",
        "Build, serve on this machine alone, rebuild on a saved change and reload the browser. Drafts and\n"
        "future articles are shown, which is why the preview has a folder of its own: .diglot/preview, not\n"
        "public. Mistakes appear here and in the browser, above the last good page.",
        epilog="examples:\n  diglot serve --open\n  diglot serve --port 8080 --poll",
        output_help="build into this folder and serve it (default: .diglot/preview, in the project)",
    )
    serve.add_argument(
        "--host",
        default="127.0.0.1",
        help="loopback address to listen on: 127.0.0.1 (the default), localhost or ::1",
    )
    serve.add_argument(
        "--port",
        type=_whole("a port", 0, 65535),
        help="default: 8000, or the next free one; 0 is any free one",
    )
    serve.add_argument("--open", action="store_true", help="open the site in the browser")
    serve.add_argument(
        "--poll",
        action="store_true",
        help="look for changes twice a second, where the file system tells of none: network drives, virtual\n"
        "machines, containers",
    )
    serve.add_argument(
        "--no-reload",
        dest="reload",
        action="store_false",
        help="serve pages as they will be published: no script in them, nothing reloads",
    )


def _add_export(verbs: Any) -> None:
    export = _add(
        verbs,
        "export",
        "files to drop into slides",
        "Draw figures as files for slides: fonts right in both languages, text as paths in SVG and PDF, the\n"
        "alternative text and the figure's key in the metadata. The paths written are printed.",
        epilog="examples:\n  diglot figures export roofline --format svg,png --theme light,dark -o slides\n"
        "  diglot figures export 'roofline?dtype=fp8' --format pdf --size 1280x720",
        output_help=None,  # it has one of its own, for another folder
    )
    export.add_argument(
        "ids",
        nargs="*",
        metavar="ID",
        help="figures, with parameters as in a web address (default: every figure that draws)",
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
        help="16:9, narrow, column, wide, or WxH in CSS pixels (default: 16:9, which is 1280x720)",
    )
    export.add_argument(
        "--dpi",
        type=_whole("a resolution", 36, 1200),
        default=192,
        help="of PNG; 96 makes one pixel of a CSS pixel (default: 192)",
    )
    export.add_argument(
        "-o",
        "--output",
        type=Path,
        metavar="DIR",
        default=argparse.SUPPRESS,
        help="folder (default: exports, in the project)",
    )


def _common_flags(*, output_help: str | None = _OUTPUT_HELP) -> Parser:
    """Flags that may stand before or behind the command; SUPPRESS keeps one from undoing the other.

    There is no --output among them where `output_help` is None.
    """
    common = Parser(add_help=False, argument_default=argparse.SUPPRESS)
    group = common.add_argument_group("common flags, before or behind the command")
    group.add_argument(
        "-C", "--root", type=Path, metavar="DIR", help="the project (default: this folder or one above)"
    )
    group.add_argument(
        "--config", type=Path, metavar="FILE", help="configuration, in the project (default: site/site.yaml)"
    )
    if output_help is not None:
        group.add_argument("-o", "--output", type=Path, metavar="DIR", help=output_help)
    group.add_argument("-D", "--drafts", action="store_true", help="include drafts")
    group.add_argument("-F", "--future", action="store_true", help="include articles dated in the future")
    group.add_argument("--strict", action="store_true", help="treat warnings as errors")
    group.add_argument(
        "-j",
        "--jobs",
        type=_whole("a number of jobs", 1, 1024),
        metavar="N",
        help="figures at work at once (default: one a core)",
    )
    group.add_argument(
        "--executor",
        type=_executor,
        metavar="WHERE",
        help="where figures are computed: processes (the default), or a Dask cluster: dask:tcp://HOST:PORT",
    )
    group.add_argument(
        "--json", action="store_true", help="print the result as JSON, and nothing else, on standard output"
    )
    group.add_argument("-q", "--quiet", action="store_true", help="print errors only")
    group.add_argument("-v", "--verbose", action="count", help="name every task that runs, and why")
    return common


def _whole(what: str, least: int, most: int) -> Callable[[str], int]:
    """A reader of whole numbers in a range."""

    def read(text: str) -> int:
        if not re.fullmatch(r"[0-9]{1,9}", text) or not least <= int(text) <= most:
            raise argparse.ArgumentTypeError(f'"{text}" is not {what} from {least} to {most}')
        return int(text)

    return read


def _count_or_all(text: str) -> int | None:
    """A number, None for all."""
    return None if text == "all" else _whole("a number of figures, or all,", 0, 100_000)(text)


def _executor(text: str) -> str:
    from diglot.figures.executors import ExecutorTrouble, check_executor

    try:
        return check_executor(text)
    except ExecutorTrouble as trouble:
        raise argparse.ArgumentTypeError(f"{trouble.message}: {trouble.fix}") from trouble


def _age_s(text: str) -> int:
    if found := re.fullmatch(r"([0-9]{1,6})([hdw])", text):
        return int(found[1]) * {"h": 3600, "d": 86400, "w": 604800}[found[2]]
    raise argparse.ArgumentTypeError(f'"{text}" is no age such as 12h, 30d or 8w')


def _size(text: str) -> str:
    if text in ("16:9", "narrow", "column", "wide"):
        return text
    if found := re.fullmatch(r"([0-9]{3,4})x([0-9]{3,4})", text):
        width, height = int(found[1]), int(found[2])
        if 100 <= width <= 8000 and 100 <= height <= 8000:
            return text
    raise argparse.ArgumentTypeError(
        f'"{text}" is none of 16:9, narrow, column, wide, and no WxH from 100x100 to 8000x8000'
    )


def _list_of(*known: str) -> Callable[[str], tuple[str, ...]]:
    """A reader of comma-separated lists of known words, without repetitions."""

    def read(text: str) -> tuple[str, ...]:
        words = tuple(dict.fromkeys(word.strip() for word in text.split(",") if word.strip()))
        for word in words:
            if word not in known:
                raise argparse.ArgumentTypeError(f'"{word}" is none of {", ".join(known)}')
        if not words:
            raise argparse.ArgumentTypeError(f"name at least one of {', '.join(known)}")
        return words

    return read
