"""Models against measurements, and training over thousands of chips: held against sums done by hand."""

import re

import pytest

from tests.site_figures.scripts import FIGURES, ROOT

PARITY = FIGURES["parity"]


def test_median_errors_are_those_that_the_document_on_validation_prints() -> None:
    """The document is written from cases and models, the figure from the committed times alone."""
    data = PARITY.data()
    text = (ROOT / "docs" / "validation.md").read_text("utf-8")
    errors = text.partition("<!-- errors -->")[2].partition("<!-- end -->")[0]
    rows = re.findall(
        r"^\| ([\w-]+) \| (\d+) \| (\d+)% \| ([\d.]+)% \| (\d+)% \| (\d+)% \|", errors, re.MULTILINE
    )
    assert {name for name, *_ in rows} == {*data["groups"], "all"}
    for name, count, *percents in rows:
        found = data["all"] if name == "all" else data["groups"][name]
        assert found["count"] == int(count)
        fields = ("ideal_median_fraction", "calibrated_median_fraction", "worst_fraction", "near_fraction")
        for field, percent, digits in zip(fields, percents, (0, 1, 0, 0), strict=True):
            assert 100 * found[field] == pytest.approx(float(percent), abs=0.51 * 10**-digits), (name, field)


def test_a_long_product_on_an_a100_takes_as_long_as_its_flops_at_the_peak() -> None:
    """Of 8192 x 32768 x 32768, which took 61.1 ms: 16,384 tiles waste almost nothing of their last wave."""
    point = next(p for p in PARITY.data()["points"] if p["id"] == "llmc-a100-8192x32768x32768")
    ideal_s = 2 * 8192 * 32768 * 32768 / 312e12
    assert point["measured_fraction"] == pytest.approx(ideal_s / 61.135e-3, rel=0.005)
    assert point["family"] == "ampere"


def test_every_point_belongs_to_one_family_and_no_measurement_beats_the_ideal() -> None:
    data = PARITY.data()
    assert sum(family["count"] for family in data["families"].values()) == len(data["points"])
    assert all(0 < point["measured_fraction"] <= 1 for point in data["points"])


def test_an_error_of_a_rate_is_taken_of_the_rate() -> None:
    """Half the time is twice the rate: an error of 1. Of a time it is one of a half."""
    find_error = PARITY.module.find_error
    assert find_error("time", 0.5, 1.0) == pytest.approx(0.5)
    assert find_error("rate", 0.5, 1.0) == pytest.approx(1.0)
