"""The protocol of the GPU measurements, on a fake device, and on PyTorch's CPU if PyTorch is installed."""

import csv
import io
from collections.abc import Callable
from pathlib import Path

import pytest

from benchmarks.measure_gpu import (
    LEAST_RUNS,
    MOST_RUNS,
    Case,
    Measurement,
    main,
    measure,
    write_measurements,
)
from diglot.hardware import AttentionShape, count_flash_attention, count_gemm

SMALL = Case(kind="gemm", dtype="bf16", m=64, k=32, n=16)


class Device:
    """A fake device that takes the time it is given, and logs what ran."""

    def __init__(self, run_s: float = 1e-3, memory_bytes: int = 1 << 40) -> None:
        self.now_s = 0.0
        self.run_s = run_s
        self.memory_bytes = memory_bytes
        self.runs = 0

    def prepare(self, case: Case) -> Callable[[], object]:
        if case.bytes > self.memory_bytes:
            raise MemoryError
        return lambda: None

    def time_s(self, run: Callable[[], object]) -> float:
        run()
        self.runs += 1
        self.now_s += self.run_s
        return self.run_s

    def describe(self) -> dict[str, str]:
        return {"device": "made for the test"}


def test_a_case_is_warmed_up_before_it_is_timed() -> None:
    device = Device(run_s=0.01)
    measurement = measure(device, SMALL, clock_s=lambda: device.now_s)
    assert device.runs - len(measurement.times_s) == pytest.approx(0.2 / 0.01, abs=1)


def test_a_slow_case_is_still_run_often_enough() -> None:
    device = Device(run_s=2.0)
    assert len(measure(device, SMALL, clock_s=lambda: device.now_s).times_s) == LEAST_RUNS


def test_the_median_counts_and_an_outlier_does_not() -> None:
    row = Measurement(case=SMALL, times_s=(1.0, 1.0, 1.0, 1.0, 50.0)).row()
    assert float(str(row["median_s"])) == 1.0
    assert float(str(row["flops_per_s"])) == SMALL.flops


def test_operations_and_bytes_are_those_of_the_models() -> None:
    kernel = count_gemm(64, 32, 16, dtype="bf16")
    assert (SMALL.flops, SMALL.bytes) == (kernel.flops, kernel.memory_bytes)
    attention = Case(kind="attention", dtype="bf16", batch=2, heads=4, queries=256, keys=256, head=64)
    shape = AttentionShape(
        batch_count=2, queries_tokens=256, keys_tokens=256, heads_count=4, kv_heads_count=4, head_elements=64
    )
    flash = count_flash_attention(shape)
    assert (attention.flops, attention.bytes) == (flash.flops, flash.memory_bytes)


def test_the_file_says_on_what_and_how_it_was_measured() -> None:
    out = io.StringIO()
    assert write_measurements(Device(0.2), [SMALL], out) == 1
    text = out.getvalue()
    assert "# device: made for the test\n# protocol: warm-up" in text
    (row,) = csv.DictReader(line for line in text.splitlines() if not line.startswith("#"))
    assert (row["kind"], row["m"]) == ("gemm", "64")
    assert LEAST_RUNS <= int(row["runs"]) <= MOST_RUNS


def test_a_case_that_does_not_fit_is_left_out_and_said() -> None:
    out, said = io.StringIO(), []
    count = write_measurements(Device(0.2, memory_bytes=10), [SMALL], out, tell=said.append)
    assert count == 0
    assert "does not fit" in said[0]


def test_what_is_measured_is_kept_when_the_rest_breaks_off() -> None:
    device, out = Device(0.2), io.StringIO()

    def interrupt(_line: str) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_measurements(device, [SMALL, SMALL], out, tell=interrupt)
    assert out.getvalue().count("\ngemm,") == 1


def test_it_runs_on_a_cpu(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("torch", reason="PyTorch is not installed; the protocol is tested without it")
    small = [
        SMALL,
        Case(kind="copy", dtype="fp32", n=1 << 12),
        Case(kind="attention", dtype="bf16", batch=1, heads=2, queries=16, keys=16, head=8, causal=True),
    ]
    monkeypatch.setattr("benchmarks.measure_gpu.list_cases", lambda *_a, **_k: small)
    out = tmp_path / "cpu.csv"
    assert main(["-o", str(out), "--device", "cpu"]) == 0
    assert len([line for line in out.read_text("utf-8").splitlines() if not line.startswith("#")]) == 4
