"""Questions that others asked and answered, beside those of `worked_cases.yaml`; a few lines each.

Every answer is the source's own figure; tolerances are those of its rounding. "The book" is J. Austin et al.,
"How to Scale Your Model" (https://jax-ml.github.io/scaling-book/, text of February 2025). Papers are named by
their number on https://arxiv.org; which of their figures were read where is told in docs/measurements.md.
"""

from dataclasses import replace

import pytest

from diglot.hardware import (
    AttentionShape,
    Deployment,
    Experts,
    GpuProcessors,
    Island,
    Layout,
    Ring,
    Roofline,
    StepOptions,
    Torus,
    TransformerModel,
    bound_decode_step,
    bound_prefill_time_s,
    count_checkpoint_bytes,
    count_chips_for,
    count_copies,
    count_decode_attention,
    count_elementwise,
    count_fitting_sequences,
    count_flash_attention,
    count_gemm,
    count_state_bytes_per_chip,
    count_training_step_flops,
    estimate_collective,
    estimate_gpu_gemm,
    estimate_prefill,
    estimate_torus_transfer,
    estimate_training_flops,
    estimate_training_time_s,
    find_best_data_parallel_ways,
    find_bus_bytes_per_s,
    find_clock_hz,
    find_critical_rows,
    find_flops_per_usd,
    find_links,
    find_mfu_fraction,
    find_moe_critical_tokens,
    find_tokens_per_chip,
    find_unit_flops_per_s,
    find_usd_per_million_tokens,
    gather_pod,
    list_operators,
    load_catalogue,
    load_model,
    prefill,
)
from diglot.hardware.gpus.gemm import Tile
from diglot.hardware.serving.bounds import bound_read_time_s, find_requests_per_s
from tests.reference.published import expect, read_inputs

CHIPS = load_catalogue()
V5E = Roofline(peak_flops_per_s=1.97e14, memory_bandwidth_bytes_per_s=8.1e11)
DAY_S, GIB = 86400, 2**30
WIDE = 10**9
"""A layer far wider than any batch."""


def about(value, rel=0.01):
    return pytest.approx(value, rel=rel)


# Rooflines


def test_book_part_1_question_2_weights_of_8_bits_computed_in_16():
    rows = find_critical_rows(WIDE, WIDE, roofline=V5E, dtype="bf16", weight_dtype="int8")
    assert rows == about(120, 0.02)


def test_book_part_2_question_4_a_product_out_of_vmem():
    """VMEM is 22 times as fast as HBM there."""
    vmem = Roofline(peak_flops_per_s=3.94e14, memory_bandwidth_bytes_per_s=22 * 8.1e11)
    assert find_critical_rows(4096, 16384, roofline=vmem, dtype="int8") == about(11, 0.05)


def test_nvidia_intensities_of_a_large_layer_and_of_max_pooling():
    """2,730 FLOP/byte for a side of 8,192: NVIDIA, "Matrix Multiplication Background"; 2.25 for a window of
    3 x 3: NVIDIA, "GPU Performance Background" (https://docs.nvidia.com/deeplearning/performance/).
    """
    assert count_gemm(8192, 8192, 8192, dtype="fp16").intensity_flops_per_byte == about(2730)
    assert count_elementwise(2**20, flops_per_element=9, dtype="fp16").intensity_flops_per_byte == 2.25


def test_book_part_4_question_4_attention_while_decoding():
    """S G / (G + S) towards G for long contexts."""
    kernel = count_decode_attention(keys_tokens=8192, heads_count=8, kv_heads_count=1, head_elements=128)
    assert kernel.intensity_flops_per_byte == about(8192 * 8 / (8 + 8192))


@pytest.mark.parametrize(("length", "gigaflops"), [(512, 4 * 512**2 * 128 * 16 * 32 / 1e9)])
def test_flash_attention_2_counts_of_its_benchmark(length, gigaflops):
    """T. Dao, arXiv:2307.08691, section 4.1: 4 x length^2 x head x heads; 16k tokens in all."""
    shape = AttentionShape(
        batch_count=16384 // length,
        queries_tokens=length,
        keys_tokens=length,
        heads_count=16,
        kv_heads_count=16,
        head_elements=128,
    )
    assert count_flash_attention(shape).flops == about(gigaflops * 1e9)


