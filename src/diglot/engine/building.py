"""A build: brings targets up to date, running only the tasks whose traces no longer hold."""

import os
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from diglot.diagnostics import Diagnostic, sorted_diagnostics
from diglot.digests import ABSENT
from diglot.engine.fetch import Fetch, Unfinished, UpstreamFailed
from diglot.engine.inputs import INPUT_KINDS, Inputs, changed_meanwhile
from diglot.engine.keys import Key
from diglot.engine.reasons import FAILED, UNSETTLED, Reason
from diglot.engine.recorded_diagnostics import read_diagnostics, write_diagnostics
from diglot.engine.reports import BuildReport, Outcome, Progress, TaskRun
from diglot.engine.rules import Rule
from diglot.engine.scheduler import DependencyCycle, Scheduler, Steps, suspend
from diglot.engine.store import LastRun, ObjectMissing, Store
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
    with store.lock(waiting=lambda: tell(Progress(waiting=True))):
        session = _Build(rules, store=store, root=root, given=given, progress=tell, work=work)
        try:
            return session.run(targets)
        finally:
            session.save()


class _Build:
    """One build at work."""

    def __init__(
        self,
        rules: Mapping[str, Rule],
        *,
        store: Store,
        root: Path,
        given: Mapping[str, object],
        progress: Callable[[Progress], None],
        work: Callable[[], bool],
    ) -> None:
        self.digests: dict[Key, str] = {}
        self._started = time.perf_counter()
        self._rules = rules
        self._store = store
        self._progress = progress
        self._traces, stamps, self._stored = store.memory()
        self._inputs = Inputs(str(root), given=given, environment=os.environ, stamps=stamps)
        self._values = Values(rules, store)
        self._scheduler = Scheduler(self._begin, self.digests, work=work, before_waiting=store.commit)
        self._known = 0
        self._done = 0
        self._ran: list[TaskRun] = []
        self._diagnostics: list[Diagnostic] = []
        self._lost: set[Key] = set()
        """Tasks that have to run because their stored value turned out to be unreadable."""

    def run(self, targets: Sequence[Key]) -> BuildReport:
        """Bring the targets up to date."""
        for key in targets:
            if not self.knows(key.kind):
                raise KeyError(f"there is no rule for {key}")
        self._scheduler.run(targets)
        values = {key: self.digests[key] for key in targets}
        visited = frozenset(key for key in self.digests if key.kind not in INPUT_KINDS)
        return BuildReport(
            ran=tuple(self._ran),
            verified=len(visited - {run.key for run in self._ran}),
            diagnostics=sorted_diagnostics([*self._store.take_notices(), *self._diagnostics]),
            values={key: None if digest in (FAILED, UNSETTLED) else digest for key, digest in values.items()},
            visited=visited,
            traces=self._traces,
            seconds=time.perf_counter() - self._started,
        )

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
        return await self._loaded(key, self._values.load)

    async def load_encoded(self, key: Key) -> bytes:
        """The same, as it is stored."""
        encoded: bytes = await self._loaded(key, lambda _, digest: self._values.load_encoded(digest))
        return encoded

    async def _loaded(self, key: Key, load: Callable[[Key, str], Any]) -> Any:
        try:
            return load(key, self.digests[key])
        except ObjectMissing:
            if key not in self._lost:
                self._lost.add(key)
                self._known -= 1
                self._done -= 1
                del self.digests[key]
            await suspend((key,))
            if self.digests[key] in (FAILED, UNSETTLED):
                raise UpstreamFailed(key) from None
            return load(key, self.digests[key])

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
        trace = self._traces.get(key)
        reason: Reason | None
        if key in self._lost:
            reason = Reason(kind="value missing")
        else:
            try:
                reason = yield from verify(trace, code=rule.code, digests=self.digests, stored=self._stored)
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
            before = self._traces.get(key)
            outcome = "unchanged" if before is not None and before.digest == digest else "changed"
        except Unfinished:
            self._ran.append(TaskRun(key=key, reason=reason, seconds=0.0, outcome="unfinished"))
            self._put_off(rule, key)
            return
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
        self._traces[key] = trace
        self._ran.append(TaskRun(key=key, reason=reason, seconds=seconds, outcome=outcome))
        self._finish(key, trace)
        self._tell(None)

    def _put_off(self, rule: Rule, key: Key) -> None:
        """Let what a task made last stand in. Its trace stays, and does not hold in the next build."""
        trace = self._traces.get(key)
        if trace is not None and trace.code == rule.code and key not in self._lost and self._has_ended(trace):
            self._finish(key, trace)
        else:
            self._done += 1
            self.digests[key] = UNSETTLED

    def _has_ended(self, trace: Trace) -> bool:
        """Whether what came of a task is still known: its value, or that it failed."""
        return trace.digest in self._stored or trace.digest in (FAILED, UNSETTLED)

    def _finish(self, key: Key, trace: Trace) -> None:
        self._done += 1
        self.digests[key] = trace.digest
        if trace.diagnostics is not None:
            self._diagnostics += read_diagnostics(trace.diagnostics)

    def _tell(self, running: Key | None) -> None:
        self._progress(Progress(done=self._done, known=self._known, running=running))
