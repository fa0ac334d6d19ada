"""FLOPs and memory traffic of the kernels that make up a neural network.

Counts are derived from shapes. Only compulsory traffic is counted: every operand crosses the memory interface
once, as if the chip held all data that it reuses. One multiply-accumulate is two FLOPs.
"""

from dataclasses import dataclass

import numpy as np

from diglot.hardware.dtypes import DType, bytes_per_element
from diglot.hardware.sizes import Real, SizeLike, check_amount, check_size, to_float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Kernel:
    """FLOPs and memory traffic of one kernel, or of an array of kernels of the same kind."""

    name: str
    flops: Real
    read_bytes: Real
    written_bytes: Real

    def __post_init__(self) -> None:
        for field in ("flops", "read_bytes", "written_bytes"):
            value = check_amount(f"{field} of {self.name}", getattr(self, field))
            object.__setattr__(self, field, value)
        moved_bytes = self.memory_bytes
        if moved_bytes <= 0 if isinstance(moved_bytes, float) else np.any(moved_bytes <= 0):
            raise ValueError(f"{self.name} must move some data")

    @property
    def memory_bytes(self) -> Real:
        """Memory traffic in both directions."""
        return self.read_bytes + self.written_bytes

    @property
    def intensity_flops_per_byte(self) -> Real:
        """Arithmetic intensity: FLOPs per byte moved."""
        return self.flops / self.memory_bytes

    def repeated(self, count: int) -> "Kernel":
        """The same kernel `count` times, as one: nothing stays on the chip in between."""
        return Kernel(
            name=self.name,
            flops=self.flops * count,
            read_bytes=self.read_bytes * count,
            written_bytes=self.written_bytes * count,
        )


def count_gemm(
    m: SizeLike,
    k: SizeLike,
    n: SizeLike,
    *,
    dtype: DType = "bf16",
    weight_dtype: DType | None = None,
    output_dtype: DType | None = None,
) -> Kernel:
    """C[m, n] = A[m, k] @ B[k, n]: 2mkn FLOPs; A and B read once, C written once.

    `dtype` is the format of A, and of B (the weights) and C unless theirs are given.
    Raises ValueError for a size below 1 or not whole.
    Source: NVIDIA, "Matrix Multiplication Background User's Guide" (arithmetic intensity = 2MNK / bytes).
    """
    return count_batched_gemm(
        1, m, k, n, dtype=dtype, weight_dtype=weight_dtype, output_dtype=output_dtype, name="GEMM"
    )


def count_gemv(
    k: SizeLike, n: SizeLike, *, dtype: DType = "bf16", weight_dtype: DType | None = None
) -> Kernel:
    """y[n] = x[k] @ B[k, n], one token through one matrix: a GEMM with one row."""
    return count_batched_gemm(1, 1, k, n, dtype=dtype, weight_dtype=weight_dtype, name="GEMV")


def count_batched_gemm(
    batch: SizeLike,
    m: SizeLike,
    k: SizeLike,
    n: SizeLike,
    *,
    dtype: DType = "bf16",
    weight_dtype: DType | None = None,
    output_dtype: DType | None = None,
    name: str = "batched GEMM",
) -> Kernel:
    """`batch` products C[m, n] = A[m, k] @ B[k, n] that share no operand: FLOPs and bytes times `batch`.

    The arithmetic intensity does not grow with the batch. Source: as for `count_gemm`.
    """
    b, m_, k_, n_ = (
        to_float(check_size(label, value))
        for label, value in (("batch", batch), ("m", m), ("k", k), ("n", n))
    )
    a_bytes = bytes_per_element(dtype)
    weight_bytes = bytes_per_element(weight_dtype or dtype)
    output_bytes = bytes_per_element(output_dtype or dtype)
    return Kernel(
        name=name,
        flops=2 * b * m_ * k_ * n_,
        read_bytes=b * (m_ * k_ * a_bytes + k_ * n_ * weight_bytes),
        written_bytes=b * m_ * n_ * output_bytes,
    )


def count_grouped_gemm(
    m: SizeLike,
    k: SizeLike,
    n: SizeLike,
    *,
    alike_count: SizeLike = 1,
    dtype: DType = "bf16",
    weight_dtype: DType | None = None,
    output_dtype: DType | None = None,
) -> Kernel:
    """All products C[m, n] = A[m, k] @ B[k, n] along the last axis of the sizes: FLOPs and bytes summed.

    m may be 0; B of such a product is not read. `alike_count` is how many products there are of each size;
    it may be 0. Otherwise as `count_gemm`.
    Raises ValueError for sizes below 1 (m: below 0) or not whole, and where no product has rows.
    """
    m_, k_, n_ = (
        np.atleast_1d(np.asarray(check_size(name, size, least=least), dtype=np.float64))
        for name, size, least in (("m", m, 0), ("k", k, 1), ("n", n, 1))
    )
    alike = np.asarray(check_size("alike_count", alike_count, least=0), dtype=np.float64)
    if np.any((np.broadcast_arrays(m_, k_, n_)[0] * alike).sum(axis=-1) == 0):
        raise ValueError("m must have rows in at least one product")
    weights = np.where(m_ > 0, k_ * n_, 0.0) * bytes_per_element(weight_dtype or dtype)
    return Kernel(
        name="grouped GEMM",
        flops=(2 * m_ * k_ * n_ * alike).sum(axis=-1),
        read_bytes=((m_ * k_ * bytes_per_element(dtype) + weights) * alike).sum(axis=-1),
        written_bytes=(m_ * n_ * np.ones_like(k_) * bytes_per_element(output_dtype or dtype) * alike).sum(
            axis=-1
        ),
    )


def count_elementwise(
    elements: SizeLike,
    *,
    inputs: int = 1,
    flops_per_element: float = 1.0,
    dtype: DType = "bf16",
    name: str = "element-wise",
) -> Kernel:
    """An element-wise operation on `inputs` operands: `inputs` reads and one write per element.

    ReLU has one operand and one operation: 1 FLOP per 4 bytes in a 16-bit format.
    Source: NVIDIA, "GPU Performance Background User's Guide" (table of intensities).
    """
    n = to_float(check_size("elements", elements))
    operands, each = check_size("inputs", inputs), check_amount("flops_per_element", flops_per_element)
    size = bytes_per_element(dtype)
    return Kernel(
        name=name,
        flops=n * each,
        read_bytes=n * operands * size,
        written_bytes=n * size,
    )


def count_softmax(rows: SizeLike, columns: SizeLike, *, dtype: DType = "bf16") -> Kernel:
    """Softmax over each row, read once and written once: 5 FLOPs per element.

    Maximum, subtraction, exponential, sum and division count as one each. A row must fit on the chip; a
    three-pass kernel that does not keep it reads it three times.
    Source: M. Milakov, N. Gimelshein, "Online normalizer calculation for softmax", arXiv:1805.02867
    (accesses per element of the naive, safe and online forms).
    """
    elements = to_float(check_size("rows", rows)) * to_float(check_size("columns", columns))
    size = bytes_per_element(dtype)
    return Kernel(
        name="softmax",
        flops=5 * elements,
        read_bytes=elements * size,
        written_bytes=elements * size,
    )
