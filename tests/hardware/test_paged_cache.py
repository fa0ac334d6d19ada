"""Waste of paged and contiguous caches against the figures of the PagedAttention paper."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from diglot.hardware import (
    Formats,
    Layout,
    count_allocated_tokens,
    count_paged_sequences,
    deploy,
    draw_lengths_tokens,
    find_cache_use_fraction,
    find_cache_waste_fraction,
    load_catalogue,
    load_model,
)

MODEL = load_model("llama-3-70b")
DEPLOYMENT = deploy(MODEL, load_catalogue()["h200-sxm"], layout=Layout(tensor_count=4))
PROMPT, OUTPUT = 161, 338
"""Mean lengths near those of ShareGPT, with which the paper measured: an assumption."""


def test_blocks_of_sixteen_waste_less_than_the_paper_says():
    """Kwon et al., figure 2: vLLM uses 96.3 % of the cache."""
    assert 0.963 < find_cache_use_fraction(PROMPT, OUTPUT, block_tokens=16) < 1


def test_reserving_the_longest_wastes_what_the_paper_measured():
    """Figure 2: with 2,048 tokens reserved per request (Orca, Max), 20.4 % of the cache holds tokens.

    With lengths that are all alike, 16 %; that they vary as much as their mean (prompts) and by 0.7 of it
    (answers) is an assumption, since long answers weigh more in a mean over time.
    """
    assert find_cache_use_fraction(PROMPT, OUTPUT, reserved_tokens=2048) == pytest.approx(0.161, abs=0.001)
    prompts = draw_lengths_tokens(PROMPT, requests_count=5000, variation_ratio=1.0, seed=1)
    outputs = draw_lengths_tokens(OUTPUT, requests_count=5000, variation_ratio=0.7, seed=2)
    fits = prompts + outputs <= 2048
    used = find_cache_use_fraction(prompts[fits], outputs[fits], reserved_tokens=2048)
    assert used == pytest.approx(0.204, rel=0.1)


@given(
    st.lists(st.tuples(st.integers(1, 200), st.integers(1, 200)), min_size=1, max_size=4), st.integers(1, 70)
)
def test_use_over_time_is_what_counting_every_token_gives(lengths, block):
    prompts, outputs = np.array(lengths).T
    contexts = np.concatenate([prompt + 1 + np.arange(output) for prompt, output in lengths])
    allocated = np.ceil(contexts / block) * block
    expected = contexts.sum() / allocated.sum()
    assert find_cache_use_fraction(prompts, outputs, block_tokens=block) == pytest.approx(expected)
    whole = np.sum(outputs * (prompts + outputs))
    assert find_cache_use_fraction(prompts, outputs) == pytest.approx(contexts.sum() / whole)
    assert find_cache_waste_fraction(contexts, block_tokens=block) == pytest.approx(1 - expected)


def test_larger_blocks_waste_more_and_hold_fewer():
    blocks = [1, 16, 128, 1024]
    wastes = [find_cache_waste_fraction(np.arange(1, 4097), block_tokens=block) for block in blocks]
    assert wastes[0] == 0
    assert wastes[1] == pytest.approx(7.5 / (2048.5 + 7.5))
    assert np.all(np.diff(wastes) > 0)
    fitting = [count_paged_sequences(DEPLOYMENT, 1000, block_tokens=block) for block in blocks]
    assert fitting[0] == DEPLOYMENT.largest_batch_count(1000)
    assert np.all(np.diff(fitting) <= 0)


def test_a_cache_of_half_the_bits_holds_twice_the_sequences():
    chip, layout = load_catalogue()["h200-sxm"], Layout(tensor_count=4)
    narrow = deploy(MODEL, chip, layout=layout, formats=Formats(kv_cache="fp8"))
    assert count_paged_sequences(narrow, 1000) == pytest.approx(
        2 * count_paged_sequences(DEPLOYMENT, 1000), abs=1
    )


def test_allocation_by_hand():
    assert count_allocated_tokens(np.array([1, 16, 17])).tolist() == [16, 16, 32]


def test_impossible_reservations_are_refused():
    with pytest.raises(ValueError, match="reserved_tokens must be at least the longest request, 300"):
        find_cache_use_fraction(100, 200, reserved_tokens=299)
    with pytest.raises(ValueError, match="give one"):
        find_cache_use_fraction(100, 200, reserved_tokens=300, block_tokens=16)
