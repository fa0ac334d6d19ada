"""The project as it was: in a commit, or in another folder, built with a cache that is thrown away."""

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from msgspec.structs import replace

from diglot.deploying.git import Git, GitFailed, GitMissing
from diglot.engine import Progress
from diglot.engine.lock import locked
from diglot.rules.building import Site
from diglot.rules.site_cache import COMPARING, VERIFYING

_NOT_SEEDED = shutil.ignore_patterns(
    *(COMPARING, f"{COMPARING}.lock", VERIFYING, "site.lock"),
    *("preview", "published", "unreferenced", "repetition", "failures"),
)
"""What is in a cache and says nothing of the project's values."""


class CannotCompare(Exception):
    """Why there is nothing to compare with, and what to do about it."""

    def __init__(self, message: str, fix: str) -> None:
        super().__init__(message)
        self.message = message
        self.fix = fix


@contextmanager
def earlier_site(
    site: Site, against: str, *, progress: Callable[[Progress], None] | None
) -> Iterator[tuple[Site, str]]:
    """The site as it was, and what to call it: `HEAD (1a2b3c4)`, or a folder.

    Its files and its cache are removed at the end. The cache begins as a copy of the site's own, so that
    only what differs is computed; a value is used where all that it rests on is the same, as in any build.
    Raises CannotCompare.
    """
    cache = site.options.cache
    scratch = cache / COMPARING

    def waiting(holder: int | None) -> None:
        if progress is not None:
            progress(Progress(waiting=True, holder=holder))

    with locked(cache / f"{COMPARING}.lock", waiting=waiting):
        shutil.rmtree(scratch, ignore_errors=True)  # left by a killed process
        try:
            root, name = _project_then(site.options.root, against, scratch / "project", site.options.config)
            with site.cache.alone(progress):
                shutil.copytree(cache, scratch / "cache", ignore=_NOT_SEEDED)
            options = replace(
                site.options, root=root, output=scratch / "public", cache_folder=scratch / "cache"
            )
            with Site(options, pool=site.workers.pool) as other:
                yield other, name
        finally:
            shutil.rmtree(scratch, ignore_errors=True)


def _project_then(root: Path, against: str, to: Path, config: str) -> tuple[Path, str]:
    """The folder of the earlier project, and what to call it."""
    folder = Path(against).expanduser()
    if (folder / config).is_file():
        return folder.resolve(), str(folder)
    git = Git(root)
    try:
        if not git.answers("rev-parse", "--git-dir"):
            raise CannotCompare(
                f"{root} is in no Git repository that can be read, and {against} is no folder with {config}",
                "name the folder of an earlier version: diglot diff --against ../before.",
            )
        commit = git("rev-parse", "--verify", "--quiet", "--end-of-options", f"{against}^{{commit}}")
    except GitMissing:
        raise CannotCompare(
            "git is not installed, or not on the path",
            "install it, or name the folder of an earlier version: diglot diff --against ../before.",
        ) from None
    except GitFailed:
        raise CannotCompare(
            f'"{against}" is neither a commit or branch, nor a folder with {config}',
            "`git branch -a` and `git log --oneline` list what there is; in a workflow, fetch it first.",
        ) from None
    inside = git("rev-parse", "--show-prefix")
    whole = Git(Path(git("rev-parse", "--show-toplevel")))
    index = to.with_name("index")
    to.mkdir(parents=True)
    try:
        # Not a worktree, which a killed process would leave in the repository, and not an archive, which
        # leaves out what `.gitattributes` says.
        whole("read-tree", commit, index=index)
        whole("checkout-index", "--all", f"--prefix={to}/", index=index)
    except GitFailed as failure:
        raise CannotCompare(
            f"the files of {against} cannot be checked out: {failure.said}", "see what Git says."
        ) from None
    name = f"{against} ({commit[:7]})"
    if not (to / inside / config).is_file():
        raise CannotCompare(f"there is no {inside}{config} in {name}", "compare with a later commit.")
    return to / inside, name
