"""Speculative decoding and multi-token prediction against published figures and limits."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from diglot.hardware import (
    Formats,
    Layout,
    Ring,
    build_prediction_module,
    choose_draft_tokens,
    count_expected_tokens,
    decode,
    deploy,
    estimate_decode,
    find_speculative_speed_up,
    list_operators,
    load_catalogue,
    load_model,
    speculate,
)
from diglot.hardware.operators.transformer import SequenceGroup

CHIPS = load_catalogue()
LARGE, SMALL, MIXTURE = (load_model(name) for name in ("llama-3-70b", "llama-3-8b", "deepseek-v3"))
EIGHT = Layout(tensor_count=8)
TARGET, DRAFTER = (deploy(model, CHIPS["h100-sxm"], layout=EIGHT) for model in (LARGE, SMALL))


def test_the_speed_up_of_t5_xxl_as_published():
    """Leviathan et al.: T5-small for T5-XXL, EnDe, temperature 0, k = 7, a = 0.75: 3.4 times.

    The theorem gives 3.2, where a step of the drafter, of a hundredth of the size, takes 0.02 of the model's.
    That is an assumption, which matters little: 0 would give 3.6.
    """
    assert find_speculative_speed_up(7, 0.75, draft_step_fraction=0.02) == pytest.approx(3.4, rel=0.1)


def test_two_tokens_of_deepseek_v3_as_published():
    """DeepSeek-V3, section 5.4.3: 85 to 90 % of second tokens accepted, 1.8 times the tokens per second.

    On one node, at batches where weights are the limit and transfers hidden; the module's own step is
    counted.
    """
    deployment = deploy(
        MIXTURE,
        CHIPS["h200-sxm"],
        layout=Layout(expert_count=8),
        formats=Formats(weights="fp8", arithmetic="fp8"),
        interconnect=Ring(bandwidth_bytes_per_s=1e30),
    )
    module = build_prediction_module(deployment)
    for accepted in (0.85, 0.9):
        run = speculate(
            deployment,
            4000,
            draft_tokens=1,
            acceptance_fraction=accepted,
            batch_count=8 * np.array([16, 32, 64]),
            drafter=module,
        )
        np.testing.assert_allclose(run.speed_up, 1.8, rtol=0.05)


def test_a_module_is_a_layer_of_experts_with_the_embeddings():
    """The module's own 11.5 billion parameters, as the release counts them, less the projection's 0.1."""
    module = build_prediction_module(deploy(MIXTURE, CHIPS["h200-sxm"], layout=Layout(expert_count=16))).model
    assert module.layers_count == module.expert_layers_count == 1
    own = module.parameters_count - module.embedding_parameters_count - module.head_parameters_count
    assert own == pytest.approx(11.5e9, rel=0.01)


def test_expected_tokens_by_hand():
    assert count_expected_tokens(0, 0.5) == 1
    assert count_expected_tokens(1, 0.875) == pytest.approx(1.875)
    assert count_expected_tokens(2, 0.5) == pytest.approx(1.75)
    assert count_expected_tokens(4, 1.0) == 5
    assert count_expected_tokens(4, 0.0) == 1
    assert count_expected_tokens(10, 1 - 1e-12) == pytest.approx(11)


@given(st.integers(0, 50), st.floats(0, 1))
def test_expected_tokens_are_those_of_a_sum_and_within_bounds(drafted, accepted):
    expected = count_expected_tokens(drafted, accepted)
    assert expected == pytest.approx(sum(accepted**power for power in range(drafted + 1)))
    assert 1 - 1e-9 <= expected <= drafted + 1 + 1e-9


def test_large_batches_are_hurt():
    """Verifying five tokens per sequence is free while weights are read, and dear where products bind."""
    batches = np.array([1, 16, 64, 256, 1024])
    run = speculate(
        TARGET, 1024, draft_tokens=4, acceptance_fraction=0.8, batch_count=batches, drafter=DRAFTER
    )
    assert run.speed_up[0] > 2
    assert run.speed_up[-1] < 1
    assert np.all(np.diff(run.speed_up) < 0)
    worth = run.accepted_tokens > run.break_even_tokens
    assert worth.tolist() == (run.speed_up > 1).tolist()


def test_fewer_tokens_are_drafted_for_larger_batches_and_none_where_it_hurts():
    chosen = [
        choose_draft_tokens(TARGET, 1024, acceptance_fraction=0.8, batch_count=batch, drafter=DRAFTER)
        for batch in (1, 64, 1024)
    ]
    assert chosen[0] > chosen[1] > chosen[2] == 0


def test_without_drafts_nothing_changes():
    run = speculate(TARGET, 1024, draft_tokens=0, acceptance_fraction=0.8, batch_count=8, drafter=DRAFTER)
    assert run.speed_up == pytest.approx(1)
    assert run.tpot_s == pytest.approx(estimate_decode(TARGET, 1024, batch_count=8).time_s)


@given(st.floats(0, 0.99), st.floats(0.001, 0.01), st.integers(1, 8), st.integers(1, 512))
@settings(max_examples=20, deadline=None)
def test_a_better_drafter_is_never_slower(accepted, more, drafted, batch):
    less, better = (
        speculate(TARGET, 512, draft_tokens=drafted, acceptance_fraction=share, batch_count=batch)
        for share in (accepted, accepted + more)
    )
    assert better.tpot_s <= less.tpot_s
    assert less.speed_up <= drafted + 1


def test_verified_tokens_of_latent_attention_do_not_expand_the_context():
    """128 heads x (576 + 512) x 2 FLOPs for each of two queries and each key before it."""
    two = SequenceGroup(new_tokens=2, context_tokens=10_000)
    kernel = next(each for each in list_operators(MIXTURE, two) if each.name == "attention").kernel
    assert kernel.flops == 2 * (10_001 + 10_002) * 128 * (576 + 512)
    one = next(each for each in list_operators(MIXTURE, decode(10_000)) if each.name == "attention").kernel
    assert kernel.read_bytes < 1.1 * one.read_bytes


def test_a_sweep_of_steps_is_what_single_steps_are():
    news = np.array([1, 2, 100, 171, 200, 4000])
    swept = list_operators(MIXTURE, SequenceGroup(new_tokens=news, context_tokens=4000))
    for place, new in enumerate(news):
        single = list_operators(MIXTURE, SequenceGroup(new_tokens=int(new), context_tokens=4000))
        for many, one in zip(swept, single, strict=True):
            assert np.broadcast_to(many.flops, news.shape)[place] == one.flops
            assert np.broadcast_to(many.memory_bytes, news.shape)[place] == one.memory_bytes


def test_impossible_shares_are_refused():
    with pytest.raises(ValueError, match="acceptance_fraction must be from 0 to 1"):
        speculate(TARGET, 1024, draft_tokens=2, acceptance_fraction=1.1)
    with pytest.raises(ValueError, match="draft_tokens"):
        count_expected_tokens(-1, 0.5)
