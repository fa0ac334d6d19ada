"""Claims about training, networks and scaling."""

import math
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from itertools import product
from math import inf

import numpy as np

from diglot.hardware.chips.spreads import Estimate, find_spread
from diglot.hardware.claims.finding import LESS, MORE, Finding, tell
from diglot.hardware.claims.scenes import (
    BOTH,
    MODEL,
    SHARDED,
    expect_training_s,
    expect_training_usd,
    find_chip,
    find_usd_per_s,
    list_ends,
    train,
    train_tokens_per_usd,
)
from diglot.hardware.dtypes import DType
from diglot.hardware.models.catalogue import load_model
from diglot.hardware.networks.chip_networks import find_network
from diglot.hardware.networks.collectives import estimate_collective
from diglot.hardware.networks.topologies import Cluster, Island, Torus
from diglot.hardware.operators.collective_time import find_collective_estimate
from diglot.hardware.parallelism.layouts import Layout
from diglot.hardware.training.activations import RECOMPUTES, Recompute
from diglot.hardware.training.chip_training import train_on_chip
from diglot.hardware.training.failures import find_interruption_interval_s, find_training_goodput_fraction
from diglot.hardware.training.flops import count_training_step_flops, estimate_training_time_s
from diglot.hardware.training.plan import TrainingPlan

POD = (16, 20, 28)
"""The pod of TPU v5p."""


def judge_training_against_h200() -> Finding:
    """Claim 8: training tokens per dollar of TPU v5p over H200."""
    v5p, h200 = train_tokens_per_usd("tpu-v5p"), train_tokens_per_usd("h200-sxm")
    ideal, calibrated = (a / b for a, b in zip(v5p, h200, strict=True))
    return tell(
        (ideal, calibrated), MORE,
        intervals=list_ends(expect_training_usd("h200-sxm").over(expect_training_usd("tpu-v5p"))),
        zh=f"256块芯片训练Llama 3 70B，按目录价，各取最快的布局：v5p每美元{v5p[0]:,.0f}词元，H200 "
        f"{h200[0]:,.0f}，两者之比{ideal:.2f}，校准后{calibrated:.2f}。",
        en="256 chips train Llama 3 70B at list prices, each with its quickest layout: "
        f"{v5p[0]:,.0f} tokens per USD on v5p, {h200[0]:,.0f} on H200, a ratio of {ideal:.2f}, "
        f"calibrated {calibrated:.2f}.",
    )  # fmt: skip


def judge_clusters() -> Finding:
    """Claim 9: training tokens per dollar of TPUs over A100 and H100."""
    ratios = {
        (tpu, gpu): [a / b for a, b in zip(train_tokens_per_usd(tpu), train_tokens_per_usd(gpu), strict=True)]
        for tpu in ("tpu-v5e", "tpu-v5p", "tpu-v6e") for gpu in ("a100-80", "h100-sxm")
    }  # fmt: skip
    both = [each for pair in ratios.values() for each in pair]
    v5p, v6e = ratios["tpu-v5p", "h100-sxm"], ratios["tpu-v6e", "h100-sxm"]
    return tell(
        both, (4.0, 10.0),
        intervals=list_ends(
            *(expect_training_usd(gpu).over(expect_training_usd(tpu)) for tpu, gpu in ratios)
        ),
        zh=f"256块芯片训练Llama 3 70B，按目录价，每美元的词元数：v5p是H100的{min(v5p):.2f}至{max(v5p):.2f}"
        f"倍，v6e是{min(v6e):.2f}至{max(v6e):.2f}倍；v5e、v5p、v6e对A100、H100最多{max(both):.1f}倍。",
        en=f"256 chips train Llama 3 70B at list prices: v5p gives {min(v5p):.2f} to {max(v5p):.2f} "
        f"times the tokens per USD of H100, v6e {min(v6e):.2f} to {max(v6e):.2f}; the most of v5e, v5p "
        f"and v6e over A100 and H100 is {max(both):.1f}.",
    )  # fmt: skip


