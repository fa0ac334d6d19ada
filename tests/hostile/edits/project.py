"""A project to edit: its files, how they are saved, and how it is put back into an earlier state."""

import os
import random
import re
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

Tree = dict[str, bytes | str | None]
"""Every path below a folder: a file's content as bytes, a link's target as a string, None for a folder."""

Kind = Callable[["Project", random.Random], str | None]
"""One kind of edit. It returns a short description of what it did, None if it found nothing to edit."""

POSTS = "content/posts"
LANGUAGES = ("zh", "en")
LIBRARY = "../lib/diglot/hardware"
"""The hardware library that figure workers import, as a copy that can be edited."""
OUTSIDE = "../outside"
"""A folder beside the project that links lead to."""
_EDITED = ("added.py", "rooflines/roofline.py")
_MADE = (".diglot", "public", "elsewhere", "__pycache__")
"""What builds make, at the top of the project; `__pycache__` anywhere."""


@dataclass(frozen=True)
class BuildOptions:
    """How to build the site."""

    drafts: bool = False
    future: bool = False
    output: str = "public"
    config: str = "site/site.yaml"
    jobs: int = 2
    day: str = "2026-11-15"
    variables: tuple[tuple[str, str], ...] = ()
    """Environment variables, besides the one that sets the day."""


@dataclass
class Half:
    """The text of a half: front matter by keys, and a body of blocks."""

    keys: dict[str, str]
    """Each key with the text after its colon, continuation lines included."""
    blocks: list[str]

    @property
    def text(self) -> str:
        """The content of the file."""
        front = "".join(f"{key}:{value}\n" for key, value in self.keys.items())
        return f"---\n{front}---\n\n" + "\n\n".join(self.blocks) + "\n"


_KEY = re.compile(r"([a-z_]+):(.*)")
_FENCE = re.compile(r"(`{3,}|:{3,}|\$\$)")


