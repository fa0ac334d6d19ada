"""Models against measurements, and training on thousands of chips, compared with calculations by hand."""

import re

import pytest

from diglot.hardware import (
    Layout,
    NetworkLinks,
    TrainingPlan,
    TrainingState,
    estimate_training_step,
    find_network,
    load_catalogue,
    load_model,
    load_replay,
)
from tests.site_figures.scripts import FIGURES, ROOT

PARITY, SCALING = FIGURES["parity"], FIGURES["pod_scaling"]

GRADIENT_BYTES = 2 * 70.55e9
VALIDATION = ROOT / "docs" / "measurements.md"


def test_median_errors_are_those_that_the_document_on_validation_prints() -> None:
    """The document is generated from cases and models, the figure from the committed times alone."""
    data = PARITY.data()
    text = VALIDATION.read_text("utf-8")
    errors = text.partition("<!-- errors -->")[2].partition("<!-- end -->")[0]
    rows = re.findall(
        r"^\| ([\w-]+) \| (\d+) \| (\d+)% \| ([\d.]+)% \| \d+% \| \d+% \| ([\d.]+)% \| (\d+)% \|",
        errors,
        re.MULTILINE,
    )
    held_out = {point["group"] for point in data["points"] if not point["fitted"]}
    assert {name for name, *_ in rows} == {*data["groups"], "all"} - held_out
    for name, count, *percents in rows:
        found = data["fitted"] if name == "all" else data["groups"][name]
        assert found["count"] == int(count)
        models = (f"{model}_median_fraction" for model in ("ideal", "calibrated", "left_out"))
        for field, percent, digits in zip((*models, "near_fraction"), percents, (0, 1, 1, 0), strict=True):
            assert 100 * found[field] == pytest.approx(float(percent), abs=0.51 * 10**-digits), (name, field)


def test_measurements_of_no_fit_are_predicted_by_the_committed_factors() -> None:
    """Numbers of docs/measurements.md, "Held out"."""
    groups = PARITY.data()["groups"]
    assert groups["vidur-allreduce-sample"]["count"] == 72
    assert groups["vidur-gemm-h100-sample"]["near_fraction"] == pytest.approx(0.96, abs=0.005)
    assert groups["vidur-gemm-a100-sample"]["left_out_median_fraction"] == pytest.approx(0.12, abs=0.005)
    for group in ("vidur-allreduce-sample", "fa3-other-shapes"):
        assert groups[group]["left_out_median_fraction"] == groups[group]["calibrated_median_fraction"]


def test_a_long_product_on_an_a100_takes_as_long_as_its_flops_at_the_peak() -> None:
    """8192 x 32768 x 32768 took 61.1 ms; with 16,384 tiles, the last wave wastes almost nothing."""
    point = next(p for p in PARITY.data()["points"] if p["id"] == "llmc-a100-8192x32768x32768")
    ideal_s = 2 * 8192 * 32768 * 32768 / 312e12
    assert point["measured"] == pytest.approx(ideal_s / 61.135e-3, rel=0.005)
    assert point["family"] == "ampere"


def test_every_point_belongs_to_one_family_and_no_measurement_beats_the_ideal() -> None:
    data = PARITY.data()
    assert sum(family["count"] for family in data["families"].values()) == len(data["points"])
    # Exponentials of short heads are counted one after the other, which real kernels partly hide.
    assert all(0 < point["measured"] <= (1 if point["fitted"] else 1.005) for point in data["points"])


def test_an_error_of_a_rate_is_taken_of_the_rate() -> None:
    """Half the time is an error of a half as a time, and of 1 as a rate, which is twice as high."""
    find_error = PARITY.module.find_error
    assert find_error("time", 0.5, 1.0) == pytest.approx(0.5)
    assert find_error("rate", 0.5, 1.0) == pytest.approx(1.0)


def test_single_kernels_are_predicted_as_the_table_of_fits_says() -> None:
    """The figure counts points, data/replay.yaml has shares of each fit."""
    data = FIGURES["operator_parity"].data()
    fits = [fit for fit in load_replay().fits if fit.operator != "elementwise"]
    assert data["all"]["count"] == sum(fit.points_count for fit in fits) == 1134
    near = sum(fit.points_count * fit.left_out_within_quarter_fraction for fit in fits)
    assert data["all"]["near_fraction"] == pytest.approx(near / 1134, abs=0.002)
    assert FIGURES["operator_parity"].data(model="calibrated")["all"]["near_fraction"] > near / 1134


