"""Which sums the card of a value shows."""

from types import SimpleNamespace
from typing import Any

from diglot.figures.chip_sheets import Fact
from diglot.render.arithmetic import arithmetic_of
from diglot.render.facts_read import Rest


def sheet(**facts: float) -> Any:
    listed = tuple(
        Fact(field=field, value=value, unit="TFLOP/s", source="sheet") for field, value in facts.items()
    )
    return SimpleNamespace(facts=listed, prices=())


CHIPS = {"a": sheet(peak=989.4, bandwidth=4800.0, units=132.0), "b": sheet(peak=989.4, bandwidth=1640.0)}
SUMS: tuple[tuple[float | None, dict[str, tuple[str, ...] | None], str], ...] = (
    (206.125, {"a": ("peak", "bandwidth")}, "peak / bandwidth"),
    (4800 / 1640 - 1, {"a": ("bandwidth",), "b": ("bandwidth",)}, "bandwidth / bandwidth - 1"),
    # Fewer facts give it: the other two are equal, or it is a fact itself.
    (4800.0, {"a": ("bandwidth", "peak"), "b": ("peak",)}, ""),
    (132.0, {"a": ("peak", "bandwidth", "units")}, ""),
    (206.126, {"a": ("peak", "bandwidth")}, ""),
    (206.125, {"a": None}, ""),
    (0.0, {"a": ("peak", "bandwidth")}, ""),
    (None, {"a": ("peak", "bandwidth")}, ""),
)


def test_a_sum_has_every_fact_and_none_that_it_could_do_without() -> None:
    for number, fields, shown in SUMS:
        found = arithmetic_of(number, Rest("chip", fields), CHIPS)
        text = ""
        if found is not None:
            text = "".join(f" {'*' if one.power > 0 else '/'} {one.fact.field}" for one in found.factors)[3:]
            text += " - 1" if found.less else ""
        assert text == shown, (number, fields)
