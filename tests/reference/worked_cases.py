"""Hold the models against worked and measured cases that others published.

    python -m tests.reference.worked_cases tests/reference/data/worked_cases.yaml

`equal` cases must be met within the tolerance that the case states. Of `bound` cases, which are measurements,
only the bound is judged: no measurement may beat our ideal. A case that no answer below fits is unsupported.
"""

import re
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import yaml

from diglot.hardware.attention import AttentionShape, count_flash_attention
from diglot.hardware.catalogue import load_catalogue
from diglot.hardware.critical_batch import find_critical_rows
from diglot.hardware.gpu_gemm import Tile, estimate_gpu_gemm
from diglot.hardware.kernels import Kernel, count_batched_gemm, count_elementwise, count_gemm, count_softmax
from diglot.hardware.mxu import run_mxu
from diglot.hardware.roofline import Roofline
from diglot.hardware.systolic import run_systolic_array
from tests.reference.report import Outcome, print_outcomes

DATA = Path(__file__).parent / "data" / "worked_cases.yaml"

Inputs = Mapping[str, Any]
Answers = dict[str, float]
"""Name of an expected value → ours, in base units; shares as fractions."""

SCALES = {
    **dict.fromkeys(("s", "FLOP/s", "OP/s", "B/s", "FLOP/B", "OP/B", "ratio", "elem/s", "B", "FLOP"), 1),
    **dict.fromkeys(("cycles", "tiles", "waves", "tokens", "rows", "elements"), 1),
    **{"%": 1e-2, "ms": 1e-3, "us": 1e-6, "ns": 1e-9},
    **{"MAC per byte": 2, "MAC per weight byte": 2},
    **{
        prefix + unit: scale
        for prefix, scale in {"M": 1e6, "G": 1e9, "T": 1e12, "P": 1e15}.items()
        for unit in ("FLOP/s", "OP/s", "B/s", "elem/s", "B", "FLOP")
    },
}
"""Units we know and what they are of the base unit; a MAC is two FLOPs."""
TIMES = ("s", "ms", "us", "ns")
CONTEXT = ("%", "ratio")
"""Units that are mere context beside a measured time or rate."""

DATAFLOWS = {"output stationary": "os", "weight stationary": "ws", "input stationary": "is"}
ELEMENTWISE_OPERANDS = {"add": 2, "softmax": 1, "gelu": 1, "relu": 1, "silu": 1, "layernorm": 1, "rmsnorm": 1}
ANY_SIZE = 10**9
"""Stands for a dimension far larger than all others."""
UNBOUNDED_BYTES_PER_S = 1e30


def answer_systolic(inputs: Inputs) -> Answers:
    """Cycles and shares of a product on an array, as SCALE-Sim counts them."""
    run = run_systolic_array(
        inputs["M"],
        inputs["K"],
        inputs["N"],
        rows=inputs["rows"],
        cols=inputs["cols"],
        dataflow=DATAFLOWS[inputs["dataflow"]],
    )
    return {
        "cycles": run.compute_cycles,
        "compute_cycles": run.compute_cycles,
        "utilization": run.overall_utilisation_fraction,
        "mapping_efficiency": run.mapping_efficiency_fraction,
    }


def answer_resident_weights(inputs: Inputs) -> Answers:
    """Rows streamed through one tile whose weights are in place."""
    m, k, n = _read_product(inputs["op"])
    run = run_mxu(m, k, n, rows=inputs["rows"], cols=inputs["cols"], weight_load_cycles=0)
    return {"cycles_when_full": run.round_cycles}


def answer_weight_load(inputs: Inputs) -> Answers:
    """Loading one tile, and streaming one row through it."""
    side = inputs["array"]
    shape = {"rows": side, "cols": side}
    return {
        "load_cycles": run_mxu(1, side, side, **shape).round_cycles,
        "matmul_cycles_per_row": run_mxu(1, side, side, **shape, weight_load_cycles=0).round_cycles,
    }


def answer_weight_tiles(inputs: Inputs) -> Answers:
    """Padded int8 tiles of a square matrix, fetched from weight memory."""
    side, rate = inputs["array"], inputs["weight_bytes_per_s"]
    tiles = run_mxu(1, inputs["matrix"], inputs["matrix"], rows=side, cols=side).tile_count
    return {"tiles": tiles, "time": tiles * side * side / rate}


