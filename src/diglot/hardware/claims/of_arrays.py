"""Claims about matrix units, formats and the flow of data."""

from math import inf
from typing import get_args

import numpy as np

from diglot.hardware.arrays.simulator import simulate_systolic_array
from diglot.hardware.arrays.systolic import DATAFLOWS, run_systolic_array
from diglot.hardware.arrays.tpu_gemm import estimate_tpu_gemm
from diglot.hardware.chips.spreads import find_spread
from diglot.hardware.claims.eras import (
    BERT_TOKENS,
    EraModel,
    find_product_limits,
    list_era_operators,
    run_era_operators,
    shape_head,
)
from diglot.hardware.claims.finding import LESS, MORE, Finding, tell
from diglot.hardware.claims.scenes import find_chip, find_usd_per_s, list_ends
from diglot.hardware.gpus.attention_time import estimate_attention
from diglot.hardware.kernels.attention import AttentionShape, count_materialised_attention
from diglot.hardware.numerics.number_formats import find_number_format
from diglot.hardware.operators.layer_time import time_attention
from diglot.hardware.operators.transformer import Formats, decode, list_operators, prefill
from diglot.hardware.parallelism.layouts import Layout
from diglot.hardware.serving.deployment import deploy
from diglot.hardware.serving.step_options import StepOptions
from diglot.hardware.serving.steps import estimate_step


def judge_unfilled_arrays() -> Finding:
    """Claim 1: share of the peak of TPU v6e for products that fill a part of its arrays."""
    small, half, full = (_find_fill("tpu-v6e", 8192, side, side) for side in (128, 384, 8192))
    return tell(
        (small / full, half / full), LESS,
        zh=f"8,192行时，v6e的阵列在边长128的权重上只做到峰值的{small:.0%}，384为{half:.0%}，8,192为"
        f"{full:.0%}。",
        en=f"With 8,192 rows, the arrays of v6e reach {small:.0%} of the peak on weights of 128 × 128, "
        f"{half:.0%} of 384 × 384 and {full:.0%} of 8,192 × 8,192.",
    )  # fmt: skip


def judge_attention() -> Finding:
    """Claim 2: bound on attention of TPU v6e and v7 over that of H200 and B200, for heads of 128 elements.

    A TPU's products fill only half of an array of 256; the rate of its exponentials is not published, so that
    its side is a bound from above.
    """
    tokens, heads = 8192, 32
    shape = AttentionShape(
        queries_tokens=tokens, keys_tokens=tokens, heads_count=heads, kv_heads_count=8, head_elements=128
    )
    ratios: list[float] = []
    rates: dict[str, float] = {}
    likely = []
    for tpu, gpu in (("tpu-v6e", "h200-sxm"), ("tpu-v7", "b200-sxm")):
        parts = estimate_attention(shape, find_chip(gpu))
        _, fill = find_product_limits(find_chip(tpu), parts.kernel, *shape_head(shape), per_head=True)
        tpu_flops_per_s = find_chip(tpu).peak_flops_per_s("bf16") * fill
        gpu_flops_per_s = float(np.asarray(parts.kernel.flops / parts.time_s))
        rates |= {tpu: tpu_flops_per_s / 1e12, gpu: gpu_flops_per_s / 1e12}
        ratios.append(tpu_flops_per_s / gpu_flops_per_s)
        bound_s = float(np.asarray(parts.kernel.flops)) / tpu_flops_per_s
        gpu_time = time_attention(gpu, shape, mode="calibrated").estimate
        likely.append(gpu_time.over(find_spread("attention", tpu).bracket(bound_s, least=bound_s)))
    return tell(
        ratios, MORE, intervals=list_ends(*likely),
        zh=f"头维度128时的上界：v6e {rates['tpu-v6e']:.0f} TFLOP/s，H200 {rates['h200-sxm']:.0f}；v7 "
        f"{rates['tpu-v7']:.0f}，B200 {rates['b200-sxm']:.0f}。TPU指数运算的速率没有公布，没有计入。",
        en=f"Bounds with heads of 128: v6e {rates['tpu-v6e']:.0f} TFLOP/s against H200 "
        f"{rates['h200-sxm']:.0f}, v7 {rates['tpu-v7']:.0f} against B200 {rates['b200-sxm']:.0f}. A "
        "TPU's rate of exponentials is not published and left out.",
    )  # fmt: skip