@pytest.mark.parametrize(
    ("chip", "dtype", "rate", "share"),
    [
        ("a100-80", "fp16", 225e12, 0.72),  # arXiv:2307.08691, abstract: training GPTs
        ("h100-sxm", "fp16", 740e12, 0.75),  # arXiv:2407.08608, abstract
        ("h100-sxm", "fp16", 350e12, 0.35),  # ibidem: FlashAttention-2
    ],
)
def test_flash_attention_utilisations(chip, dtype, rate, share):
    peak = CHIPS[chip].peak_flops_per_s(dtype)
    assert find_mfu_fraction(rate, chip_s=1, peak_flops_per_s=peak) == about(share, 0.02)


# Chips and pods


def test_vector_peaks_and_cores():
    id_ = "sb-tpu-vpu-v5p"
    inputs = read_inputs(id_)
    alus = inputs["lanes"] * inputs["sublanes"] * inputs["alus"] * inputs["cores"]
    rate = find_unit_flops_per_s(alus, clock_hz=inputs["clock_hz"], flops_per_cycle=1)
    assert rate == expect(id_, "vector_flops")
    assert alus == expect("sb-gpu-alus-v5p", "alus")


def test_clock_of_a_b200_from_its_vector_peak():
    id_ = "sb-gpu-b200-clock"
    inputs = read_inputs(id_)
    assert find_clock_hz(inputs["fp32_flops"], units_count=inputs["cores"]) == expect(id_, "clock")


def test_bandwidth_from_the_clock_of_a_memory():
    """The second is S. Bekman's too: an H100's 2,619 MHz and 5,120 bits are 3.35 TB/s."""
    id_ = "bw-b200"
    inputs = read_inputs(id_)
    rate = find_bus_bytes_per_s(inputs["bus_bits"], clock_hz=inputs["memory_clock_mhz"] * 1e6)
    assert rate == expect(id_, "bandwidth", unit=1e12)
    assert find_bus_bytes_per_s(5120, clock_hz=2619e6) == about(
        CHIPS["h100-sxm"].memory_bandwidth_bytes_per_s
    )


def test_cores_and_shared_memory_of_an_h100():
    cores, shared = read_inputs("sb-gpu-cores-h100"), read_inputs("sb-gpu-smem-h100")
    chip = CHIPS["h100-sxm"]
    assert chip.processor_count * cores["subpartitions"] * cores["cores"] == expect(
        "sb-gpu-cores-h100", "cores"
    )
    assert chip.quantity("on_chip.l1_shared_per_sm").value == shared["smem_kb"] * 1024
    assert chip.processor_count * shared["smem_kb"] * 1e3 == expect("sb-gpu-smem-h100", "total", unit=1e6)


@pytest.mark.parametrize(
    ("units", "flops_per_cycle", "clock_mhz", "peak"),
    [(528, 1024, 1830, 989.4e12), (640, 128, 1530, 125.3e12), (304, 4096, 2100, 2614.9e12)],
)
def test_peaks_that_bekman_derives(units, flops_per_cycle, clock_mhz, peak):
    """ "Machine Learning Engineering", accelerators (https://github.com/stas00/ml-engineering): H100, V100;
    AMD, "CDNA 3", table of the microarchitecture (https://rocm.docs.amd.com): 304 compute units of
    4,096 FLOPs in fp8, 2,614.9 TFLOP/s.
    """
    rate = find_unit_flops_per_s(units, clock_hz=clock_mhz * 1e6, flops_per_cycle=flops_per_cycle)
    assert rate == about(peak, 0.002)