def parse_half(text: str) -> Half | None:
    """Parse a half; None if it is malformed."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    parts = re.split(r"^---$", text, maxsplit=2, flags=re.MULTILINE)
    if len(parts) != 3 or parts[0]:
        return None
    keys: dict[str, str] = {}
    last = ""
    for line in parts[1].strip("\n").split("\n"):
        found = _KEY.match(line)
        if found:
            last = found[1]
            keys[last] = found[2]
        elif last:
            keys[last] += f"\n{line}"
        else:
            return None
    return Half(keys, list(_blocks(parts[2])))


def _blocks(body: str) -> Iterator[str]:
    lines: list[str] = []
    closing = ""
    for line in body.split("\n"):
        fence = _FENCE.match(line)
        if closing:
            if line.startswith(closing):
                closing = ""
        elif fence:
            closing = fence[1]
        if not line and not closing:
            if lines:
                yield "\n".join(lines)
            lines = []
        else:
            lines.append(line)
    if lines:
        yield "\n".join(lines)


Hand = Callable[[Path, bytes], None]


def in_place(target: Path, content: bytes) -> None:
    """Save in place, as most editors do."""
    target.write_bytes(content)


def beside_and_renamed(target: Path, content: bytes) -> None:
    """Write a temporary file and rename it over the target, as editors do that guard against a full disk."""
    beside = target.with_name(f".{target.name}.swp")
    beside.write_bytes(content)
    beside.replace(target)


def old_one_aside(target: Path, content: bytes) -> None:
    """Save as vim does with `backup`: the old file becomes `name~`, which exists for a moment."""
    aside = target.with_name(f"{target.name}~")
    if target.exists():
        target.replace(aside)
    target.write_bytes(content)
    aside.unlink(missing_ok=True)


def keeping_its_time(target: Path, content: bytes) -> None:
    """Save and restore the old times, as some tools do."""
    status = target.stat() if target.exists() else None
    target.write_bytes(content)
    if status:
        os.utime(target, ns=(status.st_atime_ns, status.st_mtime_ns))


HANDS: tuple[Hand, ...] = (in_place, in_place, beside_and_renamed, old_one_aside, keeping_its_time)


@dataclass
class Project:
    """A project in a folder of its own, with a folder beside it for files outside the project."""

    root: Path
    build_options: BuildOptions = field(default_factory=BuildOptions)
    hand: Hand = in_place
    tools: "Tools | None" = None
    """What edits can do besides changing files; None where edits may only change files."""
    past: list[Tree] = field(default_factory=list)
    """The sources of each build so far."""

    def path(self, path: str) -> Path:
        """Return the absolute path of a file of the project."""
        return self.root / path

    def exists(self, path: str) -> bool:
        """Whether anything has this name, a broken link included."""
        return os.path.lexists(self.root / path)

    def is_file(self, path: str) -> bool:
        return (self.root / path).is_file()

    def read(self, path: str) -> str:
        """Return the text of a file, with U+FFFD for bytes that are not UTF-8."""
        return (self.root / path).read_bytes().decode("utf-8", "replace")

    def write(self, path: str, content: str | bytes) -> None:
        """Save a file in the way that `hand` saves."""
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        self.hand(target, content.encode() if isinstance(content, str) else content)

    def remove(self, path: str) -> None:
        """Remove a file, a link, or a folder with its content."""
        target = self.root / path
        if target.is_dir() and not target.is_symlink():
            shutil.rmtree(target)
        else:
            target.unlink(missing_ok=True)

    def move(self, here: str, there: str) -> None:
        (self.root / there).parent.mkdir(parents=True, exist_ok=True)
        (self.root / here).rename(self.root / there)

    def change(self, path: str, old: str, new: str) -> bool:
        """Replace the first occurrence of a text; returns False if there is none."""
        if not self.is_file(path) or old not in (text := self.read(path)):
            return False
        self.write(path, text.replace(old, new, 1))
        return True

    def choose(self, **changes: object) -> None:
        """Change options of the following builds."""
        self.build_options = replace(self.build_options, **changes)  # type: ignore[arg-type]  (fields by name)

    def files(self, *folders: str) -> list[str]:
        """Return the files below some folders, sorted, links to files included."""
        return sorted(
            path
            for folder in folders
            for path in self.tree(folder)
            if self.is_file(path) and not path.startswith("..")
        )

    def articles(self) -> list[str]:
        """Return the names of articles with at least one half."""
        return sorted({name for name, _, _ in self._halves()})

    def pairs(self) -> list[str]:
        """Return the articles of which both halves exist and are well-formed."""
        return [name for name in self.articles() if len(self.halves(name)) == 2]

    def half_path(self, name: str, language: str) -> str | None:
        """Return the path of a half in either form, None if there is none."""
        return next((path for one, code, path in self._halves() if (one, code) == (name, language)), None)

    def halves(self, name: str) -> dict[str, Half]:
        """Return the halves of an article that exist and are well-formed, by language."""
        found = {}
        for one, language, path in self._halves():
            if one == name and (half := parse_half(self.read(path))) is not None:
                found[language] = half
        return found

    def save(self, name: str, language: str, half: Half) -> None:
        """Save a half at its path, or in the article's folder if it is new."""
        self.write(self.half_path(name, language) or f"{POSTS}/{name}/{language}.md", half.text)

    def folder(self, name: str) -> str | None:
        """Return the folder that contains the article's halves; None for the flat form."""
        path = self.half_path(name, "en") or self.half_path(name, "zh") or ""
        return f"{POSTS}/{name}" if path.startswith(f"{POSTS}/{name}/") else None

    def meta_path(self, name: str) -> str:
        """Return the path of the file for keys that both halves share."""
        return f"{POSTS}/{name}/meta.yaml" if self.folder(name) else f"{POSTS}/{name}.meta.yaml"

    def slug(self, name: str) -> str:
        """Return the last part of an article's address: the slug of a half, else the name."""
        for half in self.halves(name).values():
            if "slug" in half.keys:
                return half.keys["slug"].strip()
        return name

    def scripts(self) -> list[str]:
        """Return the paths of figure scripts."""
        return [
            path
            for path in self.files("figures", POSTS)
            if re.fullmatch(r"(figures|content/posts/[^/]+/figures)/[a-z][^/]*\.py", path)
        ]

    def _halves(self) -> list[tuple[str, str, str]]:
        found = []
        for path in sorted((self.root / POSTS).glob("*/*.md")):
            if path.name in ("zh.md", "en.md") and path.is_file():
                found.append((path.parent.name, path.stem, f"{POSTS}/{path.parent.name}/{path.name}"))
        for path in sorted((self.root / POSTS).glob("*.md")):
            name, _, language = path.stem.rpartition(".")
            if name and language in LANGUAGES and path.is_file():
                found.append((name, language, f"{POSTS}/{path.name}"))
        return found

    def tree(self, *folders: str) -> Tree:
        """Return all sources, or those below some folders. Links are not followed."""
        found: Tree = {}
        if not folders:
            for name in _EDITED:
                if self.is_file(f"{LIBRARY}/{name}"):
                    found[f"{LIBRARY}/{name}"] = self.path(f"{LIBRARY}/{name}").read_bytes()
        for folder in folders or (".", OUTSIDE):
            for above, names, files in os.walk(self.root / folder):
                at = os.path.relpath(above, self.root)
                names[:] = [name for name in names if not (name in _MADE and _is_made(at, name))]
                for name in [*names, *files]:
                    path = name if at == "." else f"{at}/{name}"
                    full = self.root / path
                    if full.is_symlink():
                        found[path] = os.readlink(full)
                    else:
                        found[path] = full.read_bytes() if full.is_file() else None
        return found

    def restore(self, tree: Tree) -> None:
        """Put the sources into an earlier state as `git checkout` does: unchanged files are not touched."""
        now = self.tree()
        for path in sorted(now.keys() - tree.keys(), reverse=True):
            self.remove(path)
        for path, content in sorted(tree.items()):
            target = self.root / path
            if now.get(path, ...) == content and os.path.lexists(target):
                continue
            if os.path.lexists(target):
                self.remove(path)
            target.parent.mkdir(parents=True, exist_ok=True)
            if content is None:
                target.mkdir(exist_ok=True)
            elif isinstance(content, str):
                target.symlink_to(content)
            else:
                target.write_bytes(content)


def _is_made(folder: str, name: str) -> bool:
    return folder == "." or name == "__pycache__"


class Tools:
    """What edits of the surroundings need: output, cache, and builds that end early."""

    def __init__(self, output: Callable[[], Path], cache: Path) -> None:
        self.output = output
        self.cache = cache
        self.interrupted: Callable[[int], bool] = lambda _: False
        """Builds, interrupted after this many steps; returns whether it was interrupted."""
        self.command: Callable[..., int] = lambda *_: 0
        """Runs a command of diglot in another process; returns its exit code."""
        self.killed: Callable[[float], None] = lambda _: None
        """Builds in another process, which is killed after this many seconds."""
        self.forget: Callable[[float], None] = lambda _: None
        """Does what `diglot clean --older-than` does; takes seconds."""
        self.begin_anew: Callable[[], None] = lambda: None
        """Ends the processes that are kept between builds."""
