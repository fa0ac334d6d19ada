"""`diglot doctor`: what this installation has, what a site needs of it, and how to get the rest."""

import argparse
import os
import platform
import re
import shutil
from collections.abc import Callable, Iterator
from importlib import metadata
from pathlib import Path

import msgspec

from diglot import __version__
from diglot.check.chromium import find_chromium
from diglot.cli.command import EXIT_DONE, EXIT_SITE_ERRORS
from diglot.cli.reports import as_json
from diglot.cli.site import find_root
from diglot.cli.terminal import Terminal
from diglot.diagnostics import DiagnosticError
from diglot.project import Project, load_project

_REQUIREMENTS = "requirements.txt"


class Part(msgspec.Struct, frozen=True, kw_only=True):
    """Something that diglot works with."""

    name: str
    found: str
    """Its version or its place; empty where it is missing."""
    serves: str
    get: str
    """How to get it."""
    needed: bool = False
    """Whether the settings of this site ask for it."""


def run(arguments: argparse.Namespace, terminal: Terminal) -> int:
    """Print each part. Returns 1 if the site needs one that is missing, or its settings cannot be read."""
    root = arguments.root or find_root(Path.cwd(), arguments.config)
    project, trouble = _read_project(root, arguments.config)
    parts = [*_find_parts(project)]
    unlisted = [*_find_unlisted(root, parts)]
    missing = [part for part in parts if part.needed and not part.found]
    code = EXIT_SITE_ERRORS if missing or trouble else EXIT_DONE
    if arguments.json:
        site = {"root": str(root) if root else None, "trouble": trouble, "unlisted_extras": unlisted}
        terminal.result(as_json({"ok": code == EXIT_DONE, "parts": msgspec.to_builtins(parts), "site": site}))
        return code
    terminal.result(f"diglot {__version__}, Python {platform.python_version()}, {platform.system()}")
    width = max(len(part.name) for part in parts)
    for part in parts:
        mark = "yes" if part.found else "NEEDED" if part.needed else "no"
        end = part.found if part.found else part.get
        terminal.result(f"  {mark:<7}{part.name:<{width}}  {part.serves}: {end}")
    if root is None:
        terminal.result("no site here: in a site's folder, this also says what its settings need")
    if trouble is not None:
        terminal.result(trouble)
    for extra in unlisted:
        terminal.result(f"  {_REQUIREMENTS} does not list diglot[{extra}], which this site needs: add it")
    if not (missing or trouble or unlisted):
        terminal.result("nothing is missing" if root else "what is missing is optional")
    return code


def _read_project(root: Path | None, config: Path) -> tuple[Project | None, str | None]:
    if root is None:
        return None, None
    try:
        return load_project((root / config).read_text("utf-8"), config.as_posix()), None
    except (DiagnosticError, OSError, UnicodeDecodeError):
        return (
            None,
            f"{config.as_posix()} cannot be read, so its needs are not known: `diglot check` says why",
        )


_Needs = Callable[[Project], bool]
_EXTRAS: tuple[tuple[str, str, str, _Needs], ...] = (
    ("search", "pagefind_bin", "search on the site (search:)", lambda project: project.search),
    (
        "hant",
        "opencc",
        "traditional characters (traditional:)",
        lambda project: project.traditional is not None,
    ),
    ("pictures", "pillow", "pictures as AVIF (pictures: avif)", lambda project: project.pictures == "avif"),
    ("slides", "python-pptx", "talks as PowerPoint files", lambda _: False),
    ("pinyin", "pypinyin", "addresses from Chinese titles", lambda _: False),
    ("brotli", "brotli", "texts as .br (--precompress)", lambda _: False),
    ("altair", "vl-convert-python", "figures by Altair", lambda _: False),
    ("mermaid", "mermaidx", "diagrams by Mermaid, with Chromium", lambda _: False),
    ("dask", "distributed", "figures on a cluster (--executor)", lambda _: False),
)
"""Each with the distribution that it brings, and whether a site needs it."""


def _find_parts(project: Project | None) -> Iterator[Part]:
    yield Part(
        name="fork",
        found="yes" if hasattr(os, "fork") else "",
        serves="figures that are computed",
        get="Windows has none: use diglot in WSL (`wsl --install`)",
        needed=True,
    )
    for extra, distribution, serves, needs in _EXTRAS:
        yield Part(
            name=f"diglot[{extra}]",
            found=_version(distribution),
            serves=serves,
            get=f"pip install 'diglot[{extra}]'",
            needed=project is not None and needs(project),
        )
    program = "install it with the system's packages"
    yield Part(name="git", found=_place("git"), serves="diff, deploy onto a branch", get=program)
    yield Part(
        name="chromium",
        found=find_chromium() or "",
        serves="talks as PDF, pictures of slides, diagrams by Mermaid",
        get=program,
    )
    yield Part(name="graphviz", found=_place("dot"), serves="diagrams in DOT", get=program)
    yield Part(name="ffmpeg", found=_place("ffmpeg"), serves="figures as films (mp4)", get=program)
    yield Part(name="rsync", found=_place("rsync"), serves="deploy onto another machine", get=program)


def _version(distribution: str) -> str:
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return ""


def _place(program: str) -> str:
    return shutil.which(program) or ""


def _find_unlisted(root: Path | None, parts: list[Part]) -> Iterator[str]:
    """Extras that the site needs and its requirements do not list."""
    try:
        text = (root / _REQUIREMENTS).read_text("utf-8") if root else ""
    except (OSError, UnicodeDecodeError):
        return
    listed = re.findall(r"^diglot\[([^\]]*)\]", text, re.MULTILINE)
    extras = {name.strip() for names in listed for name in names.split(",")}
    for part in parts:
        extra = part.name.removeprefix("diglot[").removesuffix("]")
        if text and part.needed and extra != part.name and extra not in extras:
            yield extra