@pytest.mark.parametrize("name", ["operator_parity", "parity"])
def test_the_pictures_of_the_docs_are_told_as_the_figures_tell_themselves(name: str) -> None:
    """Predictions of what was left out; a new fit has new words, and needs a new picture."""
    figure = FIGURES[name]
    told = figure.module.describe(figure.data(), figure.words("en"))
    assert f"![{told}](images/{name}.wide.en.light.png)" in VALIDATION.read_text("utf-8")
    subject = {"operator_parity": "Single", "parity": "Published"}[name]
    summary = (ROOT / "docs" / "validation.md").read_text("utf-8")
    (short,) = re.findall(rf"^- (\*\*{subject} kernels.*?)^- ", summary, re.MULTILINE | re.DOTALL)
    assert set(re.findall(r"[\d.]+%", short)) <= set(re.findall(r"[\d.]+%", told))


def row_of(key: str, chips: int, **parameters: int) -> dict:
    return next(row for row in SCALING.data(**parameters)["chips"][key]["rows"] if row["chips"] == chips)


@pytest.mark.parametrize("key", ["v5p", "v7"])
@pytest.mark.parametrize(("chips", "links"), [(8, 3), (32, 3), (64, 6), (4096, 6), (6144, 6)])
def test_a_torus_reduces_over_all_links_of_a_chip_which_are_six_from_a_cube_of_64_on(
    key: str, chips: int, links: int
) -> None:
    by_hand_s = 2 * (chips - 1) / chips * GRADIENT_BYTES / (links * 90e9)
    assert row_of(key, chips)["all_reduce_s"] == pytest.approx(by_hand_s, rel=1e-3)


@pytest.mark.parametrize("chips", [8, 16, 32])
def test_up_to_four_islands_of_h100_are_bound_by_nvlink(chips: int) -> None:
    by_hand_s = 2 * 7 / 8 * GRADIENT_BYTES / 450e9
    assert row_of("h100", chips)["all_reduce_s"] == pytest.approx(by_hand_s, rel=1e-3)


@pytest.mark.parametrize("chips", [64, 1024, 16384])
def test_more_islands_are_bound_by_400_gb_per_s_of_each(chips: int) -> None:
    islands = chips // 8
    by_hand_s = 2 * (islands - 1) / islands * GRADIENT_BYTES / 400e9
    assert row_of("h100", chips)["all_reduce_s"] == pytest.approx(by_hand_s, rel=1e-3)


@pytest.mark.parametrize("key", ["v5p", "v7"])
def test_the_largest_slice_is_the_catalogue_s_pod(key: str) -> None:
    found = SCALING.data()["chips"][key]
    assert found["largest"]["chips"] == load_catalogue()[found["id"]].quantity("pod.max_chips").value


@pytest.mark.parametrize("batch", [4, 16])
def test_a_step_takes_six_flops_for_each_weight_and_token_and_those_of_attention(batch: int) -> None:
    tokens, layers, width = batch * 2**20, 80, 8192
    weights = 70.55e9 - 128256 * width  # the embedding multiplies nothing
    # A query meets half of 4,096 keys on average, causally; two products, forward once and backward twice.
    flops = 6 * weights * tokens + 3 * layers * 4 * width * 4096 / 2 * tokens
    assert SCALING.data(batch_mtokens=batch)["step_flops"] == pytest.approx(flops, rel=1e-3)


@pytest.mark.parametrize(
    ("key", "peak", "bytes_per_s"),
    [("v5p", 459e12, 540e9), ("v7", 2307e12, 540e9), ("h100", 989.4e12, 400e9)],
)
def test_links_bind_from_as_many_tokens_of_each_chip_as_peak_over_links(
    key: str, peak: float, bytes_per_s: float
) -> None:
    """6 FLOPs per weight and token at the peak, 3 arrays of 2 bytes per weight through the links.

    Attention moves no weights, so links become the limit a little later.
    """
    knee = SCALING.data(batch_mtokens=4)["chips"][key]["knee"]
    assert 4 * 2**20 / knee["chips"] == pytest.approx(peak / bytes_per_s, rel=0.03)


def test_a_step_bound_by_arithmetic_is_that_of_the_model_of_training() -> None:
    """512 TPU v5p, operator by operator on the roofline, which includes the masked scores."""
    chip, chips = load_catalogue()["tpu-v5p"], 512
    plan = TrainingPlan(
        model=load_model("llama-3-70b"),
        sequence_tokens=4096,
        batch_sequences_count=4096,
        layout=Layout(data_count=chips),
        state=TrainingState(sharded="parameters"),
    )
    links = NetworkLinks(reducing=find_network(chip, (8, 8, 8)), neighbour_bandwidth_bytes_per_s=90e9)
    step = estimate_training_step(plan, roofline=chip.roofline("bf16"), tensor_interconnect=links)
    assert step.time_s == pytest.approx(row_of("v5p", chips, batch_mtokens=16)["step_s"], rel=0.03)
