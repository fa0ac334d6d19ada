"""Figure workers for builds from nothing, which need not compute again what nothing can have changed.

Two of three seconds of such a build go into figures. What scripts look at is what is being tested, so that it
is not asked here: a result counts as long as every file is the same that a script of these tests can read.
"""

import re
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any

from tests.hostile.edits.project import LIBRARY, OUTSIDE, POSTS, Project

if TYPE_CHECKING:
    from diglot.figures.execution.workers import FigureWorkers

_LOOKS_FURTHER = re.compile(rb"content/|site\b|\.\./")
"""A script that reads more than lies in the folders for figures says so."""


def ground_of(project: Project) -> Hashable:
    """Everything that figures can look at."""
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
    """Asks workers what was not asked on the same ground before."""

    def __init__(self) -> None:
        self._ground: Hashable = None
        self._known: dict[Hashable, Future[Any]] = {}
        self._workers: FigureWorkers | None = None

    def on(self, ground: Hashable, workers: "FigureWorkers") -> "RememberedWorkers":
        """From now on, with these workers."""
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
