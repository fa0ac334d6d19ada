"""Same script, same bytes: on every run, in every process, whatever the hash seed, time zone or locale."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import diglot

from .conftest import Workshop

SCRIPT = """
TITLE = {"zh": "图", "en": "Figure"}
import random, time
import numpy as np
def compute():
    return {
        "chance": [random.random(), float(np.random.rand()), float(np.random.default_rng().random())],
        "words": list({"a", "b", "c", "d", "e"}),
        "zone": time.strftime("%H:%M %Z", time.gmtime(0)) + time.strftime("%H:%M", time.localtime(0)),
    }
def draw(figure, data, t):
    axes = figure.axes_px(42, 46, 250, 200)
    axes.plot(data["chance"], marker="o")
    axes.fill_between([0, 1], 0, 1, hatch="////", fc="paper", ec="idle")
    figure.text_px(0, 14, t(zh="可达算力 $x^2$", en="Attainable $x^2$"))
def describe(data, t): return t(zh="一张图", en="A picture")
"""
PROGRAM = """
import hashlib, sys
from pathlib import Path
import msgspec
from diglot.figures.execution.workers import *
from diglot.figures.jobs import Sheet
request, script = FigureRequest.of("same"), Script(figure_id="same", path="figures/same.py")
with FigureWorkers(root=Path(), cache=Path(".diglot"), jobs=2) as workers:
    first = workers.compute(script, request).result().result
    computed = msgspec.msgpack.decode(first, type=ComputedFigure)
    parts = [first]
    drawn = workers.draw(script, request, computed).result()
    sheet = Sheet(theme="light", formats=("svg", "png", "pdf"), titled=True)
    exported = workers.export(script, request, computed, ("zh", "en"), sheet).result()
    for language in ("zh", "en"):
        parts += [msgspec.msgpack.encode(drawn.drawn(language)), *exported.files(language)]
print(*(hashlib.sha256(part).hexdigest() for part in parts))
"""


@pytest.mark.skipif(
    not diglot.__file__.isascii(),
    reason="without UTF-8, Python does not find packages in a folder with such a name",
)
def test_every_result_is_the_same_to_the_byte(tmp_path: Path):
    results = set()
    surroundings = (
        {"PYTHONHASHSEED": "1", "TZ": "Asia/Shanghai", "LANG": "zh_CN.UTF-8"},
        {"PYTHONHASHSEED": "2", "TZ": "America/New_York", "LC_ALL": "C", "SOURCE_DATE_EPOCH": "1"},
    )
    for number, environment in enumerate(surroundings):
        project = tmp_path / f"project{number}"
        (project / "figures").mkdir(parents=True)
        (project / "figures/same.py").write_text(SCRIPT)
        source = str(Path(diglot.__file__).parent.parent)
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM],
            cwd=project,
            env={"PATH": os.environ["PATH"], "PYTHONPATH": source, **environment},
            capture_output=True,
            text=True,
            check=True,
        )
        results.add(done.stdout)
    assert len(results) == 1
    assert len(set(results.pop().split())) == 9, "and yet they are nine different things"


def test_one_call_leaves_nothing_behind_for_the_next(workshop: Workshop):
    script = workshop.script(
        "leaves",
        """
        import builtins, random
        def compute():
            seen = getattr(builtins, "seen", 0)
            builtins.seen = seen + 1
            return {"seen": seen, "chance": random.random()}
        """,
    )
    first, second = (workshop.compute(script).data for _ in range(2))
    assert first == second
