"""Claims about serving: first tokens, concurrency, lengths, disaggregation."""

from functools import partial
from itertools import product
from math import inf

import numpy as np

from diglot.hardware.chips.spreads import find_spread
from diglot.hardware.claims.finding import LESS, Finding, tell
from diglot.hardware.claims.scenes import (
    BOTH,
    LIMITS_S,
    SLICES,
    WORKLOAD,
    expect_output_usd,
    expect_prefill_s,
    find_chip,
    find_prefill_s,
    list_ends,
    place,
    serve_within,
)
from diglot.hardware.operators.timers import Timing
from diglot.hardware.serving.batching import serve_continuously
from diglot.hardware.serving.deployment import Deployment
from diglot.hardware.serving.disaggregation import CacheLink
from diglot.hardware.serving.mixed_lengths import prefill_lengths
from diglot.hardware.serving.requests import Requests, draw_requests
from diglot.hardware.serving.service_level import ServiceLevel
from diglot.hardware.serving.simulation import (
    SimulatedRun,
    find_goodput,
    simulate_disaggregated,
    simulate_serving,
)
from diglot.hardware.serving.steps import estimate_decode

PROMPTS = (1024, 2048, 8192)


def judge_v5e_against_v4() -> Finding:
    """Claim 16: throughput per dollar of TPU v5e over v4: Llama 3 70B served in bf16, and int8 peaks."""
    v5e, v4 = (serve_within(id_, LIMITS_S[1]) for id_ in ("tpu-v5e", "tpu-v4"))
    peaks = [find_chip(id_).peak_flops_per_s("int8") for id_ in ("tpu-v5e", "tpu-v4")]
    prices = [find_chip(id_).prices[0].usd_per_chip_s for id_ in ("tpu-v5e", "tpu-v4")]
    served = v4.usd_per_million / v5e.usd_per_million
    peak = peaks[0] / prices[0] / (peaks[1] / prices[1])
    expected = expect_output_usd("tpu-v4", LIMITS_S[1]).over(expect_output_usd("tpu-v5e", LIMITS_S[1]))
    return tell(
        (served, peak), (2.25, 2.75), intervals=[*list_ends(expected), (peak, peak)],
        zh=f"每美元吞吐：bf16服务70B为v4的{served:.1f}倍，int8峰值为{peak:.1f}倍；单芯片速度"
        f"{v5e.tokens_per_s / v4.tokens_per_s:.2f}倍（70B）至{peaks[0] / peaks[1]:.1f}倍（int8峰值）。v4"
        "的价格是2022年的。",
        en=f"Throughput per dollar: {served:.1f} times v4's for 70B in bf16, {peak:.1f} times by peaks "
        f"of int8. A chip is {v5e.tokens_per_s / v4.tokens_per_s:.2f} (70B) to {peaks[0] / peaks[1]:.1f}"
        " times (int8 peak) as quick. The price of v4 is that of 2022.",
    )  # fmt: skip


def judge_ironwood_first_token() -> Finding:
    """Claim 17: time of a prefill of Llama 3 70B on 4 and 8 TPU v7."""
    cases = [("tpu-v7", sides, prompt) for sides in ((2, 2, 1), (2, 2, 2)) for prompt in PROMPTS]
    times = [find_prefill_s(*case) for case in cases]
    return tell(
        times, (0.0, 1.0), unit="s", intervals=list_ends(*(expect_prefill_s(*case) for case in cases)),
        zh=f"4块和8块v7上，1,024至8,192词元的提示用{min(times):.2f}至{max(times):.2f}秒（屋顶线下界）。",
        en=f"Prompts of 1,024 to 8,192 tokens take {min(times):.2f} to {max(times):.2f} s on 4 and 8 "
        "v7, at the roofline.",
    )  # fmt: skip


def judge_disaggregation() -> Finding:
    """Claim 18: requests per chip with prefill and decode apart on TPU v6e, over both on the same chips.

    Most requests whose first token comes within 5 times a lone prefill and whose others come within so many
    times a lone step, for nine of ten; the best of five numbers of prefillers and decoders.
    """
    slice_ = place("tpu-v6e")
    link = CacheLink(bandwidth_bytes_per_s=8 * find_chip("tpu-v6e").quantity("dcn.per_chip").value)
    prefill_s = find_prefill_s("tpu-v6e", SLICES["tpu-v6e"], 1024)
    step_s = float(np.asarray(estimate_decode(slice_, 2048).time_s))
    apart = [
        partial(_serve_apart, slice_, link, prefillers, decoders)
        for prefillers, decoders in ((1, 1), (2, 1), (3, 1), (1, 2), (1, 3))
    ]
    gains = []
    for output, limit in product((256, 1024), (1.3, 2.0, 4.0)):
        level = ServiceLevel(ttft_s=5 * prefill_s, tpot_s=limit * step_s)
        draw = partial(draw_requests, requests_count=300, prompt_tokens=1024, output_tokens=output, seed=1)
        rates = [
            find_goodput(serve, draw, level, tolerance_fraction=0.05).requests_per_chip_s
            for serve in (partial(simulate_serving, slice_), *apart)
        ]
        gains.append(max(rates[1:]) / rates[0])
    return tell(
        gains, (3.0, 7.0),
        intervals=list_ends(*(find_spread("served dense", "tpu-v6e").bracket(gain) for gain in gains)),
        zh=f"8块v6e的切片服务70B：首词元不超过单独预填充的5倍、其余词元不超过单独一步的1.3至4倍时，分离后每芯"
        f"片能接的请求是不分离的{min(gains):.1f}至{max(gains):.1f}倍，上限越紧倍数越大。",
        en="70B on slices of 8 v6e, within 5 times a lone prefill and 1.3 to 4 times a lone step: apart, "
        f"a chip serves {min(gains):.1f} to {max(gains):.1f} times the requests; the tighter the limit, "
        "the more.",
    )  # fmt: skip


