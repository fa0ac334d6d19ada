"""What the last words of a value's name say of its unit: bytes per second for `memory_bytes_per_s`."""

from collections.abc import Mapping

from diglot.quantities.units import Unit

UNITS_IN_NAMES: Mapping[str, Unit] = {
    **{"s": Unit("s", 1.0), "ms": Unit("s", 1e-3), "us": Unit("s", 1e-6), "ns": Unit("s", 1e-9)},
    **{"flops": Unit("flop", 1.0), "gflops": Unit("flop", 1e9), "tflops": Unit("flop", 1e12)},
    **{
        "bytes": Unit("byte", 1.0),
        "mb": Unit("byte", 1e6),
        "gb": Unit("byte", 1e9),
        "tb": Unit("byte", 1e12),
    },
    **{"tokens": Unit("token", 1.0), "w": Unit("W", 1.0), "kw": Unit("W", 1e3), "j": Unit("J", 1.0)},
    **{"usd": Unit("USD", 1.0), "hz": Unit("Hz", 1.0), "ghz": Unit("Hz", 1e9)},
}


def unit_in_name(name: str) -> Unit | None:
    """The unit that a name ends in: bytes per second for `memory_bytes_per_s`."""
    words = name.split("_")
    if len(words) > 2 and words[-2] == "per":
        of, per = UNITS_IN_NAMES.get(words[-3]), UNITS_IN_NAMES.get(words[-1])
        return Unit(f"{of.base}/{per.base}", of.factor / per.factor) if of and per else None
    return UNITS_IN_NAMES.get(words[-1]) if len(words) > 1 and "per" not in words else None
