"""Conversion of the units that sources print to base units, when the catalogue is read.

Prefixes of rates and of GB are decimal, as vendors mean them. GiB, MiB and KiB are binary, and so is KB with
a capital K, which only tables of on-chip memory use (SI's kilo is a lower-case k).
"""

from decimal import Decimal

_FACTORS: dict[str, dict[str, str | int]] = {
    "FLOP/s": {"TFLOP/s": 10**12, "PFLOP/s": 10**15, "TOP/s": 10**12},
    "B": {"GB": 10**9, "MB": 10**6, "kB": 10**3, "GiB": 2**30, "MiB": 2**20, "KiB": 2**10, "KB": 2**10},
    "B/s": {"GB/s": 10**9, "TB/s": 10**12},
    "Hz": {"MHz": 10**6, "GHz": 10**9},
    "exp/s": {"Texp/s": 10**12},
    "W": {"W": 1},
    "s": {"us": "1e-6"},
    "cycles": {"cycles": 1},
    "ratio": {"ratio": 1},
    "FMA/cycle": {"fp16 FMA": 1},
    "count": dict.fromkeys(
        ("SM", "CU", "units", "MXU", "TensorCores per chip", "links", "chips", "GPUs", "tiles", "cores"), 1
    ),
}

SI_UNITS: dict[str, tuple[str, Decimal]] = {
    printed: (base, Decimal(factor))
    for base, factors in _FACTORS.items()
    for printed, factor in factors.items()
}
"""Printed unit → base unit and factor. Integer operations per second count as FLOP/s."""


def convert_to_si(value: float, printed_unit: str) -> tuple[float, str]:
    """`value` in the base unit, and that unit. Decimal arithmetic makes 989.4 TFLOP/s exactly 989.4e12.

    Raises KeyError for a unit that is not in `SI_UNITS`.
    """
    base, factor = SI_UNITS[printed_unit]
    return float(Decimal(str(value)) * factor), base
