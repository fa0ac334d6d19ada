"""Write docs/claims.md: the claims of the debate about GPUs and TPUs, and what the models find of each.

    python scripts/claims.py

The page is made of `data/outside_claims.yaml` and of `judge_claims`; a test compares it with what this makes.
"""

from collections.abc import Iterator
from pathlib import Path

from diglot.hardware import Finding, OutsideClaim, judge_claims, load_outside_claims

PAGE = Path(__file__).parents[1] / "docs" / "claims.md"

HEAD = """\
# Claims of the debate

Forty-seven claims from public texts of 2025 about GPUs and TPUs, in our words, and what the models of
`diglot.hardware` find of each: `judge_claim(8)` for one, `judge_claims()` for all. Where a model disagrees
with a claim, its numbers are beside it. `python scripts/claims.py` writes this page.

- **Holds**: all that the models find lies within what is claimed. **In part**: some of it does. **Does not
  hold**: nothing does.
- Models are ideal, at the roofline, unless the sentence says calibrated (`data/calibration.yaml`); prices are
  the list prices of the United States in the catalogue. Serving and training are those of
  Llama 3 70B in bf16: 1,024 tokens in and out; 256 chips, 1,024 sequences of 4,096 tokens a step.
- Google publishes no power of TPU v5e to v7, and no price of v7: both are ranges over stated assumptions
  (`find_power_range`, `find_price_range_usd_per_chip_s`).
- **Reported** claims are what others publish: market shares, stories of customers. No model confirms them;
  where one can say what they would need, it does.
"""


def write_page() -> str:
    """The page as Markdown."""
    claims, findings = load_outside_claims(), judge_claims()
    judged = {number: claim for number, claim in claims.items() if claim.status == "computed"}
    counts = [finding.verdict for number, finding in findings.items() if number in judged]
    hold, part, fail = (counts.count(verdict) for verdict in ("holds", "in part", "does not hold"))
    told = f"Of {len(judged)} claims that models can judge, {hold} hold, {part} in part, and {fail} do not."
    lines = [HEAD, told, ""]
    lines += ["| # | claim | verdict | what models find |", "| --- | --- | --- | --- |"]
    lines += [write_row(claim, findings[number]) for number, claim in judged.items()]
    lines += ["", "## Reported", ""]
    for number, claim in claims.items():
        if claim.status == "reported":
            lines += [*write_report(claim, findings.get(number)), ""]
    return "\n".join(lines)


def write_row(claim: OutsideClaim, finding: Finding) -> str:
    """One claim of the table."""
    cells = (f"{claim.number_index}", str(claim.claim), finding.verdict, str(finding.told))
    return f"| {' | '.join(cells)} |"


def write_report(claim: OutsideClaim, finding: Finding | None) -> Iterator[str]:
    """A reported claim with its reports, what it needs, and what models say of that."""
    yield f"**{claim.number_index}. {claim.claim}** ({claim.date}). Needs: {claim.needs}."
    if finding is not None:
        yield f"{finding.told}"
    for report in claim.reports:
        yield f"- {report.says} ([{report.source.title}]({report.source.url}), {report.date})"


if __name__ == "__main__":
    PAGE.write_text(write_page(), encoding="utf-8")
