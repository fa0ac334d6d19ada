"""Attention: intensity, rate and time of the fused and the materialised kernels."""

from diglot.hardware.attention import AttentionShape, count_flash_attention, count_materialised_attention
from diglot.hardware.attention_backward import (
    count_flash_attention_backward,
    count_materialised_attention_backward,
)
from diglot.hardware.attention_time import estimate_attention
from diglot.hardware.catalogue import load_catalogue
from tests.reference.answers.common import (
    Answers,
    AnswerTable,
    Inputs,
    KernelTimes,
    TimesTable,
    make_roofline,
    read_rates,
)


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
    """Ideal rate of fused attention over a batch of sequences, forward or backward."""
    count = count_flash_attention_backward if _is_backward(inputs) else count_flash_attention
    kernel = count(_read_shape(inputs), dtype=inputs["dtype"])
    return {"rate": make_roofline(*read_rates(inputs)).kernel_flops_per_s(kernel)}


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
    times = estimate_attention(_read_shape(inputs), load_catalogue()[inputs["chip"]], dtype=inputs["dtype"])
    return KernelTimes(
        chip=inputs["chip"],
        operator="attention",
        compute_time_s=float(times.serial_compute_time_s),
        memory_time_s=float(times.memory_time_s),
        work={"rate": float(times.kernel.flops)},
    )


def _is_backward(inputs: Inputs) -> bool:
    return "backward" in inputs.get("passes", inputs.get("pass", "forward"))


def _read_shape(inputs: Inputs) -> AttentionShape:
    heads = inputs["hidden"] // inputs["head_dim"]
    return AttentionShape(
        batch_count=inputs["total_tokens"] // inputs["sequence"],
        queries_tokens=inputs["sequence"],
        keys_tokens=inputs["sequence"],
        heads_count=heads,
        kv_heads_count=heads,
        head_elements=inputs["head_dim"],
        causal=inputs.get("causal", False),
    )


ANSWERS: AnswerTable = (
    ({"T", "G"}, answer_prefill_intensity),
    ({"sequence", "hidden", "head_dim", "total_tokens"}, answer_attention_rate),
    ({"sequence", "heads", "head_dim", "batch", "variant", "passes"}, answer_passes),
)
CALIBRATED: TimesTable = (
    ({"chip", "dtype", "sequence", "hidden", "head_dim", "total_tokens"}, time_attention),
)
