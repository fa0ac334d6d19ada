"""Claims about power, money and placement, and what reported stories would need."""

import math
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import product
from math import inf

from diglot.hardware.chips.loading import load_processors
from diglot.hardware.chips.spreads import BASES, Estimate, find_spread
from diglot.hardware.claims.finding import LESS, MORE, Finding, Interval, tell
from diglot.hardware.claims.scenes import (
    BOTH,
    LIMITS_S,
    expect_output_usd,
    expect_prompt_usd,
    expect_training_usd,
    find_chip,
    find_prompt_usd,
    find_usd_per_s,
    list_ends,
    serve_within,
    train_tokens_per_usd,
)
from diglot.hardware.economics.dollars import choose_price
from diglot.hardware.economics.energy import find_energy_per_token_j
from diglot.hardware.economics.ownership import (
    YEAR_S,
    Ownership,
    find_life_cycle_usd,
    find_price_range_usd_per_chip_s,
    find_rent_or_buy_s,
    find_usd_per_query,
)
from diglot.hardware.economics.power import find_facility_power_w, find_power_range
from diglot.hardware.kernels.kernel import Kernel
from diglot.hardware.models.catalogue import load_model
from diglot.hardware.operators.timers import Timing
from diglot.hardware.operators.transformer import decode, list_kernels, prefill
from diglot.hardware.parallelism.placement import Pool, Stage, evaluate_placement, find_best_placement

_PAIRS = (
    ("tpu-v4", "a100-40"), ("tpu-v5p", "h100-sxm"), ("tpu-v6e", "h200-sxm"), ("tpu-v7", "b200-sxm"),
)  # fmt: skip
"""TPUs and GPUs that came out at about the same time."""
TRAINED_TOKENS = 15e12
"""Tokens that Llama 3 was trained on."""
SERVED_TOKENS = (1e11, 1e12, 1e13, 1e14)
"""Tokens that a model serves in its life, from a small service to a very large one."""


def judge_v6_per_watt() -> Finding:
    """Claim 12: peak per watt of TPU v6e over v5e and v5p, by the ranges of their powers."""
    v6e = find_chip("tpu-v6e")
    ratios = []
    for id_ in ("tpu-v5e", "tpu-v5p"):
        older = find_chip(id_)
        speed = v6e.peak_flops_per_s("bf16") / older.peak_flops_per_s("bf16")
        low, high = find_power_range(v6e).over(find_power_range(older))
        ratios += [speed / high, speed / low]
    return tell(
        ratios, (2.1, 2.1), intervals=[(ratios[0], ratios[1]), (ratios[2], ratios[3])],
        zh=f"按谷歌给出的每瓦性能之比推出的功耗范围：对v5e {ratios[0]:.1f}至{ratios[1]:.1f}倍，对v5p "
        f"{ratios[2]:.1f}至{ratios[3]:.1f}倍。谷歌自己说对v5e超过1.67倍。",
        en=f"By the ranges of power that follow from Google's ratios: {ratios[0]:.1f} to {ratios[1]:.1f}"
        f" times v5e, {ratios[2]:.1f} to {ratios[3]:.1f} times v5p. Google itself says more than 1.67 "
        "times v5e.",
    )  # fmt: skip


def judge_energy() -> Finding:
    """Claim 20: energy per token of H100 and H200 over that of TPU v6e, within the same latency."""
    ratios: list[float] = []
    likely: list[Estimate] = []
    for gpu in ("h100-sxm", "h200-sxm"):
        for limit_s in LIMITS_S:
            (gpu_low, gpu_high), (tpu_low, tpu_high) = (
                _find_token_j(id_, limit_s) for id_ in (gpu, "tpu-v6e")
            )
            ratios += [gpu_low / tpu_high, gpu_high / tpu_low]
            likely.append(_expect_token_j(gpu, limit_s).over(_expect_token_j("tpu-v6e", limit_s)))
    return tell(
        ratios, MORE, intervals=list_ends(*likely),
        zh=f"H100和H200每词元的能量是v6e的{min(ratios):.2f}至{max(ratios):.2f}倍：GPU按设计功耗，v6e按估"
        "计的范围，都不计主机与机房。",
        en=f"A token takes {min(ratios):.2f} to {max(ratios):.2f} times the energy of v6e on H100 and "
        "H200, at their design power and the estimated range of v6e, without hosts and building.",
    )  # fmt: skip