def judge_pod() -> Finding:
    """Claim 10: chips of a pod of TPU v5p, and of the largest job on it, with the use of peaks by a step."""
    count = int(find_chip("tpu-v5p").quantity("pod.max_chips").value)
    shares = [_find_mfu("tpu-v5p", count, count, tensor=tensor, recompute="full") for tensor in (1, 4, 8)]
    share = _find_share("tpu-v5p", find_network(find_chip("tpu-v5p"), POD), batch_tokens=2**22)
    return tell(
        (SLICE_CHIPS, count), (8960, 8960), unit="chips",
        zh=f"Pod有{count:,}块，单个任务至多{SLICE_CHIPS:,}块。假如能用满整个Pod训练70B，每块每步4,096词元、全部重算："
        f"利用率{min(shares):.0%}至{max(shares):.0%}（重算本身就只许75%）；一步总共只有4 Mi词元时链路至多"
        f"留下{share:.0%}。",
        en=f"A pod has {count:,} chips, and a job gets at most {SLICE_CHIPS:,} of them. On all of it, 70B "
        f"would train with 4,096 tokens a chip and full recomputation at {min(shares):.0%} to "
        f"{max(shares):.0%} of the peak, of which recomputation alone leaves 75%; with 4 Mi tokens a step "
        f"in all, links leave at most {share:.0%}.",
    )  # fmt: skip


def judge_v6_performance() -> Finding:
    """Claim 11: peak bf16 of TPU v6e over v5p and over v5e."""
    v6e, v5p, v5e = (find_chip(f"tpu-{name}").peak_flops_per_s("bf16") for name in ("v6e", "v5p", "v5e"))
    return tell(
        (v6e / v5p, v6e / v5e), (2.8, 2.8),
        zh=f"bf16峰值是v5p的{v6e / v5p:.1f}倍、v5e的{v6e / v5e:.1f}倍；2.8倍两者都不是，是谷歌给v5p对"
        "v4的训练提速。",
        en=f"Its bf16 peak is {v6e / v5p:.1f} times that of v5p and {v6e / v5e:.1f} times that of v5e; "
        "2.8 is neither, but what Google gives for v5p over v4.",
    )  # fmt: skip


def judge_b200() -> Finding:
    """Claim 13: training rate of B200 over H100, in bf16 and with fp8 on both, ideal and calibrated."""
    ratios = [
        train("b200-sxm", dtype, timing) / train("h100-sxm", dtype, timing)
        for dtype, timing in product(_FORMATS, BOTH)
    ]
    peak = find_chip("b200-sxm").peak_flops_per_s("bf16") / find_chip("h100-sxm").peak_flops_per_s("bf16")
    return tell(
        ratios, (2.7, 3.3),
        intervals=list_ends(
            *(
                expect_training_s("h100-sxm", dtype).over(expect_training_s("b200-sxm", dtype))
                for dtype in _FORMATS
            )
        ),
        zh=f"256块芯片训练Llama 3 70B，同一格式、各取最快的布局，B200是H100的{min(ratios):.2f}至"
        f"{max(ratios):.2f}倍；峰值之比为{peak:.2f}，更大的显存省去张量并行或重算。",
        en="256 chips train Llama 3 70B: in the same format and each with its quickest layout, B200 is "
        f"{min(ratios):.2f} to {max(ratios):.2f} times H100, whose peaks are a factor of {peak:.2f} "
        "apart; more memory spares tensor ways or recomputation.",
    )  # fmt: skip


def judge_ici() -> Finding:
    """Claim 31: time of all-reduces on H100 over that on as many TPU v5p: 1 GB, and 4 KB."""
    slices = ((4, 4, 4), (4, 8, 8), (16, 16, 16))
    large = [_compare_sums(sides, 10**9) for sides in slices]
    small = _compare_sums((4, 4, 4), 4096)
    expected = [_expect_sums(sides, 10**9) for sides in slices]
    return tell(
        (*large, small), MORE, intervals=list_ends(*expected, _expect_sums((4, 4, 4), 4096)),
        zh=f"全归约1 GB：64、256、4,096块H100的用时是同样多v5p的{large[0]:.1f}、{large[1]:.1f}、"
        f"{large[2]:.1f}倍；4 KB时{small:.1f}倍，环面的跳数多，交换机更快。",
        en=f"An all-reduce of 1 GB takes {large[0]:.1f}, {large[1]:.1f} and {large[2]:.1f} times as long "
        f"on 64, 256 and 4,096 H100 as on as many v5p; one of 4 KB {small:.1f} times: a torus has more "
        "hops, and switches are quicker.",
    )  # fmt: skip


