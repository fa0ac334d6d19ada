"""Where the stages of a video question belong: on CPUs, on GPUs or on TPUs, by what one asks for.

64 frames of a video are decoded, encoded by a ViT-L/14, and read by Llama 3 8B, which answers. Operations
and traffic are counted; rates and prices of the accelerators are the catalogue's. Of the CPU, and of how near
to its roofline each stage comes, the figures are typed in below: the first from its data sheet, the second
assumed. So each placement comes with how often it stays the best while the assumptions move.
"""

import itertools
from dataclasses import replace

from diglot.figures import charts, chip, make_table
from diglot.hardware import (
    OBJECTIVES,
    Kernel,
    Pool,
    Roofline,
    Stage,
    TransformerModel,
    decode,
    evaluate_placement,
    find_best_placement,
    list_operators,
    load_catalogue,
    load_model,
    prefill,
)

TITLE = {"zh": "混合流水线：各阶段放在哪里", "en": "A hybrid pipeline: which stage goes where"}
MESSAGE = {
    "zh": "{frames}帧视频问答（Llama 3 8B，bf16）：四个阶段按{cost.placement}放置，每千段"
    "{cost.usd_per_thousand | number(2)}美元，全放GPU要{gpu_only.usd_per_thousand | number(2)}美元"
    "（效率为假设值）",
    "en": "Questions about {frames} frames (Llama 3 8B, bf16) cost {cost.usd_per_thousand | number(2)} USD "
    "per 1,000 with their stages on {cost.placement}, {gpu_only.usd_per_thousand | number(2)} all on GPUs, "
    "at assumed efficiencies",
}
COLUMNS = {
    "aim": {
        **{"zh": "目标", "en": "Aim"},
        "names": {
            "latency": {"zh": "延迟最低", "en": "Least latency"},
            "throughput": {"zh": "吞吐最高", "en": "Most throughput"},
            "cost": {"zh": "成本最低", "en": "Least cost"},
            "gpu_only": {"zh": "全放GPU", "en": "All on GPUs"},
        },
    },
    "placement": {"zh": "放置", "en": "Placement"},
    "clips_per_s": {"zh": "吞吐", "en": "Throughput", "unit": {"zh": "段/s", "en": "clips/s"}, "digits": 1},
    "usd_per_thousand": {
        **{"zh": "成本", "en": "Cost"},
        **{"unit": {"zh": "美元/千段", "en": "USD per 1,000 clips"}, "digits": 2},
    },
    "latency_s": {"zh": "延迟", "en": "Latency", "unit": {"zh": "秒", "en": "seconds"}, "digits": 2},
    "still_best": {"zh": "仍最优", "en": "Still best", "unit": "share", "digits": 0},
}

FRAMES, FRAME_PIXELS, FRAME_TOKENS = 64, 1920 * 1080, 144
QUESTION_TOKENS, ANSWER_TOKENS, DECODE_BATCH = 64, 64, 8
PROMPT_TOKENS = FRAMES * FRAME_TOKENS + QUESTION_TOKENS
OPERATIONS_PER_PIXEL = 150  # inverse DCT, upsampling, colours, entropy decoding; an estimate
DECODER = load_model("llama-3-8b")
ENCODER = TransformerModel(  # ViT-L/14 at 336 pixels: 24 x 24 patches and one more token
    name="ViT-L/14", kind="encoder", layers_count=24, width_elements=1024, heads_count=16,
    feed_forward_elements=4096, gated=False, norm="layer", biases="all", vocabulary_count=1,
    positions_count=577,
)  # fmt: skip

ASSUMED = {
    "images": {"cpu": 0.1, "gpu": 0.005},  # entropy decoding is serial: most of a GPU waits
    "encoder": {"cpu": 0.4, "gpu": 0.5, "tpu": 0.35},  # heads of 64 fill a quarter of a 256 x 256 array
    "prefill": {"cpu": 0.4, "gpu": 0.6, "tpu": 0.6},
    "decode": {"cpu": 0.6, "gpu": 0.7, "tpu": 0.7},
}
"""Share of its roofline that a stage reaches on a pool."""
DOUBT = (0.8, 1.25)
"""Each of these shares on an accelerator is taken so many times as large, in every combination."""

