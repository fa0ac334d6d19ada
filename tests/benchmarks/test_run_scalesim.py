"""The layers that SCALE-Sim was run on; the tests do not need SCALE-Sim."""

import csv
import random
from pathlib import Path

import pytest

from benchmarks.run_scalesim import ARRAYS, COLUMNS, CONVOLUTION, DATAFLOWS, draw_layer, list_runs

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def rows():
    with open(ROOT / "tests/reference/data/scalesim_random.csv", encoding="utf-8", newline="") as file:
        reader = csv.DictReader(file)
        assert tuple(reader.fieldnames) == COLUMNS
        return list(reader)


def test_the_committed_rows_are_those_of_their_seed(rows):
    choose = random.Random(1)
    layers = [draw_layer(index, choose) for index in range(60)]
    assert [(layer["layer"], flow, array) for layer, flow, array in list_runs(layers)] == [
        (row["layer"], row["dataflow"], (int(row["rows"]), int(row["cols"]))) for row in rows
    ]
    for layer, row in zip(layers, rows[:: len(DATAFLOWS)], strict=True):
        sizes = ("M", "K", "N") if layer["kind"] == "gemm" else CONVOLUTION
        assert all(int(row[size]) == layer[size] for size in sizes)


def test_every_array_meets_every_data_flow(rows):
    met = {(int(row["rows"]), int(row["cols"]), row["dataflow"]) for row in rows}
    assert len(met) == len(ARRAYS) * len(DATAFLOWS)
