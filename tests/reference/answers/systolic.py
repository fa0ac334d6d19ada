"""Systolic arrays: SCALE-Sim's cycles, and tiles of a TPU."""

import re
from typing import cast

from diglot.hardware import DATAFLOWS, run_mxu, run_systolic_array
from diglot.hardware.arrays.mxu import count_peak_flops_per_s
from diglot.hardware.arrays.systolic import Dataflow
from tests.reference.answers.common import Answers, AnswerTable, Inputs, read_product
from tests.reference.answers.spellings import fold

WORDS = {"output": "os", "weight": "ws", "input": "is"}


def answer_systolic(inputs: Inputs) -> Answers:
    """Cycles and shares of a product on an array, as SCALE-Sim counts them."""
    rows, cols = _read_array(inputs)
    run = run_systolic_array(
        inputs["M"],
        inputs["K"],
        inputs["N"],
        rows=rows,
        cols=cols,
        dataflow=read_dataflow(inputs["dataflow"]),
    )
    return {
        "cycles": run.compute_cycles,
        "compute_cycles": run.compute_cycles,
        "utilization": run.overall_utilisation_fraction,
        "overall_utilization": run.overall_utilisation_fraction,
        "mapping_efficiency": run.mapping_efficiency_fraction,
        "compute_utilization": run.compute_utilisation_fraction,
        "folds": run.fold_count,
        "sram_ifmap_reads": run.ifmap_read_elements,
        "sram_filter_reads": run.filter_read_elements,
        "sram_ofmap_writes": run.ofmap_write_elements,
    }


def read_dataflow(name: str) -> Dataflow:
    """`output stationary`, `output-stationary`, `OS` or `os`: sources write it in every way."""
    folded = fold(name).removesuffix("stationary")
    short = WORDS.get(folded, folded)
    if short not in DATAFLOWS:
        raise LookupError(f"not a data flow: {name}")
    return cast(Dataflow, short)


def _read_array(inputs: Inputs) -> tuple[int, int]:
    """Height and width; one side alone is a square's."""
    if {"rows", "cols"} <= inputs.keys():
        return inputs["rows"], inputs["cols"]
    array = inputs["array"]
    sides = [int(side) for side in re.findall(r"\d+", str(array))]
    return sides[0], sides[-1]


def answer_resident_weights(inputs: Inputs) -> Answers:
    """Rows streamed through one tile whose weights are in place."""
    m, k, n = read_product(inputs["op"])
    run = run_mxu(m, k, n, rows=inputs["rows"], cols=inputs["cols"], weight_load_cycles=0)
    return {"cycles_when_full": run.round_cycles}


def answer_weight_tiles(inputs: Inputs) -> Answers:
    """Padded int8 tiles of a square matrix, fetched from weight memory."""
    side, rate = inputs["array"], inputs["weight_bytes_per_s"]
    tiles = run_mxu(1, inputs["matrix"], inputs["matrix"], rows=side, cols=side).tile_count
    return {"tiles": tiles, "time": tiles * side * side / rate}


def answer_weight_load(inputs: Inputs) -> Answers:
    """Loading one tile, and streaming one row through it."""
    side = inputs["array"]
    shape = {"rows": side, "cols": side}
    return {
        "load_cycles": run_mxu(1, side, side, **shape).round_cycles,
        "matmul_cycles_per_row": run_mxu(1, side, side, **shape, weight_load_cycles=0).round_cycles,
    }


def answer_peak(inputs: Inputs) -> Answers:
    """So many multipliers at a clock."""
    return {"peak": count_peak_flops_per_s(rows=inputs["macs"], cols=1, clock_hz=inputs["clock_hz"])}


ANSWERS: AnswerTable = (
    ({"M", "K", "N", "rows", "cols", "dataflow"}, answer_systolic),
    ({"M", "K", "N", "array", "dataflow"}, answer_systolic),
    ({"op", "rows", "cols"}, answer_resident_weights),
    ({"array", "matrix", "weight_bytes_per_s"}, answer_weight_tiles),
    ({"array"}, answer_weight_load),
    ({"macs", "clock_hz"}, answer_peak),
)
