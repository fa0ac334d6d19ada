"""Attention: intensity and rate of the fused kernel."""

from diglot.hardware.attention import AttentionShape, count_flash_attention
from tests.reference.answers.common import Answers, AnswerTable, Inputs, make_roofline, read_rates


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
    """Ideal rate of fused attention over a batch of sequences."""
    heads = inputs["hidden"] // inputs["head_dim"]
    shape = AttentionShape(
        batch_count=inputs["total_tokens"] // inputs["sequence"],
        queries_tokens=inputs["sequence"],
        keys_tokens=inputs["sequence"],
        heads_count=heads,
        kv_heads_count=heads,
        head_elements=inputs["head_dim"],
        causal=inputs.get("causal", False),
    )
    kernel = count_flash_attention(shape, dtype=inputs["dtype"])
    return {"rate": make_roofline(*read_rates(inputs)).kernel_flops_per_s(kernel)}


ANSWERS: AnswerTable = (
    ({"T", "G"}, answer_prefill_intensity),
    ({"sequence", "hidden", "head_dim", "total_tokens"}, answer_attention_rate),
)