def judge_routing() -> Finding:
    """Claim 3: step of DeepSeek-V3 on 64 TPU v5p with skewed routing over that with even routing."""
    skews = (0.3, 0.6, 1.0)
    tpu, gpu = (_slow_down(id_, formats, skews) for id_, formats in _ROUTED)
    copied = _slow_down(*_ROUTED[0], skews, copies=64)
    rows = 4096 * 8 / 256
    return tell(
        tpu, (1.5, inf),
        zh=f"64块v5p上的DeepSeek-V3，路由按Zipf定律（指数0.3、0.6、1）偏斜时，一步是均匀时的{tpu[0]:.2f}、"
        f"{tpu[1]:.2f}、{tpu[2]:.2f}倍，多放64份专家后至多{max(copied):.2f}倍；64块H200是{gpu[0]:.2f}、"
        f"{gpu[1]:.2f}、{gpu[2]:.2f}倍。难处在偏斜，不在阵列：4,096个词元时每个专家平均已有{rows:,.0f}行。",
        en="A step of DeepSeek-V3 on 64 v5p takes "
        f"{tpu[0]:.2f}, {tpu[1]:.2f} and {tpu[2]:.2f} times as long where routing is skewed by Zipf's law "
        f"with exponents 0.3, 0.6 and 1, at most {max(copied):.2f} with 64 copies of experts, and on 64 "
        f"H200 {gpu[0]:.2f}, {gpu[1]:.2f} and {gpu[2]:.2f}. Skew is what is hard, not the array, which "
        f"gets {rows:,.0f} rows for each expert from 4,096 tokens.",
    )  # fmt: skip


_ROUTED = (
    ("tpu-v5p", Formats(weights="int8")),
    ("h200-sxm", Formats(weights="fp8", arithmetic="fp8")),
)


def _slow_down(chip_id: str, formats: Formats, skews: tuple[float, ...], copies: int = 0) -> list[float]:
    """Time of a step with each skew over that with even routing and no copies of experts."""
    even_s = _time_routed_s(chip_id, formats, StepOptions(routing_skew=0.0))
    skewed = (StepOptions(routing_skew=skew, redundant_experts_count=copies) for skew in skews)
    return [_time_routed_s(chip_id, formats, options) / even_s for options in skewed]


def _time_routed_s(chip_id: str, formats: Formats, options: StepOptions) -> float:
    layout = Layout(expert_count=64)
    deployment = deploy("deepseek-v3", chip_id, layout=layout, formats=formats, options=options)
    return float(np.asarray(estimate_step(deployment, decode(2000, sequences_count=2048)).time_s))


def judge_bert_on_old_tpus() -> Finding:
    """Claim 4: share of the peak of TPU v2 and v3 that BERT uses over ResNet-50's: the model, its attention.

    A CNN would be favoured where BERT uses less of the peak.
    """
    shares = {id_: _find_era_fractions(id_) for id_ in ("tpu-v2", "tpu-v3")}
    short, long = (_find_bert_attention_fraction("tpu-v2", tokens) for tokens in (BERT_TOKENS, 512))
    ratios = []
    for id_, share in shares.items():
        attention = _find_bert_attention_fraction(id_, BERT_TOKENS)
        ratios += [share["bert"] / share["resnet"], attention / share["resnet"]]
    v2, v3 = shares.values()
    alone = run_era_operators(list_era_operators("bert"), find_chip("tpu-v3")).peak_fraction
    return tell(
        ratios, LESS,
        zh=f"批量64时，ResNet-50至多用到v2峰值的{v2['resnet']:.0%}、v3的{v3['resnet']:.0%}，BERT（128词元）"
        f"是{v2['bert']:.0%}和{v3['bert']:.0%}：形状并不偏爱CNN。要迁就却是真的：BERT的注意力在v2上只用到"
        f"{short:.0%}（512词元时{long:.0%}），v3上每芯片一个序列时整个BERT只用到{alone:.0%}。",
        en=f"With a batch of 64, ResNet-50 can use {v2['resnet']:.0%} of the peak of a v2 and "
        f"{v3['resnet']:.0%} of a v3, BERT with 128 tokens {v2['bert']:.0%} and {v3['bert']:.0%}: shapes do "
        f"not favour CNNs. That BERT had to bend is true: its attention uses {short:.0%} of a v2, or "
        f"{long:.0%} with 512 tokens, and with one sequence a chip all of BERT uses {alone:.0%} of a v3.",
    )  # fmt: skip


