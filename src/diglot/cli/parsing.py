"""What the parsers of all commands share: suggestions, common flags, types of arguments."""

import argparse
import datetime
import functools
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, NoReturn

from diglot.diagnostics import did_you_mean

EXIT_DONE, EXIT_SITE_ERRORS, EXIT_USAGE, EXIT_INTERRUPTED = 0, 1, 2, 130
EXIT_BEHIND = EXIT_CHANGED = 3


class Parser(argparse.ArgumentParser):
    """A parser that suggests the nearest command or flag for a mistyped one."""

    def __init__(self, *, hands_on: bool = False, **settings: Any) -> None:
        """With `hands_on`, what follows the command is parsed by what it runs: `arguments.rest` has it."""
        # An abbreviation that is unique today may become ambiguous with a new flag.
        super().__init__(**{"allow_abbrev": False, **settings})
        self._hands_on = hands_on

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> tuple[Any, list[str]]:
        """Parse what this parser knows of the arguments."""
        if not self._hands_on:
            return super().parse_known_args(args, namespace)
        return argparse.Namespace(rest=list(args or ())), []

    def error(self, message: str) -> NoReturn:
        """Print what is wrong to standard error, and exit with code 2."""
        self.exit(EXIT_USAGE, f"{self.prog}: {self._explained(message)}\nTry `{self.prog} --help`.\n")

    def _get_value(self, action: argparse.Action, arg_string: str) -> Any:
        """Refuse an empty value: it comes from a variable that is not set, and would stand for a default."""
        is_own = arg_string in (action.const, action.default)
        if not arg_string.strip() and not is_own and action.nargs != argparse.PARSER:
            raise argparse.ArgumentError(action, "its value is empty; is a variable not set?")
        return super()._get_value(action, arg_string)

    def flags(self) -> set[str]:
        """All long flags, those of commands included; argparse has no public function for this."""
        found = {flag for flag in self._option_string_actions if flag.startswith("--")}
        for action in self._actions:
            if isinstance(action, argparse._SubParsersAction):
                found.update(*(parser.flags() for parser in action.choices.values()))
        return found

    def _explained(self, message: str) -> str:
        if choice := re.search(r"invalid choice: '(.*)' \(choose from (.*)\)", message):
            wrong, known = choice[1], re.findall(r"[\w-]+", choice[2])
            if f"--{wrong}" in self.flags():  # help, version
                return f'no command named "{wrong}": write --{wrong}'
            everything = f"commands are {', '.join(known)}."
            return f'no command named "{wrong}": {did_you_mean(wrong, known, otherwise=everything)}'
        if unknown := re.match(r"unrecognized arguments: (\S+)", message):
            wrong = unknown[1].partition("=")[0]
            if not wrong.startswith("-"):
                return f'"{wrong}" is not expected here: too many arguments'
            hint = did_you_mean(wrong, self.flags() - {wrong}, otherwise="")
            return f'no flag named "{wrong}"' + (f": {hint}" if hint else "")
        if valued := re.fullmatch(r"argument (?:.*/)?(--[\w-]+): ignored explicit argument '(.*)'", message):
            return f'{valued[1]} takes no value: write it without "={valued[2]}", or leave it out'
        return message


Options = Mapping[str, str | dict[str, Any]]
"""Arguments by their names and, in capital letters, what stands for their value in `--help`.

One with only a text is a flag; if its value has a name, as in `--cname DOMAIN`, it takes a text.
"""


def option(help: str, read: Callable[[str], object] | None = None, **settings: Any) -> dict[str, Any]:
    """An argument with more settings of argparse; `read` makes its value of a text."""
    return {"help": help, **({} if read is None else {"type": read}), **settings}


def whole_number(what: str, least: int, most: int) -> Callable[[str], int]:
    """A parser for whole numbers in a range."""

    def read(text: str) -> int:
        if not re.fullmatch(r"[0-9]{1,9}", text) or not least <= int(text) <= most:
            raise argparse.ArgumentTypeError(f'"{text}" is not {what} from {least} to {most}')
        return int(text)

    return read


def list_of(*known: str) -> Callable[[str], tuple[str, ...]]:
    """A parser for comma-separated lists of known words, without duplicates."""

    def read(text: str) -> tuple[str, ...]:
        words = tuple(dict.fromkeys(word.strip().lower() for word in text.split(",") if word.strip()))
        for word in words:
            if word not in known:
                raise argparse.ArgumentTypeError(f'"{word}" is not one of {", ".join(known)}')
        if not words:
            raise argparse.ArgumentTypeError(f"name at least one of {', '.join(known)}")
        return words

    return read


