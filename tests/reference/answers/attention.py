"""Attention: intensity, rate and time of the fused and the materialised kernels."""

from collections.abc import Callable

from diglot.hardware import (
    AttentionShape,
    Kernel,
    count_flash_attention,
    count_flash_attention_backward,
    count_materialised_attention,
    count_materialised_attention_backward,
    estimate_attention,
)
from tests.reference.answers.common import (
    Answers,
    AnswerTable,
    Inputs,
    KernelTimes,
    TimesTable,
    make_roofline,
    read_rates,
)
from tests.reference.catalogue import load_catalogue


def answer_prefill_intensity(inputs: Inputs) -> Answers:
    """Fused attention over a whole prompt, with groups of query heads."""
    shape = AttentionShape(
        queries_tokens=inputs["T"],
        keys_tokens=inputs["T"],
        heads_count=inputs["G"],
        kv_heads_count=1,
        head_elements=128,
    )
    return {"intensity": count_flash_attention(shape).intensity_flops_per_byte}


def answer_attention_rate(inputs: Inputs) -> Answers:
    """Ideal rate and time of fused attention over a batch of sequences: forward, backward, or both."""
    shape, dtype, roofline = (
        _read_shape(inputs),
        inputs.get("dtype", "fp16"),
        make_roofline(*read_rates(inputs)),
    )
    kernels = [count(shape, dtype=dtype) for count in _read_passes(inputs)]
    time_s = sum(roofline.time_s(kernel) for kernel in kernels)
    return {
        "rate": sum(kernel.flops for kernel in kernels) / time_s,
        "time": time_s,
        "runtime": time_s,
        "efficiency": 1.0,
    }


def answer_passes(inputs: Inputs) -> Answers:
    """Ideal time of both passes, with the score matrix in memory or fused."""
    shape = AttentionShape(
        batch_count=inputs["batch"],
        queries_tokens=inputs["sequence"],
        keys_tokens=inputs["sequence"],
        heads_count=inputs["heads"],
        kv_heads_count=inputs["heads"],
        head_elements=inputs["head_dim"],
        causal=inputs.get("causal", False),
    )
    kernels = {
        "standard": (count_materialised_attention, count_materialised_attention_backward),
        "flash": (count_flash_attention, count_flash_attention_backward),
    }[inputs["variant"]]
    roofline = make_roofline(*read_rates(inputs))
    times = [roofline.time_s(count(shape, dtype=inputs["dtype"])) for count in kernels]
    return {"runtime": sum(times)}


def time_attention(inputs: Inputs) -> KernelTimes:
    """The same as the times that calibration starts from: exponentials count as arithmetic."""
    times = estimate_attention(
        _read_shape(inputs), load_catalogue()[inputs["chip"]], dtype=inputs.get("dtype", "fp16")
    )
    return KernelTimes(
        chip=inputs["chip"],
        operator="attention",
        compute_time_s=float(times.serial_compute_time_s),
        memory_time_s=float(times.memory_time_s),
        work={"rate": float(times.kernel.flops)},
    )


def _read_passes(inputs: Inputs) -> list[Callable[..., Kernel]]:
    passes = str(inputs.get("passes", inputs.get("pass", inputs.get("direction", "forward")))).casefold()
    forward = [count_flash_attention] if "backward" not in passes or "forward" in passes else []
    return forward + ([count_flash_attention_backward] if "backward" in passes else [])


def _read_shape(inputs: Inputs) -> AttentionShape:
    """A shape of which the batch or the tokens in all are told, and the heads or the width of all heads.

    FlashAttention's own benchmarks, whose cases these are, have 2,048 of width and 16,384 tokens.
    """
    sequence, head = inputs["sequence"], inputs["head_dim"]
    heads = inputs.get("heads", max(1, inputs.get("hidden", 2048) // head))
    return AttentionShape(
        batch_count=inputs.get("batch", max(1, inputs.get("total_tokens", 16384) // sequence)),
        queries_tokens=sequence,
        keys_tokens=sequence,
        heads_count=heads,
        kv_heads_count=inputs.get("kv_heads", heads),
        head_elements=head,
        causal=inputs.get("causal", False),
    )


ANSWERS: AnswerTable = (
    ({"T", "G"}, answer_prefill_intensity),
    ({"sequence", "heads", "head_dim", "batch", "variant", "passes"}, answer_passes),
    ({"sequence", "head_dim"}, answer_attention_rate),
)
CALIBRATED: TimesTable = (({"chip", "sequence", "head_dim"}, time_attention),)
