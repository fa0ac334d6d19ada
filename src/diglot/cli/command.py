"""How a command is declared: once, next to its code, for `--help`, for parsing and for running it."""

import argparse
import datetime
import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import msgspec

if TYPE_CHECKING:
    from diglot.cli.terminal import Terminal

EXIT_DONE, EXIT_SITE_ERRORS, EXIT_USAGE, EXIT_INTERRUPTED = 0, 1, 2, 130
EXIT_BEHIND = EXIT_CHANGED = 3

Run: TypeAlias = "Callable[[argparse.Namespace, Terminal], int]"
"""Runs a command whose arguments have been parsed, and returns its exit code."""
Group = Literal[
    "write", "see", "keep true", "publish and present", "ask the models", "adapt and tidy", "of this site"
]
"""What one wants to do, as a heading in `--help`; commands of extensions are those `of this site`."""
Options = Mapping[str, str | dict[str, Any]]
"""Arguments by their names and, in capital letters, what stands for their value in `--help`.

One with only a text is a flag; if its value has a name, as in `--cname DOMAIN`, it takes a text.
"""
OUTPUT_HELP = "output folder (default: public, in the project)"


class Command(msgspec.Struct, frozen=True, kw_only=True):
    """`diglot NAME`, or with a verb `diglot NAME VERB`."""

    name: str
    about: str
    """One line for lists of commands."""
    group: Group | None = None
    """None for a verb."""
    run: str = ""
    """What runs it, a `Run` that is loaded only then: `diglot.cli.status.running:run`. Empty with verbs."""
    detail: str = ""
    """What its own `--help` says; where empty, what it is about."""
    epilog: str = ""
    output_help: str = OUTPUT_HELP
    options: Options = {}
    alternatives: Options = {}
    """Options of which one excludes the others."""
    verbs: "tuple[Command, ...]" = ()
    hands_on: bool = False
    """Whether what it runs parses what follows its name: `arguments.rest` has it."""


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


def number(what: str, low: float, high: float) -> Callable[[str], float]:
    """A parser for decimal numbers in a range."""

    def read(text: str) -> float:
        if re.fullmatch(r"[0-9]+(\.[0-9]+)?", text) and low <= float(text) <= high:
            return float(text)
        raise argparse.ArgumentTypeError(f'"{text}" is not {what} from {low:g} to {high:g}')

    return read


def age_s(text: str) -> int:
    """Read an age, such as 12h or 30d, in seconds."""
    if found := re.fullmatch(r"([0-9]{1,6})([hdw])", text):
        return int(found[1]) * {"h": 3600, "d": 86400, "w": 604800}[found[2]]
    raise argparse.ArgumentTypeError(f'"{text}" is not an age such as 12h, 30d or 8w')


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


LANGUAGES = option("languages (default: zh,en)", list_of("zh", "en"), default=("zh", "en"))
"""The languages that a command makes something in."""
EDITIONS = option(
    "zh, en, and zh-hant on a site with pages in traditional characters (default: zh,en)",
    list_of("zh", "en", "zh-hant"),
    default=("zh", "en"),
)
"""The same where something can be made in traditional characters, too."""
