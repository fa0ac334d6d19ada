"""Measure a GPU: matrix products, copies, attention and decode-like products, into a CSV file.

    python benchmarks/measure_gpu.py -o h200.csv                 # all cases, about ten minutes
    python benchmarks/measure_gpu.py -o h200.csv --quick         # a few of each kind
    python benchmarks/measure_gpu.py -o cpu.csv --device cpu --quick   # to try the script

Needs PyTorch, which diglot itself does not. The protocol, which is also written into the head of the file:

- operands have normally distributed values: zeros or repeated values draw less power and clock higher;
- between two runs a buffer larger than any L2 is written, so that no operand is still cached;
- a case runs untimed for at least 0.2 s, then at least 20 times and for at least 0.5 s;
- each run is timed by events on the device (on a CPU by the clock), including the launch; the result is the
  median, and the tenth and ninetieth percentiles show how steady it was;
- a case that does not fit into memory is left out, with a message.

Rows are written as they are measured, so that an interrupted script keeps what it has.
"""

import argparse
import csv
import datetime
import statistics
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, TextIO

FIELDS = ("kind", "dtype", "m", "k", "n", "batch", "heads", "queries", "keys", "head", "causal")
RESULTS = ("flops", "bytes", "median_s", "p10_s", "p90_s", "runs", "flops_per_s", "bytes_per_s")
BYTES = {"bf16": 2, "fp16": 2, "fp32": 4}
WARM_UP_S, LEAST_S, LEAST_RUNS = 0.2, 0.5, 20
MOST_RUNS = 2000
FLUSH_BYTES = 512 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One case to measure. Fields that do not apply are 0."""

    kind: str
    """gemm, gemv (a product with few rows, as in decoding), copy, or attention."""
    dtype: str
    m: int = 0
    k: int = 0
    n: int = 0
    batch: int = 0
    heads: int = 0
    queries: int = 0
    """Tokens."""
    keys: int = 0
    """Tokens."""
    head: int = 0
    """Elements."""
    causal: bool = False

    @property
    def flops(self) -> int:
        """Operations that the result needs: two per multiply-accumulate; softmax is not counted."""
        if self.kind in ("gemm", "gemv"):
            return 2 * self.m * self.k * self.n
        if self.kind == "attention":
            pairs = self.batch * self.heads * self.queries * self.keys
            return 4 * pairs * self.head // (2 if self.causal else 1)
        return 0

    @property
    def bytes(self) -> int:
        """Bytes that must move to and from memory, counting each operand once."""
        size = BYTES[self.dtype]
        if self.kind in ("gemm", "gemv"):
            return size * (self.m * self.k + self.k * self.n + self.m * self.n)
        if self.kind == "attention":
            rows = 2 * self.queries + 2 * self.keys
            return size * self.batch * self.heads * self.head * rows
        return 2 * size * self.n


@dataclass(frozen=True, slots=True, kw_only=True)
class Measurement:
    """The times of a case's runs."""

    case: Case
    times_s: tuple[float, ...]

    def row(self) -> dict[str, object]:
        """The case and its result as a row of the CSV file."""
        median = statistics.median(self.times_s)
        deciles = statistics.quantiles(self.times_s, n=10) if len(self.times_s) > 1 else [median] * 9
        return {
            **{name: getattr(self.case, name) for name in FIELDS},
            "causal": int(self.case.causal),
            "flops": self.case.flops,
            "bytes": self.case.bytes,
            "median_s": f"{median:.9f}",
            "p10_s": f"{deciles[0]:.9f}",
            "p90_s": f"{deciles[-1]:.9f}",
            "runs": len(self.times_s),
            "flops_per_s": f"{self.case.flops / median:.6g}",
            "bytes_per_s": f"{self.case.bytes / median:.6g}",
        }


