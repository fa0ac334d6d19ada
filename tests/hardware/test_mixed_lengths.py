"""Sequences of different lengths: padded, in buckets, packed."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from diglot.hardware import (
    Layout,
    decode_lengths,
    deploy,
    draw_lengths_tokens,
    estimate_decode,
    estimate_prefill,
    list_buckets,
    load_catalogue,
    load_model,
    prefill_lengths,
)

DEPLOYMENT = deploy(load_model("llama-3-70b"), load_catalogue()["tpu-v6e"], layout=Layout(tensor_count=8))
LENGTHS = draw_lengths_tokens(1024, requests_count=512, variation_ratio=1.0, seed=1)
SHAPINGS = ("padded", "bucketed", "packed")


def test_buckets_are_powers_of_two():
    assert list_buckets(100).tolist() == [16, 32, 64, 128]
    assert list_buckets(128, least_tokens=100).tolist() == [128]


def test_powers_of_two_are_filled_to_72_percent():
    """Lengths evenly spread on a logarithmic scale: the mean of 2^u over 2, which is 1 / (2 ln 2)."""
    lengths = np.round(2 ** np.linspace(9, 13, 4001)[1:]).astype(int)
    run = prefill_lengths(DEPLOYMENT, lengths, shaping="bucketed")
    assert run.token_efficiency_fraction == pytest.approx(1 / (2 * np.log(2)), rel=0.02)


def test_packed_beats_buckets_and_buckets_beat_padding():
    padded, bucketed, packed = (prefill_lengths(DEPLOYMENT, LENGTHS, shaping=shaping) for shaping in SHAPINGS)
    assert padded.useful_tokens == bucketed.useful_tokens == packed.useful_tokens == LENGTHS.sum()
    assert padded.token_efficiency_fraction < bucketed.token_efficiency_fraction < 1
    assert packed.token_efficiency_fraction > 0.999
    assert padded.tokens_per_s < bucketed.tokens_per_s < packed.tokens_per_s


def test_equal_lengths_need_no_shaping():
    equal = np.full(64, 1024)
    runs = [prefill_lengths(DEPLOYMENT, equal, shaping=shaping) for shaping in SHAPINGS]
    assert [run.token_efficiency_fraction for run in runs] == [1, 1, 1]
    alone = 8 * estimate_prefill(DEPLOYMENT, 1024, sequences_count=8).time_s
    assert runs[0].time_s == pytest.approx(alone)
    assert runs[1].time_s == pytest.approx(alone)
    assert runs[2].time_s == pytest.approx(alone, rel=0.01)  # the head runs for one token per row here


def test_one_prompt_is_a_prefill():
    for shaping in ("padded", "packed"):
        run = prefill_lengths(DEPLOYMENT, 1000, shaping=shaping)
        assert run.time_s == pytest.approx(estimate_prefill(DEPLOYMENT, 1000).time_s)


@given(st.lists(st.integers(1, 4096), min_size=1, max_size=30), st.integers(1, 16), st.sampled_from(SHAPINGS))
@settings(max_examples=40, deadline=None)
def test_no_token_is_lost_and_none_processed_faster_than_useful(lengths, batch, shaping):
    run = prefill_lengths(DEPLOYMENT, lengths, shaping=shaping, batch_count=batch)
    assert run.useful_tokens == sum(lengths)
    assert 0 < run.token_efficiency_fraction <= 1
    assert 0 < run.time_s < np.inf


def test_padded_decoding_reads_what_is_not_there():
    contexts = LENGTHS[:64]
    padded, packed = (decode_lengths(DEPLOYMENT, contexts, shaping=each) for each in ("padded", "packed"))
    assert packed.token_efficiency_fraction == 1
    assert padded.time_s == estimate_decode(DEPLOYMENT, int(contexts.max()), batch_count=64).time_s
    assert packed.time_s < padded.time_s
    equal = decode_lengths(DEPLOYMENT, np.full(8, 500))
    assert equal.time_s == pytest.approx(estimate_decode(DEPLOYMENT, 500, batch_count=8).time_s)


def test_impossible_shapes_are_refused():
    with pytest.raises(ValueError, match="shaping must be one of padded, bucketed, packed"):
        prefill_lengths(DEPLOYMENT, 100, shaping="ragged")
    with pytest.raises(ValueError, match="buckets_tokens must reach 100"):
        prefill_lengths(DEPLOYMENT, 100, shaping="bucketed", buckets_tokens=[16, 64])
