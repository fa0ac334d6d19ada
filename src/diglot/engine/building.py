"""A build: brings targets up to date, running only the tasks whose traces no longer hold."""

import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

from diglot.diagnostics import Diagnostic, sorted_diagnostics
from diglot.digests import ABSENT
from diglot.engine.fetch import Fetch, UpstreamFailed
from diglot.engine.inputs import INPUT_KINDS, Inputs, changed_meanwhile
from diglot.engine.keys import Key
from diglot.engine.packs import ObjectMissing, Place
from diglot.engine.reasons import FAILED, UNSETTLED, Reason
from diglot.engine.recorded_diagnostics import read_diagnostics, write_diagnostics
from diglot.engine.reports import BuildReport, Outcome, Progress, TaskRun
from diglot.engine.rules import Rule
from diglot.engine.scheduler import DependencyCycle, Scheduler, Steps, suspend
from diglot.engine.snapshot import (
    MOST_STEPS,
    Finished,
    Snapshot,
    name_of,
    read_snapshot,
    take_snapshot,
    write_snapshot,
)
from diglot.engine.store import LastRun, Store
from diglot.engine.traces import Trace, verify, write_dependencies
from diglot.engine.values import Values


def build(
    rules: Mapping[str, Rule],
    targets: Sequence[Key],
    *,
    store: Store,
    root: Path,
    given: Mapping[str, object],
    progress: Callable[[Progress], None] | None = None,
    work: Callable[[], bool] = lambda: False,
) -> BuildReport:
    """Bring the targets up to date.

    `work` is called when all tasks wait for futures: it may do what some of them wait for, and then says so.

    A task that raises an exception with `diagnostics` fails, and with it those who need its value; the rest
    goes on. Any other exception, and an interrupt, ends the build and is raised; what is finished is kept.
    """
    tell = progress or (lambda _: None)
    with store.lock(waiting=lambda holder: tell(Progress(waiting=True, holder=holder))):
        started = time.perf_counter()
        inputs = Inputs(str(root), given=given, environment=os.environ, stamps=store.stamps())
        past = _past(rules, targets, store)
        changed = past.changed(inputs) if past else {}
        if past and not changed:
            return _unchanged(past, store, inputs, started)
        session = _Build(rules, store=store, inputs=inputs, progress=tell, work=work)
        try:
            if past and past.steps < MOST_STEPS:
                session.keep(past, changed)
            else:
                store.memory()  # all in one go
            return session.run(targets)
        finally:
            session.save()


def _past(rules: Mapping[str, Rule], targets: Sequence[Key], store: Store) -> Snapshot | None:
    """What the last build of the targets came to, as far as it is known and still there."""
    content = store.snapshot(name_of(targets))
    past = None if content is None else read_snapshot(content, rules)
    if past is None or not all(digest is None or store.has(digest) for digest in past.values().values()):
        return None
    return past


def _unchanged(past: Snapshot, store: Store, inputs: Inputs, started: float) -> BuildReport:
    """The report of a build in which there is nothing to do."""
    store.save_stamps(inputs.new_stamps)
    diagnostics = [one for text in past.diagnostics.values() for one in read_diagnostics(text)]
    return BuildReport(
        ran=(),
        verified=past.tasks_count(),
        diagnostics=sorted_diagnostics([*store.take_notices(), *diagnostics]),
        values=past.values(),
        visited=None,
        seconds=time.perf_counter() - started,
    )


def _save_snapshot(
    store: Store,
    rules: Mapping[str, Rule],
    targets: Sequence[Key],
    finished: Finished,
    reached: Iterable[Key],
) -> None:
    """Keep what a build came to. Its values are forgotten by then: this is when most memory is in use."""
    snapshot = take_snapshot(rules, targets, finished, reached)
    if snapshot is not None:
        store.save_snapshot(name_of(targets), write_snapshot(snapshot))


MOST_AHEAD = 64
"""So many tasks are run before it is known that somebody asks for them."""


