"""A build under way: what it has taken over from the last build, and what has run."""

import time
from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Mapping, Sequence, Set
from contextlib import suppress
from functools import lru_cache, partial
from typing import Any

from diglot.diagnostics import Diagnostic, sorted_diagnostics
from diglot.digests import ABSENT
from diglot.engine.fetch import Fetch, Unfinished, UpstreamFailed
from diglot.engine.inputs import Inputs, changed_meanwhile
from diglot.engine.keys import Key
from diglot.engine.others import OthersTraces
from diglot.engine.packs import BlobReference, ObjectMissing
from diglot.engine.reasons import FAILED, UNSETTLED, Reason
from diglot.engine.recorded_diagnostics import read_diagnostics, write_diagnostics
from diglot.engine.reports import BuildReport, Outcome, Progress, TaskRun
from diglot.engine.rules import Rule
from diglot.engine.scheduler import Awaited, DependencyCycle, Scheduler, Steps, suspend
from diglot.engine.snapshot import Finished, Snapshot, name_of, take_snapshot, write_snapshot
from diglot.engine.store import LastRun, Store
from diglot.engine.surroundings import Surroundings
from diglot.engine.targets import INPUT_KINDS
from diglot.engine.traces import Dependency, Trace, read_dependencies, verify, write_dependencies
from diglot.engine.used import Used
from diglot.engine.values import TaskValues
from diglot.invariants import certain

MOST_AHEAD = 64
"""At most this many tasks run before it is known that the build needs them."""


