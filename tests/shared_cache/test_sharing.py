"""What one machine made, others use: exactly where everything that it depends on is the same."""

import os
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from diglot.engine import ENVIRONMENT, FILE, Key
from diglot.shared_cache.bundles import read_bundle, this_machine
from diglot.shared_cache.writing import MOST_BUNDLES
from tests.engine.workshop import ran
from tests.shared_cache.sharing import NOW, OWN, PAGES, Machine, rules_of


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return tmp_path / "place"


@pytest.fixture
def ci(tmp_path: Path, place: Path) -> Machine:
    machine = Machine(tmp_path / "ci", place)
    machine.make()
    machine.share()
    return machine


@pytest.fixture
def colleague(tmp_path: Path, place: Path) -> Machine:
    return Machine(tmp_path / "colleague", place)


def test_a_second_machine_runs_nothing_and_has_the_same_values(ci: Machine, colleague: Machine) -> None:
    report, values = colleague.make()
    assert ran(report) == []
    assert set(report.adopted) == {Key(kind, one.split()[1]) for one in PAGES for kind in ("page", "part")}
    assert values == ci.make()[1]
    assert rules_of(colleague) == []


def test_the_build_after_it_finds_nothing_to_do_and_does_not_open_the_place(
    ci: Machine, colleague: Machine
) -> None:
    colleague.make()
    colleague.place = lambda: pytest.fail("opened")
    report, _ = colleague.make()
    assert (ran(report), report.adopted, report.verified) == ([], (), 6)


def test_what_differs_here_is_made_here(ci: Machine, colleague: Machine) -> None:
    colleague.write("small", "another text")
    report, values = colleague.make()
    assert ran(report) == ["part small", "page small"]
    assert values["page small"] == b"<another text>" * 3


def test_a_task_of_other_code_runs(ci: Machine, colleague: Machine) -> None:
    async def part(fetch: Any, name: str) -> bytes:
        return b"[" + bytes(await fetch(FILE, name)) + b"]"

    colleague.rule(part, value_type=bytes, code="2")
    report, values = colleague.make()
    assert report.adopted == ()
    assert values["page small"] == b"[text of small]" * 3


def test_an_edit_that_somebody_has_already_built_is_not_built_again(ci: Machine, colleague: Machine) -> None:
    colleague.make()
    for machine in (ci, colleague):
        machine.write("other", "a new text")
    ci.make()
    assert ci.share() == 2
    report, values = colleague.make()
    assert (ran(report), len(report.adopted)) == ([], 2)
    assert values["page other"] == b"<a new text>" * 3


def test_nothing_is_written_twice(ci: Machine, colleague: Machine, place: Path) -> None:
    files = sorted(place.iterdir())
    assert ci.share() == 0
    colleague.make()
    assert colleague.share() == 0
    assert sorted(place.iterdir()) == files


def test_two_writers_at_once_lose_nothing(tmp_path: Path, place: Path, colleague: Machine) -> None:
    first, second = (Machine(tmp_path / name, place) for name in ("first", "second"))
    first.make("page small")
    second.make("page large")
    caches = [first.cache(), second.cache()]
    for cache in caches:  # both have looked before either writes
        assert cache.names == ()
    assert (first.share(), second.share()) == (2, 2)
    report, _ = colleague.make()
    assert sorted(ran(report)) == ["page other", "part other"]


def test_a_large_value_is_in_a_pack_here_too(ci: Machine, colleague: Machine) -> None:
    report, _ = colleague.make()
    store = colleague.store()
    assert store.blob(report.values[Key("page", "large")] or "") is not None
    assert store.blob(report.values[Key("page", "small")] or "") is None
    store.close()


def test_failures_are_not_shared(tmp_path: Path, place: Path) -> None:
    machine = Machine(tmp_path / "failing", place)
    (machine.root / "small").unlink()
    machine.rule(_fails, value_type=bytes)
    machine.make("_fails x", "page other")
    assert machine.share() == 2


async def _fails(fetch: Any, name: str) -> bytes:
    from diglot.diagnostics import Diagnostic, DiagnosticError

    raise DiagnosticError(Diagnostic(rule="test", message="no"))


async def reads_variable(fetch: Any, name: str) -> str:
    return await fetch(ENVIRONMENT, name) or ""


async def reads_file(fetch: Any, name: str) -> str:
    return (await fetch(FILE, name) or b"").decode()


def test_nothing_of_the_machine_is_written(
    tmp_path: Path, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither variables nor their digests, nor paths outside the project, nor values with its path."""
    monkeypatch.setenv("TOKEN_OF_TEST", "hunter2")
    monkeypatch.delenv("UNSET_OF_TEST", raising=False)
    machine = Machine(tmp_path / "ci", place)
    machine.rule(reads_variable)
    machine.rule(reads_file)
    machine.write("private", f"made in {machine.root}")
    outside = tmp_path / "outside"
    outside.write_text("elsewhere")
    targets = ("reads_variable TOKEN_OF_TEST", f"reads_file {outside}", "reads_file private")
    machine.make(*targets, "reads_variable UNSET_OF_TEST", "reads_file small")
    assert machine.share(private=(str(tmp_path),)) == 2
    (bundle,) = [read_bundle(path.stem, path.read_bytes(), (OWN.public,)) for path in place.glob("*.traces")]
    assert bundle is not None
    assert set(bundle.traces) == {Key("reads_variable", "UNSET_OF_TEST"), Key("reads_file", "small")}
    assert len(bundle.values) == 2


def test_old_bundles_go_and_what_is_in_use_stays(ci: Machine, colleague: Machine, place: Path) -> None:
    for number in range(MOST_BUNDLES + 3):
        ci.write("other", f"text {number}")
        ci.make()
        ci.share(now=NOW + timedelta(hours=number + 1))
        assert len(list(place.iterdir())) <= 2 * MOST_BUNDLES
    colleague.write("other", f"text {MOST_BUNDLES + 2}")
    report, _ = colleague.make()
    assert ran(report) == []
    assert not list(place.glob(f"{NOW:%Y%m%dT%H%M%SZ}*"))


def test_bundles_of_other_machines_are_not_fetched(ci: Machine, colleague: Machine, place: Path) -> None:
    for path in list(place.iterdir()):
        path.rename(place / path.name.replace(this_machine(), "cpython-399-plan9"))
    report, _ = colleague.make()
    assert (report.adopted, rules_of(colleague)) == ((), [])
    assert os.listdir(colleague.root / ".diglot/shared") == []


def test_fetched_values_do_not_stay_twice(ci: Machine, colleague: Machine) -> None:
    colleague.make()
    assert {path.suffix for path in (colleague.root / ".diglot/shared").iterdir()} == {".traces"}
