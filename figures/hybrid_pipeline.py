"""Where the stages of a video question belong: on CPUs, on GPUs or on TPUs, by what one asks for.

64 frames of a video are decoded, encoded by a ViT-L/14, and read by Llama 3 8B, which answers. Operations
and traffic are counted; rates and prices are those of the catalogue and of the processors beside it. How near
to its roofline each stage comes is assumed, so that each placement comes with how often it stays the best
while the assumptions move.
"""

from dataclasses import asdict
from operator import itemgetter

from diglot import hardware
from diglot.figures import charts, chip, make_table

TITLE = {"zh": "混合流水线：各阶段放在哪里", "en": "A hybrid pipeline: which stage goes where"}
MESSAGE = {
    "zh": "{frames}帧视频问答（Llama 3 8B，bf16）：四个阶段按{cost.placement}放置，每1,000段"
    "{cost.usd_per_thousand | number(2)}美元，全放GPU要{gpu_only.usd_per_thousand | number(2)}美元"
    "（效率为假设值）",
    "en": "Questions about {frames} frames (Llama 3 8B, bf16) cost {cost.usd_per_thousand | number(2)} USD "
    "per 1,000 with their four stages on {cost.placement}, {gpu_only.usd_per_thousand | number(2)} all on "
    "GPUs, at assumed efficiencies",
}
AIMS = {
    "latency": {"zh": "延迟最低", "en": "Least latency"},
    "throughput": {"zh": "吞吐最高", "en": "Most throughput"},
    "cost": {"zh": "成本最低", "en": "Least cost"},
    "gpu_only": {"zh": "全放GPU", "en": "All on GPUs"},
}
PLACES = {"cpu": "EPYC 9654", "link": {"zh": "传输", "en": "link"}}
STAGES = {
    "images": {"zh": "图像", "en": "images"},
    "encoder": {"zh": "编码", "en": "encoder"},
    "prefill": {"zh": "预填充", "en": "prefill"},
    "decode": {"zh": "解码", "en": "decode"},
    "link": PLACES["link"],
}
COLUMNS = {
    "aim": {"zh": "目标", "en": "Aim", "names": AIMS},
    "placement": {"zh": "摆法", "en": "Placement"},
    "items_per_s": {"zh": "吞吐", "en": "Throughput", "unit": {"zh": "段/s", "en": "clips/s"}, "digits": 1},
    "usd_per_thousand": {"zh": "每1,000段成本", "en": "Cost of 1,000 clips", "unit": "USD", "digits": 2},
    "latency_s": {"zh": "延迟", "en": "Latency", "unit": "seconds", "digits": 2},
    "still_best": {"zh": "仍最优", "en": "Still best", "unit": "share", "digits": 0},
    "part_s": {
        "zh": "一段视频：图像解码、视觉编码、预填充、解码",
        "en": "One clip: images, encoder, prefill, decode",
        "unit": "seconds",
    },
    "place": {"zh": "位置", "en": "Place", "names": PLACES},
    "stage": {"zh": "阶段", "en": "Stage", "names": STAGES},
}

FRAMES, FRAME_PIXELS, FRAME_TOKENS = 64, 1920 * 1080, 144
QUESTION_TOKENS, ANSWER_TOKENS, DECODE_BATCH = 64, 64, 8
PROMPT_TOKENS = FRAMES * FRAME_TOKENS + QUESTION_TOKENS
OPERATIONS_PER_PIXEL = 150  # inverse DCT, upsampling, colours, entropy decoding; an estimate
CLIPS = 1000
DECODER = hardware.load_model("llama-3-8b")
ENCODER = hardware.TransformerModel(  # ViT-L/14 at 336 pixels: 24 x 24 patches and one more token
    name="ViT-L/14", kind="encoder", layers_count=24, width_elements=1024, heads_count=16,
    feed_forward_elements=4096, gated=False, norm="layer", biases="all", vocabulary_count=1,
    positions_count=577,
)  # fmt: skip

CHIPS = {"gpu": ("h200-sxm", 4), "tpu": ("tpu-v6e", 8)}
LINK = {"link_bytes_per_s": 50e9, "link_latency_s": 20e-6}  # 400 Gbit/s for each pool
CPU_SOCKETS = 2
PLACE_OF = {"cpu": "cpu", **{pool: chip_id for pool, (chip_id, _) in CHIPS.items()}}


def compute() -> dict:
    stages, pools = list_stages(), list_pools()
    best = {aim: hardware.find_best_placement(stages, pools, objective=aim) for aim in hardware.OBJECTIVES}
    robust = {
        aim: hardware.find_robust_fraction(stages, pools, objective=aim, certain=["cpu"]) for aim in best
    }
    best["gpu_only"] = hardware.evaluate_placement(stages, pools, ["gpu"] * len(stages))
    accelerators = [f"{count} {chip(chip_id).label}" for chip_id, count in CHIPS.values()]
    return {
        "frames": FRAMES,
        "clips": CLIPS,
        "prompt_tokens": PROMPT_TOKENS,
        "answer_tokens": ANSWER_TOKENS,
        "pools": " + ".join((f"{CPU_SOCKETS} EPYC 9654", *accelerators)),
        **{
            aim: {"aim": aim, "still_best": robust.get(aim), **describe_placement(placed)}
            for aim, placed in best.items()
        },
    }


def describe_placement(placed) -> dict:
    route = " → ".join(name.upper() for name in placed.pool_names)
    return {**asdict(placed), "placement": route, "usd_per_thousand": placed.item_cost_usd * CLIPS}


