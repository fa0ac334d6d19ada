"""The committed cases of others, and the two commands that hold our models against any such file."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.reference import scalesim, worked_cases

ROOT = Path(__file__).parents[2]


def test_every_row_that_scale_sim_printed_is_met_exactly():
    outcomes = list(scalesim.judge_rows(scalesim.DATA))
    assert len(outcomes) == 1996
    assert [outcome for outcome in outcomes if outcome.verdict != "passed"] == []


def test_random_layers_on_odd_arrays_are_met_exactly():
    outcomes = list(scalesim.judge_rows(scalesim.DATA.with_name("scalesim_random.csv")))
    assert len(outcomes) == 180
    assert [outcome for outcome in outcomes if outcome.verdict != "passed"] == []


def test_no_published_case_that_we_can_answer_is_missed():
    outcomes = list(worked_cases.judge_cases(worked_cases.DATA))
    assert [outcome for outcome in outcomes if outcome.verdict == "failed"] == []
    assert sum(outcome.verdict == "passed" for outcome in outcomes) >= 110


STRUCTURED = (
    "sb-roof-sweep", "sa-os", "fa3", "tpu1-apps", "vidur-gemm", "llmc-a100", "llmc-mi210", "mamf", "amd-maf",
    "tpu7x-gemm", "tpu7x-hbm", "llmc-softmax", "llmc-gelu", "vidur-allreduce", "tpu7x-ag",
)  # fmt: skip


@pytest.mark.parametrize("group", STRUCTURED)
def test_a_group_of_cases_within_reach_is_answered_whole(group):
    cases = [case for case in worked_cases.read_cases(worked_cases.DATA) if case.get("group") == group]
    assert cases
    assert {worked_cases.judge_case(case).verdict for case in cases} == {"passed"}


def test_a_wrong_count_fails_and_says_which(tmp_path):
    lines = scalesim.DATA.read_text(encoding="utf-8").splitlines()
    cycles = lines[1].split(",")
    cycles[16] = str(int(cycles[16]) + 1)
    file = tmp_path / "cycles.csv"
    file.write_text("\n".join([lines[0], ",".join(cycles), lines[2]]), encoding="utf-8")
    wrong, right = scalesim.judge_rows(file)
    assert (wrong.verdict, wrong.expected, wrong.got) == (
        "failed",
        "compute_cycles=94208",
        "compute_cycles=94207",
    )
    assert right.verdict == "passed"


def test_a_measurement_faster_than_our_ideal_fails():
    case = next(
        case for case in worked_cases.read_cases(worked_cases.DATA) if case.get("group") == "vidur-gemm"
    )
    impossible = {**case, "expected": [{"name": "time", "value": 1e-3, "unit": "ms"}]}
    assert worked_cases.judge_case(case).verdict == "passed"
    assert worked_cases.judge_case(impossible).verdict == "failed"


def test_a_case_of_an_unknown_kind_is_unsupported():
    case = {
        "id": "x",
        "category": "astrology",
        "inputs": {},
        "expected": [{"name": "luck", "value": 1, "unit": "ratio"}],
        "compare": "equal",
    }
    assert worked_cases.judge_case(case).verdict == "unsupported"


@pytest.mark.parametrize(
    ("module", "data"), [("scalesim", scalesim.DATA), ("worked_cases", worked_cases.DATA)]
)
def test_the_command_prints_a_line_per_case_and_a_count(module, data):
    command = [sys.executable, "-m", f"tests.reference.{module}", str(data)]
    paths = {"PYTHONPATH": str(ROOT / "src")}
    done = subprocess.run(command, cwd=ROOT, env=paths, capture_output=True, text=True, check=True)
    *lines, count = done.stdout.splitlines()
    lines = [line for line in lines if "measured, calibrated within" not in line]
    passed = sum(line.endswith(" passed") for line in lines)
    unsupported = sum(line.endswith(" unsupported") for line in lines)
    assert count == f"{passed} passed, 0 failed, {unsupported} unsupported"
    assert len(lines) == passed + unsupported


@pytest.mark.parametrize(
    "inputs",
    [
        {"chip": "a100-80", "gpus": 4, "op": "all-reduce", "bytes": 2**25},
        {"chip": "h200-sxm", "gpus": 8, "op": "all-gather", "bytes": 2**20},
        {"chip": "h100-sxm", "gpus": 64, "op": "all-to-all", "bytes": 2**30},
        {"chip": "a100-80", "gpus": 16, "op": "all-reduce", "bytes": 2**25},
        {"chip": "tpu-v7", "op": "all-gather", "topology": "4x4x4", "dtype": "bf16", "input_elements": 2**20},
        {"chip": "tpu-v7", "op": "all-reduce", "topology": "2x2x1", "dtype": "fp32", "input_elements": 2**30},
    ],
)
def test_a_collective_of_another_size_is_answered(inputs):
    case = {
        "id": "x",
        "category": "collective",
        "inputs": inputs,
        "expected": [{"name": "time", "value": 10, "unit": "s"}],
        "compare": "bound",
        "kind": "measured",
    }
    assert worked_cases.judge_case(case).verdict == "passed"
    impossible = {**case, "expected": [{"name": "time", "value": 1e-3, "unit": "us"}]}
    assert worked_cases.judge_case(impossible).verdict == "failed"
