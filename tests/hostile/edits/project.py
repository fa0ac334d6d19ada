"""A project that people edit: its files, how they are saved, and the state it can be put back to."""

import os
import random
import re
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

Tree = dict[str, bytes | str | None]
"""Every path below a folder: the content of a file, where a link leads, None for a folder."""

Kind = Callable[["Project", random.Random], str | None]
"""One kind of edit: makes it and says in a few words what it did; None where it found nothing to do it to."""

POSTS = "content/posts"
LANGUAGES = ("zh", "en")
LIBRARY = "../lib/diglot/hardware"
"""The hardware library that figure workers import: a copy, so that it can be edited too."""
OUTSIDE = "../outside"
"""A folder beside the project that links lead to."""
_EDITED = ("added.py", "rooflines/roofline.py")
_MADE = (".diglot", "public", "elsewhere", "__pycache__")
"""What builds make, at the top of the project; `__pycache__` anywhere."""


@dataclass(frozen=True)
class BuildOptions:
    """How the site is to be built next."""

    drafts: bool = False
    future: bool = False
    output: str = "public"
    jobs: int = 2
    day: str = "2026-11-15"
    variables: tuple[tuple[str, str], ...] = ()
    """Of the environment, besides the day."""


@dataclass
class Half:
    """A half as its text is made up: front matter by keys, a body of blocks."""

    keys: dict[str, str]
    """Key to what stands behind its colon, further lines included."""
    blocks: list[str]

    @property
    def text(self) -> str:
        """The file."""
        front = "".join(f"{key}:{value}\n" for key, value in self.keys.items())
        return f"---\n{front}---\n\n" + "\n\n".join(self.blocks) + "\n"


_KEY = re.compile(r"([a-z_]+):(.*)")
_FENCE = re.compile(r"(`{3,}|:{3,}|\$\$)")


def parse_half(text: str) -> Half | None:
    """A half that is well-formed, else None."""
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
    """As most editors save."""
    target.write_bytes(content)


def beside_and_renamed(target: Path, content: bytes) -> None:
    """As editors save that fear a full disk."""
    beside = target.with_name(f".{target.name}.swp")
    beside.write_bytes(content)
    beside.replace(target)


def old_one_aside(target: Path, content: bytes) -> None:
    """As vim saves with `backup`: the old file becomes `name~`, which stays for a moment."""
    aside = target.with_name(f"{target.name}~")
    if target.exists():
        target.replace(aside)
    target.write_bytes(content)
    aside.unlink(missing_ok=True)


def keeping_its_time(target: Path, content: bytes) -> None:
    """As tools do that restore times."""
    status = target.stat() if target.exists() else None
    target.write_bytes(content)
    if status:
        os.utime(target, ns=(status.st_atime_ns, status.st_mtime_ns))


HANDS: tuple[Hand, ...] = (in_place, in_place, beside_and_renamed, old_one_aside, keeping_its_time)


@dataclass
class Project:
    """A project in a folder of its own, with a folder beside it for what lies outside."""

    root: Path
    build_options: BuildOptions = field(default_factory=BuildOptions)
    hand: Hand = in_place
    tools: "Tools | None" = None
    """What edits can do besides changing files; None where only files can be edited."""
    past: list[Tree] = field(default_factory=list)
    """States that were built."""

    def path(self, path: str) -> Path:
        """Where a file of the project is."""
        return self.root / path

    def exists(self, path: str) -> bool:
        """Whether there is anything of this name."""
        return os.path.lexists(self.root / path)

    def is_file(self, path: str) -> bool:
        """Whether there is a file."""
        return (self.root / path).is_file()

    def read(self, path: str) -> str:
        """The text of a file, with U+FFFD for what is no text."""
        return (self.root / path).read_bytes().decode("utf-8", "replace")

    def write(self, path: str, content: str | bytes) -> None:
        """Save a file by the hand that is at work."""
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        self.hand(target, content.encode() if isinstance(content, str) else content)

    def remove(self, path: str) -> None:
        """Remove a file, a link, or a folder with all in it."""
        target = self.root / path
        if target.is_dir() and not target.is_symlink():
            shutil.rmtree(target)
        else:
            target.unlink(missing_ok=True)

    def move(self, here: str, there: str) -> None:
        """Rename a file or a folder."""
        (self.root / there).parent.mkdir(parents=True, exist_ok=True)
        (self.root / here).rename(self.root / there)

    def change(self, path: str, old: str, new: str) -> bool:
        """Replace the first of a text; False where it does not stand there."""
        if not self.is_file(path) or old not in (text := self.read(path)):
            return False
        self.write(path, text.replace(old, new, 1))
        return True

    def choose(self, **changes: object) -> None:
        """Have the site built otherwise from now on."""
        self.build_options = replace(self.build_options, **changes)  # type: ignore[arg-type]  (fields by name)

    def files(self, *folders: str) -> list[str]:
        """The files below some folders, sorted; links to files count."""
        return sorted(
            path
            for folder in folders
            for path in self.tree(folder)
            if self.is_file(path) and not path.startswith("..")
        )

    def articles(self) -> list[str]:
        """The names of the articles that have a half."""
        return sorted({name for name, _, _ in self._halves()})

    def pairs(self) -> list[str]:
        """The articles whose halves both are there and well-formed."""
        return [name for name in self.articles() if len(self.halves(name)) == 2]

    def half_path(self, name: str, language: str) -> str | None:
        """Where a half stands, in either form."""
        return next((path for one, code, path in self._halves() if (one, code) == (name, language)), None)

    def halves(self, name: str) -> dict[str, Half]:
        """The halves of an article that are there and well-formed."""
        found = {}
        for one, language, path in self._halves():
            if one == name and (half := parse_half(self.read(path))) is not None:
                found[language] = half
        return found

    def save(self, name: str, language: str, half: Half) -> None:
        """Save a half where it stands, or in the article's folder."""
        self.write(self.half_path(name, language) or f"{POSTS}/{name}/{language}.md", half.text)

    def folder(self, name: str) -> str | None:
        """The folder that an article's halves stand in; None for the flat form."""
        path = self.half_path(name, "en") or self.half_path(name, "zh") or ""
        return f"{POSTS}/{name}" if path.startswith(f"{POSTS}/{name}/") else None

    def meta_path(self, name: str) -> str:
        """Where keys stand that both halves share."""
        return f"{POSTS}/{name}/meta.yaml" if self.folder(name) else f"{POSTS}/{name}.meta.yaml"

    def slug(self, name: str) -> str:
        """The address of an article, as far as its halves say."""
        for half in self.halves(name).values():
            if "slug" in half.keys:
                return half.keys["slug"].strip()
        return name

    def scripts(self) -> list[str]:
        """The files of figure scripts."""
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
        """All sources, or those below some folders; links are not followed."""
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
        """Put the sources into a state they had, as `git checkout` does: what is the same is not touched."""
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
    """What edits of the surroundings need: the output, the cache, builds that end early."""

    def __init__(self, output: Callable[[], Path], cache: Path) -> None:
        self.output = output
        self.cache = cache
        self.interrupted: Callable[[int], bool] = lambda _: False
        """Builds, and is interrupted after so many steps; whether it was."""
        self.command: Callable[..., int] = lambda *_: 0
        """Runs a command of diglot in another process; its exit code."""
        self.killed: Callable[[float], None] = lambda _: None
        """Builds in another process, which is killed after so many seconds."""
        self.forget: Callable[[float], None] = lambda _: None
        """As `diglot clean --older-than`."""
        self.begin_anew: Callable[[], None] = lambda: None
        """Ends the processes that outlive a build."""
