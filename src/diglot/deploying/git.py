"""Runs git in a repository."""

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

from diglot.diagnostics import Refusal


class GitFailed(Exception):
    """A Git command failed; the text is its explanation."""

    def __init__(self, words: Sequence[str], said: str) -> None:
        super().__init__(f"git {words[0]}: {said}")
        self.said = said


class GitMissing(Refusal):
    """There is no Git on this machine."""


class Git:
    """Runs commands in the repository that contains a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def __call__(self, *words: str, stdin: bytes = b"", index: Path | None = None) -> str:
        """The output of a Git command without the final line end. Raises GitFailed.

        With `index`, the command works on that file instead of the author's index.
        """
        environment = {**os.environ, "LC_ALL": "C"}
        if index is not None:
            environment["GIT_INDEX_FILE"] = str(index)
        try:
            done = subprocess.run(
                ["git", *words],
                cwd=self._folder,
                env=environment,
                input=stdin,
                capture_output=True,
                check=False,
            )
        except FileNotFoundError:
            raise GitMissing(
                "git is not installed, or not on the path",
                "install it, or deploy to a folder or a machine with --to.",
            ) from None
        if done.returncode != 0:
            raise GitFailed(words, done.stderr.decode("utf-8", "replace").strip())
        return done.stdout.decode("utf-8", "surrogateescape").removesuffix("\n")

    def answers(self, *words: str) -> bool:
        """Whether a git command succeeds."""
        try:
            self(*words)
        except GitFailed:
            return False
        return True
