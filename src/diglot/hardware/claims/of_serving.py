"""Claims about serving: first tokens, concurrency, lengths, disaggregation."""

from math import inf

import numpy as np

from diglot.hardware.claims.finding import LESS, Finding, tell
from diglot.hardware.claims.scenes import LIMITS_S, SLICES, WORKLOAD, find_chip, place, serve_within
from diglot.hardware.serving.batching import list_batches, serve_continuously
from diglot.hardware.serving.deployment import estimate_decode, estimate_prefill
from diglot.hardware.serving.disaggregation import CacheLink, serve_disaggregated
from diglot.hardware.serving.mixed_lengths import prefill_lengths

PROMPTS = (1024, 2048, 8192)


def judge_v5e_against_v4() -> Finding:
    """Claim 16: throughput per dollar of TPU v5e over v4: Llama 3 70B served in bf16, and int8 peaks."""
    v5e, v4 = (serve_within(id_, LIMITS_S[1]) for id_ in ("tpu-v5e", "tpu-v4"))
    peaks = [find_chip(id_).peak_flops_per_s("int8") for id_ in ("tpu-v5e", "tpu-v4")]
    prices = [find_chip(id_).prices[0].usd_per_chip_s for id_ in ("tpu-v5e", "tpu-v4")]
    served = v4.usd_per_million / v5e.usd_per_million
    peak = peaks[0] / prices[0] / (peaks[1] / prices[1])
    return tell(
        (served, peak), (2.25, 2.75),
        zh=f"每美元吞吐：bf16服务70B为v4的{served:.1f}倍，int8峰值为{peak:.1f}倍；单芯片速度"
        f"{v5e.tokens_per_s / v4.tokens_per_s:.2f}倍（70B）至{peaks[0] / peaks[1]:.1f}倍（int8峰值）。v4"
        "的价格是2022年的。",
        en=f"Throughput per dollar: {served:.1f} times v4's for 70B in bf16, {peak:.1f} times by peaks "
        f"of int8. A chip is {v5e.tokens_per_s / v4.tokens_per_s:.2f} (70B) to {peaks[0] / peaks[1]:.1f}"
        " times (int8 peak) as quick. The price of v4 is that of 2022.",
    )  # fmt: skip


def judge_ironwood_first_token() -> Finding:
    """Claim 17: time of a prefill of Llama 3 70B on 4 and 8 TPU v7."""
    times = [_prefill_s("tpu-v7", sides, prompt) for sides in ((2, 2, 1), (2, 2, 2)) for prompt in PROMPTS]
    return tell(
        times, (0.0, 1.0), unit="s",
        zh=f"4块和8块v7上，1,024至8,192词元的提示用{min(times):.2f}至{max(times):.2f}秒（屋顶线下界）。",
        en=f"Prompts of 1,024 to 8,192 tokens take {min(times):.2f} to {max(times):.2f} s on 4 and 8 "
        "v7, at the roofline.",
    )  # fmt: skip


def judge_disaggregation() -> Finding:
    """Claim 18: output per chip of prefill and decode apart on TPU v6e, over both on the same chips."""
    slice_ = place("tpu-v6e")
    batches = np.asarray(list_batches(slice_, WORKLOAD))
    link = CacheLink(bandwidth_bytes_per_s=8 * find_chip("tpu-v6e").quantity("dcn.per_chip").value)
    mixed = serve_continuously(slice_, WORKLOAD, batches)
    apart = serve_disaggregated(slice_, slice_, WORKLOAD, batches, link).run
    gains = []
    for limit_s in (0.012, 0.015, 0.02, 0.03, 0.05):
        rates = [
            np.max(np.where(np.asarray(run.tpot_s) <= limit_s, run.output_tokens_per_chip_s, 0.0))
            for run in (apart, mixed)
        ]
        gains += [float(rates[0] / rates[1])] if rates[1] else []
    return tell(
        gains, (3.0, 7.0),
        zh=f"8块v6e服务70B，每词元12至50 ms的上限内，分离与混合的单芯片吞吐之比为{min(gains):.2f}至"
        f"{max(gains):.2f}；这里的混合已是连续批处理。",
        en=f"70B on slices of 8 v6e within 12 to 50 ms a token: {min(gains):.2f} to {max(gains):.2f} "
        "times the output per chip of continuous batching on the same chips.",
    )  # fmt: skip


def judge_many_users() -> Finding:
    """Claim 19: tokens per second of each of 50 users on 8 H100 and 8 H200, calibrated and ideal."""
    rates = [_user_rate(id_, 50, timing) for id_ in ("h100-sxm", "h200-sxm") for timing in _TIMINGS]
    tpu = [_user_rate("tpu-v6e", 50, timing) for timing in _TIMINGS]
    return tell(
        rates, (126, 154), unit="tokens/s",
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
    times = [
        _prefill_s(id_, sides, prompt)
        for id_, sides in (("tpu-v5e", (4, 4)), ("tpu-v5p", (2, 2, 2)), ("tpu-v6e", (2, 4)))
        for prompt in PROMPTS
    ]
    return tell(
        times, (0.3, 0.76), unit="s",
        zh=f"16块v5e、8块v5p、8块v6e上，1,024至8,192词元的提示用{min(times):.2f}至{max(times):.2f}秒（屋"
        "顶线下界）。",
        en=f"Prompts of 1,024 to 8,192 tokens take {min(times):.2f} to {max(times):.2f} s on 16 v5e, 8 "
        "v5p and 8 v6e, at the roofline.",
    )  # fmt: skip


def judge_serving_table() -> Finding:
    """Claim 24: the columns of its table that can be computed, v6e over H200: first token and cost."""
    rows = {
        id_: (_prefill_s(id_, SLICES[id_], 1024), serve_within(id_, LIMITS_S[1]).usd_per_million)
        for id_ in ("tpu-v6e", "h200-sxm")
    }
    (tpu_s, tpu_usd), (gpu_s, gpu_usd) = rows.values()
    return tell(
        (tpu_s / gpu_s, tpu_usd / gpu_usd), LESS,
        zh=f"可算的两列：1,024词元的首词元，8块v6e {1e3 * tpu_s:.0f} ms、8块H200 {1e3 * gpu_s:.0f} ms；"
        f"每词元不超过50 ms时每百万词元{tpu_usd:.2f}和{gpu_usd:.2f}美元。",
        en=f"The two columns that can be computed: the first token after 1,024 takes {1e3 * tpu_s:.0f} "
        f"ms on 8 v6e and {1e3 * gpu_s:.0f} on 8 H200; within 50 ms a token a million cost {tpu_usd:.2f}"
        f" and {gpu_usd:.2f} USD.",
    )  # fmt: skip


_TIMINGS = ("calibrated", "ideal")


def _prefill_s(chip_id: str, sides: tuple[int, ...], prompt_tokens: int) -> float:
    return float(np.asarray(estimate_prefill(place(chip_id, sides), prompt_tokens).time_s))


def _user_rate(chip_id: str, users: int, timing: str) -> float:
    """Tokens per second of one of so many users, whose contexts are 2,048 tokens."""
    slice_ = place(chip_id, timing="calibrated" if timing == "calibrated" else "ideal")
    return 1 / float(np.asarray(estimate_decode(slice_, 2048, batch_count=users).time_s))