def _serve_apart(
    slice_: Deployment, link: CacheLink, prefillers: int, decoders: int, requests: Requests
) -> SimulatedRun:
    return simulate_disaggregated(
        slice_, slice_, requests, link, prefillers_count=prefillers, decoders_count=decoders
    )


def judge_many_users() -> Finding:
    """Claim 19: tokens per second of each of 50 users on 8 H100 and 8 H200, calibrated and ideal."""
    rates = [_user_rate(id_, 50, timing) for id_ in ("h100-sxm", "h200-sxm") for timing in BOTH]
    tpu = [_user_rate("tpu-v6e", 50, timing) for timing in BOTH]
    expected = [
        find_spread("served dense", id_).bracket(calibrated, most=ideal)
        for id_, ideal, calibrated in zip(("h100-sxm", "h200-sxm"), rates[::2], rates[1::2], strict=True)
    ]
    return tell(
        rates, (126, 154), unit="tokens/s", intervals=list_ends(*expected),
        zh=f"50个用户时每人{min(rates):.0f}至{max(rates):.0f}词元/s（8块H100校准值至8块H200上界）；8块"
        f"v6e为{min(tpu):.0f}至{max(tpu):.0f}。",
        en=f"Each of 50 users gets {min(rates):.0f} (8 H100, calibrated) to {max(rates):.0f} tokens/s "
        f"(8 H200, ideal); on 8 v6e {min(tpu):.0f} to {max(tpu):.0f}.",
    )  # fmt: skip


def judge_varying_lengths() -> Finding:
    """Claim 21: time of prefill on TPU v6e with prompts padded or in buckets, over packed ones."""
    prompts = np.exp(np.random.default_rng(0).normal(6.5, 1.0, 256)).astype(np.int64).clip(16, 8192)
    slice_ = place("tpu-v6e")
    packed = prefill_lengths(slice_, prompts, shaping="packed").time_s
    padded, bucketed = (
        prefill_lengths(slice_, prompts, shaping=how).time_s / packed for how in ("padded", "bucketed")
    )
    return tell(
        (1.0, bucketed, padded), (1.2, inf),
        zh=f"256个长短不一的提示（对数正态分布）：补到每批最长要{padded:.1f}倍时间，按2的幂分桶"
        f"{bucketed:.1f}倍，紧密装填1倍。吃不吃力取决于软件。",
        en=f"256 prompts of lognormal lengths: padded to the longest of a batch they take {padded:.1f} "
        f"times as long, in buckets of powers of two {bucketed:.1f}, packed 1. It depends on the "
        "software.",
    )  # fmt: skip


def judge_first_token_of_70b() -> Finding:
    """Claim 22: time of a prefill of Llama 3 70B on slices of TPU v5e, v5p and v6e."""
    cases = [
        (id_, sides, prompt)
        for id_, sides in (("tpu-v5e", (4, 4)), ("tpu-v5p", (2, 2, 2)), ("tpu-v6e", (2, 4)))
        for prompt in PROMPTS
    ]
    times = [find_prefill_s(*case) for case in cases]
    return tell(
        times, (0.3, 0.76), unit="s", intervals=list_ends(*(expect_prefill_s(*case) for case in cases)),
        zh=f"16块v5e、8块v5p、8块v6e上，1,024至8,192词元的提示用{min(times):.2f}至{max(times):.2f}秒（屋"
        "顶线下界）。",
        en=f"Prompts of 1,024 to 8,192 tokens take {min(times):.2f} to {max(times):.2f} s on 16 v5e, 8 "
        "v5p and 8 v6e, at the roofline.",
    )  # fmt: skip


def judge_serving_table() -> Finding:
    """Claim 24: the columns of its table that can be computed, v6e over H200: first token and cost."""
    first = [
        find_prefill_s("tpu-v6e", SLICES["tpu-v6e"], 1024, timing)
        / find_prefill_s("h200-sxm", SLICES["h200-sxm"], 1024, timing)
        for timing in BOTH
    ]
    usd = [
        serve_within("tpu-v6e", LIMITS_S[1], timing=timing).usd_per_million
        / serve_within("h200-sxm", LIMITS_S[1], timing=timing).usd_per_million
        for timing in BOTH
    ]
    slices = [(id_, SLICES[id_], 1024) for id_ in ("tpu-v6e", "h200-sxm")]
    tpu_s, gpu_s = (expect_prefill_s(*case) for case in slices)
    tpu_usd, gpu_usd = (expect_output_usd(id_, LIMITS_S[1]) for id_, *_ in slices)
    return tell(
        (*first, *usd), LESS, intervals=list_ends(tpu_s.over(gpu_s), tpu_usd.over(gpu_usd)),
        zh=f"可算的两列（上界、校准）：1,024词元的首词元，8块v6e的用时是8块H200的{first[0]:.2f}、"
        f"{first[1]:.2f}倍；每词元不超过50 ms时，每词元成本是{usd[0]:.2f}、{usd[1]:.2f}倍。",
        en="The two columns that can be computed, ideal and calibrated: the first token after 1,024 takes "
        f"{first[0]:.2f} and {first[1]:.2f} times as long on 8 v6e as on 8 H200; within 50 ms a token "
        f"one costs {usd[0]:.2f} and {usd[1]:.2f} times as much.",
    )  # fmt: skip


def _user_rate(chip_id: str, users: int, timing: Timing) -> float:
    """Tokens per second of one of so many users, whose steps wait for the prompts of the others."""
    return 1 / float(np.asarray(serve_continuously(place(chip_id, timing=timing), WORKLOAD, users).tpot_s))
