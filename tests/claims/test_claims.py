"""The fifty-one claims of the debate: each is judged by a model, or has a report; and docs say which holds.

Ranges are asserted, not pinned: a change of a model may move a finding within them. One that moves it out of
them, or turns a verdict, is worth a look at the claim and at the texts that quote it.
"""

from math import inf
from pathlib import Path

import pytest

from diglot.hardware import (
    Finding,
    compare_chips,
    compare_strategies,
    judge_claim,
    judge_claims,
    load_outside_claims,
)
from diglot.hardware.chips.notes import Note
from diglot.hardware.claims.finding import VERDICTS, find_verdict
from scripts.claims import PAGE, write_page

CLAIMS = load_outside_claims()
HOLDS, PART, NOT, OPEN = VERDICTS

EXPECTED = {
    1: (HOLDS, 0.1, 0.7),
    2: (OPEN, 0.3, 0.8),
    3: (PART, 1.0, 12),
    4: (PART, 0.15, 1.2),
    5: (PART, 0.3, 0.9),
    6: (HOLDS, 0.002, 1.0),
    8: (OPEN, 0.7, 1.5),
    9: (NOT, 0.6, 3.8),
    10: (PART, 6144, 8960),
    11: (NOT, 1.9, 4.8),
    12: (OPEN, 1.1, 5.0),
    13: (OPEN, 1.8, 2.69),
    15: (OPEN, 0.2, 1.5),
    16: (OPEN, 0.7, 4.5),
    17: (HOLDS, 0.01, 0.6),
    18: (OPEN, 0.9, 2.99),
    19: (NOT, 40, 250),
    20: (OPEN, 0.2, 0.98),
    21: (PART, 1.0, 5.0),
    22: (PART, 0.02, 1.5),
    23: (OPEN, 0.4, 2.3),
    24: (OPEN, 0.6, 2.5),
    25: (HOLDS, 1.2, 6.0),
    26: (PART, 0.2, 1.4),
    27: (OPEN, 1.0, 3.0),
    28: (HOLDS, 45, 459),
    29: (HOLDS, 0, 0),
    30: (HOLDS, 0.001, 0.05),
    31: (OPEN, 0.3, 2.5),
    32: (PART, 0.3, 3.0),
    33: (HOLDS, 0.99, 1.01),
    35: (OPEN, 0.3, 1.5),
    36: (PART, -250, 250),
    37: (PART, 10, inf),
    38: (OPEN, 0.15, 1.8),
    39: (OPEN, 0.5, 2.3),
    40: (OPEN, -1.8, 0.55),
    41: (PART, 0.75, 1.0),
    42: (OPEN, 0.2, 1.6),
    43: (NOT, 0.99, 1.5),
    44: (OPEN, -0.9, 0.6),
    45: (OPEN, 0.4, 1.9),
    46: (OPEN, 0.4, 1.0),
    47: (OPEN, 0.8, 1.3),
    51: (HOLDS, 100, 102),
}
"""Verdict, and a range that the finding stays in."""


@pytest.fixture(scope="module")
def findings():
    """What all judges find. Not at import, which each process of a test run would do."""
    return judge_claims()


def test_every_claim_has_a_judge_or_a_report(findings):
    assert set(EXPECTED) == set(findings)
    assert {number for number in CLAIMS if number not in findings} == {7, 14, 34, 48, 49, 50}
    for number, claim in CLAIMS.items():
        assert number in findings or claim.reports
        assert (claim.status == "computed") <= (number in findings)


def test_claims_are_found_as_expected(findings):
    wrong = {
        number: (finding.verdict, finding.found_low, finding.found_high, str(finding.told))
        for number, (verdict, low, high) in EXPECTED.items()
        if (finding := findings[number]).verdict != verdict
        or not low <= finding.found_low <= finding.found_high <= high
    }
    assert wrong == {}


def test_what_is_told_is_in_both_languages_and_has_numbers(findings):
    for number in EXPECTED:
        told = findings[number].told
        assert any(character.isdigit() for character in told.zh), number
        assert any(character.isdigit() for character in told.en), number
        assert told.zh.endswith("。"), number
        assert told.en.endswith("."), number
        assert "nan" not in told.en, number
        assert "inf" not in told.en.split(), number


def test_a_claim_is_judged_by_its_number(findings):
    assert judge_claim(33) == findings[33]
    assert judge_claim(7) is None
    with pytest.raises(ValueError, match="number_index must be from 1 to 51, not 52"):
        judge_claim(52)


@pytest.mark.parametrize(
    ("cases", "claimed", "verdict"),
    [
        ([(2.0, 2.0), (3.0, 3.0)], (1.0, inf), HOLDS),
        ([(2.0, 2.0), (3.0, 3.0)], (2.5, 3.5), PART),
        ([(0.5, 0.9)], (1.0, inf), NOT),
        ([(5.0, 6.0), (0.1, 0.2)], (1.0, 4.0), NOT),
        ([(0.9, 1.1)], (1.0, inf), OPEN),
        ([(0.9, 1.1), (2.0, 3.0)], (1.0, inf), OPEN),
        ([(0.9, 1.1), (2.0, 3.0), (0.4, 0.5)], (1.0, inf), PART),
        ([(1.0, 3.0)], (1.0, inf), HOLDS),
    ],
)
def test_a_claim_that_an_interval_straddles_is_open(cases, claimed, verdict):
    assert find_verdict(cases, claimed) == verdict


def test_claims_about_costs_and_training_cite_measurements_or_say_that_there_are_none(findings):
    assert all(CLAIMS[number].reports for number in (13, 23, 39))
    assert "nobody independent has measured" in CLAIMS[42].needs.en
    assert {
        number for number, finding in findings.items() if finding.verdict == "open" and finding.is_exact
    } == set()


def test_a_range_that_ends_before_it_begins_is_refused():
    with pytest.raises(ValueError, match="must not end before it begins"):
        Finding(
            found_low=2,
            found_high=1,
            claimed_low=0,
            claimed_high=1,
            unit="ratio",
            told=Note(zh="。", en="."),
            intervals=(),
        )


def test_tables_compare_chips_and_strategies_as_the_claims_do(findings):
    """v5p over H100 in claim 15, v6e over H200 in claims 24 and 42, all TPUs over all GPUs in claim 46."""
    chips = {(row.chip_id, row.timing): row for row in compare_chips()}
    assert {"h100-sxm", "h200-sxm", "tpu-v5p", "tpu-v6e"} < {chip_id for chip_id, _ in chips}
    v6e, h200 = chips["tpu-v6e", "calibrated"], chips["h200-sxm", "calibrated"]
    prompts = v6e.prompt_usd_per_million_tokens / h200.prompt_usd_per_million_tokens
    assert findings[42].found_low == pytest.approx(prompts)
    assert findings[24].found_high == pytest.approx(
        chips["tpu-v6e", "ideal"].ttft_s / chips["h200-sxm", "ideal"].ttft_s
    )
    training = [
        chips[chip_id, "ideal"].training_usd_per_million_tokens for chip_id in ("tpu-v5p", "h100-sxm")
    ]
    assert findings[15].found_high == pytest.approx(training[0] / training[1])
    gpu, *_, tpu = (row.life_usd for row in compare_strategies() if row.timing == "ideal")
    assert findings[46].found_high >= tpu / gpu >= findings[46].found_low


def test_the_page_of_claims_says_what_models_find():
    """`python scripts/claims.py` writes it again."""
    assert Path(PAGE).read_text(encoding="utf-8") == write_page()
