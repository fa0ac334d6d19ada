"""Step times of a served model, memory limits, and the steady state under load."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from diglot.hardware import (
    CacheLink,
    Deployment,
    Formats,
    Layout,
    Ring,
    Roofline,
    Workload,
    bound_decode_step,
    choose_chunk_tokens,
    count_fitting_sequences,
    decode,
    deploy,
    estimate_decode,
    estimate_prefill,
    estimate_step,
    find_best_within,
    find_pareto_front,
    list_batches,
    load_catalogue,
    load_model,
    prefill,
    serve_continuously,
    serve_disaggregated,
    serve_in_chunks,
)
from diglot.hardware.operators.transformer import SequenceGroup
from diglot.hardware.serving.deployment import derate

CHIPS = load_catalogue()
SMALL, LARGE = load_model("llama-3-8b"), load_model("llama-3-70b")
H100, H200 = CHIPS["h100-sxm"], CHIPS["h200-sxm"]
CHAT = Workload(prompt_tokens=1000, output_tokens=200)
INSTANT = CacheLink(bandwidth_bytes_per_s=1e30)


def deploy_large(ways=4, chip=H100, **changes):
    return deploy(LARGE, chip, layout=Layout(tensor_count=ways), **changes)


def test_70b_in_bf16_fits_one_h200_and_no_h100():
    """141.1 GB of weights; what is printed as 141 GB and 80 GB are 151.4 and 85.9."""
    with pytest.raises(ValueError, match=r"Llama 3 70B takes 141\.1 GB"):
        deploy(LARGE, H100)
    assert deploy(LARGE, H200).largest_batch_count(8192) == 3


def test_weights_may_fit_and_leave_no_room_for_a_sequence():
    assert deploy(LARGE, CHIPS["mi300x"]).largest_batch_count(10**6) == 0


def test_what_fits_beside_the_weights_by_hand():
    """Four H100s: 343.6 GB less 141.1 GB of weights, 2.68 GB per sequence of 8,192 tokens."""
    assert deploy_large().weights_bytes_per_chip == 2 * LARGE.parameters_count / 4
    sequence_bytes = 327_680 * 8192
    free_bytes = 4 * 80 * 2**30 - 2 * LARGE.parameters_count
    assert deploy_large().largest_batch_count(8192) == free_bytes // sequence_bytes == 75


def test_the_cache_stops_shrinking_when_ways_exceed_kv_heads():
    eight, sixteen = deploy_large(8), deploy_large(16)
    assert eight.kv_bytes_per_chip(1000) == sixteen.kv_bytes_per_chip(1000) == LARGE.kv_bytes(1000) / 8


def test_pipeline_stages_share_weights_and_cache():
    stages = deploy(LARGE, H100, layout=Layout(pipeline_count=4))
    assert stages.weights_bytes_per_chip == deploy_large().weights_bytes_per_chip
    assert stages.kv_bytes_per_chip(1000) == LARGE.kv_bytes(1000) / 4


def test_the_fullest_stage_sets_memory_and_pace():
    """126 layers on 16 stages: 8 on the fullest, 7.9 in the mean."""
    model = load_model("llama-3-405b")
    stages = deploy(model, H100, layout=Layout(tensor_count=8, pipeline_count=16))
    assert stages.kv_bytes_per_chip(1000) == pytest.approx(model.kv_bytes(1000) / 8 * 8 / 126)
    embeddings = model.embedding_parameters_count + model.head_parameters_count
    layers = (model.parameters_count - embeddings) * 8 / 126
    assert stages.weights_bytes_per_chip == pytest.approx(2 * (layers + embeddings / 16) / 8)
    step = estimate_prefill(stages, 1000)
    assert step.interval_s == pytest.approx(step.time_s * 8 / 126)


def test_reserved_memory_holds_no_cache():
    free, reserved = deploy_large(), deploy_large(reserved_fraction=0.1)
    assert free.free_bytes_per_chip - reserved.free_bytes_per_chip == pytest.approx(8 * 2**30)


def test_narrow_weights_make_room():
    assert deploy(LARGE, H100, formats=Formats(weights="fp8")).weights_bytes_per_chip < 80e9


def test_a_step_is_its_operators_and_its_transfers():
    step = estimate_decode(deploy_large(), 2000, batch_count=32)
    operators = sum(entry.time_s for entry in step.operators)
    assert step.time_s == pytest.approx(operators + step.communication_s)
    parts = (step.part_time_s(part) for part in ("attention", "feed-forward", "head"))
    assert sum(parts) == pytest.approx(operators)


def test_a_single_token_takes_the_time_of_its_bytes():
    """Llama 3 8B on an H100: all weights but the embedding, 15.0 GB at 3.35 TB/s."""
    weights = SMALL.parameters_count - SMALL.embedding_parameters_count
    assert estimate_decode(deploy(SMALL, H100), 1).time_s == pytest.approx(2 * weights / 3.35e12, rel=0.01)


def test_a_long_prompt_takes_the_time_of_its_flops():
    flops = 2 * (SMALL.parameters_count - 2 * SMALL.embedding_parameters_count) * 4096
    flops += 32 * 4 * 4096 * (4096 * 4097 / 2)
    time_s = estimate_prefill(deploy(SMALL, H100), 4096).time_s
    assert flops / 989.4e12 < time_s < 1.1 * flops / 989.4e12


def test_tensor_parallel_transfers_by_hand():
    """Two all-reduces in each of 80 layers: 32 x 8192 bf16 elements at 450 GB/s; the switches reduce."""
    step = estimate_decode(deploy_large(), 2000, batch_count=32)
    assert step.tensor_communication_s == pytest.approx(2 * 80 * 32 * 8192 * 2 / 450e9)
    assert step.expert_communication_s == step.pipeline_communication_s == 0


def test_with_instant_links_ways_divide_the_matrix_products():
    links = Ring(bandwidth_bytes_per_s=1e30)
    two, four = (estimate_prefill(deploy_large(ways, interconnect=links), 8192).time_s for ways in (2, 4))
    assert two / 2 < four < two / 1.9  # norms are not split


def test_with_sequence_parallelism_ways_divide_the_norms_too():
    links = Ring(bandwidth_bytes_per_s=1e30)
    two, four = (
        estimate_prefill(
            deploy(
                LARGE,
                H100,
                layout=Layout(tensor_count=ways, sequence_parallel=True),
                interconnect=links,
            ),
            8192,
        ).time_s
        for ways in (2, 4)
    )
    assert four == pytest.approx(two / 2, rel=0.01)  # weights are read and whole vocabulary rows rounded up


def test_experts_talk_and_a_dense_model_does_not():
    formats = Formats(weights="fp8", arithmetic="fp8")
    model = load_model("deepseek-v3")
    deployment = deploy(model, H200, layout=Layout(expert_count=16), formats=formats)
    step = estimate_decode(deployment, 4000, batch_count=16 * 32)
    # Two nodes: a token crosses at most once, over its GPU's adapter at 50 GB/s, in 8 bits there and 16 back.
    message = 32 * 7168 * (1 + 2) * 2 * (1 - 2**-8) / 2
    assert step.expert_communication_s == pytest.approx(58 * message / 50e9)


def test_stages_shorten_the_interval_and_not_the_wait():
    links = Ring(bandwidth_bytes_per_s=1e30)
    one = estimate_prefill(deploy(SMALL, H100, interconnect=links), 1000)
    four = estimate_prefill(deploy(SMALL, H100, layout=Layout(pipeline_count=4), interconnect=links), 1000)
    assert four.time_s == pytest.approx(one.time_s)
    assert four.interval_s == pytest.approx(one.time_s / 4)


def test_stages_hand_on_a_share_each_where_sequences_are_shared_out():
    """Without sequence parallelism each tensor way sends all activations; with it, each sends its share."""
    whole, shared = (
        estimate_prefill(
            deploy(
                LARGE,
                H100,
                layout=Layout(tensor_count=4, pipeline_count=2, sequence_parallel=parallel),
            ),
            1000,
        )
        for parallel in (False, True)
    )
    assert whole.pipeline_communication_s == pytest.approx(1000 * 8192 * 2 / 450e9)
    assert shared.pipeline_communication_s == pytest.approx(whole.pipeline_communication_s / 4)
    assert shared.tensor_communication_s == whole.tensor_communication_s


def test_a_layout_that_does_not_divide_is_told_before_its_links():
    with pytest.raises(ValueError, match="12 tensor-parallel ways do not divide 64 heads"):
        deploy_large(12)


def test_a_derated_chip_is_slower_in_proportion():
    half = estimate_decode(deploy(SMALL, H100, memory_fraction=0.5, compute_fraction=0.5), 1000)
    assert half.time_s == pytest.approx(2 * estimate_decode(deploy(SMALL, H100), 1000).time_s)
    with pytest.raises(ValueError, match="at most 1"):
        derate(H100.roofline("bf16"), memory_fraction=1.1)


def test_the_operators_approach_the_envelope_for_a_large_model():
    step = estimate_decode(deploy_large(), 8192, batch_count=16).time_s
    links = estimate_decode(deploy_large(), 8192, batch_count=16).communication_s
    envelope = bound_decode_step(
        LARGE.parameters_count,
        16,
        roofline=H100.roofline("bf16"),
        chips_count=4,
        kv_bytes_per_sequence=LARGE.kv_bytes(8192),
    )
    assert step - links == pytest.approx(envelope.time_s, rel=0.03)


@pytest.mark.parametrize("name", ["peak_flops_per_s", "memory_bandwidth_bytes_per_s"])
@given(factor=st.floats(1, 100), batch=st.integers(1, 512), context=st.integers(1, 10**5))
@settings(max_examples=20, deadline=None)
def test_a_faster_chip_is_never_slower(name, factor, batch, context):
    rates = {"peak_flops_per_s": 1e15, "memory_bandwidth_bytes_per_s": 3e12}
    slow, fast = (
        estimate_decode(
            Deployment(
                model=SMALL,
                roofline=Roofline(**{**rates, name: rates[name] * scale}),
                memory_bytes=1e15,
                interconnect=Ring(bandwidth_bytes_per_s=1e11),
            ),
            context,
            batch_count=batch,
        ).time_s
        for scale in (1, factor)
    )
    assert 0 < fast <= slow < np.inf


def test_a_batch_of_one_generates_as_fast_as_its_steps():
    deployment = deploy_large()
    run = serve_continuously(deployment, CHAT, 1)
    prefill_s = estimate_prefill(deployment, 1000).time_s
    step_s = estimate_decode(deployment, 1100).time_s
    assert run.ttft_s == prefill_s
    assert run.tpot_s == pytest.approx(step_s)
    assert run.output_tokens_per_s == pytest.approx(200 / (prefill_s + 199 * step_s))
    assert run.output_tokens_per_chip_s == pytest.approx(run.output_tokens_per_s / 4)


def test_throughput_is_batch_over_the_time_of_an_answer():
    """Little's law: concurrent requests are requests per second x time that each holds a slot."""
    batches = np.array([1, 8, 64])
    deployment = deploy_large()
    run = serve_continuously(deployment, CHAT, batches)
    held_s = estimate_prefill(deployment, 1000).interval_s + 199 * run.tpot_s
    np.testing.assert_allclose(run.requests_per_s * held_s, batches)


