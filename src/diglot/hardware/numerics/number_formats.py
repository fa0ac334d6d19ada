"""Range and precision of number formats, from their bits."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

import numpy as np
import numpy.typing as npt

Specials = Literal["ieee", "one_nan", "none"]


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberFormat:
    """A floating-point format with subnormals, or whole numbers in two's complement (`exponent_bits` 0).

    Sources: IEEE 754-2019 (fp64, fp32, fp16); Google Cloud, "bfloat16"; NVIDIA, "A100 whitepaper" (tf32);
    Open Compute Project, "8-bit Floating Point Specification" 1.0 and "Microscaling Formats (MX)
    Specification" 1.0, tables 1 to 7 (fp8, fp6, fp4, e8m0).
    """

    name: str
    sign_bits: int
    exponent_bits: int
    mantissa_bits: int
    """Stored bits of the fraction; of a whole number, all bits but the sign."""
    bias: int
    """What is taken off the stored exponent."""
    specials: Specials
    """`ieee`: the highest exponent means infinity or NaN; `one_nan`: only its last code is NaN; `none`."""
    stored_bits: int
    """Bits in memory; tf32 is computed with 19 and stored in 32."""

    @property
    def is_integer(self) -> bool:
        """Whether values are whole numbers."""
        return self.exponent_bits == 0

    @property
    def largest(self) -> float:
        """Largest finite value."""
        if self.is_integer:
            return 2.0**self.mantissa_bits - 1
        # The last codes of the highest exponent: a whole exponent of them is special, or one, or none.
        codes = 2 ** (self.exponent_bits + self.mantissa_bits) - {"one_nan": 2, "none": 1}.get(
            self.specials, 2**self.mantissa_bits + 1
        )
        exponent, fraction = divmod(codes, 2**self.mantissa_bits)
        return math.ldexp(1 + fraction / 2**self.mantissa_bits, exponent - self.bias)

    @property
    def smallest_normal(self) -> float:
        """Smallest positive value with full precision."""
        if self.is_integer:
            return 1.0
        return math.ldexp(1.0, int(self._has_zero) - self.bias)

    @property
    def smallest(self) -> float:
        """Smallest positive value: a subnormal, except for whole numbers and formats without a fraction."""
        if self.is_integer or not self.mantissa_bits:
            return self.smallest_normal
        return math.ldexp(self.smallest_normal, -self.mantissa_bits)

    @property
    def epsilon(self) -> float:
        """Distance from 1 to the next larger value; 1 for whole numbers and powers of two."""
        return 1.0 if self.is_integer else math.ldexp(1.0, -self.mantissa_bits)

    @property
    def decades(self) -> float:
        """Powers of ten from the smallest normal value to the largest."""
        return math.log10(self.largest) - math.log10(self.smallest_normal)

    @property
    def decimal_digits(self) -> float:
        """Significant decimal digits of a normal value, log10 of 2 to the bits of its significand."""
        return (self.mantissa_bits + (not self.is_integer)) * math.log10(2)

    @property
    def _has_zero(self) -> bool:
        """Whether code 0 means zero, so that the lowest exponent holds zero and subnormals."""
        return self.sign_bits == 1

    def round(self, values: npt.ArrayLike) -> npt.NDArray[np.float64]:
        """`values` rounded to the nearest value of the format, ties to even; what is too large saturates.

        Raises ValueError for NaN and infinity, and for negative numbers or zero where the format has none.
        """
        array = np.asarray(values, dtype=np.float64)
        if not np.all(np.isfinite(array)):
            raise ValueError(f"values must be finite for {self.name}")
        if not self._has_zero and np.any(array <= 0):
            raise ValueError(f"values must be above zero for {self.name}, which has no sign and no zero")
        if self.is_integer:
            return np.clip(np.round(array), -self.largest - 1, self.largest)
        lowest = np.log2(self.smallest_normal)
        with np.errstate(divide="ignore"):  # log2 of zero is clipped to the lowest exponent
            exponent = np.maximum(np.floor(np.log2(np.abs(array))), lowest)
        step = np.exp2(exponent - self.mantissa_bits)
        least = 0.0 if self._has_zero else self.smallest
        rounded: npt.NDArray[np.float64] = np.round(np.abs(array) / step) * step
        return np.sign(array) * np.clip(rounded, least, self.largest)


def _floating(
    name: str, exponent: int, mantissa: int, specials: Specials = "ieee", **changes: int
) -> NumberFormat:
    return NumberFormat(
        name=name, sign_bits=changes.get("sign_bits", 1), exponent_bits=exponent, mantissa_bits=mantissa,
        bias=2 ** (exponent - 1) - 1, specials=specials,
        stored_bits=changes.get("stored_bits", 1 + exponent + mantissa),
    )  # fmt: skip


def _integer(bits: int) -> NumberFormat:
    return NumberFormat(
        name=f"int{bits}", sign_bits=1, exponent_bits=0, mantissa_bits=bits - 1, bias=0, specials="none",
        stored_bits=bits,
    )  # fmt: skip


NUMBER_FORMATS: Mapping[str, NumberFormat] = MappingProxyType(
    {
        each.name: each
        for each in (
            _floating("fp64", 11, 52),
            _floating("fp32", 8, 23),
            _floating("tf32", 8, 10, stored_bits=32),
            _floating("bf16", 8, 7),
            _floating("fp16", 5, 10),
            _floating("fp8_e5m2", 5, 2),
            _floating("fp8_e4m3", 4, 3, "one_nan"),
            _floating("fp6_e3m2", 3, 2, "none"),
            _floating("fp6_e2m3", 2, 3, "none"),
            _floating("fp4_e2m1", 2, 1, "none"),
            _integer(8),
            _integer(4),
            _floating("e8m0", 8, 0, "one_nan", sign_bits=0, stored_bits=8),
        )
    }
)
"""All formats by name, widest first; the last is the scale of MX blocks, without sign and fraction."""


def find_number_format(name: str) -> NumberFormat:
    """The format of that name: a dtype, or one of several of its width (`fp8_e4m3`).

    Raises ValueError for an unknown name, and for `fp8` and `fp6`, which do not say which they are.
    """
    if name in NUMBER_FORMATS:
        return NUMBER_FORMATS[name]
    several = [known for known in NUMBER_FORMATS if known.startswith(f"{name}_")]
    if len(several) == 1:
        return NUMBER_FORMATS[several[0]]
    known = f"{name} is {' or '.join(several)}" if several else f"known: {', '.join(NUMBER_FORMATS)}"
    raise ValueError(f"unknown number format {name!r}; {known}")
