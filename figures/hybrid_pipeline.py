"""Where the stages of a video question belong: on CPUs, on GPUs or on TPUs, by what one asks for.

64 frames of a video are decoded, encoded by a ViT-L/14, and read by Llama 3 8B, which answers. Operations
and traffic are counted; rates and prices are those of the catalogue and of the processors beside it. How near
to its roofline each stage comes is assumed, so that each placement comes with how often it stays the best
while the assumptions move.
"""

from diglot import hardware
from diglot.figures import charts, chip, make_table

TITLE = {"zh": "混合流水线：各阶段放在哪里", "en": "A hybrid pipeline: which stage goes where"}
MESSAGE = {
    "zh": "{frames}帧视频问答（Llama 3 8B，bf16）：四个阶段按{cost.placement}放置，每千段"
    "{cost.usd_per_thousand | number(2)}美元，全放GPU要{gpu_only.usd_per_thousand | number(2)}美元"
    "（效率为假设值）",
    "en": "Questions about {frames} frames (Llama 3 8B, bf16) cost {cost.usd_per_thousand | number(2)} USD "
    "per 1,000 with their stages on {cost.placement}, {gpu_only.usd_per_thousand | number(2)} all on GPUs, "
    "at assumed efficiencies",
}
AIMS = {
    "latency": {"zh": "延迟最低", "en": "Least latency"},
    "throughput": {"zh": "吞吐最高", "en": "Most throughput"},
    "cost": {"zh": "成本最低", "en": "Least cost"},
    "gpu_only": {"zh": "全放GPU", "en": "All on GPUs"},
}
PLACES = {"cpu": "EPYC 9654", "link": {"zh": "传输", "en": "link"}}
COLUMNS = {
    "aim": {"zh": "目标", "en": "Aim", "names": AIMS},
    "placement": {"zh": "放置", "en": "Placement"},
    "clips_per_s": {"zh": "吞吐", "en": "Throughput", "unit": {"zh": "段/s", "en": "clips/s"}, "digits": 1},
    "usd_per_thousand": {"zh": "每千段成本", "en": "Cost of 1,000 clips", "unit": "USD", "digits": 2},
    "latency_s": {"zh": "延迟", "en": "Latency", "unit": "seconds", "digits": 2},
    "still_best": {"zh": "仍最优", "en": "Still best", "unit": "share", "digits": 0},
    "start_s": {
        "zh": "一段视频：图像解码、视觉编码、预填充、解码",
        "en": "One clip: images, encoder, prefill, decode",
        "unit": "seconds",
    },
    "place": {"zh": "位置", "en": "Place", "names": PLACES},
}

FRAMES, FRAME_PIXELS, FRAME_TOKENS = 64, 1920 * 1080, 144
QUESTION_TOKENS, ANSWER_TOKENS, DECODE_BATCH = 64, 64, 8
PROMPT_TOKENS = FRAMES * FRAME_TOKENS + QUESTION_TOKENS
OPERATIONS_PER_PIXEL = 150  # inverse DCT, upsampling, colours, entropy decoding; an estimate
DECODER = hardware.load_model("llama-3-8b")
ENCODER = hardware.TransformerModel(  # ViT-L/14 at 336 pixels: 24 x 24 patches and one more token
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
"""Share of its roofline that a stage reaches on a pool. Each one on an accelerator is doubted: taken 0.8 and
1.25 times as large, in every combination."""

CHIPS = {"gpu": ("h200-sxm", 4), "tpu": ("tpu-v6e", 8)}
LINK = {"link_bytes_per_s": 50e9, "link_latency_s": 20e-6}  # 400 Gbit/s for each pool
CPU_SOCKETS = 2


def compute() -> dict:
    stages, pools = list_stages(), list_pools()
    best = {aim: hardware.find_best_placement(stages, pools, objective=aim) for aim in hardware.OBJECTIVES}
    still_best = {
        aim: hardware.find_robust_fraction(stages, pools, objective=aim, certain=["cpu"]) for aim in best
    }
    best["gpu_only"] = hardware.evaluate_placement(stages, pools, ["gpu"] * len(stages))
    accelerators = [f"{count} {chip(chip_id).label}" for chip_id, count in CHIPS.values()]
    return {
        "frames": FRAMES,
        "prompt_tokens": PROMPT_TOKENS,
        "answer_tokens": ANSWER_TOKENS,
        "pools": " + ".join((f"{CPU_SOCKETS} EPYC 9654", *accelerators)),
        **{aim: tell_placement(aim, placed, still_best.get(aim)) for aim, placed in best.items()},
    }


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
        "still_best": still_best,
    }