def answer_ridge(inputs: Inputs) -> Answers:
    """Where the roofs meet. An 8-bit peak is twice the 16-bit one."""
    if "macs_per_s" in inputs:
        peak, bandwidth = 2 * inputs["macs_per_s"], inputs["weight_bytes_per_s"]
    else:
        peak, bandwidth = _read_rates(inputs)
    ridge, ridge_8bit = (_roof(rate, bandwidth).ridge_flops_per_byte for rate in (peak, 2 * peak))
    return {"ridge": ridge, "ridge_intensity": ridge, "ridge_16bit": ridge, "ridge_8bit": ridge_8bit}


def answer_compute_time(inputs: Inputs) -> Answers:
    """A count of FLOPs at a peak, with memory out of the way."""
    kernel = Kernel(name="given", flops=inputs["flops"], read_bytes=1, written_bytes=0)
    return {"time": _roof(inputs["peak_flops_per_s"], UNBOUNDED_BYTES_PER_S).time_s(kernel)}


def answer_sweep(inputs: Inputs) -> Answers:
    """Attainable rate of a product whose weights and activations have different widths."""
    widths = {1: "int8", 2: "bf16", 4: "fp32"}
    kernel = count_gemm(
        inputs["B"],
        inputs["D"],
        inputs["F"],
        dtype=widths[inputs["activation_bytes"]],
        weight_dtype=widths[inputs["weight_bytes"]],
    )
    return {"attainable": _roof(*_read_rates(inputs)).kernel_flops_per_s(kernel)}


def answer_batched_product(inputs: Inputs) -> Answers:
    """A batch of matrix-vector products with a matrix each."""
    dtype = inputs["op"].split("[")[0]
    kernel = count_batched_gemm(inputs["B"], 1, inputs["D"], inputs["F"], dtype=dtype)
    return {"intensity": kernel.intensity_flops_per_byte}


def answer_critical_batch(inputs: Inputs) -> Answers:
    """Rows that make a product compute-bound; layers far wider than the batch where no sizes are given."""
    dtype = inputs.get("compute") or inputs.get("dtype") or inputs["op"].split("[")[0]
    _, k, n = _read_product(inputs["op"]) if "op" in inputs else (None, ANY_SIZE, ANY_SIZE)
    roofline = _roof(*_read_rates(inputs))
    return {
        "critical_batch": find_critical_rows(
            k, n, roofline=roofline, dtype=dtype, weight_dtype=inputs.get("weights", dtype)
        )
    }


def answer_achieved_app(inputs: Inputs) -> Answers:
    """Ideal rate of a network of which operations per weight byte are known, in MACs."""
    roofline = _roof(inputs["peak_tops"] * 1e12, inputs["weight_bytes_per_s"])
    return {"achieved": roofline.attainable_flops_per_s(2 * inputs["ops_per_weight_byte"])}


def answer_product(inputs: Inputs) -> Answers:
    """Intensity of a product; its ideal time and rate where the rates of a chip are given or known."""
    if "outputs" in inputs:
        m, k, n = inputs["batch"], inputs["inputs"], inputs["outputs"]
    else:
        m, k, n = inputs["M"], inputs["K"], inputs["N"]
    kernel = count_gemm(m, k, n, dtype=inputs["dtype"])
    answers = {"intensity": kernel.intensity_flops_per_byte}
    if "chip" in inputs:
        roofline = _roof(*_read_rates(inputs))
        answers |= {"time": roofline.time_s(kernel), "rate": roofline.kernel_flops_per_s(kernel)}
    return answers


def answer_waves(inputs: Inputs) -> Answers:
    """Tiles and waves; the depth of the product and the rates do not matter."""
    if "blocks" in inputs:
        m, n, tile = inputs["blocks"], 1, Tile(m_elements=1, n_elements=1)
    else:
        m, n = inputs["M"], inputs["N"]
        tile = Tile(m_elements=inputs["tile"][0], n_elements=inputs["tile"][1])
    run = estimate_gpu_gemm(
        m, 1, n, roofline=_roof(1.0, 1.0), processor_count=inputs.get("sms", 1), tile=tile
    )
    return {"tiles": run.tile_count, "waves": run.wave_count, "utilization": run.wave_efficiency_fraction}