def judge_parallelism() -> Finding:
    """Claim 32: use of the peak on 512 TPU v5p over that on 512 H100, by layout."""
    layouts = ((1, 1), (8, 1), (16, 1), (32, 1), (8, 4))
    shares = {
        ways: [
            _find_mfu(id_, 512, 512, tensor=ways[0], pipeline=ways[1], recompute="full")
            for id_ in ("tpu-v5p", "h100-sxm")
        ]
        for ways in layouts
    }
    ratios = [tpu / gpu for tpu, gpu in shares.values()]
    fsdp, node, wide, staged = (shares[ways] for ways in ((1, 1), (8, 1), (32, 1), (8, 4)))
    return tell(
        ratios, MORE,
        zh=f"512块训练70B，v5p与H100的利用率：只用FSDP {fsdp[0]:.0%}对{fsdp[1]:.0%}，8路张量{node[0]:.0%}"
        f"对{node[1]:.0%}，32路{wide[0]:.0%}对{wide[1]:.0%}，8路张量乘4级流水线{staged[0]:.0%}对"
        f"{staged[1]:.0%}。受益的是跨节点的张量并行。",
        en=f"70B on 512 chips, share of the peak on v5p and H100: {fsdp[0]:.0%} and {fsdp[1]:.0%} with "
        f"FSDP alone, {node[0]:.0%} and {node[1]:.0%} with 8 tensor ways, {wide[0]:.0%} and {wide[1]:.0%}"
        f" with 32, {staged[0]:.0%} and {staged[1]:.0%} with 8 and 4 stages. What gains is tensor "
        "parallelism across nodes.",
    )  # fmt: skip


def judge_bert_training() -> Finding:
    """Claim 36: hours that TPUs save over as many GPUs of their time, training BERT-large and GPT-3."""
    model = load_model("bert-large")
    flops = 1e6 * float(np.asarray(count_training_step_flops(model, 128, sequences_count=256)))
    pairs: tuple[tuple[str, DType, str], ...] = (
        ("v100-sxm2", "fp16", "tpu-v3"), ("a100-40", "bf16", "tpu-v4"), ("h100-sxm", "bf16", "tpu-v5p"),
    )  # fmt: skip
    bert = []
    for gpu, dtype, tpu in pairs:
        peaks = (find_chip(gpu).peak_flops_per_s(dtype), find_chip(tpu).peak_flops_per_s("bf16"))
        slow, quick = (
            float(estimate_training_time_s(flops, chips_count=16, peak_flops_per_s=peak, mfu_fraction=0.4))
            for peak in peaks
        )
        bert.append((slow - quick) / 3600)
    days = {id_: _train_gpt_s(id_) / 86400 for id_ in ("a100-80", "h100-sxm", "tpu-v4", "tpu-v5p")}
    pairs_of_gpt = (("a100-80", "tpu-v4"), ("a100-80", "tpu-v5p"), ("h100-sxm", "tpu-v5p"))
    saved = [24 * (days[gpu] - days[tpu]) for gpu, tpu in pairs_of_gpt]
    errors = [_find_error_hours(days, *pair) for pair in pairs_of_gpt]
    gpt = [(hours - error, hours + error) for hours, error in zip(saved, errors, strict=True)]
    return tell(
        (*bert, *saved), (1.0, inf), unit="hours", intervals=[*((each, each) for each in bert), *gpt],
        zh=f"1,024块芯片训练GPT-3（3千亿词元）：A100 {days['a100-80']:.1f}天，v4 {days['tpu-v4']:.1f}，v5p "
        f"{days['tpu-v5p']:.1f}，H100 {days['h100-sxm']:.1f}。16块训练BERT-large一百万步：v3比V100"
        f"{_tell_saved_zh(bert[0])}小时，v4比A100{_tell_saved_zh(bert[1])}，v5p比H100{_tell_saved_zh(bert[2])}。",
        en=f"GPT-3 on 1,024 chips, 300 billion tokens: {days['a100-80']:.1f} days on A100, "
        f"{days['tpu-v4']:.1f} on v4, {days['tpu-v5p']:.1f} on v5p, {days['h100-sxm']:.1f} on H100. A "
        f"million steps of BERT-large on 16 chips: v3 takes {_tell_saved(bert[0])} than V100, v4 "
        f"{_tell_saved(bert[1])} than A100, v5p {_tell_saved(bert[2])} than H100.",
    )  # fmt: skip


