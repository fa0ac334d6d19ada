"""How a feature declares what it adds to a site.

    feature = Feature("glossary", outputs=(Output(SITE_WIDE, files=find_pages, makes=(make_glossary_page,)),))

    async def find_pages(fetch: Fetch, _site: None) -> Mapping[str, Key]:
        ...  # the tasks that make its files, by output path

`diglot.assembly` asks all features for their files, and says which are in the way of others.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from diglot.diagnostics import Diagnostic
from diglot.engine import Key
from diglot.rules.ids import DrawingId, HalfId
from diglot.rules.manifest import OutputFile
from diglot.rules.tasks import Fetch, Task
from diglot.site_map import ArticleKind, Summary

OwnerT = TypeVar("OwnerT")


@dataclass(frozen=True)
class Owner(Generic[OwnerT]):
    """What files belong to. Functions that list files get one of its kind."""

    word: str


SITE_WIDE: Owner[None] = Owner("site")
ARTICLE: Owner[Summary] = Owner("article")
HALF: Owner[HalfId] = Owner("half")
"""A half of an article whose references lead somewhere."""
FIGURE: Owner[str] = Owner("figure")
"""A figure with pages of its own, by its name."""
DRAWING: Owner[DrawingId] = Owner("drawing")
"""A drawing in an article or on the page of its figure."""
SHOWN_DRAWING: Owner[DrawingId] = Owner("shown drawing")
"""A drawing on the page of its figure."""


@dataclass(frozen=True)
class Refused:
    """A file that cannot be where another one is."""

    path: str
    key: Key
    why: str
    """Such as `is inside "/a", which is a page of moe`."""


@dataclass(frozen=True)
class Output(Generic[OwnerT]):
    """Files of a site."""

    of: Owner[OwnerT]
    files: Callable[[Fetch, OwnerT], Awaitable[Mapping[str, Key]]]
    """Lists them: by output path, the tasks that make them. It may raise UpstreamFailed."""
    makes: tuple[Task[Any, Any], ...]
    """The tasks that it names."""
    source: Callable[[Key], str] | None = None
    """The author's file that a file comes from, for messages."""
    called: Callable[[Key], str] | None = None
    """What an author calls a file, for messages."""
    gives_way: bool = False
    """Whether its file is left out, rather than the other one, where another file is in its way."""
    mistake: Callable[[Fetch, Refused], Awaitable[Diagnostic]] | None = None
    """The error for a file that is left out; without one, it says that the two paths clash."""


@dataclass(frozen=True)
class Copies:
    """Files that are made of the finished ones, such as compressed ones."""

    files: Callable[[Fetch, Mapping[str, OutputFile]], Awaitable[Mapping[str, Key]]]
    """Lists them like those of an `Output`, from all files so far, by path."""
    replace: bool = False
    """Whether they are published instead of files at their paths, rather than being an error there."""


@dataclass(frozen=True)
class Feature:
    """Something that sites have."""

    name: str
    outputs: tuple[Output[Any], ...] = ()
    checks: tuple[Task[None, Any], ...] = ()
    """Tasks that report mistakes of the whole site and make no file."""
    copies: tuple[Copies, ...] = ()
    pages: Mapping[ArticleKind, Task[HalfId, Any]] = field(default_factory=dict)
    """The tasks that make the page of a half, by the kinds of articles that have such a page."""