def answer_elementwise(inputs: Inputs) -> Answers:
    """Softmax, an activation, a norm, or (where no name is given) the sum of two arrays."""
    dtype, operands = inputs["dtype"], ELEMENTWISE_OPERANDS[inputs.get("op", "add").lower()]
    elements = inputs["rows"] * inputs["cols"] if "rows" in inputs else inputs.get("n", 1)
    if inputs.get("op") == "softmax":
        kernel = count_softmax(inputs["rows"], inputs["cols"], dtype=dtype)
    else:
        kernel = count_elementwise(elements, inputs=operands, dtype=dtype)
    answers = {"intensity": kernel.intensity_flops_per_byte}
    if "chip" in inputs:
        time_s = _roof(*_read_rates(inputs)).time_s(kernel)
        answers |= {"time": time_s, "rate": elements / time_s, "traffic": kernel.memory_bytes / time_s}
    return answers


def answer_prefill_intensity(inputs: Inputs) -> Answers:
    """Fused attention over a whole prompt, with groups of query heads."""
    shape = AttentionShape(
        queries_tokens=inputs["T"],
        keys_tokens=inputs["T"],
        heads_count=inputs["G"],
        kv_heads_count=1,
        head_elements=128,
    )
    return {"intensity": count_flash_attention(shape).intensity_flops_per_byte}


def answer_attention_rate(inputs: Inputs) -> Answers:
    """Ideal rate of fused attention over a batch of sequences."""
    heads = inputs["hidden"] // inputs["head_dim"]
    shape = AttentionShape(
        batch_count=inputs["total_tokens"] // inputs["sequence"],
        queries_tokens=inputs["sequence"],
        keys_tokens=inputs["sequence"],
        heads_count=heads,
        kv_heads_count=heads,
        head_elements=inputs["head_dim"],
        causal=inputs.get("causal", False),
    )
    kernel = count_flash_attention(shape, dtype=inputs["dtype"])
    return {"rate": _roof(*_read_rates(inputs)).kernel_flops_per_s(kernel)}


def answer_load_time(inputs: Inputs) -> Answers:
    """Weights read once by chips that share them."""
    share_bytes = inputs["params"] * inputs["bytes_per_param"] / inputs["chips"]
    kernel = Kernel(name="load", flops=0, read_bytes=share_bytes, written_bytes=0)
    return {"load_time": _roof(1.0, inputs["hbm_bytes_per_s"]).time_s(kernel)}


def answer_copy(inputs: Inputs) -> Answers:
    """Ideal rate of a copy."""
    return {"bandwidth": load_catalogue()[inputs["chip"]].memory_bandwidth_bytes_per_s}


def answer_chip_peak(inputs: Inputs) -> Answers:
    """The catalogue's 16-bit peak, against clock times units."""
    return {"peak": load_catalogue()[inputs["chip"]].peak_flops_per_s("fp16")}


ANSWERS: tuple[tuple[set[str], set[str], Callable[[Inputs], Answers]], ...] = (
    ({"systolic"}, {"M", "K", "N", "rows", "cols", "dataflow"}, answer_systolic),
    ({"systolic"}, {"op", "rows", "cols"}, answer_resident_weights),
    ({"systolic"}, {"array", "matrix", "weight_bytes_per_s"}, answer_weight_tiles),
    ({"systolic"}, {"array"}, answer_weight_load),
    ({"roofline"}, {"flops", "peak_flops_per_s"}, answer_compute_time),
    ({"roofline"}, {"B", "D", "F", "weight_bytes", "activation_bytes"}, answer_sweep),
    ({"roofline"}, {"op", "B", "D", "F"}, answer_batched_product),
    ({"roofline"}, {"ops_per_weight_byte", "peak_tops", "weight_bytes_per_s"}, answer_achieved_app),
    ({"roofline"}, {"macs_per_s", "weight_bytes_per_s"}, answer_ridge),
    ({"roofline"}, {"peak", "bandwidth"}, answer_ridge),
    ({"roofline"}, {"peak_flops", "bandwidth"}, answer_ridge),
    ({"gemm", "gemm-measured"}, {"M", "K", "N", "dtype"}, answer_product),
    ({"gemm"}, {"outputs", "inputs", "batch", "dtype"}, answer_product),
    ({"gpu-quantization"}, {"M", "N", "tile"}, answer_waves),
    ({"gpu-quantization"}, {"blocks", "sms"}, answer_waves),
    ({"elementwise"}, {"dtype"}, answer_elementwise),
    ({"attention"}, {"T", "G"}, answer_prefill_intensity),
    ({"attention"}, {"sequence", "hidden", "head_dim", "total_tokens"}, answer_attention_rate),
    ({"memory-bound"}, {"params", "bytes_per_param", "chips", "hbm_bytes_per_s"}, answer_load_time),
    ({"memory-bound"}, {"chip", "op", "bytes"}, answer_copy),
    ({"gpu"}, {"chip", "clock_mhz", "fma_per_unit_per_cycle", "units"}, answer_chip_peak),
)
"""Categories, inputs that must be there, and who answers; the first that fits does."""


