"""What files in a project's `extensions/` work with. Each has one `feature`:

    from diglot.extending import Feature, Site

    def humans(site: Site) -> dict[str, str]:
        names = sorted({name for article in site.articles for name in article.authors})
        return {"humans.txt": "\\n".join(names)}

    feature = Feature(outputs=[humans])

They run like figure scripts: in a process of their own, where every file that they read is a dependency.
"""

import datetime
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Literal

import msgspec

from diglot.languages import Language


class Half(msgspec.Struct, frozen=True, kw_only=True):
    """One language of an article."""

    title: str
    description: str
    address: str
    """The address of its page, from the site's root: `/en/posts/moe/`."""


class Article(msgspec.Struct, frozen=True, kw_only=True):
    """An article that this build shows."""

    name: str
    """The name of its files, or of their folder."""
    kind: Literal["post", "page", "talk"]
    date: datetime.date | None
    """None for a page without a date."""
    updated: datetime.date | None
    tags: tuple[str, ...]
    categories: tuple[str, ...]
    authors: tuple[str, ...]
    series: str
    """Empty if it is part of none."""
    halves: Mapping[Language, Half]


class Site(msgspec.Struct, frozen=True, kw_only=True):
    """The site, as functions of `outputs` get it."""

    title: Mapping[Language, str]
    base_url: str
    """With a slash at its end."""
    articles: tuple[Article, ...]
    """Posts, newest first, then pages and talks."""


class Text(msgspec.Struct, frozen=True, kw_only=True):
    """The text of one half of an article, as functions of `checks` get it."""

    article: str
    language: Language
    path: str
    """Its file, relative to the project."""
    source: str
    """All of the file."""
    body_line: int
    """The number of the first line after the front matter."""
    prose: tuple[tuple[int, str], ...]
    """What readers see of each paragraph, heading and so on, without code and formulas: number of its first
    line, and text."""

    def lines(self) -> Iterable[tuple[int, str]]:
        """The lines of the body, each with its number in the file."""
        lines = self.source.splitlines()
        return enumerate(lines[self.body_line - 1 :], start=self.body_line)


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """What a check finds. The build shows it with its place, and an error keeps the site as it is."""

    line: int
    """The number of its line in the file."""
    message: str
    """What is wrong, in one line."""
    fix: str
    """What to do about it, as a sentence."""
    severity: Literal["warning", "error"] = "warning"


class Block(msgspec.Struct, frozen=True, kw_only=True):
    """A directive in an article, for functions of `directives`: `:::{steps} …` or ```` ```{steps} ````."""

    name: str
    argument: str
    """What follows the name in its line."""
    options: Mapping[str, str]
    """The lines `:option: value` below it."""
    body: str
    """The lines up to its end, as they are written."""
    language: Language


class Phrase(msgspec.Struct, frozen=True, kw_only=True):
    """A role in a line, for functions of `roles`: `` {issue}`42` ``."""

    name: str
    text: str
    """What is between the backticks."""
    language: Language


class Applied(msgspec.Struct, frozen=True, kw_only=True):
    """A filter at the end of a value, for functions of `filters`: `` {eval}`h200.memory | gib(1)` ``."""

    name: str
    value: str
    """What is before the filter, as an expression: `h200.memory_bytes`."""
    arguments: str
    """What is in the parentheses behind its name, as it is written: `1`; empty for none."""
    language: Language


class AskedCommand(msgspec.Struct, frozen=True, kw_only=True):
    """A call of a function of `commands`."""

    site: Site
    arguments: Mapping[str, str | int | float | bool]


Output = Callable[[Site], Mapping[str, str | bytes]]
"""Returns files of the site: by path from its root, a text or bytes."""
Check = Callable[[Text], Iterable[Finding]]
Directive = Callable[[Block], str]
"""Returns the Markdown that is read in place of the directive. Its name has hyphens for underscores."""
Role = Callable[[Phrase], str]
"""Returns the Markdown, without a line break, that is read in place of the role."""

Filter = Callable[[Applied], str]
"""Returns the Markdown, without a line break, that is read in place of the value: mostly another `{eval}`."""

Command = Callable[..., str]
"""Returns the text that `diglot NAME` prints, from a `Site` and its arguments. Its docstring is the help."""


class Feature:
    """What an extension adds to a site. Functions are known by their names."""

    def __init__(
        self,
        *,
        outputs: Sequence[Output] = (),
        checks: Sequence[Check] = (),
        directives: Sequence[Directive] = (),
        roles: Sequence[Role] = (),
        filters: Sequence[Filter] = (),
        commands: Sequence[Command] = (),
    ) -> None:
        self.outputs = _by_name("outputs", outputs)
        self.checks = _by_name("checks", checks)
        self.directives = _by_name("directives", directives)
        self.roles = _by_name("roles", roles)
        self.filters = _by_name("filters", filters)
        self.commands = _by_name("commands", commands)


def _by_name(argument: str, functions: Sequence[Callable[..., object]]) -> dict[str, Callable[..., object]]:
    found: dict[str, Callable[..., object]] = {}
    for function in functions:
        name = getattr(function, "__name__", "")
        if not callable(function) or not name.isidentifier():
            raise TypeError(f"`{argument}` is a list of functions with names, and {function!r} is none")
        if name in found:
            raise ValueError(f"`{argument}` has two functions with the name {name}")
        found[name] = function
    return found