class _Build:
    """One build at work."""

    def __init__(
        self,
        rules: Mapping[str, Rule],
        *,
        store: Store,
        inputs: Inputs,
        progress: Callable[[Progress], None],
        work: Callable[[], bool],
    ) -> None:
        self.digests: dict[Key, str] = {}
        self._started = time.perf_counter()
        self._rules = rules
        self._store = store
        self._progress = progress
        self._inputs = inputs
        self._values = Values(rules, store)
        self._work = work
        self._known = 0
        self._done = 0
        self._ran: list[TaskRun] = []
        self._diagnostics: dict[Key, str] = {}
        self._dependencies: dict[Key, str] = {}
        """As `write_dependencies` wrote them, which takes a tenth of the memory."""
        self._past: Snapshot | None = None
        self._kept: dict[Key, int] = {}
        """Tasks that were not looked at, with their places in the past build."""
        self._lost: set[Key] = set()
        """Tasks that have to run because their stored value turned out to be unreadable."""

    def keep(self, past: Snapshot, changed: Mapping[int, str]) -> None:
        """Take over from a past build what rests on nothing that changed.

        From the inputs upwards. What used something that changed is run ahead, for if it makes what it made
        before, all above it stays; but only as long as that is little.
        """
        self._past = past
        keys = past.keys
        differs = bytearray(len(keys))
        for place in changed:
            differs[place] = 1
        ahead: set[int] = set()
        ran_ahead = 0

        def run_ahead() -> None:
            self._run_ahead([keys[place] for place in sorted(ahead)])
            for place in ahead:
                differs[place] = self.digests.get(keys[place]) != past.digests[place]
            ahead.clear()

        self._known = self._done = past.tasks_count()
        for place, used in enumerate(past.used):
            if not ahead.isdisjoint(used):
                run_ahead()
            key = keys[place]
            if key.kind in INPUT_KINDS:
                continue
            if not any(map(differs.__getitem__, used)):
                self.digests[key] = past.digests[place]
                self._kept[key] = place
                continue
            differs[place] = 1
            if ran_ahead < MOST_AHEAD and all(
                keys[one].kind in INPUT_KINDS or keys[one] in self.digests for one in used
            ):
                ahead.add(place)
                ran_ahead += 1
        run_ahead()

    def _run_ahead(self, keys: Sequence[Key]) -> None:
        """Bring tasks up to date that may no longer be asked for; then their troubles are nobody's."""
        with suppress(Exception):
            self._scheduler().run(keys)

    def run(self, targets: Sequence[Key]) -> BuildReport:
        """Bring the targets up to date."""
        for key in targets:
            if not self.knows(key.kind):
                raise KeyError(f"there is no rule for {key}")
        self._scheduler().run(targets)
        finished = Finished(
            digests=self.digests,
            used=self._dependencies,
            kept=self._kept,
            past=self._past,
            said=self._diagnostics,
        )
        reached = finished.reached_from(targets)
        visited = frozenset(reached)
        ran = tuple(run for run in self._ran if run.key in visited)
        report = BuildReport(
            ran=ran,
            verified=len(visited) - len({run.key for run in ran}),
            diagnostics=sorted_diagnostics([*self._store.take_notices(), *self._said(reached)]),
            values={
                key: None if (digest := self.digests[key]) in (FAILED, UNSETTLED) else digest
                for key in targets
            },
            visited=visited,
            seconds=time.perf_counter() - self._started,
        )
        self._store.later(partial(_save_snapshot, self._store, self._rules, targets, finished, reached))
        return report

    def _said(self, reached: Iterable[Key]) -> Iterator[Diagnostic]:
        """All that was said by some tasks, now or earlier."""
        for key in reached:
            if (place := self._kept.get(key)) is None:
                text = self._diagnostics.get(key)
            else:
                assert self._past is not None
                text = self._past.diagnostics.get(place)
            if text is not None:
                yield from read_diagnostics(text)

    def save(self) -> None:
        """Make sure that what is finished outlives this process."""
        self._store.save_stamps(self._inputs.new_stamps)
        self._store.commit()

    def knows(self, kind: str) -> bool:
        """Whether there is such an input or a rule for it."""
        return kind in INPUT_KINDS or kind in self._rules

    def read_input(self, key: Key) -> Any:
        """The value of an input. Raises FileUnsteady for a file that this build saw differently before."""
        value, digest = self._inputs.read(key)
        if self.digests.setdefault(key, digest) != digest:
            raise changed_meanwhile(key)
        return value

    async def load(self, key: Key) -> Any:
        """The value of a finished task; one that the store has lost is made again."""
        try:
            return self._values.load(key, self.digests[key])
        except ObjectMissing:
            await self._make_again(key)
            return self._values.load(key, self.digests[key])

    async def load_encoded(self, key: Key) -> bytes:
        """The same, as it is stored."""
        try:
            return self._values.load_encoded(self.digests[key])
        except ObjectMissing:
            await self._make_again(key)
            return self._values.load_encoded(self.digests[key])

    async def place(self, key: Key) -> Place:
        """Where the value of a finished task lies, which is a large one."""
        place = self._store.place(self.digests[key])
        if place is None:
            await self._make_again(key)
            place = self._store.place(self.digests[key])
        assert place is not None, f"{key} was not put into a pack"
        return place

    async def _make_again(self, key: Key) -> None:
        """Have a task run whose value is lost. Raises UpstreamFailed where it fails this time."""
        if key not in self._lost:
            self._lost.add(key)
            self._known -= 1
            self._done -= 1
            del self.digests[key]
            self._kept.pop(key, None)
        await suspend((key,))
        if self.digests[key] in (FAILED, UNSETTLED):
            raise UpstreamFailed(key) from None

    def _scheduler(self) -> Scheduler:
        return Scheduler(self._begin, self.digests, work=self._work, before_waiting=self._store.commit)

    def _begin(self, key: Key) -> Steps | None:
        """Start on a key: inputs are looked at on the spot."""
        if key.kind in INPUT_KINDS:
            self.digests[key] = self._inputs.digest(key)
            return None
        rule = self._rules.get(key.kind)
        if rule is None:  # only an old trace can still name it
            self.digests[key] = ABSENT
            return None
        self._known += 1
        return self._update(rule, key)

    def _update(self, rule: Rule, key: Key) -> Steps:
        """Bring a task up to date: believe its trace, or run it."""
        trace = self._store.trace(key)
        reason: Reason | None
        if key in self._lost:
            reason = Reason(kind="value missing")
        else:
            try:
                reason = yield from verify(trace, code=rule.code, digests=self.digests, has=self._store.has)
            except DependencyCycle:
                reason = Reason(kind="cycle")
        if reason is not None:
            yield from self._run(rule, key, reason)
            return
        assert trace is not None
        self._finish(key, trace)

    def _run(self, rule: Rule, key: Key, reason: Reason) -> Steps:
        """Run a task and record what it did."""
        self._tell(key)
        fetch = Fetch(self)
        since = time.perf_counter()
        outcome: Outcome
        try:
            value = yield from rule.run(fetch, key.name).__await__()
            digest = self._values.save(key, value)
            diagnostics = tuple(fetch.warnings)
            before = self._store.trace(key)
            outcome = "unchanged" if before is not None and before.digest == digest else "changed"
        except UpstreamFailed:
            digest, diagnostics, outcome = FAILED, tuple(fetch.warnings), "upstream failed"
        except Exception as error:
            errors: tuple[Diagnostic, ...] = getattr(error, "diagnostics", ())
            if not errors:
                error.add_note(f"while running the task {key}")
                raise
            digest = UNSETTLED if getattr(error, "retry", False) else FAILED
            diagnostics, outcome = (*fetch.warnings, *errors), "failed"
        seconds = time.perf_counter() - since - fetch.suspended_s
        trace = Trace(
            code=rule.code,
            dependencies=write_dependencies(fetch.dependencies),
            digest=digest,
            diagnostics=write_diagnostics(diagnostics),
        )
        self._store.save_trace(key, trace, LastRun(reason=reason, seconds=seconds, finished_at=time.time()))
        self._ran.append(TaskRun(key=key, reason=reason, seconds=seconds, outcome=outcome))
        self._finish(key, trace)
        self._tell(None)

    def _finish(self, key: Key, trace: Trace) -> None:
        self._done += 1
        self.digests[key] = trace.digest
        self._dependencies[key] = trace.dependencies
        if trace.diagnostics is not None:
            self._diagnostics[key] = trace.diagnostics

    def _tell(self, running: Key | None) -> None:
        self._progress(Progress(done=self._done, known=self._known, running=running))
