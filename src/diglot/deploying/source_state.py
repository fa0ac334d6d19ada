"""Checks that what is deployed can be reproduced: the source is committed, and the commit is on a remote."""

from collections.abc import Sequence
from pathlib import Path

from diglot.deploying.git import Git, GitFailed
from diglot.diagnostics import Refusal

_MOST_NAMED = 5


def check_source(
    git: Git, root: Path, *, generated: Sequence[Path], allow_dirty: bool, allow_unpushed: bool
) -> None:
    """Raise Refusal if the project has uncommitted changes, or commits that only this machine has.

    `generated` are folders that diglot writes, such as the output.
    """
    if not allow_dirty and (changed := _changed(git, root, generated)):
        more = f", and {len(changed) - _MOST_NAMED:,} more" if len(changed) > _MOST_NAMED else ""
        raise Refusal(
            f"the project has changes that are not committed: {', '.join(changed[:_MOST_NAMED])}{more}",
            "commit them, or deploy them all the same with --allow-dirty.",
        )
    if not allow_unpushed and not _is_pushed(git):
        raise Refusal(
            "the last commit of the project is on no remote",
            "run `git push` first, or deploy it all the same with --allow-unpushed.",
        )


def _changed(git: Git, root: Path, generated: Sequence[Path]) -> list[str]:
    """Files of the project that differ from the last commit, relative to the repository."""
    inside = [one.relative_to(root).as_posix() for one in generated if one.is_relative_to(root)]
    without = [f":(exclude,top,literal){prefix}{one}" for prefix in [_prefix(git)] for one in inside]
    status = git("status", "--porcelain", "-z", "--no-renames", "--", ".", *without)
    return sorted(entry[3:] for entry in status.split("\0") if entry)


def _prefix(git: Git) -> str:
    """The project's folder in its repository, with a slash at its end; empty for the repository itself."""
    return git("rev-parse", "--show-prefix")


def _is_pushed(git: Git) -> bool:
    try:
        return bool(git("for-each-ref", "--contains", "HEAD", "--count=1", "refs/remotes"))
    except GitFailed:  # there is no commit yet
        return False
