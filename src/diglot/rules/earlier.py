"""The facts of a project as it was: in a commit, or in another folder, with a cache that is thrown away."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import msgspec
from msgspec.structs import replace

import diglot
from diglot.comparing.records import Facts
from diglot.deploying.git import Git, GitFailed, GitMissing
from diglot.diagnostics import Refusal
from diglot.engine import Progress
from diglot.engine.lock import locked
from diglot.rules.building import Site
from diglot.rules.comparing import gather_facts
from diglot.rules.options import SiteOptions
from diglot.rules.site_cache import COMPARING, COMPARING_LOCK, NO_VALUES


class Earlier(msgspec.Struct, frozen=True, kw_only=True):
    """An earlier version of a project."""

    name: str
    """What to call it: `HEAD (1a2b3c4)`, or a folder."""
    options: SiteOptions
    """Where its files and its cache are."""
    own: Path | None
    """The folder of the diglot that it contains, if the project contains the one that runs. None if that one
    is so old that it does not tell its facts."""

    def facts(self, site: Site) -> Facts:
        """What was known of it. `site` is the project as it is."""
        if self.own is not None and (facts := _facts_by(self.own, self.options)) is not None:
            return facts
        with Site(self.options, progress=site.progress, pool=site.workers.pool) as other:
            return gather_facts(other)


@contextmanager
def earlier_project(site: Site, against: str) -> Iterator[Earlier]:
    """The project as it was. Its files and its cache are removed at the end.

    The cache begins as a copy of the site's own, so that only what differs is computed; a value is used where
    all that it depends on is the same, as in any build. Raises Refusal.
    """
    options = site.options
    scratch = options.cache / COMPARING

    def waiting(holder: int | None) -> None:
        site.progress(Progress(waiting=True, holder=holder))

    with locked(options.cache / COMPARING_LOCK, waiting=waiting):
        shutil.rmtree(scratch, ignore_errors=True)  # left by a killed process
        try:
            root, name = _project_then(options.root, against, scratch / "project", options.config)
            with site.cache.alone(site.progress):
                shutil.copytree(options.cache, scratch / "cache", ignore=NO_VALUES)
            package = Path(diglot.__file__).parent.resolve()
            own = root / package.relative_to(options.root) if package.is_relative_to(options.root) else None
            yield Earlier(
                name=name,
                options=replace(
                    options, root=root, output=scratch / "public", cache_folder=scratch / "cache", shared=None
                ),
                own=own if own is not None and (own / "rules/earlier.py").is_file() else None,
            )
        finally:
            shutil.rmtree(scratch, ignore_errors=True)


def _facts_by(package: Path, options: SiteOptions) -> Facts | None:
    """The facts as an earlier diglot knows them, because its catalogue and its models may be others.

    None if it is of a form that this version does not understand.
    """
    paths = [str(package.parent), *filter(None, [os.environ.get("PYTHONPATH")])]
    done = subprocess.run(
        [sys.executable, "-m", "diglot.rules.earlier"],
        cwd=options.root,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
        input=msgspec.json.encode(options, enc_hook=str),
        stdout=subprocess.PIPE,
        check=False,
    )
    try:
        return msgspec.msgpack.decode(done.stdout, type=Facts) if done.returncode == 0 else None
    except msgspec.MsgspecError:
        return None


def _tell_facts() -> None:
    """Print the facts of the project whose options are read."""

    def path(type_: type, value: str) -> Path:
        return type_(value)  # type: ignore[no-any-return]  # the only type that JSON does not know is a path

    options = msgspec.json.decode(sys.stdin.buffer.read(), type=SiteOptions, dec_hook=path)
    with suppress(KeyboardInterrupt), Site(options) as site:
        sys.stdout.buffer.write(msgspec.msgpack.encode(gather_facts(site)))


def _project_then(root: Path, against: str, to: Path, config: str) -> tuple[Path, str]:
    """The folder of the earlier project, and what to call it."""
    folder = Path(against).expanduser()
    if (folder / config).is_file():
        return folder.resolve(), str(folder)
    git = Git(root)
    try:
        if not git.answers("rev-parse", "--git-dir"):
            raise Refusal(
                f"{root} is in no Git repository that can be read, and {against} is no folder with {config}",
                "name the folder of an earlier version: diglot diff --against ../before.",
            )
        commit = git("rev-parse", "--verify", "--quiet", "--end-of-options", f"{against}^{{commit}}")
    except GitMissing:
        raise Refusal(
            "git is not installed, or not on the path",
            "install it, or name the folder of an earlier version: diglot diff --against ../before.",
        ) from None
    except GitFailed:
        raise Refusal(
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
        raise Refusal(
            f"the files of {against} cannot be checked out: {failure.said}", "see what Git says."
        ) from None
    name = f"{against} ({commit[:7]})"
    if not (to / inside / config).is_file():
        raise Refusal(f"there is no {inside}{config} in {name}", "compare with a later commit.")
    return to / inside, name


if __name__ == "__main__":
    _tell_facts()
