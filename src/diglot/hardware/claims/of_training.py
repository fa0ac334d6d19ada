"""Claims about training, networks and scaling."""

from math import inf
from typing import cast

import numpy as np

from diglot.hardware.claims.finding import LESS, MORE, Finding, tell
from diglot.hardware.claims.scenes import (
    MODEL,
    find_chip,
    find_usd_per_s,
    train,
    train_tokens_per_usd,
)
from diglot.hardware.dtypes import DType
from diglot.hardware.models.catalogue import load_model
from diglot.hardware.networks.chip_networks import find_network, join_slices
from diglot.hardware.networks.collectives import estimate_collective
from diglot.hardware.networks.topologies import Cluster, Island, Torus
from diglot.hardware.training.flops import count_training_step_flops, estimate_training_time_s

POD = (16, 20, 28)
"""The pod of TPU v5p."""


def judge_training_against_h200() -> Finding:
    """Claim 8: training tokens per dollar of TPU v5p over H200."""
    v5p, h200 = train_tokens_per_usd("tpu-v5p"), train_tokens_per_usd("h200-sxm")
    ratios = [a / b for a, b in zip(v5p, h200, strict=True)]
    return tell(
        ratios, MORE,
        zh=f"256块芯片训练Llama 3 70B，按目录价：v5p每美元{min(v5p):,.0f}至{max(v5p):,.0f}词元，H200每美"
        f"元{min(h200):,.0f}至{max(h200):,.0f}词元，两者之比为{min(ratios):.2f}至{max(ratios):.2f}，视张"
        "量并行路数。",
        en=f"256 chips train Llama 3 70B at list prices: {min(v5p):,.0f} to {max(v5p):,.0f} tokens per "
        f"USD on v5p, {min(h200):,.0f} to {max(h200):,.0f} on H200, a ratio of {min(ratios):.2f} to "
        f"{max(ratios):.2f} by layout.",
    )  # fmt: skip


def judge_clusters() -> Finding:
    """Claim 9: training tokens per dollar of TPU v5p over H100."""
    v5p, h100 = train_tokens_per_usd("tpu-v5p"), train_tokens_per_usd("h100-sxm")
    ratios = [a / b for a in v5p for b in h100]
    return tell(
        ratios, (4.0, 10.0),
        zh=f"256块芯片训练Llama 3 70B，按目录价，v5p每美元的词元数是H100的{min(ratios):.2f}至"
        f"{max(ratios):.2f}倍。",
        en=f"256 chips train Llama 3 70B at list prices: v5p gives {min(ratios):.2f} to "
        f"{max(ratios):.2f} times the tokens per USD of H100.",
    )  # fmt: skip


def judge_pod() -> Finding:
    """Claim 10: chips of a pod of TPU v5p, with the share of the peak that its network leaves."""
    count = find_chip("tpu-v5p").quantity("pod.max_chips").value
    share = _find_share("tpu-v5p", find_network(find_chip("tpu-v5p"), POD), batch_tokens=2**22)
    large = _find_share("tpu-v5p", find_network(find_chip("tpu-v5p"), POD), batch_tokens=2**24)
    return tell(
        (count,), (8960, 8960), unit="chips",
        zh=f"Pod为{count:,.0f}块，单个任务至多6,144块。用满整个Pod做FSDP，每步4 Mi词元时链路只留下峰值的"
        f"{share:.0%}，16 Mi时{large:.0%}。",
        en=f"A pod is {count:,.0f} chips, of which a job gets at most 6,144. With FSDP over all, links "
        f"leave {share:.0%} of the peak at 4 Mi tokens a step and {large:.0%} at 16 Mi.",
    )  # fmt: skip


def judge_v6_performance() -> Finding:
    """Claim 11: peak bf16 of TPU v6e over v5p and over v5e."""
    v6e, v5p, v5e = (find_chip(f"tpu-{name}").peak_flops_per_s("bf16") for name in ("v6e", "v5p", "v5e"))
    return tell(
        (v6e / v5p, v6e / v5e), (2.8, 2.8),
        zh=f"bf16峰值是v5p的{v6e / v5p:.1f}倍、v5e的{v6e / v5e:.1f}倍；2.8倍两者都不是，是Google给v5p对"
        "v4的训练提速。",
        en=f"Its bf16 peak is {v6e / v5p:.1f} times that of v5p and {v6e / v5e:.1f} times that of v5e; "
        "2.8 is neither, but what Google says of v5p over v4.",
    )  # fmt: skip


