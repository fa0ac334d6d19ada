"""Cases like the published ones, with other chips, formats, sizes, spellings and gaps: all get answers."""

import math
import subprocess
import sys
from itertools import product
from pathlib import Path

import pytest

from diglot.hardware.validation.case_files import read_case_file
from tests.reference import scalesim, worked_cases
from tests.reference.answers.spellings import find_chip, spell_dtype, spell_inputs
from tests.reference.calibrated import find_factors, read_measured
from tests.reference.catalogue import load_catalogue

CHIPS = load_catalogue()
GPUS = [chip.id for chip in CHIPS.of_kind("gpu")]
TPUS = [chip.id for chip in CHIPS.of_kind("tpu")]
ROOT = Path(__file__).parents[2]


def make_case(category, inputs, name="time", value=1e3, unit="s", compare="bound", rel=1e-6):
    return {
        "id": "unseen",
        "category": category,
        "kind": "measured" if compare == "bound" else "analytic",
        "inputs": inputs,
        "expected": [{"name": name, "value": value, "unit": unit}],
        "compare": compare,
        "tolerance": {"rel": rel},
    }


def is_bound(category, inputs, name, unit):
    """Whether the ideal admits a slow measurement and refuses an impossibly quick one."""
    slow, quick = (1e4, 1e-13) if unit == "s" else (1e-3, 1e10)
    verdicts = [
        worked_cases.judge_case(make_case(category, inputs, name, value, unit)).verdict
        for value in (slow, quick)
    ]
    return verdicts == ["passed", "failed"]


def without_a_bound(category, cases, *values):
    """The inputs for which a value, given as name and unit, has no bound."""
    return [
        (inputs, *value) for inputs in cases for value in values if not is_bound(category, inputs, *value)
    ]


@pytest.mark.parametrize("dtype", ["bf16", "fp16", "fp8", "int8", "fp32", "fp4", None])
def test_a_product_on_any_chip_in_any_format_has_a_bound(dtype):
    plain = [{"chip": chip, "dtype": dtype} for chip in (*GPUS, *TPUS)]
    cases = [{**inputs, "M": 300, "N": 4097, "K": 1} for inputs in plain]
    assert without_a_bound("gemm-measured", cases, ("time", "s"), ("rate", "TFLOP/s")) == []
    assert without_a_bound("gemm-measured", plain, ("rate", "TFLOP/s")) == []


@pytest.mark.parametrize(
    "inputs",
    [
        {"op": "softmax", "rows": 33, "cols": 70001, "dtype": "fp16"},
        {"op": "Softmax", "M": 4096, "N": 128},
        {"op": "GELU", "n": 1, "dtype": "fp32"},
        {"op": "layer norm", "rows": 4096, "cols": 1024, "dtype": "fp8"},
        {"op": "RMSNorm", "shape": [8, 512, 4096], "dtype": "bf16"},
        {"op": "ReLU", "rows": 16, "cols": 16, "dtype": "int8"},
        {"op": "tanh", "n": "1,048,576", "dtype": "bfloat16"},
    ],
    ids=lambda inputs: inputs["op"],
)
def test_an_elementwise_kernel_on_any_chip_has_a_bound(inputs):
    cases = [{"chip": chip, **inputs} for chip in (*GPUS, *TPUS)]
    values = ("rate", "Gelem/s"), ("traffic", "GB/s"), ("time", "s")
    assert without_a_bound("elementwise", cases, *values) == []


@pytest.mark.parametrize(
    "inputs",
    [
        {"dtype": "bf16", "head_dim": 64, "hidden": 2048, "total_tokens": 16384, "sequence": 16384},
        {"dtype": "fp8", "head_dim": 128, "heads": 16, "batch": 4, "sequence": 4096, "causal": "true"},
        {"head_dim": 256, "seq_len": 32768, "total_tokens": 16384, "causal": True},
        {"dtype": "fp16", "head_dim": 96, "hidden": 2048, "total_tokens": 16384, "sequence": 1024},
        {"head_dim": 128, "hidden": 2048, "sequence": 512, "pass": "backward"},
        {"head_dim": 128, "hidden": 2048, "sequence": 512, "passes": "forward and backward"},
    ],
)
def test_attention_of_any_shape_has_a_bound(inputs):
    cases = [{"chip": chip, **inputs} for chip in GPUS]
    assert without_a_bound("attention", cases, ("rate", "TFLOP/s"), ("time", "s")) == []


