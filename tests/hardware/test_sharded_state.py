"""Share of the training state that each chip holds."""

import numpy as np
import pytest

from diglot.hardware import Layout, TrainingPlan, TrainingState, count_state_bytes_per_chip, load_model
from diglot.hardware.training.sharded_state import SHARDED


def test_each_stage_holds_less_and_one_copy_all():
    held = [count_state_bytes_per_chip(1e9, copies_count=8, sharded=part) for part in SHARDED]
    assert held == sorted(held, reverse=True)
    alone = {count_state_bytes_per_chip(1e9, copies_count=1, sharded=part) for part in SHARDED}
    assert alone == {16e9}


def test_many_copies_hold_next_to_nothing_once_all_is_spread():
    held = count_state_bytes_per_chip(1e9, copies_count=np.array([1, 10, 10**6]), sharded="parameters")
    assert np.all(np.diff(held) < 0)
    assert held[-1] == pytest.approx(16e3)


def test_it_agrees_with_a_plan_whose_state_is_spread():
    model = load_model("llama-2-7b")
    plan = TrainingPlan(
        model=model,
        sequence_tokens=128,
        batch_sequences_count=8,
        layout=Layout(data_count=8),
        state=TrainingState(sharded="parameters", gradient_bytes=2),
    )
    assert plan.estimate_memory().state_bytes == pytest.approx(
        count_state_bytes_per_chip(model.parameters_count, copies_count=8, sharded="parameters")
    )


def test_an_unknown_part_is_refused():
    with pytest.raises(ValueError, match="sharded must be one of nothing, optimiser"):
        count_state_bytes_per_chip(1e9, copies_count=8, sharded="all")