def judge_price_at_scale() -> Finding:
    """Claim 23: dollars per token on H100 and H200 over TPU v5p and v6e, within the same latency."""
    ratios = _compare_costs("h100-sxm") + _compare_costs("h200-sxm")
    return tell(
        ratios, (1.0, 2.5), intervals=list_ends(*_expect_costs("h100-sxm"), *_expect_costs("h200-sxm")),
        zh=f"同一延迟上限（20和50 ms）下，按目录价，H100、H200每词元的成本是v5p、v6e的{min(ratios):.2f}至"
        f"{max(ratios):.2f}倍（上界与校准）。",
        en="Within 20 and 50 ms a token and at list prices, a token on H100 and H200 costs "
        f"{min(ratios):.2f} to {max(ratios):.2f} times what it costs on v5p and v6e, ideal and "
        "calibrated.",
    )  # fmt: skip


def judge_small_scale() -> Finding:
    """Claim 25: least bill of a TPU service over a GPU service at one query a minute, for 70B and for 8B."""
    bills = {
        "70B": (_bill("tpu-v5p", 4), _bill("h200-sxm", 1)),
        "8B": (_bill("tpu-v6e", 1), _bill("l4", 1)),
    }
    ratios = [tpu / gpu for tpu, gpu in bills.values()]
    return tell(
        ratios, MORE,
        zh=f"每分钟一次查询，按目录价：70B最少要4块v5p或1块H200，每次{bills['70B'][0]:.2f}和"
        f"{bills['70B'][1]:.2f}美元；8B最少1块v6e或1块L4，{bills['8B'][0]:.3f}和{bills['8B'][1]:.3f}美元"
        "。",
        en=f"A query a minute at list prices: 70B needs 4 v5p or 1 H200, {bills['70B'][0]:.2f} and "
        f"{bills['70B'][1]:.2f} USD each; 8B 1 v6e or 1 L4, {bills['8B'][0]:.3f} and "
        f"{bills['8B'][1]:.3f}.",
    )  # fmt: skip


def judge_train_here_serve_there() -> Finding:
    """Claim 27: dollars of a life, trained on TPU v5p and served on H200, over the cheaper single family."""
    ratios = [
        find_life_usd(("tpu-v5p",), ("h200-sxm",), *life)
        / min(find_life_usd(each, each, *life) for each in FAMILIES)
        for life in _LIVES
    ]
    return tell(
        ratios, LESS, intervals=list_ends(*_expect_lives([(("tpu-v5p",), ("h200-sxm",))])),
        zh="训练15万亿词元后再服务1千亿至100万亿词元：v5p训练、H200服务的总成本是只用一家时较便宜者的"
        f"{min(ratios):.2f}至{max(ratios):.2f}倍（上界与校准）。",
        en="After training on 15 trillion tokens and serving 100 billion to 100 trillion: with v5p to "
        f"train and H200 to serve a life costs {min(ratios):.2f} to {max(ratios):.2f} times the cheaper "
        "single family, ideal and calibrated.",
    )  # fmt: skip


def judge_power() -> Finding:
    """Claim 35: power of TPUs over GPUs of their time, by chip; by peak in the words."""
    chips: list[float] = []
    work: list[float] = []
    for tpu, gpu in _PAIRS:
        low, high = find_power_range(find_chip(tpu)).over(find_power_range(find_chip(gpu)))
        speed = find_chip(tpu).peak_flops_per_s("bf16") / find_chip(gpu).peak_flops_per_s("bf16")
        chips += [low, high]
        work += [low / speed, high / speed]
    return tell(
        chips, LESS, intervals=list(zip(chips[::2], chips[1::2], strict=True)),
        zh=f"v4对A100、v5p对H100、v6e对H200、v7对B200：每芯片的功耗是{min(chips):.2f}至{max(chips):.2f}"
        f"倍，每单位bf16峰值是{min(work):.2f}至{max(work):.2f}倍。v5p以后是估计的范围。",
        en="v4 against A100, v5p against H100, v6e against H200, v7 against B200: a chip draws "
        f"{min(chips):.2f} to {max(chips):.2f} times the power, {min(work):.2f} to {max(work):.2f} "
        "times by peak bf16. From v5p on these are estimates.",
    )  # fmt: skip


