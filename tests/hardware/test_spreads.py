"""Calibrated answers with the interval that holds nine in ten measurements, and what it rests on."""

import dataclasses
from hashlib import sha256

import numpy as np
import pytest

from diglot.hardware import (
    DATA_EDITION,
    AttentionShape,
    Experts,
    Formats,
    Layout,
    Spread,
    TrainingPlan,
    TransformerModel,
    count_elementwise,
    deploy,
    estimate_decode,
    find_collective_estimate,
    find_spread,
    load_catalogue,
    load_spreads,
    time_attention,
    time_collective,
    time_gemm,
    time_kernel,
    train_on_chip,
)
from diglot.hardware.chips.calibration import CalibrationError
from diglot.hardware.chips.spreads import SPREADS_PATH, SUBJECTS, bound_time, parse_spreads
from diglot.hardware.data import FOLDER

CHIPS = load_catalogue()
TEXT = SPREADS_PATH.read_text("utf-8")


@pytest.mark.parametrize(
    ("subject", "chip", "basis"),
    [
        ("product", "h100-sxm", "measured here"),
        ("product", "a100-40", "near"),
        ("product", "gb300", "near"),
        ("product", "l40s", "far"),
        ("product", "tpu-v6e", "measured here"),
        ("product", "tpu-v5e", "far"),
        ("trained dense", "tpu-v7", "measured here"),
        ("served dense", "mi300x", "measured here"),
        ("served dense", "mi355x", "near"),
        ("served experts", "mi300x", "far"),
    ],
)
def test_the_basis_says_whether_the_chip_was_measured(subject, chip, basis):
    assert find_spread(subject, chip).basis == basis


@pytest.mark.parametrize(
    ("chip", "dtype", "basis"),
    [
        ("h100-sxm", "bf16", "measured here"),
        ("h100-sxm", "fp16", "measured here"),
        ("h100-sxm", "fp8", "measured here"),
        ("h100-sxm", "fp64", "near"),
        ("b200-sxm", "fp4", "measured here"),
        ("gb200", "fp4", "near"),
        ("a100-80", "int8", "near"),
        ("tpu-v6e", "bf16", "measured here"),
        ("tpu-v6e", "int8", "near"),
    ],
)
def test_a_format_that_was_not_measured_is_near_at_best(chip, dtype, basis):
    assert find_spread("product", chip, dtype).basis == basis
    if dtype in CHIPS[chip].dtypes:
        assert time_gemm(chip, 8192, 8192, 8192, dtype=dtype, mode="calibrated").estimate.basis == basis


@pytest.mark.parametrize("subject", SUBJECTS)
def test_a_chip_of_ones_own_is_never_called_measured(subject):
    """However much it is like one of the catalogue."""
    own = dataclasses.replace(CHIPS["h100-sxm"], id="my-h100")
    assert find_spread(subject, own).basis == "far"


@pytest.mark.parametrize("subject", SUBJECTS)
def test_less_is_known_of_chips_that_are_farther(subject):
    own = dataclasses.replace(CHIPS["h100-sxm"], id="my-h100")
    chips = [each for each in CHIPS.chips if each.kind == "gpu" and each.vendor == "NVIDIA"]
    ratios = {
        basis: [
            found.ratio for found in (find_spread(subject, chip) for chip in chips) if found.basis == basis
        ]
        for basis in ("measured here", "near")
    }
    if ratios["near"]:
        assert max(ratios["measured here"]) < min(ratios["near"])
    assert max([*ratios["measured here"], *ratios["near"]], default=1.0) < find_spread(subject, own).ratio


def test_an_interval_reaches_as_far_either_way_and_never_below_the_least():
    estimate = Spread(ratio=1.5, basis="near").bracket(np.array([3.0, 6.0]), least=np.array([0.0, 5.0]))
    np.testing.assert_allclose(estimate.low, [2, 5])
    np.testing.assert_allclose(estimate.high, [4.5, 9])
    assert str(Spread(ratio=1.5, basis="near").bracket(3.0)) == "3 (2 to 4.5, near)"
    with pytest.raises(ValueError, match="ratio must be at least 1"):
        Spread(ratio=0.9, basis="near")


def test_an_ideal_time_is_a_bound():
    assert bound_time(2.0).basis == "bound"
    ideal = time_gemm("h100-sxm", 4096, 4096, 4096)
    assert (ideal.estimate.low, ideal.estimate.high) == (ideal.time_s, np.inf)
    plan = TrainingPlan(model=_make_model(), sequence_tokens=2048, batch_sequences_count=8, layout=Layout())
    assert train_on_chip(plan, "h100-sxm").estimate.basis == "bound"
    assert estimate_decode(deploy(_make_model(), "h100-sxm"), 100).estimate.basis == "bound"


def _make_model(experts=None):
    return TransformerModel(
        layers_count=4,
        width_elements=1024,
        heads_count=8,
        feed_forward_elements=4096,
        vocabulary_count=1000,
        experts=experts,
    )