def list_stages() -> list[hardware.Stage]:
    """What each stage does, and the share of its roofline that it is assumed to reach on each pool.

    Shares on accelerators are doubted: taken 0.8 and 1.25 times as large, in every combination.
    """
    pixels = FRAMES * FRAME_PIXELS
    images = hardware.Kernel(
        name="images", flops=pixels * OPERATIONS_PER_PIXEL, read_bytes=pixels / 5, written_bytes=3 * pixels
    )
    patches = hardware.prefill(ENCODER.positions_count, sequences_count=FRAMES)
    answer = hardware.decode(PROMPT_TOKENS + ANSWER_TOKENS // 2, sequences_count=DECODE_BATCH)
    cache_bytes = DECODE_BATCH * DECODER.kv_bytes(PROMPT_TOKENS + ANSWER_TOKENS, "bf16")
    shared_bytes = DECODER.parameters_count  # half of the weights: prefill and decode share them
    return [
        hardware.Stage(  # entropy decoding is serial: most of a GPU waits
            name="images", kernels=(images,), dtype="fp32", output_bytes=FRAMES * 336 * 336 * 3,
            efficiency_fractions={"cpu": 0.1, "gpu": 0.005},
        ),
        hardware.Stage(  # heads of 64 fill a quarter of a 256 x 256 array
            name="encoder", kernels=hardware.list_kernels(ENCODER, patches),
            output_bytes=FRAMES * FRAME_TOKENS * DECODER.width_elements * 2,
            weights_bytes=2 * ENCODER.parameters_count,
            efficiency_fractions={"cpu": 0.4, "gpu": 0.5, "tpu": 0.35},
        ),
        hardware.Stage(
            name="prefill", kernels=hardware.list_kernels(DECODER, hardware.prefill(PROMPT_TOKENS)),
            output_bytes=DECODER.kv_bytes(PROMPT_TOKENS, "bf16"), weights_bytes=shared_bytes,
            efficiency_fractions={"cpu": 0.4, "gpu": 0.6, "tpu": 0.6},
        ),
        hardware.Stage(
            name="decode", kernels=hardware.list_kernels(DECODER, answer, steps_count=ANSWER_TOKENS),
            batch_count=DECODE_BATCH, weights_bytes=shared_bytes + cache_bytes,
            efficiency_fractions={"cpu": 0.6, "gpu": 0.7, "tpu": 0.7},
        ),
    ]  # fmt: skip


def list_pools() -> list[hardware.Pool]:
    """The CPU, and chips as the catalogue has them."""
    catalogue = hardware.load_catalogue()
    cpu = hardware.Pool.of_chip("cpu", hardware.load_processors()["epyc-9654"], CPU_SOCKETS, **LINK)
    return [cpu, *(hardware.Pool.of_chip(name, catalogue[of], n, **LINK) for name, (of, n) in CHIPS.items())]


def draw(figure, data, t) -> None:
    charts.heading(figure, name_setting(data, t))
    rows = sorted((data[aim] for aim in AIMS), key=itemgetter("usd_per_thousand"))
    parts = [part for row in rows for part in list_parts(row)]
    charts.bars(figure, rows, y="aim", x="usd_per_thousand", color="seq6")
    charts.timeline(
        figure, parts, y="aim", duration="part_s", series="place", label="stage", only_inside=True
    )


def list_parts(row) -> list[dict]:
    """Stages and transfers of one clip, one after the other."""
    names = (stage.name for stage in list_stages())
    columns = (names, row["pool_names"], (0, *row["transfer_times_s"]), row["stage_times_s"])
    return [
        {"aim": row["aim"], "stage": stage, "place": place, "part_s": part_s}
        for name, pool, transfer_s, stage_s in zip(*columns, strict=True)
        for stage, place, part_s in (("link", "link", transfer_s), (name, PLACE_OF[pool], stage_s))
        if part_s
    ]


def name_setting(data, t) -> str:
    return t(
        zh=f"{data['frames']}帧视频问答，{DECODER.name}，bf16，{data['pools']}，效率为假设值",
        en=f"{data['frames']} frames, {DECODER.name}, bf16, {data['pools']}, assumed efficiencies",
    )


def describe(data, t) -> str:
    n, quick, full, cheap = t.number, data["latency"], data["throughput"], data["cost"]
    shares = t.join([t.percent(data[aim]["still_best"]) for aim in hardware.OBJECTIVES])
    alone = n(data["gpu_only"]["usd_per_thousand"], 2)
    return t(
        zh=f"{name_setting(data, t)}；依次为图像解码、视觉编码、预填充、解码。求延迟："
        f"{n(quick['latency_s'], 2)}秒；求吞吐：每秒{n(full['items_per_s'], 1)}段；求成本：每1,000段"
        f"{n(cheap['usd_per_thousand'], 2)}美元，全放GPU则为{alone}美元。"
        f"效率各减两成或增四分之一，这些摆法在{shares}的情形中仍最省或最快。",
        en=f"{name_setting(data, t)}; stages: images, encoder, prefill, decode. For latency: "
        f"{n(quick['latency_s'], 2)} s; for throughput: {n(full['items_per_s'], 1)} clips/s; for cost: "
        f"{n(cheap['usd_per_thousand'], 2)} USD per 1,000 clips, all on GPUs {alone}. With efficiencies a "
        f"fifth less or a quarter more, these stay the best in {shares} of cases.",
    )


def table(data, t):
    columns = ("aim", "placement", "latency_s", "items_per_s", "usd_per_thousand", "still_best")
    return make_table(columns, [data[aim] for aim in AIMS], t)