def judge_convolutions_on_new_tpus() -> Finding:
    """Claim 5: share of the peak that ResNet-50 uses on TPU v5p, v5e, v6e and v7 over that on v2.

    Somebody with CNNs suffers here where a quarter of it, or more, is lost.
    """
    old = _find_era_fractions("tpu-v2")
    new = {id_: _find_era_fractions(id_) for id_ in ("tpu-v5p", "tpu-v5e", "tpu-v6e", "tpu-v7")}
    kept = [share["resnet"] / old["resnet"] for share in new.values()]
    reading = [share["prefill"] / old["prefill"] for share in new.values()]
    decoding = [share["decode"] / old["decode"] for share in new.values()]
    return tell(
        kept, (0.0, 0.75),
        zh=f"批量64的ResNet-50能用到的峰值比例，v5p上是v2的{kept[0]:.0%}，v5e是{kept[1]:.0%}，v6e是"
        f"{kept[2]:.0%}，v7是{kept[3]:.0%}（少了四分之一算受苦）：吃亏不从v5p开始，要到v6e才厉害。Llama 3 "
        f"70B的预填充都保住{min(reading):.0%}以上，解码只剩{min(decoding):.0%}至{max(decoding):.0%}。",
        en=f"Of the share of the peak that ResNet-50 with a batch of 64 uses on a v2, {kept[0]:.0%} are left "
        f"on v5p, {kept[1]:.0%} on v5e, {kept[2]:.0%} on v6e and {kept[3]:.0%} on v7. To lose a quarter "
        "counts as suffering: it does not begin with the v5p, and is worst on the v6e. Llama 3 70B keeps "
        f"{min(reading):.0%} or more in prefill, but only {min(decoding):.0%} to {max(decoding):.0%} in "
        "decoding.",
    )  # fmt: skip


def judge_any_product() -> Finding:
    """Claim 6: share of the peak of TPU v6e from one row to many: all run, few rows badly."""
    shares = [_find_fill("tpu-v6e", rows, 8192, 8192) for rows in (1, 64, 1024, 8192)]
    told = ", ".join(f"{share:.1%}" for share in shares)
    return tell(
        shares, (0.001, 1.0),
        zh=f"8,192 × 8,192的权重在v6e上，1、64、1,024、8,192行各用到峰值的{told.replace(', ', '、')}。",
        en=f"Weights of 8,192 × 8,192 on v6e with 1, 64, 1,024 and 8,192 rows: {told} of the peak.",
    )  # fmt: skip


def judge_memory_walls() -> Finding:
    """Claim 26: bandwidth of TPU v6e and v5p over that of H200, by chip and by dollar."""
    ratios = []
    for tpu in ("tpu-v6e", "tpu-v5p"):
        chip, h200 = find_chip(tpu), find_chip("h200-sxm")
        each = chip.memory_bandwidth_bytes_per_s / h200.memory_bandwidth_bytes_per_s
        ratios += [each, each * find_usd_per_s("h200-sxm") / find_usd_per_s(tpu)]
    return tell(
        ratios, LESS,
        zh=f"访存受限时只看带宽：每芯片v6e是H200的{ratios[0]:.2f}、v5p是{ratios[2]:.2f}；每美元则是"
        f"{ratios[1]:.2f}和{ratios[3]:.2f}。不规则读取没有公布的速率，没有计入。",
        en=f"Where memory binds, bandwidth counts: a v6e has {ratios[0]:.2f} of an H200's, a v5p "
        f"{ratios[2]:.2f}; by dollar {ratios[1]:.2f} and {ratios[3]:.2f}. Rates of gathers are not "
        "published and left out.",
    )  # fmt: skip


def judge_peaks() -> Finding:
    """Claim 28: peak bf16 of the generations, in TFLOP/s."""
    ids = ("tpu-v2", "tpu-v3", "tpu-v4", "tpu-v5e", "tpu-v5p")
    peaks = [find_chip(id_).peak_flops_per_s("bf16") / 1e12 for id_ in ids]
    listed = ", ".join(
        f"{find_chip(id_).short_name} {peak:.0f}" for id_, peak in zip(ids, peaks, strict=True)
    )
    return tell(
        peaks, (45, 459), unit="TFLOP/s", zh=f"目录中的bf16峰值，TFLOP/s：{listed.replace(', ', '、')}。",
        en=f"Peaks of bf16 in the catalogue, in TFLOP/s: {listed}.",
    )  # fmt: skip


