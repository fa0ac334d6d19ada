"""The figure of number formats: one of the debate's claims is that bf16 has the range of fp32."""

import math

import pytest

from tests.site_figures.scripts import FIGURES

FIGURE = FIGURES["number_formats"]


def test_the_message_says_what_the_formats_are() -> None:
    data = FIGURE.data()["formats"]
    assert round(data["bf16"]["decades"]) == round(data["fp32"]["decades"]) == 76
    assert (data["bf16"]["precision_bits"], data["fp32"]["precision_bits"]) == (8, 24)


@pytest.mark.parametrize("name", FIGURE.module.SHOWN)
def test_the_parts_of_a_format_meet_at_its_smallest_normal_value(name: str) -> None:
    row = FIGURE.data()["formats"][name]
    below, normal = FIGURE.module.list_parts(row)
    assert 10 ** normal["start"] == pytest.approx(row["smallest_normal"])
    assert below["start"] + below["length"] == pytest.approx(normal["start"])
    assert 10.0 ** (normal["start"] + normal["length"] - math.log10(row["largest"])) == pytest.approx(1)
