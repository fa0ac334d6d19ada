"""Explains why a task last ran, and whether and why a build would run it now.

`verify` decides here as it does in a build, but nothing runs. A task that would run gets an undecided value.
Tasks that use it then "would be rebuilt" too; a build does not run them if that value comes out the same.
"""

import os
import time
from collections.abc import Mapping
from pathlib import Path

import msgspec

from diglot.diagnostics import Diagnostic, format_diagnostic
from diglot.digests import ABSENT
from diglot.engine.inputs import Inputs
from diglot.engine.keys import Key
from diglot.engine.reasons import FAILED, UNDECIDED, UNSETTLED, Reason
from diglot.engine.recorded_diagnostics import read_diagnostics
from diglot.engine.rules import Rule
from diglot.engine.scheduler import DependencyCycle, Scheduler, Steps
from diglot.engine.store import LastRun, Store
from diglot.engine.targets import INPUT_KINDS
from diglot.engine.traces import Dependency, Trace, read_dependencies, verify
from diglot.invariants import certain

_MOST_SHOWN = 30
"""At most this many inputs are listed, because a list of all articles depends on every file there is."""


class RecordedDependency(msgspec.Struct, frozen=True, kw_only=True):
    """A value that a task used when it last ran."""

    key: Key
    recorded: str
    """Its digest then."""
    now: str | None
    """Its digest now; "undecided" if it would be rebuilt first; None if a build would not get to it, because
    a dependency before it changed."""


class Explanation(msgspec.Struct, frozen=True, kw_only=True):
    """What is known about one key."""

    key: Key
    digest: str
    """Digest of the current value: "undecided" if it would be rebuilt, "absent" if there is none."""
    causes: tuple[tuple[Key, Reason], ...]
    """Why it would be rebuilt, down to the first cause: each reason names the next key. Empty if it is up to
    date."""
    last_run: LastRun | None
    """None for an input, and for a task that never ran."""
    dependencies: tuple[RecordedDependency, ...]
    """In the order in which the task fetched them."""
    used_by: tuple[Key, ...]
    """The tasks that used it when they last ran."""
    edges: tuple[tuple[Key, Key], ...]
    """The graph of all that this key depends on, directly or not: pairs (user, used), the nearest first."""
    stale: frozenset[Key]
    """The tasks in this graph that would be rebuilt."""
    diagnostics: tuple[Diagnostic, ...]
    """What the task reported when it last ran."""

    @property
    def inputs(self) -> tuple[Key, ...]:
        """Files, listings and other inputs that it depends on, directly or not; the nearest first."""
        return tuple(dict.fromkeys(used for _, used in self.edges if used.kind in INPUT_KINDS))


def explain(
    rules: Mapping[str, Rule], key: Key, store: Store, root: Path, given: Mapping[str, object]
) -> Explanation:
    """Check a key as a build would, without running anything. Raises KeyError if it has no rule."""
    look = _Look(rules, store=store, root=root, given=given)
    return look.explain(key)