def test_book_part_2_question_2_a_pod_of_v5p():
    pod = gather_pod(CHIPS["tpu-v5p"], (16, 20, 28))
    assert (pod.hosts_count(4), pod.tensor_cores_count) == (2240, 17920)
    assert pod.peak_flops_per_s == about(4e18, 0.03)
    assert pod.memory_bytes * 1e9 / GIB == about(860e12, 0.02)  # the book reads GiB as GB


def test_tpu_v4_a_supercomputer_of_4096_chips():
    """N. Jouppi et al., "TPU v4", arXiv:2304.01433: 1.1 exaflops. That a cube cut in half has 4 times the
    links of a square is counting: 2 x 16 x 16 against 2 x 64.
    """
    assert gather_pod(CHIPS["tpu-v4"], (16, 16, 16)).peak_flops_per_s == about(1.1e18, 0.03)
    cube, square = (
        Torus(sides_count=sides, link_bytes_per_s=5e10).bisection_bytes_per_s
        for sides in ((16, 16, 16), (64, 64))
    )
    assert cube / square == 4


def test_one_column_more_takes_another_wave():
    """Stanford, CS336, 2025, lecture 5 (https://stanford-cs336.github.io/spring2025/): in tiles of 256 x 128
    a side of 1,792 makes 98, one of 1,793 makes 120: 2 waves on the 108 SMs of an A100.
    """
    chip = CHIPS["a100-80"]
    for columns, tiles, waves in ((1792, 98, 1), (1793, 120, 2)):
        run = estimate_gpu_gemm(
            columns, 4096, columns,
            gpu=GpuProcessors(roofline=chip.roofline("fp16"), processor_count=108),
            tile=Tile(m_elements=256, n_elements=128), dtype="fp16",
        )  # fmt: skip
        assert (run.tile_count, run.wave_count) == (tiles, waves)


# Networks and sharding


