"""Figure workers for clean builds that reuse results while no file that scripts can read has changed.

Figures take two thirds of a clean build's three seconds. Whether diglot tracks a script's inputs well is
tested by the incremental build; here, a result counts while every file that a script of these tests can read
is the same.
"""

import re
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any

from tests.hostile.edits.project import LIBRARY, OUTSIDE, POSTS, Project

if TYPE_CHECKING:
    from diglot.figures.execution.workers import FigureWorkers

_LOOKS_FURTHER = re.compile(rb"content/|site\b|\.\./")
"""Matches a script that reads files outside the folders for figures."""


def ground_of(project: Project) -> Hashable:
    """Return everything that figures can read, as a value to compare."""
    everything = project.tree()
    near = ("figures/", "site/hardware/", LIBRARY, OUTSIDE)
    ground = {
        path: content
        for path, content in everything.items()
        if path.startswith(near) or (path.startswith(POSTS) and "/figures" in path)
    }
    linked = any(isinstance(content, str) for content in ground.values())
    scripts = (content for path, content in everything.items() if path.endswith(".py"))
    if linked or any(isinstance(text, bytes) and _LOOKS_FURTHER.search(text) for text in scripts):
        ground = everything
    return tuple(sorted(ground.items(), key=lambda item: item[0]))


class RememberedWorkers:
    """Figure workers that answer a repeated request from memory while the files are the same."""

    def __init__(self) -> None:
        self._ground: Hashable = None
        self._known: dict[Hashable, Future[Any]] = {}
        self._workers: FigureWorkers | None = None

    def on(self, ground: Hashable, workers: "FigureWorkers") -> "RememberedWorkers":
        """Use these workers from now on; forget all results if `ground` is another."""
        if ground != self._ground:
            self._ground, self._known = ground, {}
        self._workers = workers
        return self

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._workers, name)
        return self._remembered(name, found) if name in ("compute", "draw", "export") else found

    def _remembered(self, name: str, ask: Callable[..., "Future[Any]"]) -> Callable[..., "Future[Any]"]:
        def asked(*what: Any, **how: Any) -> "Future[Any]":
            key = (name, what, tuple(sorted(how.items())))
            known = self._known.get(key)
            if known is None or not known.done() or known.cancelled() or known.exception() is not None:
                known = self._known[key] = ask(*what, **how)
            return known

        return asked