def judge_rent_or_buy() -> Finding:
    """Claim 37: days from which a bought H100 is cheaper than one rented at list or market price, by use."""
    days: dict[tuple[str, int, float], float] = {}
    watts = float(find_facility_power_w(700, host_w_per_chip=200, pue_ratio=1.3))
    chip = find_chip("h100-sxm")
    rents = {"list": choose_price(chip, region="us"), "market": choose_price(chip, kind="market")}
    for (name, rent), purchase_usd, utilisation in product(rents.items(), (30_000, 50_000), (1.0, 0.5)):
        owned = Ownership(
            purchase_usd=purchase_usd, life_s=5 * YEAR_S, annual_interest_fraction=0.08, resale_fraction=0.1,
            first_loss_fraction=0.2, power_w=watts,
            usd_per_j=0.08 / 3.6e6, fixed_usd_per_s=0.1 / 3600,
        )  # fmt: skip
        even_s = find_rent_or_buy_s(
            owned, rent_usd_per_chip_s=rent.usd_per_chip_s, utilisation_fraction=utilisation
        )
        days[name, purchase_usd, utilisation] = even_s / 86400
    by_list = [each for (name, *_), each in days.items() if name == "list"]
    busy = [days["market", usd, 1.0] for usd in (30_000, 50_000)]
    never = days["market", 50_000, 0.5] == inf
    return tell(
        days.values(), (1.0, 5 * 365.25), unit="days",
        zh="假定一块H100连同主机与网络3万至5万美元、年利率8%、折价20%：跟目录价的租金比，用满或只用一半，"
        f"买来{min(by_list):.0f}至{max(by_list):.0f}天后更便宜；跟市场价比，用满时要{busy[0]:.0f}至"
        f"{busy[1]:.0f}天" + ("，5万美元只用一半，就一直不如租。" if never else "。"),
        en="If an H100 costs 30,000 to 50,000 USD with host and network, at 8% interest and a first loss of "
        f"20%: against the list rent, used wholly or half, owning is cheaper from {min(by_list):.0f} to "
        f"{max(by_list):.0f} days on. Against the market rent it takes {busy[0]:.0f} to {busy[1]:.0f} days "
        "when used wholly" + (", and at 50,000 USD and half use, renting stays cheaper." if never else "."),
    )  # fmt: skip


def judge_project_size() -> Finding:
    """Claim 38: dollars on what it recommends over the other: the least service of 8B, training of 70B."""
    small = _bill("l4", 1) / _bill("tpu-v6e", 1)
    pairs = zip(train_tokens_per_usd("h200-sxm"), train_tokens_per_usd("tpu-v5p"), strict=True)
    large = [gpu / tpu for gpu, tpu in pairs]
    return tell(
        (small, *large), LESS,
        intervals=[
            (small, small),
            *list_ends(expect_training_usd("tpu-v5p").over(expect_training_usd("h200-sxm"))),
        ],
        zh=f"小项目（8B，单芯片）在GPU上的成本是TPU的{small:.2f}倍；在256块芯片上训练70B，TPU的成本是GPU"
        f"的{min(large):.2f}至{max(large):.2f}倍，上界与校准之间。",
        en=f"A small project (8B on one chip) costs {small:.2f} times as much on a GPU as on a TPU; "
        f"training of 70B on 256 chips {min(large):.2f} to {max(large):.2f} times as much on TPUs, "
        "ideal to calibrated.",
    )  # fmt: skip