def list_cases(dtypes: Iterable[str], *, quick: bool = False) -> list[Case]:
    """All cases: square and odd products, Llama-like layers, decoding, copies, attention."""
    sides = (1024, 4096) if quick else (256, 512, 1024, 2048, 4096, 6144, 8192, 12288, 16384)
    odd = () if quick else tuple(4096 + step for step in (1, 8, 64, 128, 256, 512, 1024))
    layers = ((8192, 8192), (8192, 28672), (28672, 8192), (4096, 14336))[: 1 if quick else None]
    rows = (1, 64) if quick else (1, 2, 4, 8, 16, 32, 64, 128, 256)
    found: list[Case] = []
    for dtype in dtypes:
        found += [Case(kind="gemm", dtype=dtype, m=side, k=side, n=side) for side in sides]
        found += [Case(kind="gemm", dtype=dtype, m=4096, k=4096, n=n) for n in odd]
        found += [Case(kind="gemm", dtype=dtype, m=2048, k=k, n=n) for k, n in layers[: 1 if quick else None]]
        found += [
            Case(kind="gemv", dtype=dtype, m=m, k=k, n=n)
            for k, n in layers[: 1 if quick else None]
            for m in rows
        ]
        found += [
            Case(
                kind="attention", dtype=dtype, batch=batch, heads=32, queries=q, keys=keys, head=128, causal=c
            )
            for batch, q, keys, c in _attention_shapes(quick)
        ]
    sizes = (1 << 24, 1 << 28) if quick else tuple(1 << power for power in range(20, 31))
    found += [Case(kind="copy", dtype="fp32", n=size) for size in sizes]
    return found


