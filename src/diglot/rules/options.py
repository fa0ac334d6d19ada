"""The options of a build."""

import datetime
import os
from collections.abc import Mapping
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Literal

import msgspec

from diglot.diagnostics import DiagnosticError
from diglot.engine import Given, Lazy
from diglot.installed import package_folders
from diglot.left_out import LeftOutBecause
from diglot.search.pagefind import pagefind_version
from diglot.spelling.versions import opencc_version
from diglot.time_zones import DEFAULT_ZONE, find_zone, has_zones

CONFIG = "site/site.yaml"
PLACEHOLDER_URL = "https://example.org/"
"""What a new site has as its address until its author writes one."""
CACHE = ".diglot"
PREVIEW = f"{CACHE}/preview"
"""Output folder of `diglot serve`: with drafts, the site must not be published by mistake."""


class SharedAccess(msgspec.Struct, frozen=True, kw_only=True):
    """Where a cache is that machines share, and whose bundles in it are believed."""

    remote: str
    keys: tuple[str, ...]
    """Public keys."""


class SiteOptions(msgspec.Struct, frozen=True, kw_only=True):
    """Where a site's files are and how it is to be built."""

    root: Path
    """The project's folder, absolute."""
    output: Path
    """The output folder, absolute."""
    config: str = CONFIG
    """The configuration file, relative to the root."""
    drafts: bool = False
    future: bool = False
    expired: bool = False
    clock: datetime.date | None = None
    """The day of the build; None for today or the day of `SOURCE_DATE_EPOCH`."""
    base_url: str | None = None
    """The site's URL instead of the one in the configuration, with a slash at the end."""
    strict: bool = False
    jobs: int = 1
    executor: str = "processes"
    """Where figures are computed: locally, or on a cluster as in `dask:tcp://host:8786`. Changes no value."""
    precompress: bool = False
    """Whether texts are also published compressed."""
    relative: bool = False
    """Whether pages can be opened from files."""
    atomic: bool = False
    """Whether to exchange the whole output folder at once."""
    commands: tuple[str, ...] = ()
    """The names of diglot's own commands, which those of extensions cannot have."""
    cache_folder: Path | None = None
    """The cache, absolute; None for the default in the project."""

    shared: SharedAccess | None = None
    """The cache that machines share; None to use only what this one made. Changes no value."""

    @property
    def cache(self) -> Path:
        """The folder of the store and other files that can be deleted at any time."""
        return self.cache_folder or self.root / CACHE

    @property
    def day(self) -> datetime.date:
        """The day of the build, in the site's time zone."""
        return self.clock or today(find_site_zone(self))


def unfit_output(output: Path, root: Path, config: Path) -> str | None:
    """Why a folder cannot be the output: the site would mix with other files. None if it can."""
    if _holds(output, root):
        return f"the output folder {output} contains the project itself"
    with suppress(RuntimeError):  # the home folder is unknown
        if _holds(output, Path.home()):
            return f"the output folder {output} contains your home folder"
    for name in ("content", "figures", "templates", "site", "src", ".git", CACHE):
        if _holds(root / name, output):
            return f"the output folder {output} is inside {name}/, which is not a place for output"
    if _holds(output, config):
        return f"the output folder {output} contains the configuration"
    return None


def _holds(folder: Path, inner: Path) -> bool:
    """Whether `folder` is or contains `inner`, even on a disk that ignores case (`Content`, `content`)."""
    if inner.is_relative_to(folder):
        return True
    with suppress(OSError):
        identity = os.stat(folder)
        for one in (inner, *inner.parents):
            with suppress(FileNotFoundError, NotADirectoryError):
                if os.path.samestat(os.stat(one), identity):
                    return True
    return False


class Selection(msgspec.Struct, frozen=True, kw_only=True):
    """Which articles a build shows: the part of the options that pages depend on."""

    drafts: bool
    future: bool
    """Whether articles that are dated after `day` are shown."""
    expired: bool
    """Whether articles that expired before `day` are shown."""
    day: datetime.date
    """The day of the build."""

    def leaves_out(
        self, *, draft: bool, date: datetime.date, expires: datetime.date | None
    ) -> LeftOutBecause | None:
        """Why an article is left out; None for one that is shown."""
        if draft and not self.drafts:
            return "draft"
        if not self.expired and expires is not None and expires < self.day:
            return "expired"
        return None if self.future or date <= self.day else "later"


