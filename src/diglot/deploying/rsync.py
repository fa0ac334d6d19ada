"""Deploys to another machine by rsync."""

import re
import subprocess
from collections.abc import Sequence
from pathlib import Path

from diglot.diagnostics import Refusal
from diglot.output_paths import MARK
from diglot.publishing.changes import Changes


def is_remote(target: str) -> bool:
    """Whether rsync would read a target as another machine: `user@host:path` or `rsync://host/path`."""
    return re.match(r"[^/:]{2,}:", target) is not None


def rsync(output: Path, target: str, *, dry_run: bool, delete: bool) -> Changes:
    """Copy the output to a target. Returns the changes made there, or those that `dry_run` would make.

    Files are compared by content, and moved into place together at the end. With `delete`, files at the
    target that the output lacks are removed.
    """
    words = [
        "rsync",
        "--recursive",
        "--links",
        "--compress",
        "--checksum",
        "--delay-updates",
        "--out-format=%i %n",
        f"--exclude=/{MARK}",
        *(["--delete-delay"] if delete else []),
        *(["--dry-run"] if dry_run else []),
        "--",
        f"{output}/",
        target if target.endswith("/") else f"{target}/",
    ]
    try:
        done = subprocess.run(words, capture_output=True, check=False)
    except FileNotFoundError:
        raise Refusal(
            "rsync is not installed, or not on the path",
            "install it (for example with `apt install rsync` or `brew install rsync`).",
        ) from None
    if done.returncode != 0:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines() or ["no reason given"]
        raise Refusal(
            f'rsync could not copy the site to "{target}": {said[0]}',
            "check the address, and your access with `ssh`; running it again goes on where it ended.",
        )
    return read_changes(done.stdout.decode("utf-8", "surrogateescape").splitlines())


def read_changes(lines: Sequence[str]) -> Changes:
    """The changes that rsync reports with `--out-format=%i %n`."""
    found: dict[str, list[str]] = {"added": [], "changed": [], "removed": []}
    for line in lines:
        what, _, path = line.partition(" ")
        path = path.strip()
        if what == "*deleting":
            if not path.endswith("/"):
                found["removed"].append(path)
        elif len(what) > 2 and what[0] in "<>c" and what[1] == "f":
            found["added" if "+" in what else "changed"].append(path)
    return Changes(**{kind: tuple(sorted(paths)) for kind, paths in found.items()})
