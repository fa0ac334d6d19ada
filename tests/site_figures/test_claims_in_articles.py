"""Every claim of the debate is looked into by an article, which asserts the verdict of the page of claims."""

import re
from pathlib import Path

from diglot.hardware import load_outside_claims
from tests.site_figures.scripts import FIGURES


def test_articles_quote_the_verdict_of_each_claim_that_the_page_of_claims_sends_there() -> None:
    figure = FIGURES["debate_claims"].module
    places = figure.PLACES
    wrong = []
    for slug, headings in places.items():
        expected = {number for numbers in headings.values() for number in numbers}
        for half in ("zh", "en"):
            folder = "pages" if slug in figure.PAGES else "posts"
            text = Path("content", folder, slug, f"{half}.md").read_text(encoding="utf-8")
            asserted = {int(number) for number in re.findall(r"by_number\.n(\d+)\.verdict == ", text)}
            linked = {int(number) for number in re.findall(r"/figures/debate_claims/#_row-(\d+)\)", text)}
            missing = {heading for heading in headings if f"{{#{heading}}}" not in text}
            if not asserted == linked == expected or missing:
                wrong.append((slug, half, sorted(expected ^ asserted | expected ^ linked), missing))
    assert wrong == [], "verdicts are asserted, claims linked to, or the page of claims leads, in one only"
    placed = {number for headings in places.values() for numbers in headings.values() for number in numbers}
    assert set(load_outside_claims()) == placed