class BuildInProgress:
    """The state of one build."""

    def __init__(
        self,
        rules: Mapping[str, Rule],
        *,
        store: Store,
        inputs: Inputs,
        values: TaskValues,
        surroundings: Surroundings,
        keep_last_good: bool,
        remember: Callable[[Snapshot | None, Collection[Key]], None],
        started: float,
    ) -> None:
        self.digests: dict[Key, str] = {}
        self._rules = rules
        self._store = store
        self._inputs = inputs
        self._values = values
        self._surroundings = surroundings
        self._keep_last_good = keep_last_good
        self._remember = remember
        self._started = started
        self._known = 0
        self._done = 0
        self._ran: list[TaskRun] = []
        self._adopted: list[Key] = []
        self._diagnostics: dict[Key, str] = {}
        self._used = Used(self.digests)
        """What each task used. Has only the tasks that this build checked or ran."""
        self._remade: set[Key] = set()
        """Tasks whose lost value came out different when it was made again, after others had used it."""
        self._past: Snapshot | None = None
        self._changed: Mapping[int, str] = {}
        """Digests of the inputs that changed since the past build, by their positions there."""
        self._deferred_keys: set[Key] = set()
        """Tasks that made no new value. Their last one, if any, is used; the next build runs them again."""
        self._failed_keys: set[Key] = set()
        """Those of them that failed."""
        self._abandoned = False
        self._lost: set[Key] = set()
        """Tasks that have to run because their stored value turned out to be unreadable."""

    def keep(
        self,
        past: Snapshot,
        changed: Mapping[int, str],
        deferred: Set[int],
        *,
        most_ahead: int = MOST_AHEAD,
    ) -> None:
        """Take over from a past build the tasks that depend on nothing that changed.

        Walks from the inputs upwards. A task that used something that changed runs ahead of the rest, because
        if it makes the same value as before, the tasks above it can be taken over; at most `most_ahead` do.
        Tasks at the positions `deferred` are not taken over. A second call continues where the first ended.
        """
        if self._past is None:
            self._known = self._done = past.tasks_count()
        self._past, self._changed = past, changed
        keys = past.keys
        differs = set(changed)
        ahead: set[int] = set()
        ran_ahead = since = 0

        def run_ahead() -> None:
            self._run_ahead([keys[position] for position in sorted(ahead)])
            differs.difference_update(
                [position for position in ahead if self.digests.get(keys[position]) == past.digests[position]]
            )
            ahead.clear()

        for position, used in enumerate(past.used):
            if differs.isdisjoint(used) and position not in deferred:
                continue
            self.digests.update(past.tasks_between(since, position))
            since = position
            if not ahead.isdisjoint(used):
                run_ahead()
                if differs.isdisjoint(used) and position not in deferred:
                    continue
            since = position + 1
            if (digest := self.digests.get(keys[position])) is not None:
                if digest != past.digests[position]:
                    differs.add(position)
                continue
            differs.add(position)
            if ran_ahead < most_ahead and all(
                keys[one].kind in INPUT_KINDS or keys[one] in self.digests for one in used
            ):
                ahead.add(position)
                ran_ahead += 1
        self.digests.update(past.tasks_between(since, len(past.kinds)))
        run_ahead()

    def _run_ahead(self, keys: Sequence[Key]) -> None:
        """Bring tasks up to date that the build may no longer need; if it does, their exceptions recur."""
        with suppress(Exception):
            self._scheduler().run(keys)

    def begun(self) -> set[Key]:
        """The inputs that changed since the past build, and the tasks that ran; for an interrupted build."""
        changed = {self._past.keys[position] for position in self._changed} if self._past else set()
        return changed.union(self._adopted, (run.key for run in self._ran))

    def unchanged(self, past: Snapshot) -> BuildReport:
        """The report of a build in which there is nothing to do."""
        self._store.later(partial(self._remember, past, ()))
        return BuildReport(
            ran=(),
            verified=past.tasks_count(),
            diagnostics=sorted_diagnostics([*self._store.take_notices(), *_said(past.said())]),
            values=past.values(),
            visited=None,
            inputs=lambda: past.inputs,
            input_digests=lambda: self._digests_of(past.inputs),
            seconds=time.perf_counter() - self._started,
        )

    def _digests_of(self, inputs: Iterable[Key]) -> dict[Key, str]:
        return {key: self._inputs.digest(key) for key in inputs}

    def run_first(self, keys: Sequence[Key]) -> dict[Key, str]:
        """Bring some tasks up to date before the others; returns the digests of the values that were made."""
        self._run_ahead(keys)
        made = {key: self.digests.get(key, FAILED) for key in keys}
        return {key: digest for key, digest in made.items() if digest not in (FAILED, UNSETTLED)}

    def run(self, targets: Sequence[Key]) -> BuildReport:
        """Bring the targets up to date."""
        for key in targets:
            if not self.knows(key.kind):
                raise KeyError(f"there is no rule for {key}")
        self._scheduler().run(targets)
        finished = Finished(
            digests=self.digests,
            used=self._used,
            past=self._past,
            said=self._diagnostics,
            deferred=self._deferred_keys,
            unfinished=(self._deferred_keys - self._failed_keys) | self._remade,
        )
        past, after = self._past, None
        if past is not None and not self._remade and past.is_of(targets) and past.is_like(self._used):
            after = past.with_news(finished, self._changed)
        if after is not None:
            visited, inputs, said = after.tasks, after.inputs, after.said()
            take: Callable[[], Snapshot | None] = partial(_identity, after)
        else:
            reached, inputs = finished.reached_from(targets)
            visited, said = frozenset(reached), finished.said_by(reached)
            take = partial(take_snapshot, self._rules, targets, finished, reached)
        self._store.later(
            partial(_save_snapshot, self._store, name_of(targets), take, self._deferred_keys, self._remember)
        )
        ran = tuple(run for run in self._ran if run.key in visited)
        return BuildReport(
            ran=ran,
            verified=len(visited) - len({run.key for run in ran}),
            diagnostics=sorted_diagnostics([*self._store.take_notices(), *_said(said)]),
            values={
                key: None if (digest := self.digests[key]) in (FAILED, UNSETTLED) else digest
                for key in targets
            },
            visited=visited,
            inputs=lambda: inputs,
            input_digests=lambda: self._digests_of(inputs),
            seconds=time.perf_counter() - self._started,
            adopted=tuple(key for key in self._adopted if key in visited),
        )

    def save(self) -> None:
        """Write finished tasks to disk, so that they survive this process."""
        if not self._abandoned:
            self._store.save_stamps(self._inputs.new_stamps)
            self._store.commit()

    def abandon(self) -> None:
        """Save nothing from now on, because the store that this build relied on is gone."""
        self._abandoned = True

    def knows(self, kind: str) -> bool:
        """Whether the kind is that of an input, or has a rule."""
        return kind in INPUT_KINDS or kind in self._rules

    def read_input(self, key: Key) -> Any:
        """The value of an input. Raises FileUnsteady if the file changed since this build first read it."""
        value, digest = self._inputs.read(key)
        if self.digests.setdefault(key, digest) != digest:
            raise changed_meanwhile(key)
        return value

    async def load(self, key: Key) -> Any:
        """The value of a finished task. If the store has lost it, the task runs again."""
        try:
            return self._values.load(key, self.digests[key])
        except ObjectMissing:
            await self._make_again(key)
            return self._values.load(key, self.digests[key])

    def read_ahead(self, keys: Collection[Key]) -> None:
        """Read the values of some finished tasks at once, which `load` will be asked for."""
        self._values.read_ahead({key: self.digests[key] for key in keys})

    async def load_encoded(self, key: Key) -> bytes:
        """As `load`, but the value is encoded as it is stored."""
        try:
            return self._values.load_encoded(self.digests[key])
        except ObjectMissing:
            await self._make_again(key)
            return self._values.load_encoded(self.digests[key])

    async def load_part(self, key: Key, part: str) -> bytes:
        """As `load`, but one field of the value, encoded as it is stored."""
        try:
            return self._values.load_part(key, self.digests[key], part)
        except ObjectMissing:
            await self._make_again(key)
            return self._values.load_part(key, self.digests[key], part)

    async def blob(self, key: Key) -> BlobReference:
        """Where in a pack the value of a finished task is; it must be a large value."""
        blob = self._store.blob(self.digests[key])
        if blob is None:
            await self._make_again(key)
            blob = self._store.blob(self.digests[key])
        return certain(blob, f"{key} was not put into a pack")

    async def _make_again(self, key: Key) -> None:
        """Run a task again because its value is lost. Raises UpstreamFailed if it fails this time."""
        if key not in self._lost:
            self._lost.add(key)
            self._known -= 1
            self._done -= 1
            before = self.digests.pop(key)
            await suspend((key,))
            if self.digests[key] != before:
                self._remade.add(key)
        else:
            await suspend((key,))
        if self.digests[key] in (FAILED, UNSETTLED):
            raise UpstreamFailed(key) from None

    def _scheduler(self) -> Scheduler:
        return Scheduler(
            self._begin, self.digests, work=self._surroundings.work, before_waiting=self._store.commit
        )

    def _begin(self, key: Key) -> Steps | None:
        """Start on a key. An input is finished at once and needs no steps."""
        if key.kind in INPUT_KINDS:
            self.digests[key] = self._inputs.digest(key)
            return None
        rule = self._rules.get(key.kind)
        if rule is None:  # only an old trace can still name such a kind
            self.digests[key] = ABSENT
            return None
        self._known += 1
        return self._update(rule, key)

    def _update(self, rule: Rule, key: Key) -> Steps:
        """Bring a task up to date: keep its last value if its trace holds, else run it."""
        trace = self._store.trace(key)
        reason: Reason | None
        if key in self._lost:
            reason = Reason(kind="value missing")
        else:
            try:
                reason = yield from verify(trace, code=rule.code, digests=self.digests, has=self._store.has)
            except DependencyCycle:
                reason = Reason(kind="cycle")
        if reason is not None or trace is None:
            if key not in self._lost and (yield from self._adopt(rule, key)):
                return
            yield from self._run(rule, key, certain(reason, "a task without a trace has a reason to run"))
            return
        self._finish(key, trace, read_dependencies(trace.dependencies))

    def _adopt(self, rule: Rule, key: Key) -> Generator[Awaited, None, bool]:
        """Use another machine's trace of a task, and its value, if what it used is the same here."""
        others = self._surroundings.others
        if others is None:
            return False
        for trace in others.traces(key, rule.code):
            try:
                reason = yield from verify(
                    trace, code=rule.code, digests=self.digests, has=partial(_is_at_hand, self._store, others)
                )
            except DependencyCycle:
                return False
            if reason is None and self._values.take_over(trace.digest, others):
                run = LastRun(reason=Reason(kind="shared cache"), seconds=0.0, finished_at=time.time())
                self._store.save_trace(key, trace, run)
                self._adopted.append(key)
                self._finish(key, trace, read_dependencies(trace.dependencies))
                self._tell(None)
                return True
        return False

    def _run(self, rule: Rule, key: Key, reason: Reason) -> Steps:
        """Run a task and save its trace."""
        self._tell(key)
        clock_s = self._surroundings.clock_s
        fetch = Fetch(self, self._surroundings.context, clock_s, partial(self._last_blob, rule, key))
        since = clock_s()
        outcome: Outcome
        try:
            value = yield from rule.run(fetch, key.name).__await__()
            digest = self._values.save(key, value)
            diagnostics = tuple(fetch.reported)
            before = self._store.trace(key)
            outcome = "unchanged" if before is not None and before.digest == digest else "changed"
        except Unfinished:
            self._ran.append(TaskRun(key=key, reason=reason, seconds=0.0, outcome="unfinished"))
            self._defer(rule, key, fetch)
            return
        except UpstreamFailed:
            digest, diagnostics, outcome = FAILED, tuple(fetch.reported), "upstream failed"
        except Exception as error:
            errors: tuple[Diagnostic, ...] = getattr(error, "diagnostics", ())
            digest = UNSETTLED if getattr(error, "retry", False) else FAILED
            if not errors:
                described = self._surroundings.describe(key, fetch.dependencies, error)
                if described is None:
                    error.add_note(f"while running the task {key}")
                    raise
                errors, digest = (described,), UNSETTLED
            diagnostics, outcome = (*fetch.reported, *errors), "failed"
        seconds = clock_s() - since - fetch.suspended_s
        trace = Trace(
            code=rule.code,
            dependencies=write_dependencies(fetch.dependencies),
            digest=digest,
            diagnostics=write_diagnostics(diagnostics),
        )
        self._ran.append(TaskRun(key=key, reason=reason, seconds=seconds, outcome=outcome))
        if digest in (FAILED, UNSETTLED) and (last := self._last_good(rule, key)) is not None:
            # This build watches the new dependencies and reports the diagnostics. The trace is not saved, so
            # that another build runs the task and fails.
            trace = trace._replace(digest=last)
            self._deferred_keys.add(key)
            self._failed_keys.add(key)
        else:
            self._store.save_trace(
                key, trace, LastRun(reason=reason, seconds=seconds, finished_at=time.time())
            )
        self._finish(key, trace, fetch.dependencies)
        self._tell(None)

    def _last_good(self, rule: Rule, key: Key) -> str | None:
        """The digest of the last good value of a failed task; None if it is gone or may not be used."""
        if not (self._keep_last_good and rule.keeps_last_good) or key in self._lost:
            return None
        trace = self._store.trace(key)
        if trace is None or trace.code != rule.code or not self._store.has(trace.digest):
            return None
        return trace.digest

    def _last_blob(self, rule: Rule, key: Key, *, by_any_code: bool = False) -> BlobReference | None:
        trace = self._store.trace(key)
        if trace is None or key in self._lost or (trace.code != rule.code and not by_any_code):
            return None
        return self._store.blob(trace.digest)

    def _defer(self, rule: Rule, key: Key, fetch: Fetch[Any]) -> None:
        """Use the last value of an unfinished task, if any. Its trace stays, but does not hold next time."""
        self._deferred_keys.add(key)
        trace = self._store.trace(key)
        if trace is not None and trace.code == rule.code and key not in self._lost and self._has_ended(trace):
            self._finish(key, trace, read_dependencies(trace.dependencies))
        else:
            self._done += 1
            self.digests[key] = UNSETTLED
            self._used.note(key, fetch.dependencies)

    def _has_ended(self, trace: Trace) -> bool:
        """Whether the result in a trace is still known: its value is stored, or the task failed."""
        return trace.digest in (FAILED, UNSETTLED) or self._store.has(trace.digest)

    def _finish(self, key: Key, trace: Trace, dependencies: Iterable[Dependency]) -> None:
        self._done += 1
        self.digests[key] = trace.digest
        self._used.note(key, dependencies)
        if trace.diagnostics is not None:
            self._diagnostics[key] = trace.diagnostics

    def _tell(self, running: Key | None) -> None:
        self._surroundings.progress(Progress(done=self._done, known=self._known, running=running))


def _save_snapshot(
    store: Store,
    name: str,
    take: Callable[[], Snapshot | None],
    deferred: Collection[Key],
    remember: Callable[[Snapshot | None, Collection[Key]], None],
) -> None:
    """Take, save and remember the snapshot of a build.

    Called when the values of the build have been freed, because this is when most memory is in use.
    """
    snapshot = take()
    if snapshot is not None and not deferred:
        store.save_snapshot(name, write_snapshot(snapshot))
    remember(snapshot, deferred)


def _is_at_hand(store: Store, others: OthersTraces, digest: str) -> bool:
    return store.has(digest) or others.has(digest)


def _identity(snapshot: Snapshot) -> Snapshot:
    return snapshot


def _said(texts: Iterable[str]) -> Iterator[Diagnostic]:
    """The diagnostics in texts that `write_diagnostics` wrote."""
    for text in texts:
        yield from _read_said(text)


@lru_cache(maxsize=4096)
def _read_said(text: str) -> tuple[Diagnostic, ...]:
    return tuple(read_diagnostics(text))