class _Look:
    """One check of everything that a key depends on."""

    def __init__(
        self, rules: Mapping[str, Rule], *, store: Store, root: Path, given: Mapping[str, object]
    ) -> None:
        self._rules = rules
        self._store = store
        self._traces, stamps, self._stored, _ = store.memory()
        self._inputs = Inputs(str(root), given=given, environment=os.environ, stamps=stamps)
        self._digests: dict[Key, str] = {}
        self._reasons: dict[Key, Reason] = {}

    def explain(self, key: Key) -> Explanation:
        """The explanation of one key."""
        if key.kind not in INPUT_KINDS and key.kind not in self._rules:
            raise KeyError(f"there is no rule for {key}")
        Scheduler(self._begin, self._digests).run((key,))
        trace = self._traces.get(key)
        return Explanation(
            key=key,
            digest=self._digests[key],
            causes=self._causes(key),
            last_run=None if trace is None else self._store.last_run(key),
            dependencies=tuple(self._now(dependency) for dependency in _dependencies(trace)),
            used_by=tuple(sorted(k for k, t in self._traces.items() if _uses(t, key))),
            edges=self._edges(key),
            stale=frozenset(self._reasons),
            diagnostics=tuple(read_diagnostics(trace.diagnostics) if trace and trace.diagnostics else ()),
        )

    def _begin(self, key: Key) -> Steps | None:
        if key.kind in INPUT_KINDS:
            self._digests[key] = self._inputs.digest(key)
            return None
        rule = self._rules.get(key.kind)
        if rule is None:
            self._digests[key] = ABSENT
            return None
        return self._decide(rule, key)

    def _decide(self, rule: Rule, key: Key) -> Steps:
        trace = self._traces.get(key)
        reason: Reason | None
        try:
            reason = yield from verify(
                trace, code=rule.code, digests=self._digests, has=self._stored.__contains__
            )
        except DependencyCycle:
            reason = Reason(kind="cycle")
        if reason is not None or trace is None:
            self._reasons[key] = certain(reason, "a task without a trace has a reason to run")
            self._digests[key] = UNDECIDED
        else:
            self._digests[key] = trace.digest

    def _causes(self, key: Key) -> tuple[tuple[Key, Reason], ...]:
        causes: dict[Key, Reason] = {}
        following: Key | None = key
        while following in self._reasons and following not in causes:
            causes[following] = reason = self._reasons[following]
            following = reason.dependency
        return tuple(causes.items())

    def _now(self, dependency: Dependency) -> RecordedDependency:
        key = dependency.key
        now = self._inputs.digest(key) if key.kind in INPUT_KINDS else self._digests.get(key)
        return RecordedDependency(key=key, recorded=dependency.digest, now=now)

    def _edges(self, key: Key) -> tuple[tuple[Key, Key], ...]:
        edges = []
        met = {key}
        todo = [key]
        for user in todo:  # the loop appends to it
            for dependency in _dependencies(self._traces.get(user)):
                edges.append((user, dependency.key))
                if dependency.key not in met:
                    met.add(dependency.key)
                    todo.append(dependency.key)
        return tuple(edges)


def _dependencies(trace: Trace | None) -> list[Dependency]:
    return [] if trace is None else read_dependencies(trace.dependencies)


def _uses(trace: Trace, key: Key) -> bool:
    return any(dependency.key == key for dependency in read_dependencies(trace.dependencies))


def format_explanation(explanation: Explanation) -> str:
    """The explanation as lines for the terminal."""
    return "\n".join(
        [
            *_verdict(explanation),
            *_history(explanation),
            *_listing("depends on:", [_dependency_line(d) for d in explanation.dependencies]),
            *_listing("changes to these may rebuild it:", _shortened(explanation.inputs)),
            *_listing("used by:", [f"    {key}" for key in explanation.used_by]),
        ]
    )


def _verdict(explanation: Explanation) -> list[str]:
    key = explanation.key
    if explanation.causes:
        (_, reason), *deeper = explanation.causes
        return [
            f"{key} would be rebuilt: {reason}",
            *(f"{'  ' * depth}{cause}: {reason}" for depth, (cause, reason) in enumerate(deeper, start=1)),
        ]
    if key.kind in INPUT_KINDS:
        return [f"{key} is an input, {'absent' if explanation.digest == ABSENT else explanation.digest[:8]}"]
    if explanation.digest == FAILED:
        return [f"{key} failed, and nothing changed since", *_quoted(explanation.diagnostics)]
    return [f"{key} is up to date ({explanation.digest[:8]})", *_quoted(explanation.diagnostics)]


def _quoted(diagnostics: tuple[Diagnostic, ...]) -> list[str]:
    return [f"  {line}" for diagnostic in diagnostics for line in format_diagnostic(diagnostic).splitlines()]


def _history(explanation: Explanation) -> list[str]:
    if (run := explanation.last_run) is None:
        return []
    when = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(run.finished_at))
    return [f"last built {when}, in {run.seconds:.3f} s: {run.reason}"]


def _listing(title: str, lines: list[str]) -> list[str]:
    return [title, *lines] if lines else []


def _shortened(keys: tuple[Key, ...]) -> list[str]:
    more = len(keys) - _MOST_SHOWN
    lines = [f"    {key}" for key in keys[:_MOST_SHOWN]]
    return [*lines, f"    … and {more} more; --graph has them all"] if more > 0 else lines


def _dependency_line(dependency: RecordedDependency) -> str:
    key, recorded, now = dependency.key, _short(dependency.recorded), dependency.now
    if now is None:
        return f"  ? {key} ({recorded})"
    if now == dependency.recorded:
        return f"    {key} ({recorded})"
    return f"  * {key} ({recorded} → {_short(now)})"


def _short(digest: str) -> str:
    return digest if digest in (ABSENT, FAILED, UNSETTLED, UNDECIDED) else digest[:8]