CHIPS = {"gpu": ("h200-sxm", 4), "tpu": ("tpu-v6e", 8)}
LINK = {"link_bytes_per_s": 50e9, "link_latency_s": 20e-6}  # 400 Gbit/s for each pool
CPU_NAME = "EPYC 9654"
CPU_SOCKETS, CPU_CORES, CPU_CLOCK_HZ = 2, 96, 2.4e9  # AMD EPYC 9654: 12 channels of DDR5-4800
CPU_FLOPS_PER_CYCLE = {"fp32": 32, "bf16": 64}  # of a Zen 4 core: two fused multiply-adds of 256 bits
CPU_USD_PER_SOCKET_HOUR = 5.56  # about half of an AWS m7a.48xlarge on demand; undated


def compute() -> dict:
    stages, pools = list_stages(ASSUMED), list_pools()
    best = {name: find_best_placement(stages, pools, objective=name) for name in OBJECTIVES}
    still_best = count_still_best(best, pools)
    best["gpu_only"] = evaluate_placement(stages, pools, ["gpu"] * len(stages))
    return {
        "frames": FRAMES,
        "prompt_tokens": PROMPT_TOKENS,
        "answer_tokens": ANSWER_TOKENS,
        "pools": " + ".join(
            (
                f"{CPU_SOCKETS} {CPU_NAME}",
                *(f"{count} {chip(chip_id).label}" for chip_id, count in CHIPS.values()),
            )
        ),
        **{name: tell_placement(name, placed, still_best) for name, placed in best.items()},
    }


def count_still_best(best, pools) -> dict:
    """Of all combinations of other assumptions, the share in which each placement is still the best."""
    doubtful = [(stage, pool) for stage, shares in ASSUMED.items() for pool in shares if pool != "cpu"]
    combinations = list(itertools.product(DOUBT, repeat=len(doubtful)))
    kept = dict.fromkeys(best, 0)
    given = list_stages(ASSUMED)
    for factors in combinations:
        moved = {name: dict(shares) for name, shares in ASSUMED.items()}
        for (stage, pool), factor in zip(doubtful, factors, strict=True):
            moved[stage][pool] = min(1.0, moved[stage][pool] * factor)
        stages = [replace(stage, efficiency_fractions=moved[stage.name]) for stage in given]
        for name, placed in best.items():
            kept[name] += find_best_placement(stages, pools, objective=name).pool_names == placed.pool_names
    return {name: count / len(combinations) for name, count in kept.items()}


def tell_placement(aim, placed, still_best) -> dict:
    return {
        "aim": aim,
        "pools": placed.pool_names,
        "placement": " → ".join(name.upper() for name in placed.pool_names),
        "stage_s": placed.stage_times_s,
        "transfer_s": placed.transfer_times_s,
        "latency_s": placed.latency_s,
        "clips_per_s": placed.items_per_s,
        "usd_per_thousand": placed.item_cost_usd * 1000,
        "still_best": still_best.get(aim),
    }


