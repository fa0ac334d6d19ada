"""The records of claims that others make: complete, in both languages, and validated like the catalogue."""

import pytest

from diglot.hardware import OutsideClaimsError, load_outside_claims
from diglot.hardware.claims.outside_claims import CLAIMS_PATH, parse_outside_claims

CLAIMS = load_outside_claims()
TEXT = CLAIMS_PATH.read_text(encoding="utf-8")


def test_all_claims_of_the_debate_have_a_record_in_both_languages():
    assert list(CLAIMS) == list(range(1, 52))
    for claim in CLAIMS.values():
        assert claim.posts
        assert claim.date.startswith("2025")
        assert all(note.zh and note.en for note in (claim.claim, claim.needs))


def test_market_shares_and_stories_of_customers_are_reported_with_a_source_and_a_date():
    reported = {number: claim for number, claim in CLAIMS.items() if claim.status == "reported"}
    assert set(reported) == {7, 14, 34, 44, 45, 48, 49, 50}
    for claim in reported.values():
        for report in claim.reports:
            assert report.source.url.startswith("https://")
            assert report.date >= "2025"
    assert len(CLAIMS[44].reports) == 3  # one of which doubts it


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("schema: outside-claims/1", "schema: claims", r'yaml:\d+: schema: "claims" is not known'),
        ("status: reported", "status: rumoured", r'claims\[\d+\]\.status: "rumoured" is not known'),
        ("number: 47", "number: 46", r"claims\[46\]\.number: 46 is already there"),
        ("number: 47", "number: 4.7", r"claims\[46\]\.number: must be a whole number"),
        ("source: decoder", "source: encoder", r'reports\[0\]\.source: "encoder" is not known; did you mean'),
        ("posts: [forum, hybrid]", "posts: [fora]", r"claims\[46\]\.posts: must name some of blog"),
        (
            "claim: {zh: 'GPU服务更多用户，但能耗更高', en: 'GPUs serve more users, but at higher energy'}",
            "claim: dearer",
            "must have texts for zh and en",
        ),
        ("  needs: {zh: 目录, en: the catalogue}\n", "", r"claims\[27\]\.needs: is missing"),
        ("  needs: {zh: 目录", "  wants: {zh: 目录", r"claims\[27\]\.wants: unknown key"),
    ],
)
def test_a_broken_record_is_refused_by_line_and_name(old, new, problem):
    assert TEXT.count(old) >= 1
    with pytest.raises(OutsideClaimsError, match=problem):
        parse_outside_claims(TEXT.replace(old, new, 1))


def test_a_reported_claim_needs_a_report():
    start, end = TEXT.index("  reports:\n  - {source: trendforce"), TEXT.index("- number: 8")
    with pytest.raises(OutsideClaimsError, match="a reported claim needs a report"):
        parse_outside_claims(TEXT[:start] + TEXT[end:])


def test_text_that_is_no_yaml_is_refused():
    with pytest.raises(OutsideClaimsError, match=r"outside_claims\.yaml:2:"):
        parse_outside_claims("claims: [")
