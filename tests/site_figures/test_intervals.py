"""Figures of the own site show how sure their calibrated numbers are."""

from pathlib import Path

FIGURES = Path("figures")
CALIBRATED = ('"calibrated")', 'timing="calibrated"', 'mode="calibrated"', "_estimate(", "describe_claim(")
SHOWS = ("interval=", ".interval(", "| interval", '"interval"', "finding.interval")
OTHERWISE = {
    "disaggregation": "ratios of calibrated outputs, for which no interval is known: its description says so",
    "parity": "errors of the models themselves",
    "operator_parity": "errors of the models themselves",
}


def test_every_figure_of_calibrated_numbers_shows_their_interval_or_says_why_not() -> None:
    scripts = {path.stem: path.read_text(encoding="utf-8") for path in FIGURES.glob("*.py")}
    calibrated = {name for name, text in scripts.items() if any(word in text for word in CALIBRATED)}
    silent = {name for name in calibrated if not any(word in scripts[name] for word in SHOWS)}
    assert silent == set(OTHERWISE) & calibrated, sorted(silent)
    assert {"serving_users", "all_reduce", "serving_claims"} <= calibrated