@pytest.mark.parametrize("op", ["all-reduce", "AllGather", "reduce_scatter", "all-to-all", None])
def test_a_collective_of_any_gpus_has_a_bound(op):
    cases = [
        {"chip": chip, "gpus": gpus, "op": op, "bytes": size}
        for chip, gpus, size in product(GPUS, (2, 3, 8, 16), (1024, "64 MiB"))
    ]
    assert without_a_bound("collective", cases, ("time", "s"), ("bus_bandwidth", "GB/s")) == []


@pytest.mark.parametrize(
    ("chip", "topology"),
    [
        ("tpu-v7", "2x2x1"),
        ("tpu-v7", [4, 4, 8]),
        ("tpu-v5p", "4×4×4"),
        ("tpu-v5e", "16x16"),
        ("tpu-v6e", "2x4"),
    ],
)
@pytest.mark.parametrize(
    "size", [{"input_elements": 65536}, {"input_elements": 5.0e8, "dtype": "fp8"}, {"bytes": 4096}]
)
def test_a_collective_of_any_slice_has_a_bound(chip, topology, size):
    inputs = {"chip": chip, "topology": topology, "op": "all-gather", **size}
    assert is_bound("collective", inputs, "achieved", "GB/s")
    assert is_bound("collective", inputs, "time", "s")


@pytest.mark.parametrize(
    "given", [{"op": "copy", "bytes": 512}, {"bytes": "1 GiB"}, {"bytes": 1e9, "peak_gbs": 7380}]
)
def test_a_copy_on_any_chip_has_a_bound(given):
    cases = [{"chip": chip, **given} for chip in (*GPUS, *TPUS)]
    assert without_a_bound("memory-bound", cases, ("bandwidth", "GB/s")) == []


@pytest.mark.parametrize(
    ("weights", "activations"), [(1, 2), (0.5, 2), (2, 2), (1, 1), ("int8", "bf16"), (4, 4), (None, None)]
)
@pytest.mark.parametrize("batch", [1, 64.0, "256", 7])
def test_the_sweep_of_a_roofline_takes_any_widths(batch, weights, activations):
    inputs = {"B": batch, "D": 5120, "F": 13824, "peak_flops_per_s": "1.97e14", "hbm_bytes_per_s": "820 GB/s"}
    names = ("weights", "activations") if isinstance(weights, str) else ("weight_bytes", "activation_bytes")
    inputs |= dict(zip(names, (weights, activations), strict=True))
    b, d, f, w, a = float(batch), 5120, 13824, {"int8": 1, None: 2}.get(weights, weights), activations
    a = 2 if a in ("bf16", None) else a
    rate = 2 * b * d * f / max(2 * b * d * f / 1.97e14, (a * b * d + w * d * f + a * b * f) / 8.2e11)
    case = make_case("roofline", inputs, "attainable", rate, "FLOP/s", "equal")
    assert worked_cases.judge_case(case).verdict == "passed"


@pytest.mark.parametrize(
    ("dataflow", "cycles"),
    [
        *((name, 3 * 2 * 20 - 1) for name in ("output stationary", "Output-Stationary", "OS")),
        *((name, 2 * 2 * (2 * 7 + 3 + 15 - 2) - 1) for name in ("weight stationary", "WS")),
    ],
)  # fmt: skip
@pytest.mark.parametrize("array", [{"rows": 7, "cols": 3}, {"rows": "7", "cols": 3.0}, {"array": "7x3"}])
def test_a_systolic_case_in_any_spelling(dataflow, cycles, array):
    inputs = {"dataflow": dataflow, **array, "K": 12, "N": "5", "M": 15.0}
    case = make_case("systolic", inputs, "cycles", cycles, "cycles", "equal", 0)
    assert worked_cases.judge_case(case).verdict == "passed"