def test_larger_batches_trade_latency_for_throughput():
    run = serve_continuously(deploy_large(), CHAT, list_batches(deploy_large(), CHAT))
    assert np.all(np.diff(run.tpot_s) > 0)
    assert np.all(np.diff(run.output_tokens_per_s) >= 0)
    assert np.all(np.diff(run.interactivity_tokens_per_s) < 0)


def test_a_batch_that_does_not_fit_is_refused():
    largest = deploy_large().largest_batch_count(CHAT.longest_context_tokens)
    serve_continuously(deploy_large(), CHAT, largest)
    with pytest.raises(ValueError, match="sequences do not fit"):
        serve_continuously(deploy_large(), CHAT, largest + 1)


def test_chunks_spare_other_users_the_prefills():
    """Chunks share weights that are read anyway."""
    deployment = deploy_large()
    whole = serve_continuously(deployment, CHAT, 64)
    chunks = serve_in_chunks(deployment, CHAT, 64, chunk_tokens=512)
    assert chunks.tpot_s < whole.tpot_s
    assert chunks.output_tokens_per_s > whole.output_tokens_per_s
    assert chunks.ttft_s > estimate_prefill(deployment, 1000).time_s


def test_one_chunk_as_long_as_the_prompt_is_the_prompt():
    deployment = deploy_large()
    run = serve_in_chunks(deployment, CHAT, 1, chunk_tokens=10**6)
    alone, mixed = (estimate_step(deployment, decode(1100), *more).time_s for more in ((), (prefill(1000),)))
    assert run.ttft_s == pytest.approx(mixed)
    assert run.requests_per_s == pytest.approx(1 / (mixed + 198 * alone))