def judge_pod_peak() -> Finding:
    """Claim 51: peak of a pod of TPU v5e in 8-bit integers, in 10^15 operations per second."""
    v5e, h100 = find_chip("tpu-v5e"), find_chip("h100-sxm")
    count = int(v5e.quantity("pod.max_chips").value)
    integers, gpu = (count * chip.peak_flops_per_s("int8") / 1e15 for chip in (v5e, h100))
    floats = count * v5e.peak_flops_per_s("bf16") / 1e15
    return tell(
        (integers,), (95, 105), unit="PetaOPS",
        zh=f"{count}块v5e的int8峰值合计{integers:.0f} PetaOPS，bf16只有{floats:.0f} PFLOP/s；同样多的H100是"
        f"{gpu:.0f} PetaOPS。OPS数的是整数运算，与FLOPS不能相比。",
        en=f"The int8 peaks of {count} v5e add up to {integers:.0f} PetaOPS, those of bf16 to {floats:.0f} "
        f"PFLOP/s; as many H100 have {gpu:.0f} PetaOPS. OPS are of integers and not comparable with FLOPS.",
    )  # fmt: skip


def judge_flow() -> Finding:
    """Claim 29: a simulation with operands from the edges and sums between neighbours gives the product."""
    rng = np.random.default_rng(0)
    a, b = rng.integers(-8, 9, (5, 4)), rng.integers(-8, 9, (4, 3))
    run = simulate_systolic_array(a, b, rows=4, cols=3, dataflow="ws")
    wrong = int(np.count_nonzero(np.asarray(run.product) != a @ b))
    return tell(
        (wrong,), (0, 0), unit="count",
        zh=f"逐周期模拟一个4×3阵列，数据只从边缘进入、部分和只传给邻居，乘积有{wrong}个数不符。",
        en="A 4 × 3 array, simulated cycle by cycle with operands from the edges and sums to "
        f"neighbours only, gets {wrong} numbers of the product wrong.",
    )  # fmt: skip


def judge_movement() -> Finding:
    """Claim 30: reads of the scratchpads per multiply-accumulate over two, the reads without any reuse."""
    size = 1024
    shares = []
    for dataflow in DATAFLOWS:
        run = run_systolic_array(size, size, size, rows=128, cols=128, dataflow=dataflow)
        reads = run.ifmap_read_elements + run.filter_read_elements
        shares.append(float(np.asarray(reads)) / (2 * size**3))
    return tell(
        shares, (0, 0.1),
        zh=f"边长1,024的乘法在128×128阵列上，读操作数的次数是不复用时的{min(shares):.1%}至"
        f"{max(shares):.1%}，视数据流而定。",
        en=f"A product of side 1,024 on an array of 128 × 128 reads operands {min(shares):.1%} to "
        f"{max(shares):.1%} as often as without reuse, by data flow.",
    )  # fmt: skip


def judge_bf16() -> Finding:
    """Claim 33: decades of bf16 over those of fp32."""
    bf16, fp32 = find_number_format("bf16"), find_number_format("fp32")
    return tell(
        (bf16.decades / fp32.decades,), (0.99, 1.01),
        zh=f"bf16与fp32都跨{bf16.decades:.0f}个数量级；有效位是{bf16.mantissa_bits + 1}与"
        f"{fp32.mantissa_bits + 1}。",
        en=f"Both span {bf16.decades:.0f} decades, with {bf16.mantissa_bits + 1} and "
        f"{fp32.mantissa_bits + 1} bits of precision.",
    )  # fmt: skip


def _find_fill(chip_id: str, m: int, k: int, n: int) -> float:
    """Share of the peak that the arrays allow, memory aside."""
    run = estimate_tpu_gemm(m, k, n, chip=find_chip(chip_id)).run
    return float(np.asarray(run.utilisation_fraction))


def _find_era_fractions(chip_id: str) -> dict[EraModel, float]:
    """Share of the chip's peak that each model uses with a batch of 64."""
    models: tuple[EraModel, ...] = get_args(EraModel)
    return {
        model: run_era_operators(list_era_operators(model, 64), find_chip(chip_id)).peak_fraction
        for model in models
    }


def _find_bert_attention_fraction(chip_id: str, tokens: int) -> float:
    """Share of the chip's peak that BERT's attention uses where its scores pass through memory."""
    operators = list_operators("bert-large", prefill(tokens))
    heads = next(each.attention for each in operators if each.attention is not None)
    kernel, shape = count_materialised_attention(heads), shape_head(heads)
    return min(find_product_limits(find_chip(chip_id), kernel, *shape, per_head=True))