def judge_cost_per_token() -> Finding:
    """Claim 39: dollars per token on H100 over TPU v5p and v6e, within the same latency."""
    ratios = _compare_costs("h100-sxm")
    return tell(
        ratios, (2.0, 4.0), intervals=list_ends(*_expect_costs("h100-sxm")),
        zh=f"同一延迟上限（20和50 ms）下，按目录价，H100每词元的成本是v5p、v6e的{min(ratios):.2f}至"
        f"{max(ratios):.2f}倍（上界与校准）。",
        en=f"Within 20 and 50 ms a token and at list prices, a token on H100 costs {min(ratios):.2f} to "
        f"{max(ratios):.2f} times what it costs on v5p and v6e, ideal and calibrated.",
    )  # fmt: skip


def judge_power_saving() -> Finding:
    """Claim 40: power that TPUs save at equal throughput against GPUs of their time, as a share."""
    saved: list[float] = []
    likely: list[Interval] = []
    for tpu, gpu in (("tpu-v5p", "h100-sxm"), ("tpu-v6e", "h200-sxm"), ("tpu-v7", "b200-sxm")):
        (tpu_low, tpu_high), (gpu_low, gpu_high) = (_find_token_j(id_, LIMITS_S[1]) for id_ in (tpu, gpu))
        saved += [1 - tpu_high / gpu_low, 1 - tpu_low / gpu_high]
        ratio = _expect_token_j(tpu, LIMITS_S[1]).over(_expect_token_j(gpu, LIMITS_S[1]))
        likely += [(1 - high, 1 - low) for low, high in list_ends(ratio)]
    return tell(
        saved, (0.6, 0.65), unit="fraction", intervals=likely,
        zh="服务70B、每词元不超过50 ms、吞吐相同时，v5p对H100、v6e对H200、v7对B200省下功耗的"
        f"{min(saved):.0%}至{max(saved):.0%}（负数是多耗）；TPU的功耗是估计的范围。",
        en="70B within 50 ms a token at equal throughput: v5p against H100, v6e against H200 and v7 "
        f"against B200 save {min(saved):.0%} to {max(saved):.0%} of the power, negative being more; "
        "TPUs by estimated ranges.",
    )  # fmt: skip


def judge_playbook() -> Finding:
    """Claim 42: dollars on TPU v5p or v6e over H200 by phase: prefill, decode, training."""
    ratios = _compare_phases()
    told = {name: f"{ratio:.2f}" for name, ratio in ratios.items()}
    return tell(
        ratios.values(), LESS, intervals=list_ends(*_expect_phases()),
        zh=f"TPU与H200的成本之比（校准）：预填充（v6e，8,192词元的提示）{told['prefill']}，解码（v6e）"
        f"{told['decode']}，训练（v5p）{told['training']}。",
        en=f"Cost on TPUs over H200, calibrated: prefill (v6e, prompts of 8,192) {told['prefill']}, "
        f"decode (v6e) {told['decode']}, training (v5p) {told['training']}.",
    )  # fmt: skip


def judge_pipeline() -> Finding:
    """Claim 43: latency of a pipeline all on GPUs over that with each stage where it is quickest."""
    stages, pools = _list_stages(), _list_pools()
    best = find_best_placement(stages, pools, objective="latency")
    alone = evaluate_placement(stages, pools, ["gpu"] * len(stages))
    ratio = alone.latency_s / best.latency_s
    places = " → ".join(name.upper() for name in best.pool_names)
    return tell(
        (ratio,), (1.6, 2.0),
        zh=f"预处理、嵌入、8B模型、后处理依次放在{places}，速度是全放4块H200的{ratio:.2f}倍（都在屋顶线"
        "的假定份额上，CPU为两颗EPYC 9654）。",
        en=f"Pre-processing, embedding, an 8B model and post-processing on {places} are {ratio:.2f} "
        "times as quick as all on 4 H200, at assumed shares of the rooflines, with two EPYC 9654.",
    )  # fmt: skip