def _tell_saved(hours: float) -> str:
    return f"{abs(hours):.1f} hours {'less' if hours > 0 else 'more'}"


def _tell_saved_zh(hours: float) -> str:
    return f"{'省' if hours > 0 else '多花'}{abs(hours):.1f}"


def judge_scaling() -> Finding:
    """Claim 41: progress of 2, 4 and 8 slices of TPU v5p over that many times one slice's, with failures."""
    slices = (2, 4, 8)
    one = _find_mfu("tpu-v5p", SLICE_CHIPS, 4 * SLICE_CHIPS // 8, tensor=8)
    network = [
        _find_mfu("tpu-v5p", count * SLICE_CHIPS, count * 4 * SLICE_CHIPS // 8, tensor=8, slices=count) / one
        for count in slices
    ]
    kept = [_keep(count) / _keep(1) for count in slices]
    both = [a * b for a, b in zip(network, kept, strict=True)]
    return tell(
        both, (0.9, 1.0),
        zh=f"6,144块v5p的切片经数据中心网络相连，每份模型的批量不变：2、4、8个切片（至49,152块）仅看网络至少达到"
        f"线性的{min(network):.0%}；计入Llama 3训练时的故障率后为{both[0]:.0%}、{both[1]:.0%}、"
        f"{both[2]:.0%}。TPU的故障率没有公布。",
        en="Slices of 6,144 v5p joined by the data-centre network, with the batch of a copy fixed: 2, 4 "
        f"and 8 (49,152 chips) reach at least {min(network):.0%} of linear by their networks, and "
        f"{both[0]:.0%}, {both[1]:.0%} and {both[2]:.0%} with failures at the rate of Llama 3's "
        "training. No rate of TPUs is published.",
    )  # fmt: skip


def judge_training_table() -> Finding:
    """Claim 15: dollars per token and scaling, v5p over H100: what can be computed of its table."""
    v5p, h100 = (find_usd_per_s(id_) / train(id_) * 1e6 for id_ in _TRAINED)
    tpu, gpu = _find_share("tpu-v5p", _whole("tpu-v5p")), _find_share("h100-sxm", _whole("h100-sxm"))
    return tell(
        (v5p / h100, gpu / tpu), LESS,
        intervals=[
            *list_ends(expect_training_usd("tpu-v5p").over(expect_training_usd("h100-sxm"))),
            (gpu / tpu, gpu / tpu),
        ],
        zh=f"可算的两列：每百万训练词元v5p {v5p:.2f}美元、H100 {h100:.2f}美元；4,096块芯片、每步4 Mi词元"
        f"时链路留下峰值的{tpu:.0%}和{gpu:.0%}。",
        en=f"The two columns that can be computed: a million training tokens cost {v5p:.2f} USD on v5p "
        f"and {h100:.2f} on H100; on 4,096 chips with 4 Mi tokens a step links leave {tpu:.0%} and "
        f"{gpu:.0%} of the peak.",
    )  # fmt: skip


_FORMATS: tuple[DType, ...] = ("bf16", "fp8")
_TRAINED = ("tpu-v5p", "h100-sxm")
SLICE_CHIPS = 6144
"""The largest job on a pod of TPU v5p."""
CHIP_FAILURE_S = 54 * 86400 / 419 * 16384
"""Mean time between failures of one chip: 419 interruptions of 16,384 H100 in 54 days of Llama 3's training.

Source: Llama Team, arXiv:2407.21783, section 3.3.4.
"""


def _find_mfu(
    chip_id: str, chips_count: int, sequences_count: int, *,
    tensor: int = 1, pipeline: int = 1, slices: int = 1, recompute: Recompute = "selective",
) -> float:  # fmt: skip
    """Use of the peak by a step of the model with so many sequences of 4,096 tokens."""
    plan = TrainingPlan(
        model=load_model(MODEL), sequence_tokens=4096, batch_sequences_count=sequences_count,
        layout=Layout(
            tensor_count=tensor, pipeline_count=pipeline, data_count=chips_count // tensor // pipeline,
            sequence_parallel=True,
        ),
        recompute=recompute, state=replace(SHARDED, replicas_count=slices),
    )  # fmt: skip
    return float(np.asarray(train_on_chip(plan, find_chip(chip_id)).mfu_fraction))


def _train_gpt_s(chip_id: str) -> float:
    """Time of 300 billion tokens of GPT-3 on 1,024 chips with the quickest recomputation that fits."""
    times = []
    for recompute in RECOMPUTES:
        plan = TrainingPlan(
            model=load_model("gpt-3-175b"), sequence_tokens=2048, batch_sequences_count=1024,
            layout=Layout(tensor_count=4, data_count=256, sequence_parallel=True),
            recompute=recompute, state=SHARDED,
        )  # fmt: skip
        with suppress(ValueError):  # it does not fit
            step_s = np.asarray(train_on_chip(plan, find_chip(chip_id), timing="calibrated").time_s)
            times.append(float(3e11 / plan.batch_tokens * step_s))
    return min(times)


def _find_error_hours(days: Mapping[str, float], *chip_ids: str) -> float:
    """Half the interval of a difference of training times."""
    errors = [24 * days[id_] * (find_spread("trained dense", id_).ratio - 1) for id_ in chip_ids]
    return math.hypot(*errors)


def _keep(slices: int) -> float:
    """Share of the time that is progress, with checkpoints of 30 s and restarts of 5 minutes."""
    interval_s = find_interruption_interval_s(CHIP_FAILURE_S, slices * SLICE_CHIPS)
    return float(np.asarray(find_training_goodput_fraction(interval_s, checkpoint_s=30, restart_s=300)))


def _compare_sums(sides: tuple[int, ...], array_bytes: int) -> float:
    """Time of a sum on H100 over that on as many TPU v5p."""
    gpu_s = _reduce_s("h100-sxm", int(np.prod(sides)), array_bytes)
    return gpu_s / _reduce_s("tpu-v5p", sides, array_bytes)


def _expect_sums(sides: tuple[int, ...], array_bytes: int) -> Estimate:
    """What measurements would give for `_compare_sums`."""
    gpu = find_collective_estimate("h100-sxm", "all-reduce", array_bytes, int(np.prod(sides)))
    return gpu.over(find_collective_estimate("tpu-v5p", "all-reduce", array_bytes, sides))


def _whole(chip_id: str) -> Torus | Island | Cluster:
    return find_network(find_chip(chip_id), (16, 16, 16) if "tpu" in chip_id else 4096)


def _reduce_s(chip_id: str, shape: int | tuple[int, ...], array_bytes: int) -> float:
    run = estimate_collective("all-reduce", array_bytes, find_network(find_chip(chip_id), shape))
    return float(np.asarray(run.time_s))


def _find_share(chip_id: str, network: Torus | Island | Cluster, *, batch_tokens: int = 2**22) -> float:
    """Share of the peak that the network leaves a fully sharded step of the model.

    Gradients are summed and weights gathered twice, one and a half all-reduces, hidden behind arithmetic.
    """
    model = load_model(MODEL)
    gradient_bytes = 2 * int(model.parameters_count)
    run = estimate_collective("all-reduce", gradient_bytes, network)
    flops = float(np.asarray(count_training_step_flops(model, 4096, sequences_count=batch_tokens // 4096)))
    compute_s = flops / float(run.chips_count) / find_chip(chip_id).peak_flops_per_s("bf16")
    return compute_s / max(compute_s, 1.5 * float(np.asarray(run.time_s)))