def judge_b200() -> Finding:
    """Claim 13: training rate of B200 over H100, in the same format and with fp8 on both."""
    rates = {dtype: (train("b200-sxm", 8, dtype), train("h100-sxm", 8, dtype)) for dtype in ("bf16", "fp8")}
    ratios = [new / old for new, old in rates.values()]
    peak = find_chip("b200-sxm").peak_flops_per_s("bf16") / find_chip("h100-sxm").peak_flops_per_s("bf16")
    return tell(
        ratios, (2.7, 3.3),
        zh=f"256块芯片训练Llama 3 70B，同一格式下B200是H100的{min(ratios):.2f}至{max(ratios):.2f}倍；峰"
        f"值之比为{peak:.2f}。3倍要靠换格式。",
        en=f"256 chips train Llama 3 70B: in the same format B200 is {min(ratios):.2f} to "
        f"{max(ratios):.2f} times H100, whose peaks are a factor of {peak:.2f} apart. 3 takes another "
        "format.",
    )  # fmt: skip


def judge_ici() -> Finding:
    """Claim 31: time of an all-reduce of 1 GB on 64 H100 and on 256, over that on as many TPU v5p."""
    ratios = []
    for sides in ((4, 4, 4), (4, 8, 8)):
        count = int(np.prod(sides))
        gpu, tpu = (_reduce_s(id_, shape) for id_, shape in (("h100-sxm", count), ("tpu-v5p", sides)))
        ratios.append(gpu / tpu)
    return tell(
        ratios, MORE,
        zh=f"全归约1 GB：64块H100的用时是64块v5p的{ratios[0]:.1f}倍，256块时是{ratios[1]:.1f}倍。",
        en=f"An all-reduce of 1 GB takes {ratios[0]:.1f} times as long on 64 H100 as on 64 v5p, and "
        f"{ratios[1]:.1f} times on 256.",
    )  # fmt: skip


