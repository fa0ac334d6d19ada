"""Blocks of narrow numbers that share a scale: bits per element, and the error of rounding to them."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import prod
from types import MappingProxyType

import numpy as np
import numpy.typing as npt

from diglot.hardware.numerics.number_formats import NumberFormat, find_number_format
from diglot.hardware.sizes import Size, SizeLike, check_size, divide_up


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockFormat:
    """Elements in blocks, each with one scale; some with a scale for the whole array as well.

    Sources: Open Compute Project, "Microscaling Formats (MX) Specification" 1.0, section 5.2 (mx…); NVIDIA,
    "Introducing NVFP4", 2025 (nvfp4); DeepSeek-V3, arXiv:2412.19437, section 3.3.2 (fp8_tile, fp8_block);
    E. Frantar et al., "MARLIN", arXiv:2408.11743 (int4_g128).
    """

    name: str
    element: str
    """Name of the elements' format."""
    block_shape: tuple[int, ...]
    """Elements that share a scale, along the last axes."""
    scale: str
    """Name of the scale's format."""
    array_scale_bits: int = 0
    """Bits of a scale for the whole array, which a large array does not notice."""

    @property
    def elements(self) -> NumberFormat:
        """The format of the elements."""
        return find_number_format(self.element)

    @property
    def scales(self) -> NumberFormat:
        """The format of the scales."""
        return find_number_format(self.scale)

    @property
    def bits_per_element(self) -> float:
        """Bits that an element of a large array takes, with its share of the scales."""
        return self.elements.stored_bits + self.scales.stored_bits / prod(self.block_shape)

    def count_bytes(self, rows: SizeLike, columns: SizeLike) -> Size:
        """Bytes of an array with its scales; a block at an edge has a scale of its own. Rounded up."""
        high, wide = (1, *self.block_shape)[-2:]
        rows_, columns_ = check_size("rows", rows), check_size("columns", columns)
        blocks = divide_up(rows_, high) * divide_up(columns_, wide)
        bits = rows_ * columns_ * self.elements.stored_bits + blocks * self.scales.stored_bits
        return divide_up(bits + self.array_scale_bits, 8)

    def round(self, values: npt.ArrayLike) -> npt.NDArray[np.float64]:
        """A vector of whole blocks, rounded to the format and scaled back.

        A scale maps the largest magnitude of its block to the largest element; MX rounds it down to a power
        of two. Raises ValueError for blocks of two dimensions, a vector that ends within a block, NaN and
        infinity.
        """
        size = self.block_shape[-1]
        array = np.asarray(values, dtype=np.float64)
        if len(self.block_shape) > 1 or array.ndim != 1 or array.size % size or not array.size:
            raise ValueError(f"values must be a vector of whole blocks of {size} elements for {self.name}")
        if not np.all(np.isfinite(array)):
            raise ValueError(f"values must be finite for {self.name}")
        blocks = array.reshape(-1, size)
        scale = self._find_scales(np.max(np.abs(blocks), axis=1, keepdims=True))
        return (self.elements.round(blocks / scale) * scale).reshape(-1)

    def _find_scales(self, largest: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        kept = np.where(largest > 0, largest, 1.0)  # a block of zeros may have any scale
        if self.scale == "e8m0":
            # Section 6.3 of the specification: the exponent of the maximum less that of the largest element.
            exact = np.exp2(np.floor(np.log2(kept)) - np.floor(np.log2(self.elements.largest)))
            return self.scales.round(exact)
        exact = kept / self.elements.largest
        whole = np.max(exact) / self.scales.largest if self.array_scale_bits else 1.0
        return np.maximum(self.scales.round(exact / whole), self.scales.smallest) * whole


BLOCK_FORMATS: Mapping[str, BlockFormat] = MappingProxyType(
    {
        each.name: each
        for each in (
            BlockFormat(name="mxfp8", element="fp8_e4m3", block_shape=(32,), scale="e8m0"),
            BlockFormat(name="mxfp8_e5m2", element="fp8_e5m2", block_shape=(32,), scale="e8m0"),
            BlockFormat(name="mxfp6", element="fp6_e2m3", block_shape=(32,), scale="e8m0"),
            BlockFormat(name="mxfp6_e3m2", element="fp6_e3m2", block_shape=(32,), scale="e8m0"),
            BlockFormat(name="mxfp4", element="fp4_e2m1", block_shape=(32,), scale="e8m0"),
            BlockFormat(
                name="nvfp4", element="fp4_e2m1", block_shape=(16,), scale="fp8_e4m3", array_scale_bits=32
            ),
            BlockFormat(name="fp8_tile", element="fp8_e4m3", block_shape=(128,), scale="fp32"),
            BlockFormat(name="fp8_block", element="fp8_e4m3", block_shape=(128, 128), scale="fp32"),
            BlockFormat(name="int8_g128", element="int8", block_shape=(128,), scale="fp16"),
            BlockFormat(name="int4_g128", element="int4", block_shape=(128,), scale="fp16"),
        )
    }
)
"""All block formats by name."""


def find_block_format(name: str) -> BlockFormat:
    """The block format of that name. Raises ValueError for an unknown one."""
    if name not in BLOCK_FORMATS:
        raise ValueError(f"unknown block format {name!r}; known: {', '.join(BLOCK_FORMATS)}")
    return BLOCK_FORMATS[name]


def find_bits_per_element(name: str) -> float:
    """Bits per element in memory, with its share of the scales: 4.25 for `mxfp4`, 16 for `bf16`.

    `name` is a block format, a number format, or a dtype. Raises ValueError for an unknown name.
    """
    if name in BLOCK_FORMATS:
        return BLOCK_FORMATS[name].bits_per_element
    if name in ("fp8", "fp6"):  # either of the two takes as many
        return float(name.removeprefix("fp"))
    return float(find_number_format(name).stored_bits)


def measure_signal_to_noise_db(values: npt.ArrayLike, rounded: npt.ArrayLike) -> float:
    """Power of `values` over that of the error of `rounded`, in decibels; infinite where they are equal.

    Raises ValueError where all values are 0, or the shapes differ.
    """
    exact, near = (np.asarray(each, dtype=np.float64) for each in (values, rounded))
    if exact.shape != near.shape:
        raise ValueError(f"rounded must have the shape of values, {exact.shape}, not {near.shape}")
    signal, noise = (float(np.sum(each * each)) for each in (exact, near - exact))
    if not signal:
        raise ValueError("values must not all be 0")
    return 10 * float(np.log10(signal / noise)) if noise else np.inf