def judge_customer_saving() -> Finding:
    """Claim 44, reported: share of the cost that TPUs save at equal utilisation and list prices."""
    saved = [1 - 1 / ratio for gpu in ("h100-sxm", "h200-sxm") for ratio in _compare_costs(gpu)]
    worse = 0.35 / (1 - max(saved))
    ratios = list_ends(*_expect_costs("h100-sxm"), *_expect_costs("h200-sxm"))
    likely = [(1 - 1 / low, 1 - 1 / high) for low, high in ratios]
    return tell(
        saved, (0.65, 0.65), unit="fraction", intervals=likely,
        zh=f"利用率相同、按目录价，换成v5p或v6e省{min(saved):.0%}至{max(saved):.0%}；要省65%，原来的GPU"
        f"利用率至多是TPU的{worse:.0%}，或成交价相应更低。",
        en=f"At equal utilisation and list prices a move to v5p or v6e saves {min(saved):.0%} to "
        f"{max(saved):.0%}; for 65% the GPUs must have been used at most {worse:.0%} as well, or prices "
        "be as much lower.",
    )  # fmt: skip


def judge_million_chips() -> Finding:
    """Claim 45, reported: power of a million TPU v7 with hosts and building, in GW."""
    v7 = find_chip("tpu-v7")
    known = find_power_range(v7)
    watts = [
        float(find_facility_power_w(each, chips_count=1e6, host_w_per_chip=200, pue_ratio=1.1)) / 1e9
        for each in (known.low_w, known.high_w)
    ]
    like = tuple(find_chip(id_) for id_ in ("tpu-v5p", "tpu-v6e", "b200-sxm"))
    low, high = find_price_range_usd_per_chip_s(v7, like, region="us")
    yearly = [each * 1e6 * YEAR_S / 1e9 for each in (low, high)]
    return tell(
        watts, (1.0, inf), unit="GW", intervals=[(watts[0], watts[1])],
        zh=f"一百万块v7（每块另加主机200 W，PUE 1.1）耗电{watts[0]:.1f}至{watts[1]:.1f} GW；v7没有公开价"
        f"格，若每FLOP与v5p、v6e、B200同价，一年{10 * yearly[0]:,.0f}亿至{10 * yearly[1]:,.0f}亿美元。",
        en=f"A million v7, with 200 W of host each and a PUE of 1.1, draw {watts[0]:.1f} to "
        f"{watts[1]:.1f} GW. v7 has no public price; if FLOPs cost what they do on v5p, v6e and B200, a "
        f"year is {yearly[0]:.0f} to {yearly[1]:.0f} billion USD.",
    )  # fmt: skip


def judge_strategies() -> Finding:
    """Claim 46: what can be computed of its table, cost: all TPU and hybrid over all GPU, in a life."""
    gpus, tpus = FAMILIES
    all_tpu, hybrid = [], []
    for timing in BOTH:
        gpu_usd = find_life_usd(gpus, gpus, 1e13, timing)
        all_tpu.append(find_life_usd(tpus, tpus, 1e13, timing) / gpu_usd)
        hybrid.append(
            min(find_life_usd(tpus, gpus, 1e13, timing), find_life_usd(gpus, tpus, 1e13, timing)) / gpu_usd
        )
    return tell(
        (*all_tpu, *hybrid), LESS,
        intervals=list_ends(
            *(
                _expect_life(*ways, 1e13).over(_expect_life(gpus, gpus, 1e13))
                for ways in ((tpus, tpus), (tpus, gpus), (gpus, tpus))
            )
        ),
        zh=f"可算的成本一列：训练后服务10万亿词元，全用TPU是全用GPU的{min(all_tpu):.2f}至{max(all_tpu):.2f}"
        f"倍，混合{min(hybrid):.2f}至{max(hybrid):.2f}倍（上界与校准，GPU取H100和H200、TPU取v5p和v6e中便宜的）。创新一列不可"
        "算。",
        en="The column of cost: trained and served with 10 trillion tokens, all on TPUs costs "
        f"{min(all_tpu):.2f} to {max(all_tpu):.2f} times all on GPUs, a hybrid {min(hybrid):.2f} to "
        f"{max(hybrid):.2f}, ideal and calibrated, with the cheaper of H100 and H200, and of v5p and v6e. "
        "Innovation cannot be computed.",
    )  # fmt: skip


