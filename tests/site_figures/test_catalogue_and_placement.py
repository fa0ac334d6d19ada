"""The table of all chips, and the pipeline over CPUs, GPUs and TPUs."""

from pathlib import Path
from typing import Any

import pytest

from diglot.figures.scripts.plain_data import plain_data
from diglot.hardware import load_catalogue
from tests.hardware.test_catalogue import SMALL
from tests.site_figures.scripts import FIGURES

CATALOGUE, PIPELINE = FIGURES["hardware_catalogue"], FIGURES["hybrid_pipeline"]


def pipeline() -> dict[str, Any]:
    return PIPELINE.data()


def test_every_chip_is_a_row_with_its_mark() -> None:
    data = CATALOGUE.data()
    table = CATALOGUE.module.table(data, CATALOGUE.words("en"))
    chips = load_catalogue(folder=None)
    assert [row[0] for row in table.rows[: len(chips)]] == [chip.short_name for chip in chips.chips]
    assert tuple(mark.chip_id for mark in table.chips[: len(chips)]) == tuple(chips)
    assert data["count"] == data["gpu_count"] + data["tpu_count"] + data["npu_count"]


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
    data = plain_data(CATALOGUE.module.compute())  # not the data that other tests share
    table = CATALOGUE.module.table(data, CATALOGUE.words("zh"))
    assert table.rows[-1][0] == "One"
    assert (table.chips[-1].chip_id, table.chips[-1].marker) == ("one", "^")


def test_each_placement_is_the_best_of_those_shown_at_what_it_was_chosen_for() -> None:
    data = pipeline()
    shown = [data[name] for name in ("latency", "throughput", "cost", "gpu_only")]
    assert data["latency"]["latency_s"] == min(each["latency_s"] for each in shown)
    assert data["throughput"]["items_per_s"] == max(each["items_per_s"] for each in shown)
    assert data["cost"]["usd_per_thousand"] == min(each["usd_per_thousand"] for each in shown)


def test_latency_is_what_stages_and_transfers_add_up_to() -> None:
    for name in ("latency", "throughput", "cost"):
        placed = pipeline()[name]
        assert sum(placed["stage_times_s"]) + sum(placed["transfer_times_s"]) == pytest.approx(
            placed["latency_s"]
        )


def test_the_cost_follows_from_prices_and_rate() -> None:
    """Two sockets at $5.56 an hour, four H200 and eight v6e at the catalogue's first prices."""
    catalogue = load_catalogue()
    usd_per_s = {
        "cpu": 2 * 5.56 / 3600,
        "gpu": 4 * catalogue["h200-sxm"].prices[0].usd_per_chip_s,
        "tpu": 8 * catalogue["tpu-v6e"].prices[0].usd_per_chip_s,
    }
    for name in ("latency", "throughput", "cost", "gpu_only"):
        placed = pipeline()[name]
        rent = sum(usd_per_s[pool] for pool in set(placed["pool_names"]))
        assert placed["usd_per_thousand"] == pytest.approx(1000 * rent / placed["items_per_s"])


def test_operations_of_the_models_are_those_of_their_parameters() -> None:
    """Two FLOPs per parameter and token, without the embedding; attention and activations add to that."""
    module = PIPELINE.module
    one_token = module.hardware.list_kernels(module.DECODER, module.hardware.prefill(1))
    flops = sum(kernel.flops for kernel in one_token)
    assert flops == pytest.approx(2 * (8.03e9 - 128256 * 4096), rel=0.01)  # Llama 3 8B
    assert pytest.approx(304e6, rel=0.005) == module.ENCODER.parameters_count  # ViT-L
    assert module.DECODER.kv_bytes(1, "bf16") == 2 * 32 * 8 * 128 * 2
