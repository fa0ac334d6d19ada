"""Addresses that a drawing leads to run nothing, and lead to the same place from wherever it is shown."""

from .conftest import Workshop

RELATIVE = ("nosuch.html", "../b/", "/en/posts/a/", "#part", "?q=1")
MISTYPED = ("htps://example.org/", "https:/example.org/")
WRONG = (
    "javascript:x()",
    " JavaScript:x()",
    "java\\tscript:x()",
    "data:text/html,x",
    "vbscript:x",
    *RELATIVE,
    *MISTYPED,
)


def test_an_address_of_a_drawing_that_leads_to_no_one_place_is_refused(workshop: Workshop) -> None:
    lines = [f'figure.text(0.5, 0.5, "x", url="{address}")' for address in WRONG]
    found = workshop.drawing_failure(workshop.drawing("harmful", "; ".join(lines))).diagnostics
    assert [one.rule for one in found] == ["figure-address"] * len(WRONG)
    assert {one.fix for one in found} == {
        "let `url=` be an address that begins with https://, or leave it out."
    }


def test_a_drawing_may_lead_to_pages(workshop: Workshop) -> None:
    script = workshop.drawing(
        "leads",
        'figure.text(0.5, 0.5, "x", url="https://example.org/?a=1&b=2"); figure.text(0, 0, "y", url="tel:1")',
    )
    assert "https://example.org/?a=1&amp;b=2" in str(workshop.draw(script).svgs)
