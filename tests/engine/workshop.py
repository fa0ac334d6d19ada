"""A temporary project with its own rules, in which tests write files, build, and see what ran."""

import os
import tempfile
import time
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Any

from diglot.diagnostics import Diagnostic, DiagnosticError, Location
from diglot.engine import (
    BuildReport,
    Explanation,
    Key,
    Progress,
    Rule,
    Session,
    Store,
    Surroundings,
    build,
    explain,
)

LONG_AGO_S = 1_000_000_000


class Clock:
    """A clock in seconds that moves only when a test sets `now_s`."""

    def __init__(self) -> None:
        self.now_s = 0.0

    def __call__(self) -> float:
        return self.now_s


class Workshop:
    def __init__(self, root: Path) -> None:
        self.root = root
        self.rules: dict[str, Rule] = {}
        self.given: dict[str, object] = {}
        self.progress: list[Progress] = []
        self.clock: Clock | None = None
        """Measures how long tasks take; None for the real clock."""
        self.work: Callable[[], bool] = lambda: False
        """Called when every task of a build waits for a future."""

    def write(self, path: str, text: str, *, modified_s: float | None = None) -> None:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        if modified_s is not None:
            os.utime(file, (modified_s, modified_s))

    def delete(self, path: str) -> None:
        (self.root / path).unlink()

    def rule(
        self,
        run: Callable[..., Any],
        *,
        value_type: Any = str,
        code: str = "1",
        keeps_last_good: bool = False,
    ) -> None:
        """Make `async def page(fetch, name)` the rule of the kind `page`; a second one replaces it."""
        kind = run.__name__
        self.rules[kind] = Rule(run=run, value_type=value_type, code=code, keeps_last_good=keeps_last_good)

    def store(self) -> Store:
        return Store(self.root / ".diglot")

    def build(
        self,
        *targets: str,
        given: Mapping[str, object] | None = None,
        session: Session | None = None,
        touched: Collection[Key] | None = None,
        keep_last_good: bool = False,
    ) -> BuildReport:
        if session is None and keep_last_good:
            session = Session()
        if session is not None:
            session.touched, session.keep_last_good = touched, keep_last_good
        store = self.store()
        try:
            return build(
                self.rules,
                [Key.parse(target) for target in targets],
                store=store,
                surroundings=self.surroundings(given),
                session=session,
            )
        finally:
            store.close()

    def surroundings(self, given: Mapping[str, object] | None = None) -> Surroundings:
        return Surroundings(
            root=self.root,
            given=given or self.given,
            progress=self.progress.append,
            work=self.work,
            clock_s=self.clock or time.perf_counter,
        )

    def build_clean(self, *targets: str) -> BuildReport:
        """The same build with an empty store."""
        with tempfile.TemporaryDirectory() as folder:
            store = Store(Path(folder))
            try:
                keys = [Key.parse(target) for target in targets]
                return build(self.rules, keys, store=store, surroundings=self.surroundings())
            finally:
                store.close()

    def explain(self, key: str) -> Explanation:
        store = self.store()
        try:
            return explain(self.rules, Key.parse(key), store, self.root, self.given)
        finally:
            store.close()

    def value(self, key: str) -> bytes | None:
        """Build a key, and return the stored encoding of its value; None if it failed."""
        report = self.build(key)
        digest = report.values[Key.parse(key)]
        store = self.store()
        try:
            return None if digest is None else store.object(digest)
        finally:
            store.close()


def ran(report: BuildReport) -> list[str]:
    """The keys of the tasks that ran, in the order in which they finished."""
    return [str(run.key) for run in report.ran]


def mistake(path: str, message: str = "is wrong") -> DiagnosticError:
    return DiagnosticError(Diagnostic(rule="test", message=message, location=Location(path=path, line=1)))


def remark(path: str, message: str = "is odd") -> Diagnostic:
    return Diagnostic(rule="test", message=message, location=Location(path=path), severity="warning")
