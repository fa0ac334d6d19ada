"""Where the stages of a video question belong: on CPUs, on GPUs or on TPUs, by what one asks for.

64 frames of a video are decoded, encoded by a ViT-L/14, and read by Llama 3 8B, which answers. Operations
and traffic are counted; rates and prices of the accelerators are the catalogue's. Of the CPU, and of how near
to its roofline each stage comes, the figures are typed in below: the first from its data sheet, the second
assumed. So each placement comes with how often it stays the best while the assumptions move.
"""

import itertools

from matplotlib.patches import Rectangle

from diglot.figures import Column, bare, chip, label, make_table, zero_line
from diglot.hardware import (
    OBJECTIVES,
    AttentionShape,
    Kernel,
    Pool,
    Roofline,
    Stage,
    count_decode_attention,
    count_flash_attention,
    count_gemm,
    evaluate_placement,
    find_best_placement,
    load_catalogue,
)

TITLE = {"zh": "混合流水线：各阶段放在哪里", "en": "A hybrid pipeline: which stage goes where"}

FRAMES, FRAME_PIXELS, PATCHES, FRAME_TOKENS = 64, 1920 * 1080, 577, 144
QUESTION_TOKENS, ANSWER_TOKENS, DECODE_BATCH = 64, 64, 8
PROMPT_TOKENS = FRAMES * FRAME_TOKENS + QUESTION_TOKENS
OPERATIONS_PER_PIXEL = 150  # inverse DCT, upsampling, colours, entropy decoding; an estimate
KV_BYTES_PER_TOKEN = 2 * 32 * 8 * 128 * 2  # Llama 3 8B: 32 layers, 8 KV heads of 128, bf16

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
LINK_BYTES_PER_S, LINK_LATENCY_S = 50e9, 20e-6  # 400 Gbit/s for each pool
CPU_SOCKETS, CPU_CORES, CPU_CLOCK_HZ = 2, 96, 2.4e9  # AMD EPYC 9654: 12 channels of DDR5-4800
CPU_FLOPS_PER_CYCLE = {"fp32": 32, "bf16": 64}  # of a Zen 4 core: two fused multiply-adds of 256 bits
CPU_USD_PER_SOCKET_HOUR = 5.56  # about half of an AWS m7a.48xlarge on demand; undated


def compute() -> dict:
    stages, pools = list_stages(ASSUMED), list_pools()
    best = {name: find_best_placement(stages, pools, objective=name) for name in OBJECTIVES}
    gpu_only = evaluate_placement(stages, pools, ["gpu"] * len(stages))
    return {
        "frames": FRAMES,
        "prompt_tokens": PROMPT_TOKENS,
        "answer_tokens": ANSWER_TOKENS,
        "stages": [stage.name for stage in stages],
        "chips": {pool: chip_id for pool, (chip_id, _) in CHIPS.items()},
        "counts": {pool.name: pool.chip_count for pool in pools},
        **{name: tell_placement(placed) for name, placed in best.items()},
        "still_best": count_still_best(best, pools),
        "gpu_only": tell_placement(gpu_only),
    }


def count_still_best(best, pools) -> dict:
    """Of all combinations of other assumptions, the share in which each placement is still the best."""
    doubtful = [(stage, pool) for stage, shares in ASSUMED.items() for pool in shares if pool != "cpu"]
    kept = dict.fromkeys(best, 0)
    combinations = list(itertools.product(DOUBT, repeat=len(doubtful)))
    for factors in combinations:
        assumed = {stage: dict(shares) for stage, shares in ASSUMED.items()}
        for (stage, pool), factor in zip(doubtful, factors, strict=True):
            assumed[stage][pool] = min(1.0, assumed[stage][pool] * factor)
        stages = list_stages(assumed)
        for name, placed in best.items():
            found = find_best_placement(stages, pools, objective=name)
            kept[name] += found.pool_names == placed.pool_names
    return {name: count / len(combinations) for name, count in kept.items()}


def tell_placement(placed) -> dict:
    """A placement in the units that are read aloud."""
    moved = (*placed.transfer_times_s, 0.0)
    return {
        "pools": placed.pool_names,
        "stage_s": placed.stage_times_s,
        "transfer_s": moved,
        "latency_s": placed.latency_s,
        "clips_per_s": placed.items_per_s,
        "usd_per_thousand": placed.item_cost_usd * 1000,
        "bottleneck": placed.bottleneck,
    }


