"""Kernels and steps that others measured on GPUs, against the calibrated times (`data/README.md`)."""

import numpy as np
import pytest

from benchmarks.fit_replay import fit_points
from diglot.hardware import Routing, balance_experts, load_replay
from diglot.hardware.chips.replay import REPLAY_PATH
from tests.reference import peer_operators, peer_serving
from tests.reference.peer_points import DATA, read_points
from tests.reference.peer_steps import ROUTING_SKEW, read_steps

POINTS = tuple(read_points(DATA))


@pytest.fixture(scope="module")
def judged():
    """Every second point: enough for each operator on each chip, at half of the time."""
    return tuple(peer_operators.judge_points(POINTS[::2]))


@pytest.fixture(scope="module")
def steps():
    return tuple(peer_serving.judge_step(step) for step in read_steps())


def group(judged):
    found = {}
    for each in judged:
        found.setdefault((each.point.operator, each.point.chip), []).append(each)
    return found.items()


def test_no_measured_kernel_beats_the_ideal(judged):
    assert [each.point.id for each in judged if not each.is_bounded] == []


def test_calibrated_times_are_near_for_every_operator_on_every_chip(judged):
    groups = dict(group(judged))
    assert len(groups) == 23
    for name, mine in groups.items():
        assert np.median([abs(each.error_fraction) for each in mine]) <= 0.1, name
        assert np.mean([each.is_near for each in mine]) >= 0.85, name
    assert np.mean([each.is_near for each in judged]) >= 0.95


def test_points_that_were_left_out_of_a_fit_are_predicted_too():
    """Shapes that a fit has not seen, eight times an eighth of them."""
    fits = load_replay().fits
    assert sum(fit.points_count for fit in fits) > 900
    counts = np.array([fit.points_count for fit in fits])
    near = np.array([fit.left_out_within_quarter_fraction for fit in fits])
    assert (counts * near).sum() / counts.sum() >= 0.94
    # Experts of four bits are of two and three models, and run in kernels that are chosen for each size.
    limits = {("experts", "fp4"): 0.2}
    for fit in fits:
        if fit.points_count > 20:
            assert fit.left_out_median_error_fraction <= limits.get((fit.operator, fit.dtype), 0.1)


def test_the_fits_follow_from_the_points():
    """Those of NCCL, which are quickly made; `benchmarks/fit_calibration.py` makes them all."""
    mine = [point for point in POINTS if point.operator == "all-reduce-nccl"]
    text = REPLAY_PATH.read_text("utf-8")
    for fit in fit_points(mine, []):
        assert "\n".join(fit.write()) in text


def test_steps_of_dense_models_are_right_in_all_their_parts(steps):
    dense = [each for each in steps if each.step.model != "deepseek-v3"]
    assert len(dense) == 15
    assert [str(each) for each in dense if not each.passed] == []


def test_steps_of_mixtures_are_right_in_all_their_parts(steps):
    mixtures = [each for each in steps if each.step.model == "deepseek-v3"]
    assert len(mixtures) == 3
    assert [str(each) for each in mixtures if not each.passed] == []


def test_the_skew_gives_the_busiest_way_as_many_rows_as_the_source_draws():
    """256 popularities between 1 and 0.8 of the tokens, with a density of x^-1.01, on eight ways in order."""
    tokens, power = 8192, 1 - 1.01
    low, high = 1.0, (0.8 * tokens) ** power
    drawn = (low + np.random.default_rng(0).random((2000, 256)) * (high - low)) ** (1 / power)
    ways = drawn.reshape(-1, 8, 32).sum(axis=2)
    expected = np.mean(ways.max(axis=1) / ways.mean(axis=1))
    routing = Routing(experts_count=256, active_count=8, skew=ROUTING_SKEW)
    balance = balance_experts(routing, tokens, ways_count=8, placement="blind")
    assert balance.imbalance_ratio == pytest.approx(expected, rel=0.03)


def test_the_commands_print_tables_and_counts(tmp_path, monkeypatch, capsys):
    rows = DATA.read_text("utf-8").splitlines()
    file = tmp_path / "points.csv"
    file.write_text("\n".join([*rows[:4], rows[1].replace(",gemm,", ",conv,", 1)]) + "\n", "utf-8")
    monkeypatch.setattr("sys.argv", ["peer_operators", str(file)])
    assert peer_operators.main() == 2
    out, err = capsys.readouterr()
    assert out.splitlines()[-1] == "3 passed, 0 failed"
    assert "points.csv:5: operator must be one of gemm," in err


def test_a_file_of_steps_is_judged_row_by_row(tmp_path, monkeypatch, capsys):
    file = tmp_path / "steps.csv"
    header, first, *_ = (DATA.parent / "peer_serving.csv").read_text("utf-8").splitlines()
    file.write_text(f"{header}\n{first}\n", "utf-8")
    monkeypatch.setattr("sys.argv", ["peer_serving", str(file)])
    assert peer_serving.main() == 0
    assert capsys.readouterr().out.splitlines()[-1] == "1 passed, 0 failed"