def judge_hybrid() -> Finding:
    """Claim 47: dollars of a life trained on one family, served on the other, over the cheaper single one."""
    gpus, tpus = FAMILIES
    ratios = [
        min(find_life_usd(tpus, gpus, *life), find_life_usd(gpus, tpus, *life))
        / min(find_life_usd(each, each, *life) for each in FAMILIES)
        for life in _LIVES
    ]
    return tell(
        ratios, LESS, intervals=list_ends(*_expect_lives([(tpus, gpus), (gpus, tpus)])),
        zh=f"训练与服务各用一家时，较便宜的混合是只用一家时较便宜者的{min(ratios):.2f}至{max(ratios):.2f}"
        "倍，视服务的词元数而定（上界与校准）。",
        en=f"Trained on one family and served on the other, the cheaper hybrid costs {min(ratios):.2f} "
        f"to {max(ratios):.2f} times the cheaper family alone, "
        "depending on the tokens served; ideal and calibrated.",
    )  # fmt: skip


def _find_token_j(chip_id: str, limit_s: float, timing: Timing = "ideal") -> Interval:
    """Least and most energy of an output token, in J."""
    known, rate = (
        find_power_range(find_chip(chip_id)),
        serve_within(chip_id, limit_s, timing=timing).tokens_per_s,
    )
    low, high = (float(find_energy_per_token_j(rate, power_w=watts)) for watts in (known.low_w, known.high_w))
    return low, high


def _expect_token_j(chip_id: str, limit_s: float) -> Estimate:
    """Energy of an output token if services were timed, over the range of the chip's power."""
    low, high = _find_token_j(chip_id, limit_s, "calibrated")
    bound = _find_token_j(chip_id, limit_s)[0]
    spread = find_spread("served dense", chip_id)
    return Estimate(
        value=math.sqrt(low * high),
        low=float(spread.bracket(low, least=min(low, bound)).low),
        high=float(spread.bracket(high).high),
        basis=spread.basis,
    )


def _expect_costs(gpu: str) -> list[Estimate]:
    """What `_compare_costs` would give if services were timed."""
    return [
        expect_output_usd(gpu, limit_s).over(expect_output_usd(tpu, limit_s))
        for tpu, limit_s in product(("tpu-v5p", "tpu-v6e"), LIMITS_S)
    ]


def _expect_phases() -> tuple[Estimate, ...]:
    """What `_compare_phases` would give if all were timed."""
    return (
        expect_prompt_usd("tpu-v6e").over(expect_prompt_usd("h200-sxm")),
        expect_output_usd("tpu-v6e", LIMITS_S[1]).over(expect_output_usd("h200-sxm", LIMITS_S[1])),
        expect_training_usd("tpu-v5p").over(expect_training_usd("h200-sxm")),
    )


def _expect_life(trainers: tuple[str, ...], servers: tuple[str, ...], tokens: float) -> Estimate:
    """What `find_life_usd` would be if steps and services were timed; their errors are independent."""
    trained = _choose_cheapest(map(expect_training_usd, trainers))
    served = _choose_cheapest(expect_output_usd(id_, LIMITS_S[1]) for id_ in servers)
    parts = ((trained, TRAINED_TOKENS / 1e6), (served, tokens / 1e6))
    value = sum(float(each.value) * times for each, times in parts)
    down = math.hypot(*(float(each.value - each.low) * times for each, times in parts))
    up = math.hypot(*(float(each.high - each.value) * times for each, times in parts))
    basis = max(trained.basis, served.basis, key=BASES.index)
    return Estimate(value=value, low=value - down, high=value + up, basis=basis)


def _expect_lives(ways: Sequence[tuple[tuple[str, ...], tuple[str, ...]]]) -> list[Estimate]:
    """The cheapest of these ways over the cheaper single family, by the tokens served in a life."""
    ratios = []
    for tokens in SERVED_TOKENS:
        mixed = _choose_cheapest(_expect_life(*way, tokens) for way in ways)
        ratios.append(mixed.over(_choose_cheapest(_expect_life(each, each, tokens) for each in FAMILIES)))
    return ratios


def _choose_cheapest(costs: Iterable[Estimate]) -> Estimate:
    return min(costs, key=lambda each: float(each.value))


def _compare_costs(gpu: str) -> list[float]:
    """Dollars per token on a GPU over those on TPU v5p and v6e."""
    return [
        serve_within(gpu, limit_s, timing=timing).usd_per_million
        / serve_within(tpu, limit_s, timing=timing).usd_per_million
        for tpu, limit_s, timing in product(("tpu-v5p", "tpu-v6e"), LIMITS_S, BOTH)
    ]


