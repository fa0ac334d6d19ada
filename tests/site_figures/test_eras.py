"""ResNet-50, BERT and Llama on TPUs of all years: counts by hand, and what the article says of them."""

import pytest

from tests.site_figures.scripts import FIGURES


def test_resnet_has_53_convolutions_of_4_billion_multiply_accumulates_for_an_image() -> None:
    data = FIGURES["convolutions"].data()
    assert data["convolutions"] == 53
    # He et al. count 3.8e9 for version 1; strides in the 3 x 3 filters add three blocks' worth.
    board = data["board"]["v2"]["images_per_s"]
    share = FIGURES["era_speed"].data(batch=64)["rows"]["v2"]["resnet_share"]
    macs = 4 * 46e12 * share / board / 3 / 2
    assert macs == pytest.approx(4.09e9, rel=0.01)


@pytest.mark.parametrize(
    ("layer", "chip", "fill"),
    [
        ("stem", "v2", 147 / 256 * 64 / 128),
        ("stem", "v6e", 147 / 256 * 64 / 256),
        ("three_64", "v5p", 576 / 640 * 64 / 128),
        ("three_64", "v7", 576 / 768 * 64 / 256),
        ("three_128", "v6e", 1152 / 1280 * 128 / 256),
        ("three_256", "v6e", 1),
        ("depthwise", "v2", 9 / 128 / 128),
    ],
)
def test_channels_and_windows_are_padded_to_whole_tiles(layer: str, chip: str, fill: float) -> None:
    found = FIGURES["convolutions"].data()["layers"][layer][chip]
    assert found["fill_fraction"] == pytest.approx(fill)


def test_only_prompts_of_llama_keep_up_with_the_peak_of_v6e() -> None:
    one, many = (FIGURES["era_speed"].data(batch=batch) for batch in (1, 64))
    for data in (one, many):
        assert data["peak_ratio"] == pytest.approx(2)
        assert data["resnet_ratio"] > 1 > data["prefill_ratio"]
        assert data["decode_ratio"] == pytest.approx(2.765e12 / 1.64e12, rel=0.01)
    assert many["rows"]["v6e"]["bert"] > 2 * one["rows"]["v6e"]["bert"]
    assert many["rows"]["v6e"]["resnet"] < 1.5 * one["rows"]["v6e"]["resnet"]
