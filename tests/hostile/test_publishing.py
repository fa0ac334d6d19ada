"""A publication fails or is killed at every operation: the site is either the old or the new one."""

import itertools
import os
import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from diglot.diagnostics import DiagnosticError
from tests.hostile.profile import draws, tries
from tests.hostile.publishing import ERRORS, NEW, OLD, OPERATIONS, Output, failing, killed
from tests.hostile.tally import Tally

NAMES = tuple(name for _, name in OPERATIONS)


@pytest.fixture
def fresh(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], Output]:
    """Return a function that makes another output with the old site at each call."""
    monkeypatch.setattr(os, "fsync", lambda _: None)  # slow, and no test cuts the power
    monkeypatch.setattr(os, "sync", lambda: None)
    numbers = itertools.count()

    def make() -> Output:
        folder = tmp_path / str(next(numbers))
        folder.mkdir()
        return Output(folder)

    return make


def cases(fresh: Callable[[], Output], short: int) -> list[tuple[str, int, bool]]:
    """All cases or a sample: an operation, which call of it, and whether the whole folder is exchanged."""
    every = []
    for atomic, name in itertools.product((False, True), NAMES):
        output = fresh()
        with failing(name, 0, AssertionError) as calls:
            output.publish(NEW, atomic=atomic)
        every += [(name, number, atomic) for number in range(1, calls[0] + 1)]
    chosen = tries(short, long=len(every))
    return every if chosen >= len(every) else draws("publishing failures").sample(every, chosen)


def test_an_operation_that_fails_leaves_the_former_site(
    tally: Callable[[str], Tally], fresh: Callable[[], Output]
) -> None:
    count = tally("publishing failures")
    chance = draws("errors")
    for name, number, atomic in cases(fresh, 12):
        output = fresh()
        error = chance.choice(ERRORS)
        case = f"{name} {number}, {os.strerror(error)}{', atomic' if atomic else ''}"
        failed = False
        with failing(name, number, lambda error=error: OSError(error, os.strerror(error))) as calls:
            try:
                output.publish(NEW, atomic=atomic)
            except DiagnosticError:
                failed = True
            except BaseException as other:
                count.through.append(f"{case}: {other!r}")
        assert calls[0] >= number
        count.tried += 1
        if wrong := output.wrong(*((OLD, NEW) if failed else (NEW,))):
            count.lost.append(f"{case}: {wrong}")
        if failed and output.site() == OLD and output.held() != output.old:
            count.lost.append(f"{case}: more than the site differs")
        output.publish(NEW, atomic=atomic)
        if wrong := output.wrong(NEW) or output.left_behind():
            count.lost.append(f"{case}, then again: {wrong}")
        shutil.rmtree(output.folder.parent)


def test_a_disk_that_stays_broken_is_put_in_order_by_the_next_build(
    tally: Callable[[str], Tally], fresh: Callable[[], Output]
) -> None:
    count = tally("publishing failures")
    for name, number, atomic in cases(fresh, 6):
        output = fresh()
        case = f"{name} from {number} on{', atomic' if atomic else ''}"
        with failing(name, number, lambda: OSError(5, "Input/output error"), for_good=True) as calls:
            try:
                output.publish(NEW, atomic=atomic)
            except DiagnosticError:
                pass
            except BaseException as other:
                count.through.append(f"{case}: {other!r}")
        assert calls[0] >= number
        count.tried += 1
        output.publisher().recover()
        if wrong := output.wrong(OLD, NEW):
            count.lost.append(f"{case}: {wrong}")
        output.publish(NEW, atomic=atomic)
        if wrong := output.wrong(NEW) or output.left_behind():
            count.lost.append(f"{case}, then again: {wrong}")
        shutil.rmtree(output.folder.parent)


def test_a_process_killed_at_an_operation_leaves_whole_files_and_the_next_build_a_whole_site(
    tally: Callable[[str], Tally], fresh: Callable[[], Output]
) -> None:
    count = tally("publishing kills")
    allowed = {(path, content) for site in (OLD, NEW) for path, content in site.items()}
    for name, number, atomic in cases(fresh, 6):
        for after in (False, True):
            output = fresh()
            case = f"{'after' if after else 'before'} {name} {number}{', atomic' if atomic else ''}"
            if not killed(partial(output.publish, NEW, atomic=atomic), name, number, after=after):
                continue
            count.tried += 1
            torn = output.site().items() - allowed
            if torn:
                count.lost.append(f"{case}: torn: {torn}")
            output.publisher().recover()
            if wrong := output.wrong(OLD, NEW):
                count.lost.append(f"{case}: {wrong}")
            output.publish(NEW, atomic=atomic)
            if wrong := output.wrong(NEW) or output.left_behind():
                count.lost.append(f"{case}, then again: {wrong}")
            shutil.rmtree(output.folder.parent)