def judge_parallelism() -> Finding:
    """Claim 32: time of what tensor, data and pipeline parallelism send, on H100 over v5p."""
    model = load_model(MODEL)
    tensor = [_reduce_s(id_, shape, 2 * 4096 * model.width_elements) for id_, shape in _SIXTEEN]
    data = [_reduce_s(id_, shape, 2 * model.parameters_count // 16) for id_, shape in _SIXTY_FOUR]
    v5p, h100 = find_chip("tpu-v5p"), find_chip("h100-sxm")
    node = h100.quantity("interconnect.scale_out_per_node").value / 8
    pipeline = v5p.quantity("interconnect.per_link_per_direction").value / node
    ratios = (tensor[0] / tensor[1], data[0] / data[1], pipeline)
    return tell(
        ratios, MORE,
        zh=f"H100跨节点的用时与v5p之比：16路张量并行的归约{ratios[0]:.1f}，64路数据并行的梯度"
        f"{ratios[1]:.1f}，流水线相邻级之间的消息{ratios[2]:.1f}。",
        en=f"Time across nodes of H100 over v5p: sums of 16 tensor ways {ratios[0]:.1f}, gradients of "
        f"64 copies {ratios[1]:.1f}, messages between pipeline stages {ratios[2]:.1f}.",
    )  # fmt: skip


def judge_bert_training() -> Finding:
    """Claim 36: hours that 16 TPUs save over 16 GPUs of their time in training BERT-large."""
    model = load_model("bert-large")
    flops = 1e6 * float(np.asarray(count_training_step_flops(model, 128, sequences_count=256)))
    pairs: tuple[tuple[str, DType, str], ...] = (
        ("v100-sxm2", "fp16", "tpu-v3"), ("a100-40", "bf16", "tpu-v4"), ("h100-sxm", "bf16", "tpu-v5p"),
    )  # fmt: skip
    saved = []
    for gpu, dtype, tpu in pairs:
        peaks = (find_chip(gpu).peak_flops_per_s(dtype), find_chip(tpu).peak_flops_per_s("bf16"))
        slow, quick = (
            float(estimate_training_time_s(flops, chips_count=16, peak_flops_per_s=peak, mfu_fraction=0.4))
            for peak in peaks
        )
        saved.append((slow - quick) / 3600)
    return tell(
        saved, (1.0, inf), unit="hours",
        zh=f"16块芯片训练BERT-large一百万步，利用率同为40%：v3对V100省{saved[0]:.1f}小时，v4对A100省"
        f"{saved[1]:.1f}，v5p对H100省{saved[2]:.1f}（负数是多花）。",
        en=f"A million steps of BERT-large on 16 chips at 40% of the peak: v3 saves {saved[0]:.1f} "
        f"hours against V100, v4 {saved[1]:.1f} against A100, v5p {saved[2]:.1f} against H100; negative "
        "is more.",
    )  # fmt: skip


def judge_scaling() -> Finding:
    """Claim 41: share of the peak on 2 and 4 joined pods of TPU v5p over that on one; the batch grows."""
    chip = find_chip("tpu-v5p")
    pod = cast(Torus, find_network(chip, POD))  # a slice of TPUs is one
    one = _find_share("tpu-v5p", pod, batch_tokens=2**24)
    shares = [
        _find_share("tpu-v5p", join_slices(chip, pod, pods), batch_tokens=pods * 2**24) / one
        for pods in (2, 4)
    ]
    fixed = _find_share("tpu-v5p", join_slices(chip, pod, 4), batch_tokens=2**22)
    return tell(
        shares, (0.9, 1.0),
        zh=f"每Pod每步16 Mi词元，两个v5p Pod（17,920块）达到线性的{shares[0]:.0%}，四个（35,840块）"
        f"{shares[1]:.0%}；四个Pod合起来每步只有4 Mi词元时，链路只留下峰值的{fixed:.0%}。",
        en=f"With 16 Mi tokens a step for each pod, two pods of v5p (17,920 chips) reach {shares[0]:.0%}"
        f" of linear and four (35,840) {shares[1]:.0%}; with 4 Mi tokens for all four, links leave "
        f"{fixed:.0%} of the peak.",
    )  # fmt: skip


def judge_training_table() -> Finding:
    """Claim 15: dollars per token and scaling, v5p over H100: what can be computed of its table."""
    v5p, h100 = (find_usd_per_s(id_) / train(id_, 4 if "tpu" in id_ else 8) * 1e6 for id_ in _TRAINED)
    tpu, gpu = _find_share("tpu-v5p", _whole("tpu-v5p")), _find_share("h100-sxm", _whole("h100-sxm"))
    return tell(
        (v5p / h100, gpu / tpu), LESS,
        zh=f"可算的两列：每百万训练词元v5p {v5p:.2f}美元、H100 {h100:.2f}美元；4,096块芯片、每步4 Mi词元"
        f"时链路留下峰值的{tpu:.0%}和{gpu:.0%}。",
        en=f"The two columns that can be computed: a million training tokens cost {v5p:.2f} USD on v5p "
        f"and {h100:.2f} on H100; on 4,096 chips with 4 Mi tokens a step links leave {tpu:.0%} and "
        f"{gpu:.0%} of the peak.",
    )  # fmt: skip


_TRAINED = ("tpu-v5p", "h100-sxm")
_SIXTEEN = (("h100-sxm", 16), ("tpu-v5p", (2, 2, 4)))
_SIXTY_FOUR = (("h100-sxm", 64), ("tpu-v5p", (4, 4, 4)))


def _whole(chip_id: str) -> Torus | Island | Cluster:
    return find_network(find_chip(chip_id), (16, 16, 16) if "tpu" in chip_id else 4096)


def _reduce_s(chip_id: str, shape: int | tuple[int, ...], array_bytes: int = 10**9) -> float:
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
