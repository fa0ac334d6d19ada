"""Addresses that a drawing leads to run nothing in the reader's browser."""

import pytest

from .conftest import Workshop, only

HARMFUL = ("javascript:x()", " JavaScript:x()", "java\\tscript:x()", "data:text/html,x", "vbscript:x")


@pytest.mark.parametrize("number", range(len(HARMFUL)))
def test_a_drawing_that_leads_to_a_script_is_refused(workshop: Workshop, number: int) -> None:
    address = HARMFUL[number]
    script = workshop.drawing(f"harmful_{number}", f'figure.text(0.5, 0.5, "x", url="{address}")')
    found = only(workshop.drawing_failure(script))
    assert found.rule == "figure-address"
    assert found.fix == "let `url=` be an address that begins with https://, or leave it out."


def test_a_drawing_may_lead_to_pages(workshop: Workshop) -> None:
    script = workshop.drawing(
        "leads",
        'figure.text(0.5, 0.5, "x", url="https://example.org/?a=1&b=2"); figure.text(0, 0, "y", url="../b/")',
    )
    assert "https://example.org/?a=1&amp;b=2" in str(workshop.draw(script).svgs)