LANGUAGES = option("languages (default: zh,en)", list_of("zh", "en"), default=("zh", "en"))
"""The languages that a command makes something in."""
EDITIONS = option(
    "zh, en, and zh-hant on a site with pages in traditional characters (default: zh,en)",
    list_of("zh", "en", "zh-hant"),
    default=("zh", "en"),
)
"""The same where something can be made in traditional characters, too."""

OUTPUT_HELP = "output folder (default: public, in the project)"


def add_command(
    commands: Any,
    name: str,
    summary: str,
    detail: str = "",
    *,
    epilog: str = "",
    output_help: str = OUTPUT_HELP,
    options: Options = MappingProxyType({}),
) -> Parser:
    """Add a command with the common flags; without `detail`, its summary is its description."""
    parser: Parser = commands.add_parser(
        name,
        help=summary,
        description=detail or f"{summary[0].upper()}{summary[1:]}.",
        epilog=epilog,
        parents=[common_flags(output_help=output_help)],
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_options(parser, options)
    return parser


def add_options(parser: Any, options: Options) -> None:
    """Add arguments to a parser or a group of one."""
    for names, what in options.items():
        *words, last = names.split()
        has_value = bool(words) and last.isupper()
        settings = {"help": what} if isinstance(what, str) else what
        if has_value:
            settings = {"metavar": last, **settings}
        elif isinstance(what, str) and last.startswith("-"):
            settings = {"action": "store_true", **settings}
        parser.add_argument(*(words if has_value else [*words, last]), **settings)


def add_verbs(parser: Parser, verbs: str) -> Any:
    """Let a command have verbs, such as "list|copy"; each is added to what this returns, as a command."""
    dest = f"{parser.prog.split()[-1]}_command"
    return parser.add_subparsers(dest=dest, metavar=verbs, required=True, parser_class=Parser)


@functools.cache  # made once for all commands: to make them for each took half of the time of parsing
def common_flags(*, output_help: str = OUTPUT_HELP) -> Parser:
    """Flags allowed before and after the command; SUPPRESS keeps one place from resetting the other."""
    common = Parser(add_help=False, argument_default=argparse.SUPPRESS)
    group = common.add_argument_group("common flags, before or after the command")
    options: Options = {
        "-C -s --root --source DIR": option(
            "the project folder (default: the current folder or the nearest above it with a configuration)",
            Path,
            dest="root",
        ),
        "--config FILE": option(
            "configuration file, relative to the project (default: site/site.yaml)", Path
        ),
        "-o -d --output --destination DIR": option(output_help, Path, dest="output"),
        "-b --base-url URL": option(
            "the site's address instead of `base_url` in the configuration, such as that of a preview",
            _base_url,
        ),
        "-D --drafts": "include drafts",
        "-F --future": "include articles dated in the future",
        "-E --expired": "include expired articles",
        "--clock DAY": option(
            "build as on this day, such as 2026-12-01, instead of today (for future and expired articles)",
            day,
        ),
        "--precompress": ("also publish texts compressed, as .gz, and as .br if diglot[brotli] is installed"),
        "--strict": "treat warnings as errors",
        "-j --jobs N": option(
            "number of parallel jobs (default: one per core)", whole_number("a number of jobs", 1, 1024)
        ),
        "--executor WHERE": option(
            "where to compute figures: processes (default) or a Dask cluster, such as dask:tcp://HOST:PORT",
            _executor,
        ),
        "--json": "print the result as JSON on standard output, and nothing else",
        "-q --quiet": "print errors only",
        "-v --verbose": option("print every task that runs, and why", action="count"),
    }
    add_options(group, options)
    return common


def _base_url(text: str) -> str:
    from diglot.project import BASE_URL_FIX, site_address  # noqa: PLC0415  (only this option needs it)

    if (address := site_address(text)) is None:
        raise argparse.ArgumentTypeError(f'"{text}" is not the address of a site: {BASE_URL_FIX}')
    return address


def day(text: str) -> datetime.date:
    """Read a day, such as 2026-12-01."""
    try:
        return datetime.date.fromisoformat(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f'"{text}" is not a day such as 2026-12-01{_reason(text)}') from None


def _reason(text: str) -> str:
    """Why a text in the form of a date is none, after a colon; empty for another text."""
    if not re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", text):
        return ""
    from diglot.strict_yaml import why_no_date  # noqa: PLC0415  (only this mistake needs it)

    return f": {why_no_date(text)}"


def _executor(text: str) -> str:
    from diglot.figures.execution.executors import check_executor  # noqa: PLC0415  (only this option needs it)
    from diglot.figures.jobs import ExecutorTrouble  # noqa: PLC0415  (only this option needs it)

    try:
        return check_executor(text)
    except ExecutorTrouble as trouble:
        raise argparse.ArgumentTypeError(f"{trouble.message}: {trouble.fix}") from trouble
