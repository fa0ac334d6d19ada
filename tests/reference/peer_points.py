"""Points of peer_operators.csv: one kernel on one chip, its time as others measured it, and ours."""

import csv
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

from diglot.hardware import (
    AttentionShape,
    ExpertLayer,
    time_attention,
    time_collective,
    time_experts,
    time_gemm,
)
from diglot.hardware.operators.operator_time import Mode
from diglot.hardware.validation.case_files import Mistake, read_text
from tests.reference.catalogue import load_catalogue

DATA = Path(__file__).parent / "data" / "peer_operators.csv"

PeerOperator = Literal[
    "gemm", "context-attention", "decode-attention", "all-reduce-custom", "all-reduce-nccl", "moe"
]
PEER_OPERATORS: tuple[PeerOperator, ...] = get_args(PeerOperator)
NEEDED = ("id", "chip", "operator", "dtype", "time_us", "kind")
NEAR_FRACTION = 0.25
"""Error up to which a prediction passes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """One row: sizes by the names of its columns, and times in seconds."""

    id: str
    chip: str
    operator: PeerOperator
    dtype: str
    sizes: Mapping[str, int]
    measured_s: float
    is_measured: bool
    """Not derived by its source from other measurements."""
    other_engine_s: float | None
    """Of another engine on the same sizes."""

    @property
    def engines_agree(self) -> bool:
        """Whether another engine is within 25 %; True where none was measured."""
        return self.other_engine_s is None or abs(self.other_engine_s / self.measured_s - 1) <= NEAR_FRACTION

    @property
    def shape(self) -> tuple[object, ...]:
        """What points of one shape have in common, to be left out of a fit together.

        The weights of a product, whatever its rows; otherwise all sizes.
        """
        sizes = {name: size for name, size in self.sizes.items() if name != "m"}
        return (self.operator, *sorted(sizes.items()))


def predict_s(point: Point, mode: Mode) -> float:
    """Our time of a point. Raises LookupError or ValueError where no model fits."""
    chip, size = load_catalogue()[point.chip], point.sizes
    if point.operator == "gemm":
        time = time_gemm(
            chip, size["m"], size["k"], size["n"], dtype=point.dtype, result_dtype="bf16", mode=mode
        )
        return float(time.time_s)
    if point.operator == "moe":
        layer = ExpertLayer(
            width_elements=size["hidden"],
            inner_elements=size["inter"],
            experts_count=size["experts"],
            active_count=size["topk"],
        )
        ways = {"expert_ways": size["moe_ep"], "tensor_ways": size["moe_tp"]}
        formats = read_expert_formats(point)
        return float(time_experts(chip, layer, size["tokens"], mode=mode, **formats, **ways).time_s)
    if point.operator in ("all-reduce-custom", "all-reduce-nccl"):
        library = "custom" if point.operator == "all-reduce-custom" else "nccl"
        return float(
            time_collective(chip, "all-reduce", size["bytes"], size["gpus"], library=library, mode=mode)
        )
    shape, formats = read_attention(point)
    return float(time_attention(chip, shape, mode=mode, **formats).time_s)


def read_expert_formats(point: Point) -> dict[str, str]:
    """Formats of arithmetic and weights: 4 bits are widened to 16 on chips without such products."""
    if point.dtype in load_catalogue()[point.chip].dtypes:
        return {"dtype": point.dtype}
    return {"dtype": "bf16", "weights_dtype": point.dtype}


def read_attention(point: Point) -> tuple[AttentionShape, dict[str, str]]:
    """The shape and formats of attention: a whole prompt, or one token on as many cached ones.

    The format is that of the products for a prompt, and of the cache for single tokens.
    """
    size, whole = point.sizes, point.operator == "context-attention"
    shape = AttentionShape(
        batch_count=size["batch"],
        queries_tokens=size["seq"] if whole else 1,
        keys_tokens=size["seq"],
        heads_count=size["heads"],
        kv_heads_count=size["kv_heads"],
        head_elements=size["head"],
        causal=True,
    )
    return shape, {"dtype": point.dtype} if whole else {"dtype": "bf16", "kv_dtype": point.dtype}


def read_points(path: Path, mistakes: list[Mistake] | None = None) -> Iterator[Point]:
    """The rows of a file; those that are none go to `mistakes`, or raise ValueError."""
    text, found = read_text(path), []
    if isinstance(text, Mistake):
        found.append(text)
    else:
        rows = csv.DictReader(text.splitlines(), strict=True)
        missing = [column for column in NEEDED if column not in (rows.fieldnames or ())]
        if missing:
            found.append(Mistake(path=str(path), line=1, what=f"columns missing: {', '.join(missing)}"))
        for row in () if missing else rows:
            try:
                yield read_point(row)
            except (ValueError, TypeError) as error:
                found.append(Mistake(path=str(path), line=rows.line_num, what=str(error)))
    if mistakes is not None:
        mistakes += found
    elif found:
        raise ValueError("\n".join(map(str, found)))


def read_point(row: Mapping[str, str]) -> Point:
    """One row. Raises ValueError for an unknown operator, or a size or time that is no number above zero."""
    if row["operator"] not in PEER_OPERATORS:
        raise ValueError(f"operator must be one of {', '.join(PEER_OPERATORS)}, not {row['operator']!r}")
    sizes = {
        name: int(text) for name, text in row.items() if text and name not in (*NEEDED, "other_engine_us")
    }
    other = row.get("other_engine_us")
    measured_s = float(row["time_us"]) / 1e6
    if not measured_s > 0:
        raise ValueError(f"time_us must be above zero, not {row['time_us']!r}")
    return Point(
        id=row["id"],
        chip=row["chip"],
        operator=row["operator"],
        dtype=row["dtype"],
        sizes=sizes,
        measured_s=measured_s,
        is_measured=row["kind"] == "measured",
        other_engine_s=float(other) / 1e6 if other else None,
    )
