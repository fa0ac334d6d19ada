"""The same inputs give the same figure in other surroundings and folders; values that differ are reported."""

from pathlib import Path

import msgspec
import pytest

from diglot.cli import main
from diglot.figure_request import FigureRequest
from diglot.figures.execution.workers import FigureWorkers
from diglot.figures.records import ComputedFigure, Script
from diglot.figures.scripts.failures import FigureFailed
from tests.hostile.chance import HELPER, SAME, SCRIPT, TOLD
from tests.hostile.conftest import Counted
from tests.hostile.profile import draws, tries
from tests.space import Space

SURROUNDINGS = (
    {"HOME": "/home/one", "USER": "one", "TZ": "Asia/Shanghai", "LANG": "zh_CN.UTF-8", "COLUMNS": "40"},
    {"HOME": "/root", "LOGNAME": "two", "PYTHONHASHSEED": "7", "LC_ALL": "C", "OMP_NUM_THREADS": "2"},
)


def some(family: str, all_of: dict[str, str], short: int) -> dict[str, str]:
    names = draws(family).sample(sorted(all_of), tries(short, long=len(all_of)))
    return {name: all_of[name] for name in names}


def write_project(root: Path, expressions: list[str], order: str) -> Space:
    space = Space(root)
    space.write("figures/_helper.py", HELPER)
    space.write("matplotlibrc", f"lines.linewidth: {len(order)}\n" if order[0] == "a" else "\n")
    for name in order:
        space.write(f"content/many/{name}", name)
    for number, expression in enumerate(expressions):
        space.write(f"figures/one_{number}.py", SCRIPT.format(expression=expression))
    return space


def test_what_is_promised_to_be_the_same_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tally: Counted
) -> None:
    count = tally("chance")
    chosen = some("chance", SAME, 24)
    found: list[list[str]] = []
    for number, surroundings in enumerate(SURROUNDINGS):
        folder = tmp_path / ("x" * (1 + 20 * number)) / "project"
        space = write_project(folder, [*chosen.values()], ("abcdefgh", "hgfedcba")[number])
        with monkeypatch.context() as patch:
            for name, value in surroundings.items():
                patch.setenv(name, value)
            with FigureWorkers(root=space.root, cache=folder / ".diglot", jobs=2, timeout_s=60) as workers:
                calls = [
                    workers.compute(
                        Script(figure_id=f"one_{n}", path=f"figures/one_{n}.py"), FigureRequest.of(f"one_{n}")
                    )
                    for n in range(len(chosen))
                ]
                found.append([])
                for call in calls:
                    try:
                        result = msgspec.msgpack.decode(call.result().result, type=ComputedFigure)
                        found[-1].append(result.data.decode())
                    except FigureFailed as failure:
                        found[-1].append(f"failed {number}: {failure}")
    for name, first, second in zip(chosen, *found, strict=True):
        count.tried += 1
        if first != second or str(tmp_path) in first:
            count.through.append(f"{name}: {first[:300]}, and then {second[:300]}")


def test_what_is_not_the_same_is_found_by_a_check(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], tally: Counted
) -> None:
    count = tally("chance, told")
    chosen = some("chance, told", TOLD, 8)
    space = write_project(tmp_path / "project", [f"str({one})" for one in chosen.values()], "abc")
    words = "\n\n".join(f"{{eval}}`one_{number}.x`" for number in range(len(chosen)))
    space.post("all", zh=words, en=words)
    assert main(["-C", str(space.root), "check", "--twice", "all"]) == 1
    told = capsys.readouterr().err
    for number, name in enumerate(chosen):
        count.tried += 1
        if f'figure "one_{number}": computing it again gave different numbers: x was ' not in told:
            count.through.append(f"{name}: is not told in\n{told}")