@pytest.mark.parametrize(
    "group", ["llmc-a100", "vidur-gemm", "mamf", "tpu7x-gemm", "llmc-softmax", "fa3", "tpu7x-hbm"]
)
def test_keys_in_another_order_and_numbers_as_text_change_nothing(group):
    case = next(case for case in worked_cases.read_cases(worked_cases.DATA) if case.get("group") == group)
    text = {name: str(value) for name, value in reversed(case["inputs"].items())}
    assert worked_cases.judge_case({**case, "inputs": text}) == worked_cases.judge_case(case)


@pytest.mark.parametrize("chip", [*GPUS, *TPUS])
def test_a_calibrated_product_is_slower_than_the_ideal_but_not_absurdly(chip):
    case = make_case("gemm-measured", {"chip": chip, "M": 4096, "N": 4096, "K": 4096}, "rate", 1, "TFLOP/s")
    measured = read_measured(case)
    factors = find_factors(measured, worked_cases.load_calibration())
    predicted = measured.times.predict(factors)["time"]
    ideal = max(measured.times.compute_time_s, measured.times.memory_time_s)
    assert ideal < predicted < 5 * ideal + 1e-4


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("H100", "h100-sxm"),
        ("H100 SXM5 80GB", "h100-sxm"),
        ("NVIDIA H200", "h200-sxm"),
        ("A100-SXM4-80GB", "a100-80"),
        ("A100", "a100-80"),
        ("Ironwood", "tpu-v7"),
        ("TPU7x", "tpu-v7"),
        ("TPU V5E", "tpu-v5e"),
        ("Trillium", "tpu-v6e"),
        ("AMD Instinct MI300X", "mi300x"),
        ("B200", "b200-sxm"),
    ],
)
def test_a_chip_goes_by_several_names(written, meant):
    assert find_chip(written).id == meant


@pytest.mark.parametrize("unknown", ["", "mi210", "Haswell E5-2699 v3", "H100 NVL", "gpu"])
def test_a_chip_that_the_catalogue_lacks_is_not_taken_for_another(unknown):
    assert find_chip(unknown) is None


def test_spellings_of_values():
    spelt = spell_inputs(
        {
            "peak_tflops": 989,
            "bytes": "64 MiB",
            "causal": "False",
            "dtype": "torch.bfloat16",
            "x": "1e12",
            "t": "2x2x1",
        }
    )
    assert spelt["peak_flops_per_s"] == 989e12
    assert (spelt["bytes"], spelt["causal"], spelt["dtype"]) == (2**26, False, "bf16")
    assert (spelt["x"], spelt["t"]) == (10**12, "2x2x1")
    assert spell_inputs({"peak_tflops": "989 TFLOP/s"})["peak_flops_per_s"] == 989e12
    assert spell_inputs(spelt) == spelt
    assert spell_inputs({"seq_len": "16k"})["sequence"] == 16384
    assert spell_dtype("E4M3") == "fp8"


HEAD = "cases:\n- {id: a, category: gemm, "
WRONG_FILES = {
    "cases: [": "2: no YAML",
    "": "1: needs a list `cases`",
    "cases:\n- 5": "2: a case is a mapping",
    HEAD + "inputs: 3, compare: bound, expected: [{name: t, value: 1, unit: s}]}": "2: a: `inputs`",
    HEAD
    + "inputs: {}, compare: bound, expected: [{name: t, value: soon, unit: s}]}": "2: a: t must be a number",
    HEAD
    + "inputs: {}, compare: equal, expected: [{name: t, value: 1, unit: s}]}": "2: a: `tolerance.rel` must",
    HEAD
    + "inputs: {}, compare: bound, expected: [{name: t, value: 1}]}": "2: a: an expected value needs name",
    "cases:\n- {category: gemm, inputs: {}, compare: about, expected: []}": "2: a case needs an `id`",
}


