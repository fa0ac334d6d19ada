"""Number formats and the memory that one element takes."""

from typing import Literal, get_args

DType = Literal["fp64", "fp32", "tf32", "bf16", "fp16", "fp8", "int8", "fp6", "fp4", "int4"]

DTYPES: tuple[DType, ...] = get_args(DType)

_BITS: dict[DType, int] = {
    "fp64": 64,
    "fp32": 32,
    "tf32": 32,  # computed with 19 bits, stored in 32
    "bf16": 16,
    "fp16": 16,
    "fp8": 8,
    "int8": 8,
    "fp6": 6,
    "fp4": 4,
    "int4": 4,
}


def bytes_per_element(dtype: DType) -> float:
    """Bytes that one element takes, packed and without block scales (0.5 for fp4).

    Raises ValueError for an unknown format.
    """
    if dtype not in _BITS:
        raise ValueError(f"unknown dtype {dtype!r}; known: {', '.join(DTYPES)}")
    return _BITS[dtype] / 8
