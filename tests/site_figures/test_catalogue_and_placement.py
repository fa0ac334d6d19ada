"""The table of all chips, and the pipeline over CPUs, GPUs and TPUs."""

from pathlib import Path

import pytest

from diglot.hardware import load_catalogue
from tests.hardware.test_catalogue import SMALL
from tests.site_figures.scripts import FIGURES

CATALOGUE, PIPELINE = FIGURES["hardware_catalogue"], FIGURES["hybrid_pipeline"]


def test_every_chip_is_a_row_with_its_mark() -> None:
    data = CATALOGUE.data()
    table = CATALOGUE.module.table(data, CATALOGUE.words("en"))
    chips = load_catalogue(folder=None)
    assert [row[0] for row in table.rows[: len(chips)]] == [chip.short_name for chip in chips.chips]
    assert tuple(mark.chip_id for mark in table.chips[: len(chips)]) == tuple(chips)
    assert data["count"] == data["gpu_count"] + data["tpu_count"]


@pytest.mark.parametrize(
    ("chip", "peak16", "peak8", "bandwidth"),
    [
        ("h200_sxm", 989, 1979, 4800),
        ("tpu_v6e", 918, 1836, 1640),
        ("v100_sxm2", 125, None, 900),
        ("tpu_v1", None, 92, 34),
    ],
)
def test_figures_are_those_of_the_vendors(chip: str, peak16: int, peak8: int, bandwidth: int) -> None:
    row = CATALOGUE.data()["chips"][chip]
    assert row["peak16_tflops_per_s"] == (None if peak16 is None else pytest.approx(peak16, rel=1e-3))
    assert row["peak8_tflops_per_s"] == (None if peak8 is None else pytest.approx(peak8, rel=1e-3))
    assert row["bandwidth_gb_per_s"] == pytest.approx(bandwidth)
    if peak16 is not None:
        assert row["ridge"] == pytest.approx(peak16 * 1e3 / bandwidth, rel=1e-3)


def test_a_chip_of_the_project_s_own_is_the_last_row_with_a_mark_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "site" / "hardware" / "mine.yaml"
    file.parent.mkdir(parents=True)
    file.write_text(SMALL, "utf-8")
    table = CATALOGUE.module.table(CATALOGUE.data(), CATALOGUE.words("zh"))
    assert table.rows[-1][0] == "One"
    assert (table.chips[-1].chip_id, table.chips[-1].marker) == ("one", "^")


def test_each_placement_is_the_best_of_those_shown_at_what_it_was_chosen_for() -> None:
    data = PIPELINE.data()
    shown = [data[name] for name in ("latency", "throughput", "cost", "gpu_only")]
    assert data["latency"]["latency_s"] == min(each["latency_s"] for each in shown)
    assert data["throughput"]["clips_per_s"] == max(each["clips_per_s"] for each in shown)
    assert data["cost"]["usd_per_thousand"] == min(each["usd_per_thousand"] for each in shown)


def test_latency_is_what_the_bars_add_up_to() -> None:
    for name in ("latency", "throughput", "cost"):
        placed = PIPELINE.data()[name]
        assert sum(placed["stage_s"]) + sum(placed["transfer_s"]) == pytest.approx(placed["latency_s"])


def test_the_cost_follows_from_prices_and_rate() -> None:
    """Two sockets at $5.56 an hour, and eight v6e at the catalogue's first price."""
    data = PIPELINE.data()
    cheap = data["cost"]
    assert set(cheap["pools"]) == {"cpu", "tpu"}
    tpu_usd_per_s = load_catalogue()["tpu-v6e"].prices[0].usd_per_chip_s
    rent_usd_per_s = 2 * 5.56 / 3600 + 8 * tpu_usd_per_s
    assert cheap["usd_per_thousand"] == pytest.approx(1000 * rent_usd_per_s / cheap["clips_per_s"])


def test_operations_of_the_models_are_those_of_their_parameters() -> None:
    """Two FLOPs per parameter and token, without the embedding; attention adds to that."""
    module = PIPELINE.module
    gemms = sum(kernel.flops for kernel in module.count_decoder_gemms(1))
    assert gemms == pytest.approx(2 * (8.03e9 - 2 * 128256 * 4096), rel=0.01)  # Llama 3 8B
    encoder = module.count_encoder()
    products = sum(kernel.flops for kernel in encoder if kernel.name == "GEMM")
    assert products == pytest.approx(2 * 304e6 * 577 * 64, rel=0.02)  # ViT-L: 304 million parameters
    assert len(encoder) == 5
