"""Addresses that a drawing leads to run nothing in the reader's browser."""

from .conftest import Workshop

HARMFUL = ("javascript:x()", " JavaScript:x()", "java\\tscript:x()", "data:text/html,x", "vbscript:x")


def test_each_address_of_a_drawing_that_leads_to_a_script_is_refused(workshop: Workshop) -> None:
    lines = [f'figure.text(0.5, 0.5, "x", url="{address}")' for address in HARMFUL]
    found = workshop.drawing_failure(workshop.drawing("harmful", "; ".join(lines))).diagnostics
    assert [one.rule for one in found] == ["figure-address"] * len(HARMFUL)
    assert {one.fix for one in found} == {
        "let `url=` be an address that begins with https://, or leave it out."
    }


def test_a_drawing_may_lead_to_pages(workshop: Workshop) -> None:
    script = workshop.drawing(
        "leads",
        'figure.text(0.5, 0.5, "x", url="https://example.org/?a=1&b=2"); figure.text(0, 0, "y", url="../b/")',
    )
    assert "https://example.org/?a=1&amp;b=2" in str(workshop.draw(script).svgs)
