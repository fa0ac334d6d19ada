"""Deploys to a branch of a Git remote, from which GitHub Pages and others serve it.

The commit is made from objects, with an index of its own in a temporary folder: the author's branch, index
and work tree are never touched. An interrupted deployment leaves only unreferenced objects, which Git removes
by itself.
"""

import re
import tempfile
from collections.abc import Sequence
from pathlib import Path

import msgspec

from diglot.deploying.git import Git, GitFailed
from diglot.diagnostics import Refusal, did_you_mean
from diglot.publishing.changes import Changes

CNAME = "CNAME"
"""The file that tells GitHub Pages the site's own domain."""

_HOST = re.compile(r"(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]")


class BranchDeployment(msgspec.Struct, frozen=True, kw_only=True):
    """A commit that is ready to push."""

    remote: str
    branch: str
    commit: str | None
    """None if the branch already contains exactly these files."""
    is_new: bool
    """Whether the remote has no such branch yet."""
    changes: Changes


def find_repository(root: Path) -> Git:
    """The repository that contains the project."""
    git = Git(root)
    if not git.answers("rev-parse", "--is-inside-work-tree"):
        raise Refusal(
            f"{root} is not in a Git repository",
            "run `git init`, commit the project and add a remote, or deploy to another place with --to.",
        )
    return git


def check_domain(name: str) -> str:
    """The domain for `CNAME`, in lower case."""
    if not _HOST.fullmatch(name.lower()):
        raise Refusal(
            f'"{name}" is not a domain', "write it without https:// and without a path, as in example.org."
        )
    return name.lower()


def check_branch(git: Git, remote: str, branch: str) -> None:
    """Raise Refusal if there is no such remote, or if the branch cannot be used for the site."""
    remotes = git("remote").split()
    if remote not in remotes:
        raise Refusal(
            f'the repository has no remote "{remote}"',
            did_you_mean(remote, remotes) if remotes else f"add one: `git remote add {remote} URL`.",
        )
    if not git.answers("check-ref-format", f"refs/heads/{branch}"):
        raise Refusal(f'"{branch}" cannot be the name of a branch', "choose one such as gh-pages.")
    if git("branch", "--show-current") == branch:
        raise Refusal(
            f'"{branch}" is the branch that you work on',
            "choose another one with --branch, such as gh-pages: it holds nothing but the site.",
        )


def prepare(
    git: Git,
    output: Path,
    paths: Sequence[str],
    *,
    remote: str,
    branch: str,
    cname: str | None,
    message: str | None,
    config: str,
) -> BranchDeployment:
    """Commit files of the output folder on top of the remote's branch, without pushing.

    `config` is the project's configuration, by which a branch with sources is recognised.
    """
    tip = _tip(git, remote, branch)
    if tip is not None and git.answers(
        "cat-file", "-e", f"{tip}:{git('rev-parse', '--show-prefix')}{config}"
    ):
        raise Refusal(
            f'the branch "{branch}" of {remote} holds the sources of a site',
            "choose another one with --branch, such as gh-pages: it holds nothing but the site.",
        )
    with tempfile.TemporaryDirectory(prefix="diglot-deploy-") as folder:
        index = Path(folder) / "index"
        tree = _write_tree(git, output, paths, index, cname=cname, tip=tip)
    changes = _changes(git, tip, tree)
    if tip is not None and not changes:
        return BranchDeployment(remote=remote, branch=branch, commit=None, is_new=False, changes=changes)
    commit = _commit(git, tree, tip, message or _message(git))
    return BranchDeployment(remote=remote, branch=branch, commit=commit, is_new=tip is None, changes=changes)