@pytest.mark.parametrize("chip", [chip.id for chip in CHIPS.chips if "bf16" in chip.dtypes])
def test_every_calibrated_answer_has_an_interval_above_its_bound(chip):
    shape = AttentionShape.of_sequence(2048, 8, 128)
    kernels = {
        "product": lambda mode: time_gemm(chip, 512, 1024, 1024, mode=mode),
        "attention": lambda mode: time_attention(chip, shape, mode=mode),
        "copy": lambda mode: time_kernel(chip, count_elementwise(10**6), "copy", mode=mode),
    }
    for subject, measure in kernels.items():
        found, bound = measure("calibrated"), measure("ideal")
        estimate = found.estimate
        assert bound.time_s * 0.999 <= estimate.low <= found.time_s == estimate.value <= estimate.high
        spread = find_spread(subject, chip, found.dtype, time_s=found.time_s)
        assert estimate.high == pytest.approx(found.time_s * spread.ratio)


KERNELS = [fit for fit in load_spreads() if fit.least_time_s > 0]


@pytest.mark.parametrize("fit", KERNELS, ids=lambda fit: f"{fit.subject}-{fit.maker}")
def test_a_kernel_unlike_those_measured_in_length_is_near_at_best(fit):
    chip, longest = fit.chips[0], 2 * fit.most_time_s
    inside = np.array([fit.least_time_s, fit.most_time_s])
    assert find_spread(fit.subject, chip, time_s=inside).basis == "measured here"
    for time_s in (0.49 * fit.least_time_s, 1.01 * longest, np.array([fit.least_time_s, 1.01 * longest])):
        outside = find_spread(fit.subject, chip, time_s=time_s)
        assert outside == find_spread(fit.subject, chip).as_near()


def test_sizes_that_nobody_measured_are_less_sure():
    for sides, basis in (((4096, 4096, 4096), "measured here"), ((10**6, 10**5, 10**5), "near")):
        assert time_gemm("h100", *sides, mode="calibrated").estimate.basis == basis
    for side, basis in ((8192, "measured here"), (64, "near")):
        assert time_gemm("v6e", side, side, side, mode="calibrated").estimate.basis == basis
    for size, basis in ((2**26, "measured here"), (2**40, "near")):
        assert find_collective_estimate("h100", "all-reduce", size, 8).basis == basis


def test_every_kernel_says_what_was_measured_and_no_whole_system_does():
    systems = {subject for subject in SUBJECTS if subject.startswith(("served", "trained"))}
    assert {fit.subject for fit in KERNELS} == set(SUBJECTS) - systems


@pytest.mark.parametrize(("gpus", "basis"), [(8, "measured here"), (16, "near"), (64, "near")])
def test_a_collective_beyond_the_measured_island_is_less_sure(gpus, basis):
    sizes = np.array([2**14, 2**26])
    estimate = find_collective_estimate("h100-sxm", "all-reduce", sizes, gpus)
    assert estimate.basis == basis
    np.testing.assert_allclose(
        estimate.value, time_collective("h100-sxm", "all-reduce", sizes, gpus, mode="calibrated")
    )
    assert np.all(estimate.low >= time_collective("h100-sxm", "all-reduce", sizes, gpus))


@pytest.mark.parametrize("experts", [None, Experts(routed_count=8, active_count=2, hidden_elements=512)])
def test_steps_of_services_and_of_training_are_as_sure_as_such_models_are(experts):
    kind = "dense" if experts is None else "experts"
    model = _make_model(experts)
    deployment = deploy(model, "h100-sxm", timing="calibrated")
    assert deployment.spread == find_spread(f"served {kind}", "h100-sxm")
    step = estimate_decode(deployment, 1000, batch_count=np.array([1, 8]))
    np.testing.assert_allclose(step.estimate.high, step.time_s * deployment.spread.ratio)
    plan = TrainingPlan(
        model=model,
        sequence_tokens=2048,
        batch_sequences_count=8,
        layout=Layout(data_count=8),
        formats=Formats(arithmetic="fp8"),
    )
    trained = train_on_chip(plan, "h100-sxm", timing="calibrated")
    assert trained.estimate.basis == "measured here"
    assert trained.estimate.high == pytest.approx(
        trained.time_s * find_spread(f"trained {kind}", "h100-sxm").ratio
    )


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("schema: spreads/1", "schema: spreads/2", "schema"),
        ("subject: attention", "subject: atention", "subject"),
        ("ratio:", "ratios:", "ratios"),
    ],
)
def test_a_mistake_in_the_file_is_reported_with_its_line(old, new, problem):
    with pytest.raises(CalibrationError, match=rf"spreads\.yaml:\d+: .*{problem}"):
        parse_spreads(TEXT.replace(old, new, 1))


def test_every_subject_was_measured_somewhere():
    assert {fit.subject for fit in load_spreads()} == set(SUBJECTS)


def test_the_edition_of_the_data_changes_with_the_data():
    files = ("calibration.yaml", "replay.yaml", "spreads.yaml", "measured_systems.yaml")
    digest = sha256(b"".join((FOLDER / name).read_bytes() for name in files)).hexdigest()[:12]
    known = ("2026-11-28", "a49341fa28ec")
    assert (DATA_EDITION, digest) == known, "set DATA_EDITION to today, and this pair, when the data changes"