def list_stages() -> list[hardware.Stage]:
    pixels, weights_bytes = FRAMES * FRAME_PIXELS, 2 * DECODER.parameters_count
    images = hardware.Kernel(
        name="images", flops=pixels * OPERATIONS_PER_PIXEL, read_bytes=pixels / 5, written_bytes=3 * pixels
    )
    patches = hardware.prefill(ENCODER.positions_count, sequences_count=FRAMES)
    answer = hardware.decode(PROMPT_TOKENS + ANSWER_TOKENS // 2, sequences_count=DECODE_BATCH)
    cache_bytes = DECODE_BATCH * DECODER.kv_bytes(PROMPT_TOKENS + ANSWER_TOKENS, "bf16")
    stages = {
        "images": {"kernels": (images,), "dtype": "fp32", "output_bytes": FRAMES * 336 * 336 * 3},
        "encoder": {
            "kernels": count_kernels(ENCODER, patches),
            "output_bytes": FRAMES * FRAME_TOKENS * DECODER.width_elements * 2,
            "weights_bytes": 2 * ENCODER.parameters_count,
        },
        "prefill": {
            "kernels": count_kernels(DECODER, hardware.prefill(PROMPT_TOKENS)),
            "output_bytes": DECODER.kv_bytes(PROMPT_TOKENS, "bf16"),
            "weights_bytes": weights_bytes / 2,  # prefill and decode share them
        },
        "decode": {
            "kernels": count_kernels(DECODER, answer, times=ANSWER_TOKENS),
            "batch_count": DECODE_BATCH,
            "weights_bytes": weights_bytes / 2 + cache_bytes,
        },
    }
    return [hardware.Stage(name=key, efficiency_fractions=ASSUMED[key], **of) for key, of in stages.items()]


def count_kernels(model, sequences, times: int = 1) -> tuple[hardware.Kernel, ...]:
    """What one chip does in a step of the model, or in several."""
    return tuple(
        each.kernel.repeated(each.layers_count * times) for each in hardware.list_operators(model, sequences)
    )


def list_pools() -> list[hardware.Pool]:
    """The CPU, and chips as the catalogue has them."""
    catalogue = hardware.load_catalogue()
    cpu = hardware.Pool.of_chip("cpu", hardware.load_processors()["epyc-9654"], CPU_SOCKETS, **LINK)
    return [cpu, *(hardware.Pool.of_chip(name, catalogue[of], n, **LINK) for name, (of, n) in CHIPS.items())]


def list_aims(data) -> list[dict]:
    return [data[aim] for aim in AIMS]


def draw(figure, data, t) -> None:
    charts.heading(figure, name_setting(data, t))
    parts = [part for row in list_aims(data) for part in list_parts(row)]
    charts.timeline(figure, parts, y="aim", start="start_s", duration="part_s", series="place", label="text")
    charts.bars(figure, list_aims(data), y="aim", x=("usd_per_thousand", "clips_per_s"), color="seq6")


def list_parts(row) -> list[dict]:
    """Stages and transfers of one clip, one after the other; those that have room for it with their place."""
    places = {"cpu": "cpu", **{name: chip_id for name, (chip_id, _) in CHIPS.items()}}
    parts, start_s = [], 0.0
    for pool, transfer_s, stage_s in zip(row["pools"], (0, *row["transfer_s"]), row["stage_s"], strict=True):
        for place, part_s in (("link", transfer_s), (places[pool], stage_s)):
            part = {"aim": row["aim"], "place": place, "start_s": start_s, "part_s": part_s}
            parts.append({**part, "text": chip(place).label if part_s > 0.2 else None})
            start_s += part_s
    return [part for part in parts if part["part_s"]]


def name_setting(data, t) -> str:
    return t(
        zh=f"{data['frames']}帧视频问答，{DECODER.name}，bf16，{data['pools']}，效率为假设值",
        en=f"{data['frames']} frames, {DECODER.name}, bf16, {data['pools']}, assumed efficiencies",
    )


def describe(data, t) -> str:
    n, quick, full, cheap = t.number, data["latency"], data["throughput"], data["cost"]
    shares = t.join([f"{n(100 * data[aim]['still_best'])}%" for aim in hardware.OBJECTIVES])
    alone = n(data["gpu_only"]["usd_per_thousand"], 2)
    return t(
        zh=f"{name_setting(data, t)}；依次为图像解码、视觉编码、预填充、解码。求延迟："
        f"{n(quick['latency_s'], 2)}秒；求吞吐：每秒{n(full['clips_per_s'], 1)}段；求成本：每千段"
        f"{n(cheap['usd_per_thousand'], 2)}美元，全放GPU则为{alone}美元。"
        f"效率各减两成或增四分之一，这些放置在{shares}的情形中仍最优。",
        en=f"{name_setting(data, t)}; stages: images, encoder, prefill, decode. For latency: "
        f"{n(quick['latency_s'], 2)} s; for throughput: {n(full['clips_per_s'], 1)} clips/s; for cost: "
        f"{n(cheap['usd_per_thousand'], 2)} USD per 1,000 clips, all on GPUs {alone}. With efficiencies a "
        f"fifth less or a quarter more, these stay the best in {shares} of cases.",
    )


def table(data, t):
    columns = ("aim", "placement", "latency_s", "clips_per_s", "usd_per_thousand", "still_best")
    return make_table(columns, list_aims(data), t)