def test_prompts_shorter_than_a_chunk_share_one():
    """Each of 63 steps refills 8 of 504 slots, at once in chunks of 800 tokens, singly in those of 100."""
    deployment, short = deploy_large(), Workload(prompt_tokens=100, output_tokens=64)
    together, alone = (serve_in_chunks(deployment, short, 504, chunk_tokens=chunk) for chunk in (800, 100))
    step_s = estimate_step(
        deployment, decode(132, sequences_count=504), SequenceGroup(sequences_count=8, new_tokens=100)
    ).time_s
    assert together.tpot_s == together.ttft_s == pytest.approx(step_s)
    assert together.output_tokens_per_s == pytest.approx(504 * 64 / (63 * step_s))
    assert together.output_tokens_per_s > 3 * alone.output_tokens_per_s


def test_small_chunks_bind_a_long_prompt():
    long = Workload(prompt_tokens=8000, output_tokens=10)
    run = serve_in_chunks(deploy_large(), long, 8, chunk_tokens=100)
    assert run.ttft_s == pytest.approx(80 * run.tpot_s)
    assert run.requests_per_s == pytest.approx(1 / (80 * run.tpot_s))


def test_the_largest_chunk_within_a_limit():
    """A looser limit allows a larger chunk, and a shorter time to the first token."""
    deployment, long = deploy_large(), Workload(prompt_tokens=8000, output_tokens=200)
    chunks = [choose_chunk_tokens(deployment, long, 32, limit_s=limit) for limit in (0.02, 0.04, 0.08, 10)]
    assert chunks[0] % 64 == 0 < chunks[0] < chunks[1] < chunks[2] < chunks[3] == 8000
    for chunk, limit_s in zip(chunks[:3], (0.02, 0.04, 0.08), strict=True):
        group = {"sequences_count": 1, "context_tokens": (8000 - chunk) // 2}
        decoding = decode(8100, sequences_count=32)
        step_s = estimate_step(deployment, decoding, SequenceGroup(new_tokens=chunk, **group)).time_s
        more_s = estimate_step(deployment, decoding, SequenceGroup(new_tokens=chunk + 64, **group)).time_s
        assert step_s <= limit_s < more_s * 1.01
    runs = [serve_in_chunks(deployment, long, 32, chunk_tokens=chunk) for chunk in chunks]
    assert np.all(np.diff([run.ttft_s for run in runs]) < 0)
    with pytest.raises(ValueError, match=r"limit_s must be at least 0\.0"):
        choose_chunk_tokens(deployment, long, 32, limit_s=0.001)


def test_disaggregated_decoding_is_never_interrupted():
    deployment = deploy_large()
    result = serve_disaggregated(deployment, deployment, CHAT, 64, INSTANT)
    step_s = estimate_decode(deployment, 1100, batch_count=64).time_s
    assert result.run.tpot_s == pytest.approx(step_s)
    assert result.run.ttft_s == estimate_prefill(deployment, 1000).time_s
    expected = estimate_prefill(deployment, 1000).time_s * 64 / (199 * step_s)
    assert result.prefill_deployments_count == pytest.approx(expected)
    assert result.run.chips_count == pytest.approx(4 + 4 * expected)


def test_disaggregation_on_equal_chips_costs_as_much_as_interrupting():
    """The work per chip is the same; only the waiting times differ."""
    deployment = deploy_large()
    apart = serve_disaggregated(deployment, deployment, CHAT, 64, INSTANT).run
    together = serve_continuously(deployment, CHAT, 64)
    assert apart.output_tokens_per_chip_s == pytest.approx(together.output_tokens_per_chip_s)
    assert apart.tpot_s < together.tpot_s


def test_the_cache_travels_at_the_given_rate():
    deployment = deploy_large()
    result = serve_disaggregated(deployment, deployment, CHAT, 1, CacheLink(bandwidth_bytes_per_s=50e9))
    assert result.transfer_s == pytest.approx(327_680 * 1000 / 50e9)


def test_both_sides_must_serve_the_same_model():
    with pytest.raises(ValueError, match="the same model"):
        serve_disaggregated(deploy(SMALL, H100), deploy_large(), CHAT, 1, INSTANT)


def test_copies_multiply_throughput_at_the_same_latency():
    one = serve_continuously(deploy_large(), CHAT, 16)
    two = serve_continuously(deploy(LARGE, H100, layout=Layout(tensor_count=4, data_count=2)), CHAT, 32)
    assert two.tpot_s == pytest.approx(one.tpot_s)
    assert two.output_tokens_per_s == pytest.approx(2 * one.output_tokens_per_s)


def test_batches_run_from_one_to_what_fits():
    batches = list_batches(deploy_large(), CHAT)
    assert batches[0] == 1
    assert batches[-1] == deploy_large().largest_batch_count(1200)
    assert np.all(np.diff(batches) > 0)
    with pytest.raises(ValueError, match="does not fit into memory"):
        list_batches(deploy(LARGE, CHIPS["mi300x"]), Workload(prompt_tokens=10**6, output_tokens=2))


def test_the_pareto_front_by_hand():
    latency = [3.0, 1.0, 2.0, 2.0, 4.0, 1.0]
    throughput = [5.0, 1.0, 3.0, 4.0, 5.0, 1.0]
    assert find_pareto_front(latency, throughput).tolist() == [1, 3, 0]


@given(st.lists(st.tuples(st.integers(1, 9), st.integers(1, 9)), min_size=1, max_size=30))
def test_the_pareto_front_is_what_nothing_beats(points):
    latency, rate = np.array(points, dtype=float).T
    front = {points[index] for index in find_pareto_front(latency, rate)}
    unbeaten = {
        (x, y) for x, y in points if not any((a <= x and b >= y) and (a, b) != (x, y) for a, b in points)
    }
    assert front == unbeaten


def test_the_best_within_a_limit_is_the_last_of_the_front_that_keeps_it():
    latency, throughput = [3.0, 1.0, 2.0, 2.0], [5.0, 1.0, 3.0, 4.0]
    assert [find_best_within(latency, throughput, limit_s=limit) for limit in (1.5, 2.0, 9.0)] == [1, 3, 0]
    with pytest.raises(ValueError, match=r"the lowest is 1 s"):
        find_best_within(latency, throughput, limit_s=0.5)


@pytest.mark.parametrize(("latency", "throughput"), [([1.0], [1.0, 2.0]), ([float("nan")], [1.0])])
def test_a_pareto_front_of_what_is_no_list_of_points_is_refused(latency, throughput):
    with pytest.raises(ValueError, match="must be"):
        find_pareto_front(latency, throughput)


@pytest.mark.parametrize("sizes", [(0, 5), (5, 1), (1.5, 5)])
def test_impossible_workloads_are_refused(sizes):
    with pytest.raises(ValueError, match="must be"):
        Workload(prompt_tokens=sizes[0], output_tokens=sizes[1])


@given(
    batch=st.integers(1, 40),
    prompt=st.integers(1, 3000),
    output=st.integers(2, 3000),
    chunk=st.integers(1, 4000),
)
@settings(max_examples=30, deadline=None)
def test_every_run_is_finite_and_no_user_is_faster_than_a_lone_step(batch, prompt, output, chunk):
    deployment = deploy_large()
    workload = Workload(prompt_tokens=prompt, output_tokens=output)
    lone_s = estimate_decode(deployment, workload.mean_context_tokens).time_s
    for run in (
        serve_continuously(deployment, workload, batch),
        serve_in_chunks(deployment, workload, batch, chunk_tokens=chunk),
    ):
        assert lone_s <= run.tpot_s * (1 + 1e-12)
        assert 0 < run.ttft_s < np.inf
        assert 0 < run.output_tokens_per_s < batch / lone_s * output / (output - 1) + 1e-6


def test_sequences_that_fit_are_counted_down():
    fits = count_fitting_sequences(100, weights_bytes=40, kv_bytes_per_sequence=np.array([7.0, 20.0, 61.0]))
    assert fits.tolist() == [8, 3, 0]
    with pytest.raises(ValueError, match="do not fit"):
        count_fitting_sequences(10, weights_bytes=40, kv_bytes_per_sequence=1)


def test_the_envelope_takes_arrays_of_caches():
    roofline = H100.roofline("bf16")
    caches = np.array([0.0, 1e9, 2e9])
    step = bound_decode_step(1e9, 8, roofline=roofline, kv_bytes_per_sequence=caches)
    assert np.diff(step.time_s) == pytest.approx(8 * 1e9 / 3.35e12)
    with pytest.raises(ValueError, match="kv_bytes_per_sequence"):
        bound_decode_step(1e9, 8, roofline=roofline, kv_bytes_per_sequence=np.array([1.0, -1.0]))


def test_the_envelope_turns_from_weights_to_arithmetic_at_the_ridge():
    roofline = H100.roofline("bf16")
    ridge = int(roofline.ridge_flops_per_byte)
    step = bound_decode_step(1e9, np.array([1, ridge, ridge + 1, 10 * ridge]), roofline=roofline)
    assert (step.compute_time_s > step.weights_time_s).tolist() == [False, False, True, True]
    assert step.tokens_per_s[0] == pytest.approx(3.35e12 / 2e9)
    assert step.tokens_per_s[3] == pytest.approx(989.4e12 / 2e9)


@pytest.mark.parametrize("changes", [{"kv_bytes_per_sequence": -1}, {"chips_count": 0}, {"batch_count": 0}])
def test_the_envelope_refuses_the_impossible(changes):
    with pytest.raises(ValueError, match="must be"):
        bound_decode_step(1e9, roofline=H100.roofline("bf16"), **changes)


@pytest.mark.parametrize("prompts", [np.array([500, 4000])])
def test_a_sweep_of_prompts_and_chunks_is_one_call(prompts):
    deployment, chunks = deploy(LARGE, H100, layout=Layout(tensor_count=8)), np.array([128, 512])

    def serve(prompt, chunk):
        workload = Workload(prompt_tokens=prompt, output_tokens=200)
        whole = serve_continuously(deployment, workload, 16)
        parts = serve_in_chunks(deployment, workload, 16, chunk_tokens=chunk)
        return [run.ttft_s for run in (whole, parts)] + [run.requests_per_s for run in (whole, parts)]

    swept = np.array(serve(prompts, chunks))
    for place, (prompt, chunk) in enumerate(zip(prompts, chunks, strict=True)):
        np.testing.assert_allclose(swept[:, place], serve(int(prompt), int(chunk)))


def test_batches_are_listed_for_one_kind_of_requests():
    workload = Workload(prompt_tokens=np.array([100, 200]), output_tokens=200)
    with pytest.raises(ValueError, match="workload must be a single kind"):
        list_batches(deploy(LARGE, H100, layout=Layout(tensor_count=8)), workload)
