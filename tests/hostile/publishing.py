"""Publications that fail or are killed at any operation on the disk."""

import errno
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any

from diglot.digests import digest_of
from diglot.output_paths import ASIDE, MARK
from diglot.publishing.publisher import Published, Publisher
from diglot.publishing.putting import write_files

OPERATIONS: tuple[tuple[Any, str], ...] = (
    (os, "replace"),
    (os, "rename"),
    (os, "link"),
    (os, "unlink"),
    (os, "mkdir"),
    (os, "rmdir"),
    (Path, "write_bytes"),
)
"""The disk operations of a publication."""

ERRORS = (errno.ENOSPC, errno.EIO, errno.EPERM, errno.EROFS, errno.EACCES)

OLD = {
    "index.html": b"old home",
    "sitemap.xml": b"old map",
    "style.css": b"old",
    "same.css": b"same",
    "zh/posts/a/index.html": b"old a",
    "zh/posts/gone/index.html": b"gone",
    "zh/posts/gone/both/index.html": b"gone too",
    "becomes-a-folder": b"file",
    "becomes-a-file/deep/x.html": b"deep",
}
NEW = {
    "index.html": b"new home",
    "sitemap.xml": b"new map",
    "style.css": b"new",
    "same.css": b"same",
    "zh/posts/a/index.html": b"new a",
    "zh/posts/b/index.html": b"new b",
    "zh/posts/b/both/index.html": b"new b, both",
    "becomes-a-folder/x/index.html": b"folder",
    "becomes-a-file": b"file",
}
STRANGERS = {"notes.txt": b"mine", "zh/mine.txt": b"mine too", ".git/config": b"[core]"}


class Killed(BaseException):
    """The process was killed: nothing more runs, not even cleanup."""


class Output:
    """An output folder with the old site, foreign files and a Git repository in it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "public"
        self.output_index = folder / "cache" / "index"
        self.outside = folder / "outside"
        self.outside.mkdir()
        (self.outside / "keep").write_bytes(b"theirs")
        self.publish(OLD)
        for path, content in STRANGERS.items():
            (self.folder / path).parent.mkdir(parents=True, exist_ok=True)
            (self.folder / path).write_bytes(content)
        self.old = self.held()

    def publisher(self) -> Publisher:
        """Return a publisher as a new process has it."""
        return Publisher(self.folder, output_index=self.output_index)

    def publish(self, files: Mapping[str, bytes], *, atomic: bool = False) -> Published:
        contents = {digest_of(content): content for content in files.values()}
        return self.publisher().publish(
            {path: digest_of(content) for path, content in files.items()},
            write=partial(write_files, read=contents.__getitem__),
            is_list=lambda path: path == "index.html",
            atomic=atomic,
        )

    def held(self) -> dict[str, bytes]:
        """Every file by its path, the mark and foreign files included, without the folder of moved files."""
        found = {}
        for place, folders, names in os.walk(self.folder):
            if place == str(self.folder) and ASIDE in folders:
                folders.remove(ASIDE)
            for name in names:
                path = Path(place, name)
                found[path.relative_to(self.folder).as_posix()] = path.read_bytes()
        return found

    def site(self) -> dict[str, bytes]:
        """The published files."""
        return {path: text for path, text in self.held().items() if path not in STRANGERS and path != MARK}

    def wrong(self, *allowed: Mapping[str, bytes]) -> str | None:
        """Report a site that equals none of those allowed, or a lost foreign file. None if all is well."""
        held = self.held()
        site = self.site()
        if not any(site == dict(one) for one in allowed):
            return f"the site is half new: {sorted(site)}"
        lost = [path for path, content in STRANGERS.items() if held.get(path) != content]
        if lost or sorted(os.listdir(self.outside)) != ["keep"]:
            return f"lost: {lost}"
        return None

    def left_behind(self) -> str | None:
        """Report temporary files beside the output or in it."""
        found = [*self.folder.parent.glob(".diglot-*"), *self.folder.glob(ASIDE)]
        return f"left behind: {found}" if found else None


@contextmanager
def failing(
    name: str, number: int, how: Callable[[], BaseException], *, for_good: bool = False
) -> Iterator[list[int]]:
    """Make one operation (or that one and all later ones) fail. Yields a list with the number of calls."""
    owner = next(one for one, known in OPERATIONS if known == name)
    original = getattr(owner, name)
    count = [0]

    def maybe(*arguments: Any, **named: Any) -> Any:
        count[0] += 1
        if count[0] == number or (for_good and count[0] > number):
            raise how()
        return original(*arguments, **named)

    setattr(owner, name, maybe)
    try:
        yield count
    finally:
        setattr(owner, name, original)


def killed(work: Callable[[], object], name: str, number: int, *, after: bool) -> bool:
    """Run work in a process that dies before or after an operation; return whether it died there."""
    child = os.fork()
    if child == 0:
        with suppress(BaseException):
            owner = next(one for one, known in OPERATIONS if known == name)
            original = getattr(owner, name)
            count = 0

            def dying(*arguments: Any, **named: Any) -> Any:
                nonlocal count
                count += 1
                if count == number and not after:
                    os._exit(9)
                done = original(*arguments, **named)
                if count == number:
                    os._exit(9)
                return done

            setattr(owner, name, dying)
            work()
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 9