def list_stages(efficiencies: dict) -> list[Stage]:
    pixels = FRAMES * FRAME_PIXELS
    images = Kernel(
        name="images", flops=pixels * OPERATIONS_PER_PIXEL, read_bytes=pixels / 5, written_bytes=3 * pixels
    )
    decoder_bytes = 16.1e9  # 8.03e9 parameters in bf16
    cache_bytes = DECODE_BATCH * (PROMPT_TOKENS + ANSWER_TOKENS) * KV_BYTES_PER_TOKEN
    return [
        Stage(
            name="images",
            kernels=(images,),
            dtype="fp32",
            efficiency_fractions=efficiencies["images"],
            output_bytes=FRAMES * 336 * 336 * 3,
        ),
        Stage(
            name="encoder",
            kernels=count_encoder(),
            efficiency_fractions=efficiencies["encoder"],
            output_bytes=FRAMES * FRAME_TOKENS * 4096 * 2,
            weights_bytes=0.61e9,
        ),
        Stage(
            name="prefill",
            kernels=count_prefill(),
            efficiency_fractions=efficiencies["prefill"],
            output_bytes=PROMPT_TOKENS * KV_BYTES_PER_TOKEN,
            weights_bytes=decoder_bytes / 2,
        ),
        Stage(
            name="decode",
            kernels=count_decode(),
            efficiency_fractions=efficiencies["decode"],
            batch_count=DECODE_BATCH,
            weights_bytes=decoder_bytes / 2 + cache_bytes,
        ),
    ]


def count_encoder() -> tuple[Kernel, ...]:
    """ViT-L/14 at 336 pixels: 24 layers of width 1,024, 16 heads of 64; all frames as one batch."""
    tokens = FRAMES * PATCHES
    shape = AttentionShape(
        batch_count=FRAMES, queries_tokens=PATCHES, keys_tokens=PATCHES,
        heads_count=16, kv_heads_count=16, head_elements=64,
    )  # fmt: skip
    widths = ((1024, 3072), (1024, 1024), (1024, 4096), (4096, 1024))
    layer = [*(count_gemm(tokens, k, n) for k, n in widths), count_flash_attention(shape)]
    return tuple(repeat(kernel, 24) for kernel in layer)


def count_prefill() -> tuple[Kernel, ...]:
    """Llama 3 8B reads frames and question."""
    shape = AttentionShape(
        queries_tokens=PROMPT_TOKENS, keys_tokens=PROMPT_TOKENS,
        heads_count=32, kv_heads_count=8, head_elements=128, causal=True,
    )  # fmt: skip
    return (*count_decoder_gemms(PROMPT_TOKENS), repeat(count_flash_attention(shape), 32))


def count_decode() -> tuple[Kernel, ...]:
    """Token after token of the answer, for a batch of clips."""
    attention = count_decode_attention(
        batch_count=DECODE_BATCH, keys_tokens=PROMPT_TOKENS + ANSWER_TOKENS // 2,
        heads_count=32, kv_heads_count=8, head_elements=128,
    )  # fmt: skip
    head = count_gemm(DECODE_BATCH, 4096, 128256)
    step = (*count_decoder_gemms(DECODE_BATCH), repeat(attention, 32), head)
    return tuple(repeat(kernel, ANSWER_TOKENS) for kernel in step)


def count_decoder_gemms(tokens: int) -> list[Kernel]:
    """The products of all layers: queries, keys and values; output; gate and up; down."""
    widths = ((4096, 6144), (4096, 4096), (4096, 28672), (14336, 4096))
    return [repeat(count_gemm(tokens, k, n), 32) for k, n in widths]


def repeat(kernel: Kernel, times: int) -> Kernel:
    return Kernel(
        name=kernel.name,
        flops=kernel.flops * times,
        read_bytes=kernel.read_bytes * times,
        written_bytes=kernel.written_bytes * times,
    )


def list_pools() -> list[Pool]:
    link = {"link_bytes_per_s": LINK_BYTES_PER_S, "link_latency_s": LINK_LATENCY_S}
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
        **link,
    )
    return [cpu, *(catalogue_pool(pool, *what, link) for pool, what in CHIPS.items())]


def catalogue_pool(name: str, chip_id: str, count: int, link: dict) -> Pool:
    """Chips as the catalogue has them, at the first price that it lists."""
    found = load_catalogue()[chip_id]
    return Pool(
        name=name,
        chip_count=count,
        rooflines={dtype: found.roofline(dtype) for dtype in ("fp32", "bf16") if dtype in found.dtypes},
        memory_bytes=found.memory_bytes,
        usd_per_chip_s=found.prices[0].usd_per_chip_s,
        **link,
    )


def name_stages(t) -> dict:
    return {
        "images": t(zh="图像解码", en="Images"),
        "encoder": t(zh="视觉编码", en="Encoder"),
        "prefill": t(zh="预填充", en="Prefill"),
        "decode": t(zh="解码", en="Decode"),
    }


def name_objectives(t) -> dict:
    return {
        "latency": t(zh="延迟最低", en="Least latency"),
        "throughput": t(zh="吞吐最高", en="Most throughput"),
        "cost": t(zh="成本最低", en="Least cost"),
    }


def look_of(pool: str, data) -> tuple[str, str]:
    """Colours of a pool's bars and words."""
    if pool == "cpu":
        return "mute", "mute"
    look = chip(data["chips"][pool])
    return look.token, look.text_token