def list_stages(efficiencies: dict) -> list[Stage]:
    pixels, weights_bytes = FRAMES * FRAME_PIXELS, 2 * DECODER.parameters_count
    images = Kernel(
        name="images", flops=pixels * OPERATIONS_PER_PIXEL, read_bytes=pixels / 5, written_bytes=3 * pixels
    )
    answer = decode(PROMPT_TOKENS + ANSWER_TOKENS // 2, sequences_count=DECODE_BATCH)
    cache_bytes = DECODE_BATCH * DECODER.kv_bytes(PROMPT_TOKENS + ANSWER_TOKENS, "bf16")
    stages = {
        "images": {"kernels": (images,), "dtype": "fp32", "output_bytes": FRAMES * 336 * 336 * 3},
        "encoder": {
            "kernels": count_kernels(ENCODER, prefill(ENCODER.positions_count, sequences_count=FRAMES)),
            "output_bytes": FRAMES * FRAME_TOKENS * DECODER.width_elements * 2,
            "weights_bytes": 2 * ENCODER.parameters_count,
        },
        "prefill": {
            "kernels": count_kernels(DECODER, prefill(PROMPT_TOKENS)),
            "output_bytes": DECODER.kv_bytes(PROMPT_TOKENS, "bf16"),
            "weights_bytes": weights_bytes / 2,  # prefill and decode share them
        },
        "decode": {
            "kernels": count_kernels(DECODER, answer, times=ANSWER_TOKENS),
            "batch_count": DECODE_BATCH,
            "weights_bytes": weights_bytes / 2 + cache_bytes,
        },
    }
    return [
        Stage(name=name, efficiency_fractions=efficiencies[name], **stage) for name, stage in stages.items()
    ]


def count_kernels(model, sequences, times: int = 1) -> tuple[Kernel, ...]:
    """What one chip does in a step of the model, or in several."""
    return tuple(
        Kernel(
            name=each.name,
            flops=each.flops * times,
            read_bytes=each.kernel.read_bytes * each.layers_count * times,
            written_bytes=each.kernel.written_bytes * each.layers_count * times,
        )
        for each in list_operators(model, sequences)
    )


def list_pools() -> list[Pool]:
    """The CPU, and chips as the catalogue has them, at the first price that it lists."""
    core_rate_hz = CPU_CORES * CPU_CLOCK_HZ
    cpu = Pool(
        name="cpu",
        chip_count=CPU_SOCKETS,
        rooflines={
            dtype: Roofline(
                peak_flops_per_s=flops * core_rate_hz, memory_bandwidth_bytes_per_s=12 * 8 * 4.8e9
            )
            for dtype, flops in CPU_FLOPS_PER_CYCLE.items()
        },
        memory_bytes=384e9,
        usd_per_chip_s=CPU_USD_PER_SOCKET_HOUR / 3600,
        **LINK,
    )
    return [
        cpu,
        *(
            Pool(
                name=name,
                chip_count=count,
                rooflines={dtype: one.roofline(dtype) for dtype in ("fp32", "bf16") if dtype in one.dtypes},
                memory_bytes=one.memory_bytes,
                usd_per_chip_s=one.prices[0].usd_per_chip_s,
                **LINK,
            )
            for name, (chip_id, count) in CHIPS.items()
            for one in [load_catalogue()[chip_id]]
        ),
    ]


def list_aims(data) -> list[dict]:
    return [data[aim] for aim in (*OBJECTIVES, "gpu_only")]


def draw(figure, data, t) -> None:
    charts.heading(figure, name_setting(data, t))
    measures = ("usd_per_thousand", "clips_per_s", "latency_s")
    charts.bars(
        *(figure, list_aims(data)),
        y="aim",
        x=measures,
        color="seq6",
        detail={"usd_per_thousand": "placement"},
    )


def name_setting(data, t) -> str:
    return t(
        zh=f"{data['frames']}帧视频问答，{DECODER.name}，bf16，{data['pools']}，效率为假设值；"
        "阶段：图像解码 → 视觉编码 → 预填充 → 解码",
        en=f"Question about {data['frames']} frames, {DECODER.name}, bf16, {data['pools']}, assumed "
        "efficiencies; stages: images → encoder → prefill → decode",
    )


def describe(data, t) -> str:
    n, quick, full, cheap = t.number, data["latency"], data["throughput"], data["cost"]
    shares = t.join([f"{n(100 * data[aim]['still_best'])}%" for aim in OBJECTIVES])
    alone = n(data["gpu_only"]["usd_per_thousand"], 2)
    return t(
        zh=f"{name_setting(data, t)}。求延迟：{n(quick['latency_s'], 2)}秒；求吞吐：每秒"
        f"{n(full['clips_per_s'], 1)}段；求成本：每千段{n(cheap['usd_per_thousand'], 2)}美元，全放GPU则为"
        f"{alone}美元。效率各减两成或增四分之一，这些放置在{shares}的情形中仍最优。",
        en=f"{name_setting(data, t)}. For latency: {n(quick['latency_s'], 2)} s; for throughput: "
        f"{n(full['clips_per_s'], 1)} clips/s; for cost: {n(cheap['usd_per_thousand'], 2)} USD per 1,000 "
        f"clips, all on GPUs {alone}. With efficiencies a fifth less or a quarter more, these stay the best "
        f"in {shares} of cases.",
    )


def table(data, t):
    columns = ("aim", "placement", "latency_s", "clips_per_s", "usd_per_thousand", "still_best")
    return make_table(columns, list_aims(data), t)