def push(git: Git, deployment: BranchDeployment) -> None:
    """Push a commit. It never overwrites the branch, so what others pushed meanwhile is kept."""
    if deployment.commit is None:
        return
    remote, branch = deployment.remote, deployment.branch
    try:
        git("push", "--quiet", remote, f"{deployment.commit}:refs/heads/{branch}")
    except GitFailed as error:
        if re.search(r"non-fast-forward|fetch first|stale info|cannot lock ref", error.said):
            raise Refusal(
                f'somebody else has pushed to "{branch}" of {remote} meanwhile', "run `diglot deploy` again."
            ) from None
        raise Refusal(
            f'{remote} did not accept the push to "{branch}": {_reason(error.said)}',
            f"check your access with `git push {remote}`, and the rules of the branch at the host.",
        ) from None


def _tip(git: Git, remote: str, branch: str) -> str | None:
    """The latest commit of a remote's branch, fetched; None if there is no such branch."""
    try:
        found = git("ls-remote", "--heads", remote, f"refs/heads/{branch}")
        if not found:
            return None
        git("fetch", "--quiet", "--no-tags", "--no-write-fetch-head", remote, f"refs/heads/{branch}")
    except GitFailed as error:
        raise Refusal(
            f"{remote} cannot be reached: {_reason(error.said)}",
            f"check the network, and the address with `git remote get-url {remote}`.",
        ) from None
    return found.split()[0]


def _write_tree(
    git: Git, output: Path, paths: Sequence[str], index: Path, *, cname: str | None, tip: str | None
) -> str:
    """The tree of the site's files, unchanged: no filter or line end conversion of the repository applies."""
    names = "".join(f"{output / path}\n" for path in paths).encode("utf-8", "surrogateescape")
    blobs = git("hash-object", "-w", "--no-filters", "--stdin-paths", stdin=names).split() if paths else []
    entries = [f"100644 {blob}\t{path}" for path, blob in zip(paths, blobs, strict=True)]
    if CNAME not in paths:
        blob = None
        if cname is not None:
            blob = git("hash-object", "-w", "--no-filters", "--stdin", stdin=f"{cname}\n".encode())
        elif tip is not None and git.answers("cat-file", "-e", f"{tip}:{CNAME}"):
            blob = git("rev-parse", f"{tip}:{CNAME}")
        if blob is not None:
            entries.append(f"100644 {blob}\t{CNAME}")
    git(
        "update-index",
        "-z",
        "--index-info",
        stdin="".join(f"{one}\0" for one in entries).encode(),
        index=index,
    )
    return git("write-tree", index=index)


def _changes(git: Git, tip: str | None, tree: str) -> Changes:
    if tip is None:
        names = git("ls-tree", "-r", "-z", "--name-only", "--full-tree", tree)
        return Changes(added=tuple(sorted(filter(None, names.split("\0")))))
    words = git("diff-tree", "-r", "-z", "--no-renames", "--name-status", tip, tree).split("\0")
    found: dict[str, list[str]] = {"A": [], "D": [], "M": [], "T": []}
    for kind, path in zip(words[0::2], words[1::2], strict=False):
        found[kind].append(path)
    return Changes(
        added=tuple(sorted(found["A"])),
        changed=tuple(sorted(found["M"] + found["T"])),
        removed=tuple(sorted(found["D"])),
    )


def _commit(git: Git, tree: str, tip: str | None, message: str) -> str:
    try:
        return git("commit-tree", tree, *(("-p", tip) if tip else ()), "-m", message)
    except GitFailed as error:
        if "user.email" in error.said or "ident" in error.said:
            raise Refusal(
                "git does not know who you are",
                "set `git config user.name NAME` and `git config user.email ADDRESS`.",
            ) from None
        raise


def _message(git: Git) -> str:
    """A commit message that names the commit of the source."""
    if not git.answers("rev-parse", "--verify", "HEAD"):
        return "Deploy the site"
    return f"Deploy the site of {git('log', '-1', '--format=%h (%s)')}"


def _reason(said: str) -> str:
    """The first thing that Git says about an error, without its prefix."""
    lines = [line for line in said.splitlines() if re.match(r"fatal:|error:|remote:| !", line)]
    first = (lines or said.splitlines() or ["no reason given"])[0]
    return " ".join(re.sub(r"^(?:fatal|error|remote):", "", first).split())