def draw(figure, data, t) -> None:
    slide, names = figure.size == "slide", 78 if figure.is_narrow else 104
    row_px, head, gap = (17, 30, 6) if slide else (20, 34, 14)
    body, room = row_px * len(data["stages"]), 86
    foot = list_doubts(data, t, figure.is_narrow)
    panels = len(OBJECTIVES) * (head + body + gap)
    figure.set_height_px(panels + 16 * len(foot))
    for number, text in enumerate(foot):
        figure.text_px(0, panels + 16 * number + 10, text, small=True, color="mute")
    width = figure.width_px - names
    longest = max(data[name]["latency_s"] for name in OBJECTIVES)
    for number, (name, title) in enumerate(name_objectives(t).items()):
        placed, top = data[name], number * (head + body + gap)
        figure.text_px(0, top + 15, title)
        figure.text_px(
            figure.width_px, top + 15, summarise(placed, t, figure.is_narrow), small=True, align="right"
        )
        axes = figure.axes_px(names, top + head - 6, width, body)
        bare(axes)
        axes.set(xlim=(0, longest * width / (width - room)), ylim=(len(data["stages"]), 0))
        draw_stages(axes, placed, data, t)
        for row, stage in enumerate(name_stages(t).values()):
            figure.text_px(0, top + head - 6 + row_px * (row + 0.5) + 4, stage, small=True, color="soft")


def draw_stages(axes, placed, data, t) -> None:
    """One bar a stage, each beginning where what came before it has arrived."""
    start = 0.0
    columns = (placed["pools"], placed["stage_s"], placed["transfer_s"])
    for row, (pool, time_s, moved_s) in enumerate(zip(*columns, strict=True)):
        token, text_token = look_of(pool, data)
        axes.add_patch(Rectangle((start, row + 0.2), time_s, 0.6, fc=token))
        text = f"{pool.upper()} {t.number(time_s * 1000)} ms"
        label(axes, start + time_s, row + 0.5, text, dx=5, small=True, color=text_token)
        start += time_s + moved_s
    zero_line(axes)


def summarise(placed, t, narrow) -> str:
    """Latency, rate and cost of a placement."""
    latency, rate = t.number(placed["latency_s"], 2), t.number(placed["clips_per_s"], 1)
    usd = t.number(placed["usd_per_thousand"], 2)
    if narrow:
        return t(zh=f"{latency} s，{rate}段/s，{usd}美元/千段", en=f"{latency} s, {rate}/s, ${usd} per 1,000")
    return t(
        zh=f"{latency} s，每秒{rate}段，每千段{usd}美元",
        en=f"{latency} s, {rate} clips per second, ${usd} per 1,000 clips",
    )


def list_doubts(data, t, narrow) -> list[str]:
    """How far the placements depend on what is assumed, in lines."""
    shares = t.join([f"{t.number(100 * data['still_best'][name])}%" for name in OBJECTIVES])
    parts = [
        t(
            zh="各阶段的效率是假设的；各减两成或增四分之一，",
            en="Efficiencies are assumed. With each a fifth less or a quarter",
        ),
        t(zh=f"上述放置仍最优的情形占{shares}。", en=f"more, these stay the best in {shares} of cases."),
    ]
    return parts if narrow else [t(zh="", en=" ").join(parts)]


def describe(data, t) -> str:
    quick, full, cheap = (data[name] for name in OBJECTIVES)
    return t(
        zh=f"{data['frames']}帧视频问答的四个阶段在CPU、GPU与TPU上的最优放置。"
        f"求延迟：{t.number(quick['latency_s'], 2)} s；求吞吐：每秒{t.number(full['clips_per_s'], 1)}段；"
        f"求成本：每千段{t.number(cheap['usd_per_thousand'], 2)}美元，"
        f"全放在GPU上则为{t.number(data['gpu_only']['usd_per_thousand'], 2)}美元。"
        + "".join(list_doubts(data, t, narrow=False)),
        en=f"Best placements of the four stages of a question about {data['frames']} frames on CPUs, GPUs "
        f"and TPUs. For latency: {t.number(quick['latency_s'], 2)} s; for throughput: "
        f"{t.number(full['clips_per_s'], 1)} clips per second; for cost: "
        f"${t.number(cheap['usd_per_thousand'], 2)} per thousand clips, against "
        f"${t.number(data['gpu_only']['usd_per_thousand'], 2)} with everything on GPUs. "
        + "".join(list_doubts(data, t, narrow=False)),
    )


def table(data, t):
    titles = {**name_objectives(t), "gpu_only": t(zh="全在GPU", en="All on GPUs")}
    return make_table(
        (
            t(zh="目标", en="Objective"),
            *name_stages(t).values(),
            Column(t(zh="延迟", en="Latency"), "s", 2),
            Column(t(zh="吞吐", en="Throughput"), t(zh="段/s", en="clips/s"), 2),
            Column(t(zh="每千段成本", en="Cost of 1,000 clips"), "USD", 2),
            Column(t(zh="仍最优", en="Still best"), "%"),
        ),
        [
            (
                title,
                *(pool.upper() for pool in data[name]["pools"]),
                data[name]["latency_s"],
                data[name]["clips_per_s"],
                data[name]["usd_per_thousand"],
                100 * data["still_best"][name] if name in data["still_best"] else None,
            )
            for name, title in titles.items()
        ],
    )