def find_answer(case: Mapping[str, Any]) -> Answers | None:
    """Our values for one case, or None where no model fits."""
    inputs, names = case["inputs"], {value["name"] for value in case["expected"]}
    if names == {"critical_batch"}:
        return answer_critical_batch(inputs)
    if names == {"ridge_intensity"}:
        return answer_ridge(inputs)
    for categories, required, answer in ANSWERS:
        if case["category"] in categories and required <= inputs.keys():
            return answer(inputs)
    return None


def judge_case(case: Mapping[str, Any]) -> Outcome:
    """One outcome. An `equal` case has to be answered whole; a `bound` one in at least one value."""
    try:
        answers = find_answer(case) or {}
    except LookupError:  # a chip, an operation or an input that we do not know
        answers = {}
    is_bound = case["compare"] == "bound"
    judged = [value for value in case["expected"] if not (is_bound and value["unit"] in CONTEXT)]
    known = [value for value in judged if value["name"] in answers and value["unit"] in SCALES]
    supported = bool(known) if is_bound else len(known) == len(judged)
    good = all(_agree(value, answers[value["name"]], case) for value in known)
    return Outcome(
        id=case["id"],
        expected=" ".join(f"{value['name']}={value['value']:g} {value['unit']}" for value in judged),
        got=" ".join(
            f"{value['name']}={answers[value['name']] / SCALES[value['unit']]:.6g} {value['unit']}"
            for value in known
        )
        or "-",
        verdict=("passed" if good else "failed") if supported else "unsupported",
    )


def read_cases(path: Path) -> list[dict[str, Any]]:
    """The cases of a file."""
    with open(path, encoding="utf-8") as file:
        return list(yaml.load(file, Loader=yaml.CSafeLoader)["cases"])


def judge_cases(path: Path) -> Iterator[Outcome]:
    """One outcome for each case of the file."""
    return map(judge_case, read_cases(path))


def _agree(value: Mapping[str, Any], got: float, case: Mapping[str, Any]) -> bool:
    published = value["value"] * SCALES[value["unit"]]
    if case["compare"] == "equal":
        return abs(got - published) <= case["tolerance"]["rel"] * abs(published)
    return got <= published if value["unit"] in TIMES else got >= published


def _roof(peak_flops_per_s: float, memory_bandwidth_bytes_per_s: float) -> Roofline:
    return Roofline(
        peak_flops_per_s=peak_flops_per_s, memory_bandwidth_bytes_per_s=memory_bandwidth_bytes_per_s
    )


def _read_rates(inputs: Inputs) -> tuple[float, float]:
    """Peak and bandwidth as the case states them, else those of the chip in the catalogue."""
    peaks = ("peak_flops_per_s", "peak_ops_per_s", "peak_flops", "peak")
    peak = next((inputs[key] for key in peaks if key in inputs), None)
    bandwidths = ("hbm_bytes_per_s", "bandwidth", "link_bytes_per_s")
    bandwidth = next((inputs[key] for key in bandwidths if key in inputs), None)
    if "peak_tflops_per_device" in inputs:  # a chip of two devices
        peak, bandwidth = inputs["peak_tflops_per_device"] * 1e12, inputs["hbm_gbs_per_device"] * 1e9
    chips = load_catalogue()
    if peak is None:
        peak = chips[inputs["chip"]].peak_flops_per_s(inputs["dtype"])
    if bandwidth is None:
        bandwidth = chips[inputs["chip"]].memory_bandwidth_bytes_per_s
    return peak, bandwidth


def _read_product(op: str) -> tuple[int, int, int]:
    """(m, k, n) of `int8[B,4096] x int8[4096,16384]`; a letter for m is as good as 1."""
    match = re.fullmatch(r"\w+\[(\w+),\s*(\d+)\] x \w+\[(\d+),\s*(\d+)\]", op)
    if match is None or match[2] != match[3]:
        raise LookupError(f"not a product: {op}")
    return int(match[1]) if match[1].isdigit() else 1, int(match[2]), int(match[4])


if __name__ == "__main__":
    sys.exit(print_outcomes(judge_cases(Path(sys.argv[1]) if len(sys.argv) > 1 else DATA)))
