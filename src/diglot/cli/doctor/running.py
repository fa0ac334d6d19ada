"""`diglot doctor`: what this installation has, what a site needs of it, and how to get the rest."""

import argparse
import os
import platform
import shutil
import subprocess
from collections.abc import Iterator, Set
from contextlib import suppress
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
from diglot.rules.requirements import EXTRAS, REQUIREMENTS, find_needs, find_unlisted


class Part(msgspec.Struct, frozen=True, kw_only=True):
    """Something that diglot works with."""

    name: str
    found: str
    """Its version or its place; empty where it is missing."""
    serves: str
    get: str
    """How to get it."""
    needed: bool = False
    """Whether this site uses it."""


def run(arguments: argparse.Namespace, terminal: Terminal) -> int:
    """Print each part. Returns 1 if the site needs one that is missing, or its settings cannot be read."""
    root = arguments.root or find_root(Path.cwd(), arguments.config)
    project, trouble = _read_project(root, arguments.config)
    needs = find_needs(root, arguments.config.as_posix(), project) if root else ()
    parts = [*_find_parts({need.extra for need in needs})]
    unlisted = [need.requirement for need in find_unlisted(root, needs)] if root else []
    missing = [part for part in parts if part.needed and not part.found]
    code = EXIT_SITE_ERRORS if missing or trouble else EXIT_DONE
    if arguments.json:
        site = {"root": str(root) if root else None, "trouble": trouble, "unlisted": unlisted}
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
    for requirement in unlisted:
        terminal.result(f"  {REQUIREMENTS} does not install {requirement}, which this site needs: add it")
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


def _find_parts(needed: Set[str | None]) -> Iterator[Part]:
    """All parts; `needed` are the extras that the site uses."""
    yield Part(
        name="fork",
        found="yes" if hasattr(os, "fork") else "",
        serves="figures that are computed",
        get="Windows has none: use diglot in WSL (`wsl --install`)",
        needed=True,
    )
    for extra in EXTRAS:
        yield Part(
            name=f"diglot[{extra.name}]",
            found=_version(extra.distribution),
            serves=extra.serves,
            get=f"pip install 'diglot[{extra.name}]'",
            needed=extra.name in needed,
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
    yield Part(
        name="Chinese font",
        found=_chinese_font(),
        serves="Chinese text in PDF files and pictures of slides",
        get="install one, such as fonts-noto-cjk",
    )
    yield Part(name="libreoffice", found=_place("soffice"), serves="looking at PowerPoint files", get=program)
    yield Part(name="rsync", found=_place("rsync"), serves="deploy onto another machine", get=program)


def _version(distribution: str) -> str:
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return ""


def _place(program: str) -> str:
    return shutil.which(program) or ""


def _chinese_font() -> str:
    """The family of a font that Chromium has for Chinese text; empty if there is none."""
    if platform.system() != "Linux":
        return "the system's"
    with suppress(OSError, subprocess.SubprocessError):
        command = ["fc-list", ":lang=zh", "family"]
        families = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
        return min(families, default="").partition(",")[0]
    return ""
