"""A build: brings targets up to date, running only the tasks whose traces no longer hold."""

import os
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial

from diglot.engine.build_in_progress import BuildInProgress
from diglot.engine.database import StoreDiscarded
from diglot.engine.inputs import Inputs
from diglot.engine.keys import Key
from diglot.engine.reports import BuildReport, Progress
from diglot.engine.rules import Rule
from diglot.engine.session import Session
from diglot.engine.snapshot import MOST_STEPS, Snapshot, name_of, read_snapshot
from diglot.engine.store import Store
from diglot.engine.surroundings import Surroundings
from diglot.engine.targets import INPUT_KINDS
from diglot.engine.values import TaskValues


def build(
    rules: Mapping[str, Rule],
    targets: Sequence[Key],
    *,
    store: Store,
    surroundings: Surroundings,
    session: Session | None = None,
) -> BuildReport:
    """Bring the targets up to date. With a `session`, start from the result of the session's last build.

    A task that raises an exception with `diagnostics` fails, and so do the tasks that need its value; the
    others go on. For any other exception `Surroundings.describe` may give a diagnostic: then the task fails,
    and runs again in the next build. Without a diagnostic the exception ends the build and is raised, as an
    interrupt is; finished tasks are kept.
    """
    try:
        return _build_once(rules, targets, store, surroundings, session)
    except StoreDiscarded:
        surroundings.forget_work()
    try:
        return _build_once(rules, targets, store, surroundings, session)
    except StoreDiscarded as again:
        raise store.unusable("it is damaged repeatedly") from again


def _build_once(
    rules: Mapping[str, Rule],
    targets: Sequence[Key],
    store: Store,
    surroundings: Surroundings,
    session: Session | None,
) -> BuildReport:
    """Do what `build` does, once. Raises StoreDiscarded if the build has to start again."""
    name = name_of(targets)
    remember: Callable[[Snapshot | None, Collection[Key]], None]
    remember = partial(session.keep, store, name) if session is not None else lambda *_: None
    session = session or Session()
    with (
        store.lock(waiting=lambda holder: surroundings.progress(Progress(waiting=True, holder=holder))),
        store.relied_on(),
    ):
        started = time.perf_counter()
        if session.stamps is None:
            session.stamps = store.stamps()
        if recalled := session.recall(store, name):
            past, overtaken, looked_at = session.snapshot, frozenset[int](), session.to_look_at()
        else:
            past, overtaken = _past(rules, targets, store)
            looked_at = None
        if session.values is None:
            session.values = TaskValues(rules, store)
        session.values.store = store
        inputs = Inputs(
            str(surroundings.root),
            given=surroundings.given,
            environment=os.environ,
            stamps=session.stamps,
            edited=surroundings.edited,
        )
        changed = past.changed(inputs, looked_at) if past else {}
        at_work = BuildInProgress(
            rules,
            store=store,
            inputs=inputs,
            values=session.values,
            surroundings=surroundings,
            keep_last_good=session.keep_last_good,
            remember=remember,
            started=started,
        )
        try:
            if past and not (changed or overtaken or session.deferred) and past.is_of(targets):
                return at_work.unchanged(past)
            if past and (recalled or past.steps < MOST_STEPS):
                deferred = overtaken.union(
                    past.positions[key]
                    for key in session.deferred
                    if key.kind not in INPUT_KINDS and key in past.positions
                )
                if session.first:  # runs only what these tasks need
                    at_work.keep(past, changed, deferred, most_ahead=0)
                    session.first_done(at_work.run_first(session.first))
                at_work.keep(past, changed, deferred)
            else:
                store.memory()  # reads all traces at once
                if session.first:
                    session.first_done(at_work.run_first(session.first))
            return at_work.run(targets)
        except StoreDiscarded:
            at_work.abandon()
            raise
        except BaseException:
            if recalled:
                session.keep_on(store, name, at_work.begun())
            raise
        finally:
            at_work.save()
            session.stamps |= inputs.new_stamps


def _past(
    rules: Mapping[str, Rule], targets: Sequence[Key], store: Store
) -> tuple[Snapshot | None, frozenset[int]]:
    """The snapshot of the last build of the targets, or else of others, which may share most tasks with them.

    Also the positions in it of the tasks whose traces builds of other targets have written since. None if
    there is no snapshot, or if a value of its targets is missing.
    """
    name = name_of(targets)
    if not (parts := store.snapshot(name)):
        name = store.largest_snapshot(name_of(()))
        parts = store.snapshot(name)
    past = read_snapshot(parts, rules)
    if past is None:
        return None, frozenset()
    overtaken = store.overtaken(name)
    values = past.values().items()
    if not all(digest is None or key in overtaken or store.has(digest) for key, digest in values):
        return None, frozenset()
    return past, past.positions_of(overtaken)