CONFIGURATION: Given[str] = Given("configuration")
"""The path of the configuration file, relative to the root."""

SELECTION: Given[Selection] = Given("selection")

BASE_URL: Given[str | None] = Given("base-url")
"""The site's URL if it is not the one in the configuration."""


Encoding = Literal["gz", "br"]
ENCODINGS: Given[tuple[Encoding, ...]] = Given("encodings")
"""How texts are also published compressed, by the ends of their names; Brotli where it is installed."""


RELATIVE: Given[bool] = Given("relative")
"""Whether addresses on pages are relative, so that browsers can open them from files."""


TIME_ZONES: Given[bool] = Given("time-zones")
"""Whether the machine has a database of time zones, if the site has one of its own."""

PAGEFIND: Given[str] = Given("pagefind")
"""The installed version of what makes the index of the search; empty without the extra `diglot[search]`."""

OPENCC: Given[str] = Given("opencc")
"""The installed version of what makes characters traditional; empty without the extra `diglot[hant]`."""

PACKAGES: Given[tuple[str, ...]] = Given("packages")
"""The folders of installed packages, which are other ones in another environment."""

DOT: Given[str] = Given("dot")
"""The version of Graphviz; empty without it. Looked up where a diagram needs it."""

MERMAID: Given[str] = Given("mermaid")
"""The versions of Mermaid and of the browser that it draws in, likewise."""

COMMANDS: Given[tuple[str, ...]] = Given("commands")
"""The names of diglot's own commands."""

INDEXES_SEARCH: Given[bool] = Given("indexes-search")
"""Whether the index is a part of the site. A preview makes it when a reader asks for it."""


def given_values(options: SiteOptions) -> Mapping[str, object]:
    """The options that values depend on, as inputs of the build."""
    selection = Selection(
        drafts=options.drafts, future=options.future, expired=options.expired, day=options.day
    )
    encodings: tuple[Encoding, ...] = ()
    if options.precompress:
        encodings = ("gz", "br") if find_spec("brotli") else ("gz",)
    return {
        CONFIGURATION.name: options.config,
        SELECTION.name: selection,
        BASE_URL.name: options.base_url,
        ENCODINGS.name: encodings,
        RELATIVE.name: options.relative,
        TIME_ZONES.name: names_zone(options) and has_zones(),
        PAGEFIND.name: pagefind_version(),
        OPENCC.name: opencc_version(),
        DOT.name: Lazy(_dot_version),
        MERMAID.name: Lazy(lambda: _mermaid_version(options.root)),
        INDEXES_SEARCH.name: True,
        PACKAGES.name: package_folders(),
        COMMANDS.name: options.commands,
    }


def _dot_version() -> str:
    from diglot.diagrams.graphviz import dot_version  # noqa: PLC0415  (few sites have diagrams)

    return dot_version()


def _mermaid_version(root: Path) -> str:
    from diglot.diagrams.mermaid import mermaid_version  # noqa: PLC0415  (likewise)

    return mermaid_version(root)


def names_zone(options: SiteOptions) -> bool:
    """Whether the configuration may name a time zone: most do not, and are not parsed twice."""
    with suppress(OSError):
        return b"timezone" in (options.root / options.config).read_bytes()
    return False


def find_site_zone(options: SiteOptions) -> str:
    """The name of the site's time zone.

    It is read before the build, whose day is an input; a configuration with mistakes has the default.
    """
    if not names_zone(options):
        return DEFAULT_ZONE
    from diglot.project import load_project  # noqa: PLC0415  (few sites have a zone)

    with suppress(OSError, UnicodeDecodeError, DiagnosticError):
        return load_project((options.root / options.config).read_text("utf-8"), options.config).timezone
    return DEFAULT_ZONE


def today(zone: str = DEFAULT_ZONE) -> datetime.date:
    """Today in a time zone; `SOURCE_DATE_EPOCH` sets the moment."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH", "")
    moment = (
        datetime.datetime.fromtimestamp(int(epoch), datetime.UTC)
        if epoch.isdigit()
        else datetime.datetime.now(datetime.UTC)
    )
    return moment.astimezone(find_zone(zone)).date()