def test_book_part_3_a_quiz_of_what_each_device_holds():
    mesh, array = {"X": 2, "Y": 8, "Z": 2}, 128 * 2048
    total = count_copies(mesh, ("X", "Y")) * array
    assert (total, total // 32) == (512 * 1024, 16384)


def test_book_part_3_questions_2_and_3_gathers_on_a_v4_cube():
    def gather(array_bytes, axes):
        torus = Torus(sides_count=(4,) * axes, link_bytes_per_s=4.5e10, hop_latency_s=1e-6)
        return estimate_collective("all-gather", array_bytes, torus, whole_shards=True)

    assert gather(2 * 1024 * 4096, 2).bandwidth_time_s == about(46e-6, 0.02)
    assert gather(256, 1).time_s == about(2e-6, 0.02)


def test_book_part_3_question_10_all_to_all_is_a_quarter_of_a_gather():
    ring, matrix_bytes = Torus(sides_count=(1024,), link_bytes_per_s=4.5e10), 2**30
    gather = estimate_collective("all-gather", matrix_bytes, ring)
    exchange = estimate_collective("all-to-all", matrix_bytes // 1024, ring)  # of what one chip holds
    assert gather.bandwidth_time_s / exchange.bandwidth_time_s == about(4)


def test_book_part_2_question_6_a_matrix_from_the_hosts_to_one_chip():
    """16 GB: over 16 PCIe links, then 15 GB over the two links of a corner, then through HBM."""
    slice_ = Torus(sides_count=(4, 4), wraps=(False, False), link_bytes_per_s=4.5e10)
    assert bound_read_time_s(16e9, memory_bandwidth_bytes_per_s=1.5e10, chips_count=16) == about(66e-3, 0.02)
    copy = estimate_torus_transfer(15 * 10**9, slice_, source=(3, 3), destination=(0, 0))
    assert copy.bandwidth_time_s == about(167e-3)
    assert bound_read_time_s(16e9, memory_bandwidth_bytes_per_s=8.1e11) == about(19e-3, 0.05)


@pytest.mark.parametrize(
    ("link", "exchange", "tokens_per_s"), [(50e9, 120.96e-6, 67), (900e9, 6.72e-6, 1200)]
)
def test_deepseek_v3_the_rate_that_its_experts_exchange_allows(link, exchange, tokens_per_s):
    """C. Zhao et al., "Insights into DeepSeek-V3", arXiv:2505.09343, section 2.3.2: 32 tokens,
    each to 9 experts, 7K wide.
    """
    bytes_ = (1 + 2) * 32 * 9 * 7000
    time_s = Ring(bandwidth_bytes_per_s=link).send_time_s(bytes_)
    assert time_s == about(exchange)
    assert 1 / (61 * 2 * time_s) == about(tokens_per_s, 0.03)


# Models


def test_book_part_4_question_1_cache_of_a_token_in_8_bits():
    model = TransformerModel(
        layers_count=64,
        width_elements=4096,
        heads_count=32,
        feed_forward_elements=16384,
        vocabulary_count=32000,
    )
    assert model.kv_bytes_per_token("int8") == 2 * 64 * 4096 == 512 * 1024


def test_book_part_4_question_2_flops_of_a_sharded_product():
    assert 32 * count_gemm(4096 // 4, 8192 // 8, 16384).flops == count_gemm(4096, 8192, 16384).flops


def test_book_part_4_question_5_attention_equals_its_projections():
    """At 2 D tokens, over a whole square."""
    model = TransformerModel(
        kind="encoder", layers_count=1, width_elements=4096, heads_count=32, feed_forward_elements=1,
        vocabulary_count=1,
    )  # fmt: skip
    flops = {o.name: o.flops for o in list_operators(model, prefill(2 * 4096)) if o.part == "attention"}
    scores = flops["attention"]
    projections = sum(value for name, value in flops.items() if "projection" in name)
    assert scores == about(projections)


def test_book_part_7_question_5_the_model_with_sixteen_experts():
    """Its formulas: L D (3 F E + 2 H (N + K)) + D V parameters, and a batch of ridge x E / k."""
    model = TransformerModel(
        layers_count=64,
        width_elements=4096,
        heads_count=32,
        kv_heads_count=8,
        head_elements=256,
        feed_forward_elements=16384,
        vocabulary_count=32128,
        tied_embeddings=True,
        experts=Experts(routed_count=16, active_count=2, hidden_elements=16384),
    )
    attention = 2 * 256 * (32 + 8)
    total = 64 * 4096 * (3 * 16384 * 16 + attention) + 4096 * 32128
    active = 64 * 4096 * (3 * 16384 * 2 + attention) + 4096 * 32128
    assert model.parameters_count == about(total, 0.001)
    assert model.active_parameters_count == about(active, 0.001)
    assert find_moe_critical_tokens(240, experts_count=16, active_count=2) == 8 * 240


PALM = TransformerModel(
    name="PaLM 540B",
    layers_count=118,
    width_elements=18432,
    heads_count=48,
    kv_heads_count=1,
    head_elements=256,
    feed_forward_elements=4 * 18432,
    vocabulary_count=256_000,
    tied_embeddings=True,
)
"""A. Chowdhery et al., "PaLM", arXiv:2204.02311, table 1."""


def test_palm_utilisation_with_and_without_attention():
    """Appendix B: 238.3K tokens/s on 6,144 TPU v4 are 45.7%, 46.2% with attention."""
    assert PALM.parameters_count == about(540.35e9, 0.001)
    tokens_per_s, chips = 238.3e3, 6144
    peak = CHIPS["tpu-v4"].peak_flops_per_s("bf16")
    plain = estimate_training_flops(540.35e9, tokens_per_s)
    whole = count_training_step_flops(PALM, 2048, causal=False) * tokens_per_s / 2048
    assert find_mfu_fraction(plain, chip_s=chips, peak_flops_per_s=peak) == about(0.457, 0.003)
    assert find_mfu_fraction(whole, chip_s=chips, peak_flops_per_s=peak) == about(0.462, 0.003)


@pytest.mark.parametrize(("batch", "context"), [(128, 43_000), (512, 10_700)])
def test_pope_contexts_that_fit_with_one_kv_head(batch, context):
    """R. Pope et al., arXiv:2211.05102, table 1: 30% of the memory of 64 chips of 32 GiB for caches.

    Sequences are shared out, so that no chip repeats the head.
    """
    free = 0.3 * 64 * 32 * GIB
    tokens = count_fitting_sequences(
        free + 1, weights_bytes=1, kv_bytes_per_sequence=PALM.kv_bytes_per_token()
    )
    assert tokens // batch == about(context)


@pytest.mark.parametrize(
    ("layers", "width", "free_gib", "slots"),
    [(40, 5120, 12, 15.7e3), (64, 9216, 21, 9.7e3), (96, 12288, 264, 60.1e3)],
)
def test_vllm_cache_slots_of_opt(layers, width, free_gib, slots):
    """W. Kwon et al., arXiv:2309.06180, table 1; a token of OPT-13B is 800 KB (section 3)."""
    model = TransformerModel(
        layers_count=layers, width_elements=width, heads_count=width // 128, feed_forward_elements=4 * width,
        gated=False, vocabulary_count=50272,
    )  # fmt: skip
    token = model.kv_bytes_per_token("fp16")
    assert layers != 40 or token == 800 * 1024
    fitting = count_fitting_sequences(free_gib * GIB + 1, weights_bytes=1, kv_bytes_per_sequence=token)
    assert fitting == about(slots, 0.02)


@pytest.mark.parametrize(
    ("model", "cache", "gigaflops"),
    [("deepseek-v3", 70.272e3, 250), ("qwen-2.5-72b", 327.680e3, None), ("llama-3-405b", 516.096e3, 2448)],
)
def test_deepseek_v3_cache_and_training_flops_of_a_token(model, cache, gigaflops):
    """C. Zhao et al., arXiv:2505.09343, tables 1 and 2: 16 bits; sequences of 4,096, causal."""
    sizes = load_model(model)
    assert sizes.kv_bytes_per_token() == about(cache, 1e-6)
    if gigaflops is not None:
        assert count_training_step_flops(sizes, 4096) / 4096 == about(gigaflops * 1e9, 0.05)


# Training


@pytest.mark.parametrize(
    ("parameters", "tokens", "flops"),
    [(175e9, 300e9, 3.14e23), (70e9, 1.4e12, 5.88e23), (405e9, 15.6e12, 3.8e25)],
)
def test_budgets_of_gpt_3_chinchilla_and_llama_3(parameters, tokens, flops):
    """arXiv:2005.14165, table D.1; arXiv:2203.15556, table A4; arXiv:2407.21783, section 3."""
    assert estimate_training_flops(parameters, tokens) == about(flops, 0.01)


@pytest.mark.parametrize(
    ("parameters", "tokens", "gpus", "rate", "days"),
    [(175e9, 300e9, 1024, 140e12, 34), (1e12, 450e9, 3072, 163e12, 84)],
)
def test_megatron_training_days(parameters, tokens, gpus, rate, days):
    """D. Narayanan et al., arXiv:2104.04473, section 5.1: 8 T P / (n X), all activations computed again."""
    flops = estimate_training_flops(parameters, tokens) * 8 / 6
    peak = CHIPS["a100-80"].peak_flops_per_s("fp16")
    time_s = estimate_training_time_s(
        flops, chips_count=gpus, peak_flops_per_s=peak, mfu_fraction=rate / peak
    )
    assert time_s / DAY_S == about(days, 0.02)


@pytest.mark.parametrize(
    ("sharded", "gigabytes"),
    [("nothing", 120), ("optimiser", 31.4), ("gradients", 16.6), ("parameters", 1.9)],
)
def test_zero_state_of_each_stage(sharded, gigabytes):
    """S. Rajbhandari et al., arXiv:1910.02054, figure 1: 7.5 billion parameters on 64 chips."""
    assert count_state_bytes_per_chip(7.5e9, copies_count=64, sharded=sharded) == about(
        gigabytes * 1e9, 0.015
    )


def test_book_part_5_question_2_memory_of_training_13b():
    """Weights and moments 130 GB; after three products of a layer, D + 2 F wide, 42 TB."""
    state = count_state_bytes_per_chip(
        13e9, copies_count=1, sharded="nothing", gradient_bytes=0, optimiser_bytes=8
    )
    kept = count_checkpoint_bytes(16e6, 5120, 40) + count_checkpoint_bytes(16e6, 13824, 40, per_layer_count=2)
    assert (state, kept) == (about(130e9), about(4.2e13, 0.01))


def test_book_part_6_llama_3_70b_on_a_pod():
    """A token takes 4.2e11 FLOPs; 15 trillion of them 44 days on 8,960 chips, 468 of a batch for each."""
    peak = CHIPS["tpu-v5p"].peak_flops_per_s("bf16")
    assert estimate_training_flops(70e9, 1) == about(4.2e11)
    time_s = estimate_training_time_s(
        estimate_training_flops(70e9, 15e12), chips_count=8960, peak_flops_per_s=peak, mfu_fraction=0.4
    )
    assert (time_s, time_s / DAY_S) == (about(3.8e6, 0.02), about(44, 0.02))
    assert find_tokens_per_chip(4 * 2**20, 8960) == about(468)
    ways = find_best_data_parallel_ways(4_190_000, 28672, 8960, data_axes_count=2, tensor_axes_count=1)
    assert ways == about(1618)


# Serving and cost


def test_book_part_7_quiz_a_step_of_256_tokens():
    step = bound_decode_step(
        30e9, 256, roofline=V5E, chips_count=16, weight_dtype="int8", kv_bytes_per_sequence=100e3 * 8192
    )
    assert step.time_s == about(21e-3, 0.01)


def test_book_part_8_memory_and_chips_of_llama_3_70b():
    """Batch 32 at 8,192 tokens in int8: 112 GB, 7 chips; 240 caches of 32k tokens: 86 chips."""
    model = load_model("llama-3-70b")
    caches = 32 * model.kv_bytes(8192, "int8")
    assert 70e9 + caches == about(112e9, 0.02)
    assert count_chips_for(112e9, memory_bytes=16e9) == 7
    assert count_chips_for(70e9 + 1.3e12, memory_bytes=16e9) == 86


def test_book_part_8_sequences_that_int8_leaves_room_for():
    """Of 8,192 tokens at 162 kB: 52 in the 68 GB that are printed; 128 GB less 70 GB of weights hold 43."""
    caches = {"kv_bytes_per_sequence": 162e3 * 8192}
    assert count_fitting_sequences(70e9 + 68e9, weights_bytes=70e9, **caches) == about(52, 0.02)
    assert count_fitting_sequences(8 * 16e9, weights_bytes=70e9, **caches) == 43


def test_book_part_8_tokens_evicted_in_a_step():
    """B (P + G) / G."""
    finished_per_step = find_requests_per_s(32, step_s=1, output_tokens=4096)
    assert finished_per_step * (8192 + 4096) == 96


def test_book_part_8_question_1_a_forward_pass_of_405b():
    """2 FLOPs for each parameter, 4.1 ms on a v5e."""
    assert bound_prefill_time_s(405e9, 1, peak_flops_per_s=1.97e14) == about(4.1e-3, 0.01)


def test_book_part_8_flops_for_a_dollar_of_v5p():
    """1.09e14 FLOP/s for a dollar an hour."""
    assert find_flops_per_usd(4.59e14, usd_per_chip_s=4.2 / 3600) / 3600 == about(1.09e14)


def test_deepseek_cost_of_its_service():
    """DeepSeek, "DeepSeek-V3/R1 Inference System Overview", 2025-03-01: 226.75 nodes of 8 GPUs at 2 USD an
    hour put out 168e9 tokens a day, for 87,072 USD
    (https://github.com/deepseek-ai/open-infra-index, 202502OpenSourceWeek).
    """
    usd = find_usd_per_million_tokens(168e9 / DAY_S, usd_per_chip_s=2 / 3600, chips_count=226.75 * 8)
    assert usd * 168e9 / 1e6 == about(87_072, 1e-6)


def test_dgx_h100_all_reduce_at_line_rate():
    """NCCL's documentation: bus bandwidth is that of the links whatever the number of GPUs."""
    for gpus in (2, 4, 8):
        run = estimate_collective("all-reduce", 2**30, Island(chips_count=gpus, egress_bytes_per_s=450e9))
        assert run.bus_bandwidth_bytes_per_s == about(450e9)


@pytest.mark.parametrize(
    ("sequences", "tokens", "time_s", "mfu"),
    [(1, 2048, 0.29, 0.43), (64, 64, 1.82, 0.14), (512, 2048, 85.2, 0.76), (512, 64, 6.0, 0.33)],
)
def test_pope_utilisations_of_palm(sequences, tokens, time_s, mfu):
    """R. Pope et al., arXiv:2211.05102, table 2: 540 billion parameters on 64 TPU v4, prefill and decode."""
    peak = CHIPS["tpu-v4"].peak_flops_per_s("bf16")
    whole_s = bound_prefill_time_s(540e9, sequences * tokens, peak_flops_per_s=peak, chips_count=64)
    assert whole_s / time_s == about(mfu, 0.02)


@pytest.mark.parametrize(("tensor", "data"), [(8, 8), (16, 4)])
def test_no_prefill_of_palm_is_quicker_than_a_step_that_hides_its_transfers(tensor, data):
    """The utilisation of 0.76 above. A step that does not hide them is no bound for one that does."""
    chip, layout = CHIPS["tpu-v4"], Layout(tensor_count=tensor, data_count=data)
    deployment = Deployment(
        model=PALM,
        layout=layout,
        roofline=chip.roofline("bf16"),
        memory_bytes=1e12,  # the paper gathers the weights of each layer; ours are in place
        interconnect=find_links(chip, layout),
    )
    hiding = replace(deployment, options=StepOptions(overlapped_chunks_count=10**6))
    shown, hidden = (estimate_prefill(each, 2048, sequences_count=512) for each in (deployment, hiding))
    flops_s = 2 * 540e9 * 512 * 2048 / (64 * chip.peak_flops_per_s("bf16"))
    assert 0.76 < flops_s / hidden.time_s < 1
    assert hidden.time_s < 0.9 * shown.time_s


def test_flexgen_cache_and_weights_of_opt_175b():
    """Y. Sheng et al., arXiv:2303.06865, section 3: weights of 325 GB; 512 sequences of 544 take 1.2 TB."""
    model = TransformerModel(
        layers_count=96, width_elements=12288, heads_count=96, feed_forward_elements=4 * 12288, gated=False,
        vocabulary_count=50272, tied_embeddings=True,
    )  # fmt: skip
    assert 2 * model.parameters_count / GIB == about(325)
    assert 512 * model.kv_bytes(512 + 32, "fp16") / 2**40 == about(1.2)


def test_megatron_turing_utilisation():
    """As PaLM's paper has it in appendix B: 65.43K tokens/s on 2,240 A100, 29.7% without attention."""
    flops = estimate_training_flops(530e9, 65.43e3)
    assert find_mfu_fraction(flops, chip_s=2240, peak_flops_per_s=312e12) == about(0.297, 0.005)


def test_a_pod_of_ironwood():
    """Google, "Ironwood", 2025-04 (https://blog.google, "ironwood-tpu-age-of-inference"): 9,216 chips are
    42.5 exaflops in fp8; 1.77 PB of memory.

    The petabytes are 192 GB for each chip; Google's documentation of the chip, and the catalogue, have GiB.
    """
    pod = gather_pod(CHIPS["tpu-v7"], (16, 24, 24), dtype="fp8")
    assert (pod.chips_count, pod.peak_flops_per_s) == (9216, about(42.5e18, 0.005))
    assert pod.memory_bytes * 1e9 / GIB == about(1.77e15)
