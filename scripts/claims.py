"""Write docs/claims.md: the claims of the debate about GPUs and TPUs, and what the models find of each.

    python scripts/claims.py

The page is made of `data/outside_claims.yaml` and of `judge_claims`; a test compares it with what this makes.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path

from diglot.hardware import (
    Finding,
    OutsideClaim,
    Spread,
    compare_chips,
    compare_strategies,
    find_spread,
    judge_claims,
    load_outside_claims,
)
from diglot.hardware.claims.finding import VERDICTS
from diglot.hardware.claims.outside_claims import Report

PAGE = Path(__file__).parents[1] / "docs" / "claims.md"

HEAD = """\
# Claims of the debate

Fifty-one claims from public texts of 2025 about GPUs and TPUs, in our words, and what the models of
`diglot.hardware` find for each: `judge_claim(8)` for one, `judge_claims()` for all. If a model disagrees
with a claim, the table shows its numbers. `python scripts/claims.py` writes this page.

- **Holds**: all that a measurement would give nine times in ten is within the claim, in every case. **Does
  not hold**: nothing of it is, in any case. **In part**: one case is surely within the claim, and another
  surely not. **Open**: the intervals straddle the claim, and somebody would have to measure. An interval is
  over all cases, around calibrated times; of a ratio the errors of both sides are taken to be independent.
  Findings without one are exact: sizes, peaks, prices, or what follows from stated assumptions.
- Models are ideal, at the roofline, unless the sentence says calibrated: all parts as measured. Prices
  are the list prices of the United States in the catalogue. Serving and training are those of Llama 3 70B
  in bf16: 1,024 tokens in and out; 256 chips, 1,024 sequences of 4,096 tokens a step.
- Google publishes no power for TPU v5e to v7, and no price for v7: both are ranges over stated assumptions
  (`find_power_range`, `find_price_range_usd_per_chip_s`).
- **Reported** claims are what others publish: market shares, stories of customers. No model confirms them;
  if one can say what they would need, it does.
"""


def write_page() -> str:
    """The page as Markdown."""
    claims, findings = load_outside_claims(), judge_claims()
    judged = {number: claim for number, claim in claims.items() if claim.status == "computed"}
    counts = [finding.verdict for number, finding in findings.items() if number in judged]
    hold, part, fail, unsure = map(counts.count, VERDICTS)
    told = f"Of {len(judged)} claims that models can judge, {hold} hold, {part} in part, {fail} do not, and "
    lines = [HEAD, f"{told}{unsure} are open.", ""]
    lines += ["| # | claim | verdict | 90% interval | what models find |", "| --- | --- | --- | ---: | --- |"]
    lines += [write_row(claim, findings[number]) for number, claim in judged.items()]
    lines += ["", "## Tables", "", *write_tables(), "## Measured by others", ""]
    lines += [*write_measured(judged, findings), "", "## Reported", ""]
    for number, claim in claims.items():
        if claim.status == "reported":
            lines += [*write_report(claim, findings.get(number)), ""]
    return "\n".join(lines)


def write_tables() -> Iterator[str]:
    """What can be computed of the claims that are tables."""
    ideal, calibrated = (
        [row for row in compare_chips() if row.timing == timing] for timing in ("ideal", "calibrated")
    )
    yield "**15 and 24, chips.** USD per million tokens and the time to the first token: ideal, and"
    yield "calibrated with its interval; * marks what is far from all that was measured."
    yield ""
    yield "| chip | training | prompts of 8,192 | first token after 1,024 | output within 50 ms a token |"
    yield "| --- | ---: | ---: | ---: | ---: |"
    for each in zip(ideal, calibrated, strict=True):
        trained, served = (
            find_spread(subject, each[0].chip_id) for subject in ("trained dense", "served dense")
        )
        bound, likely = each
        cells = (
            write_estimate(
                bound.training_usd_per_million_tokens, likely.training_usd_per_million_tokens, trained
            ),
            write_estimate(bound.prompt_usd_per_million_tokens, likely.prompt_usd_per_million_tokens, served),
            write_estimate(1e3 * bound.ttft_s, 1e3 * likely.ttft_s, served, " ms"),
            write_estimate(bound.output_usd_per_million_tokens, likely.output_usd_per_million_tokens, served),
        )
        yield f"| {bound.chip_id} | {' | '.join(cells)} |"
    yield ""
    yield "**42, phases.** The chip on which a million tokens cost least, with its price; ideal, calibrated."
    yield ""
    yield "| phase | ideal | calibrated |"
    yield "| --- | --- | --- |"
    for phase in ideal[0].costs_by_phase:
        best = (min(rows, key=lambda row: row.costs_by_phase[phase]) for rows in (ideal, calibrated))
        told = (f"{row.chip_id}, {row.costs_by_phase[phase]:.2f} USD" for row in best)
        yield f"| {phase} | {' | '.join(told)} |"
    yield ""
    yield "**46, strategies.** A life of 15 trillion tokens trained and 10 trillion served, in million USD."
    yield ""
    yield "| trained on the cheapest of | served on the cheapest of | ideal | calibrated |"
    yield "| --- | --- | ---: | ---: |"
    rows = iter(compare_strategies())
    for first, second in zip(rows, rows, strict=True):
        chips = (", ".join(names) for names in (first.trained_on, first.served_on))
        yield f"| {' | '.join(chips)} | {first.life_usd / 1e6:.1f} | {second.life_usd / 1e6:.1f} |"
    yield ""


def write_estimate(ideal: float, calibrated: float, spread: Spread, unit: str = "") -> str:
    """A bound, and the calibrated value with its interval."""
    estimate = spread.bracket(calibrated, least=ideal)
    ends = f"{estimate.low:.3g} to {estimate.high:.3g}"
    return f"{ideal:.3g}{unit}, {calibrated:.3g} ({ends}){unit}" + ("*" if spread.basis == "far" else "")


def write_row(claim: OutsideClaim, finding: Finding) -> str:
    """One claim of the table."""
    interval = "–" if finding.is_exact else " to ".join(finding.printed_ends)
    cells = (f"{claim.number_index}", str(claim.claim), finding.verdict, interval, str(finding.told))
    return f"| {' | '.join(cells)} |"


def write_measured(judged: Mapping[int, OutsideClaim], findings: Mapping[int, Finding]) -> Iterator[str]:
    """Measurements of what a claim says, and the claims that would need one."""
    for number, claim in judged.items():
        for report in claim.reports:
            yield f"- **{number}.** {cite(report)}"
    missing = [
        str(number)
        for number, claim in judged.items()
        if not claim.reports and findings[number].verdict == "open"
    ]
    yield ""
    yield f"Of the open claims {', '.join(missing)} no independent measurement is known here."


def write_report(claim: OutsideClaim, finding: Finding | None) -> Iterator[str]:
    """A reported claim with its reports, what it needs, and what models say of that."""
    yield f"**{claim.number_index}. {claim.claim}** ({claim.date}). Needs: {claim.needs}."
    if finding is not None:
        yield f"{finding.told}"
    for report in claim.reports:
        yield f"- {cite(report)}"


def cite(report: Report) -> str:
    """What a report says, with its source and date."""
    return f"{report.says} ([{report.source.title}]({report.source.url}), {report.date})"


if __name__ == "__main__":
    PAGE.write_text(write_page(), encoding="utf-8")