@pytest.mark.parametrize(("text", "told"), WRONG_FILES.items(), ids=range(len(WRONG_FILES)))
def test_a_mistake_in_a_file_of_cases_is_told_with_its_line(tmp_path, text, told):
    path = tmp_path / "cases.yaml"
    path.write_text(text, encoding="utf-8")
    mistakes = [str(mistake) for mistake in read_case_file(path).mistakes]
    assert any(mistake.startswith(f"{path}:{told}") for mistake in mistakes), mistakes


GOOD_CASE = """
- {id: good, category: roofline, inputs: {B: 1, D: 2, peak: 1e12, bandwidth: 1e12}, compare: equal,
   tolerance: {rel: 1}, expected: [{name: intensity, value: 0.5, unit: FLOP/B}]}
"""


@pytest.mark.parametrize(
    ("module", "text", "said", "passed"),
    [
        ("worked_cases", "cases:\n- {id: bad}" + GOOD_CASE, "cases:2: bad: `inputs`", 1),
        ("worked_cases", None, "cases: No such file", 0),
        ("scalesim", "M,K\n1,2\n", "cases:1: columns missing: kind, N", 0),
        ("scalesim", "row", "cases:3: M must be a whole number, not 'x'", 1),
    ],
)
def test_the_commands_tell_mistakes_and_judge_the_rest(tmp_path, module, text, said, passed):
    path = tmp_path / "cases"
    if text == "row":
        header, row, *_ = scalesim.DATA.read_text(encoding="utf-8").splitlines()
        text = f"{header}\n{row}\n{row.replace(',gemm,128,', ',gemm,x,')}\n"
    if text is not None:
        path.write_text(text, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", f"tests.reference.{module}", path.name],
        cwd=tmp_path,
        env={"PYTHONPATH": f"{ROOT}/src:{ROOT}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert done.stdout.splitlines()[-1] == f"{passed} passed, 0 failed, 0 unsupported"
    assert said in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("rows", "0"),
        ("dataflow", "diagonal"),
        ("kind", "pool"),
        ("K", "1.5"),
        ("overall_util_pct", "high"),
        ("N", ""),
    ],
)
def test_a_wrong_cell_is_told_with_its_column(tmp_path, column, value):
    header, row = scalesim.DATA.read_text(encoding="utf-8").splitlines()[:2]
    cells = dict(zip(header.split(","), row.split(","), strict=True)) | {column: value}
    path = tmp_path / "rows.csv"
    path.write_text(f"{header}\n{','.join(cells.values())}\n", encoding="utf-8")
    mistakes = []
    assert list(scalesim.judge_rows(path, mistakes)) == []
    (mistake,) = mistakes
    assert (mistake.line, column in mistake.what.replace("data flow", "dataflow")) == (2, True), mistake


def test_no_answer_is_nan():
    case = make_case(
        "gemm-measured", {"chip": "h100", "m": 4096, "n": 4096, "k": 4096}, "efficiency", 0.5, "ratio"
    )
    answers = worked_cases.find_answer(case)
    assert all(math.isfinite(value) for value in answers.values())
    assert worked_cases.judge_case(case).verdict == "passed"


@pytest.mark.parametrize(
    ("category", "inputs", "said"),
    [
        ("gemm-measured", {"chip": "h1000", "M": 1, "N": 1, "K": 1}, "did you mean"),
        (
            "gemm-measured",
            {"chip": "h100", "M": "many", "N": 1, "K": 1},
            "m must be a whole number, not 'many'",
        ),
        ("gemm-measured", {"chip": "h100", "M": 0, "N": 1, "K": 1}, "m must be at least 1, not 0"),
        (
            "gemm-measured",
            {"chip": "h100", "M": 1, "N": 1, "K": 1, "dtype": "ternary"},
            "unknown dtype 'ternary'",
        ),
        ("memory-bound", {"chip": "h100", "bytes": "plenty"}, "unsupported operand"),
        ("systolic", {"M": 1, "N": 1, "K": 1, "rows": 2, "cols": 2, "dataflow": "up"}, "not a data flow: up"),
    ],
)
def test_an_input_that_nobody_can_read_is_unsupported_and_says_why(category, inputs, said):
    outcome = worked_cases.judge_case(make_case(category, inputs))
    assert outcome.verdict == "unsupported"
    assert said in outcome.got