def _attention_shapes(quick: bool) -> Iterator[tuple[int, int, int, bool]]:
    prompts = (2048,) if quick else (512, 1024, 2048, 4096, 8192, 16384)
    for prompt in prompts:
        for causal in (False, True):
            yield max(1, 16384 // prompt), prompt, prompt, causal
    for batch in (1,) if quick else (1, 8, 64):
        yield batch, 1, 8192, False  # decoding: one query against the cache


class Backend(Protocol):
    """A device that can run cases."""

    def prepare(self, case: Case) -> Callable[[], object]:
        """A function for one run of the case. Raises MemoryError if the case does not fit."""

    def time_s(self, run: Callable[[], object]) -> float:
        """Seconds of one run with cold caches."""

    def describe(self) -> dict[str, str]:
        """The device's description for the head of the file."""


def measure(backend: Backend, case: Case, *, clock_s: Callable[[], float] = time.monotonic) -> Measurement:
    """Run a case by the protocol. Raises MemoryError if it does not fit."""
    run = backend.prepare(case)
    since = clock_s()
    while True:
        backend.time_s(run)
        if clock_s() - since >= WARM_UP_S:
            break
    times: list[float] = []
    since = clock_s()
    while len(times) < LEAST_RUNS or (clock_s() - since < LEAST_S and len(times) < MOST_RUNS):
        times.append(backend.time_s(run))
    return Measurement(case=case, times_s=tuple(times))


def write_measurements(
    backend: Backend, cases: list[Case], out: TextIO, *, tell: Callable[[str], None] = lambda _: None
) -> int:
    """Measure the cases one after another, write a CSV file, and return how many were measured."""
    protocol = (
        f"warm-up {WARM_UP_S} s, at least {LEAST_RUNS} runs and {LEAST_S} s, caches flushed, normal data"
    )
    for name, value in {**backend.describe(), "protocol": protocol}.items():
        out.write(f"# {name}: {value}\n")
    lines = csv.DictWriter(out, [*FIELDS, *RESULTS], lineterminator="\n")
    lines.writeheader()
    count = 0
    for number, case in enumerate(cases, start=1):
        try:
            measurement = measure(backend, case)
        except MemoryError:
            tell(f"{number}/{len(cases)}  {case.kind} does not fit into memory, left out: {case}")
            continue
        row = measurement.row()
        lines.writerow(row)
        out.flush()
        count += 1
        tell(f"{number}/{len(cases)}  {case.kind} {case.dtype}  {float(str(row['median_s'])) * 1e6:.1f} µs")
    return count


class TorchBackend:
    """A device, by way of PyTorch."""

    def __init__(self, torch: Any, device: str) -> None:
        self._torch = torch
        self._device = device
        self._dtypes = {"bf16": torch.bfloat16, "fp16": torch.float16, "fp32": torch.float32}
        on_gpu = device.startswith("cuda")
        self._flush = torch.empty(FLUSH_BYTES if on_gpu else 1 << 20, dtype=torch.uint8, device=device)
        self._on_gpu = on_gpu

    def describe(self) -> dict[str, str]:
        """The device, versions and the date."""
        torch = self._torch
        found = {"torch": torch.__version__, "date": datetime.datetime.now(datetime.UTC).date().isoformat()}
        if not self._on_gpu:
            return {"device": "CPU (to try the script; says nothing of a GPU)", **found}
        properties = torch.cuda.get_device_properties(self._device)
        return {
            "device": properties.name,
            "multiprocessors": str(properties.multi_processor_count),
            "memory_bytes": str(properties.total_memory),
            "cuda": torch.version.cuda or "none",
            **found,
        }

    def prepare(self, case: Case) -> Callable[[], object]:
        """One call of the library's own kernel for the case."""
        torch = self._torch
        try:
            return self._prepared(case)
        except torch.OutOfMemoryError as error:
            if self._on_gpu:
                torch.cuda.empty_cache()
            raise MemoryError(str(case)) from error

    def _prepared(self, case: Case) -> Callable[[], object]:
        torch = self._torch
        if case.kind == "copy":
            source = self._random(case.dtype, case.n)
            target = torch.empty_like(source)
            return lambda: target.copy_(source)
        if case.kind == "attention":
            shape = (case.batch, case.heads)
            query = self._random(case.dtype, *shape, case.queries, case.head)
            key = self._random(case.dtype, *shape, case.keys, case.head)
            value = self._random(case.dtype, *shape, case.keys, case.head)
            attend = torch.nn.functional.scaled_dot_product_attention
            return lambda: attend(query, key, value, is_causal=case.causal)
        left = self._random(case.dtype, case.m, case.k)
        right = self._random(case.dtype, case.n, case.k).t()  # the layout in which layers keep their weights
        product = torch.empty(case.m, case.n, dtype=self._dtypes[case.dtype], device=self._device)
        return lambda: torch.matmul(left, right, out=product)

    def _random(self, dtype: str, *shape: int) -> Any:
        return self._torch.randn(*shape, device=self._device, dtype=self._dtypes[dtype])

    def time_s(self, run: Callable[[], object]) -> float:
        """Seconds of a run, by events on the device, or by the clock on a CPU."""
        torch = self._torch
        self._flush.zero_()
        if not self._on_gpu:
            since = time.perf_counter()
            run()
            return time.perf_counter() - since
        start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        start.record()
        run()
        end.record()
        end.synchronize()
        return float(start.elapsed_time(end)) / 1e3


def main(argv: list[str] | None = None) -> int:
    """Run the measurements, report progress, and return the exit code."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("-o", "--output", type=Path, required=True, help="the CSV file to write")
    parser.add_argument("--device", default="cuda", help="cuda, cuda:1, or cpu to try the script")
    parser.add_argument(
        "--dtypes", default="bf16,fp16", help="of products and attention (default: bf16,fp16)"
    )
    parser.add_argument("--quick", action="store_true", help="a few cases of each kind")
    arguments = parser.parse_args(argv)
    dtypes = [word.strip() for word in arguments.dtypes.split(",")]
    if wrong := [word for word in dtypes if word not in BYTES]:
        parser.error(f"{', '.join(wrong)}: choose of {', '.join(BYTES)}")
    try:
        import torch
    except ModuleNotFoundError:
        parser.error("PyTorch is not installed: pip install torch")
    if arguments.device.startswith("cuda") and not torch.cuda.is_available():
        parser.error("no NVIDIA GPU is to be seen here; --device cpu tries the script without one")
    torch.manual_seed(0)
    cases = list_cases(dtypes, quick=arguments.quick)
    with arguments.output.open("w", encoding="utf-8", newline="") as out:
        try:
            count = write_measurements(
                TorchBackend(torch, arguments.device),
                cases,
                out,
                tell=lambda line: print(line, file=sys.stderr, flush=True),
            )
        except KeyboardInterrupt:
            print(f"\nended; what was measured is in {arguments.output}", file=sys.stderr)
            return 130
    print(f"{count} of {len(cases)} cases in {arguments.output}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