def _compare_phases() -> dict[str, float]:
    """Calibrated dollars on TPUs over H200: of a prompt token, an output token, a training token."""
    tpu, gpu = (
        serve_within(id_, LIMITS_S[1], timing="calibrated").usd_per_million for id_ in ("tpu-v6e", "h200-sxm")
    )
    return {
        "prefill": find_prompt_usd("tpu-v6e", "calibrated") / find_prompt_usd("h200-sxm", "calibrated"),
        "decode": tpu / gpu,
        "training": train_tokens_per_usd("h200-sxm")[1] / train_tokens_per_usd("tpu-v5p")[1],
    }


def _bill(chip_id: str, chips_count: int) -> float:
    """Dollars of a query where one comes a minute, on the fewest chips that hold the model."""
    return float(
        find_usd_per_query(
            1 / 60, replica_queries_per_s=1.0, replica_chips_count=chips_count,
            usd_per_chip_s=find_usd_per_s(chip_id),
        )
    )  # fmt: skip


@cache
def find_life_usd(
    trainers: tuple[str, ...], servers: tuple[str, ...], tokens: float, timing: Timing
) -> float:  # fmt: skip
    """Dollars of a life on the cheapest chips: trained on 15 trillion tokens, served within 50 ms a token."""
    index = BOTH.index(timing)
    return float(
        find_life_cycle_usd(
            training_usd=TRAINED_TOKENS / max(train_tokens_per_usd(id_)[index] for id_ in trainers),
            usd_per_million_tokens=min(
                serve_within(id_, LIMITS_S[1], timing=timing).usd_per_million for id_ in servers
            ),
            tokens=tokens,
        )
    )


FAMILIES = (("h100-sxm", "h200-sxm"), ("tpu-v5p", "tpu-v6e"))
"""GPUs, and TPUs."""
_LIVES = tuple(product(SERVED_TOKENS, BOTH))


def _list_stages() -> list[Stage]:
    """Images are decoded, an encoder reads 32 passages, a model of 8B answers; the answer is formatted."""
    encoder, model = load_model("bert-large"), load_model("llama-3-8b")
    pixels = 8 * 1920 * 1080
    images = Kernel(name="images", flops=150 * pixels, read_bytes=pixels / 5, written_bytes=3 * pixels)
    answer = Kernel(name="answer", flops=1e6, read_bytes=1e6, written_bytes=1e6)
    embedding = list_kernels(encoder, prefill(512, sequences_count=32))
    generation = (*list_kernels(model, prefill(4096)), *list_kernels(model, decode(4224), steps_count=256))
    weights = (2.0 * float(encoder.parameters_count), 2.0 * float(model.parameters_count))
    each = {"cpu": 0.5, "gpu": 0.6, "tpu": 0.6}
    return [
        Stage(
            name="pre-processing", kernels=(images,), dtype="fp32", output_bytes=4e6,
            efficiency_fractions={"cpu": 0.1, "gpu": 0.005},
        ),
        Stage(
            name="embedding", kernels=embedding, efficiency_fractions=each, output_bytes=1e6,
            weights_bytes=weights[0],
        ),
        Stage(
            name="model", kernels=generation, efficiency_fractions=each, output_bytes=1e4,
            weights_bytes=weights[1],
        ),
        Stage(
            name="post-processing", kernels=(answer,), dtype="fp32", output_bytes=1e4,
            efficiency_fractions={"cpu": 0.1, "gpu": 0.005},
        ),
    ]  # fmt: skip


def _list_pools() -> list[Pool]:
    """Two EPYC 9654, 4 H200 and 8 TPU v6e, over links of 400 Gbit/s."""
    link = {"link_bytes_per_s": 50e9, "link_latency_s": 20e-6}
    return [
        Pool.of_chip("cpu", load_processors()["epyc-9654"], 2, **link),
        Pool.of_chip("gpu", find_chip("h200-sxm"), 4, **link),
        Pool.of_chip("tpu", find_chip("tpu-v6e"), 8, **link),
    ]
