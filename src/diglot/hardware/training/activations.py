"""Activations kept for the backward pass, and what computing some of them again saves and costs."""

from typing import Literal, get_args

from diglot.hardware.models.catalogue import find_model
from diglot.hardware.models.model import TransformerModel
from diglot.hardware.operators.transformer import list_operators, prefill, sum_flops
from diglot.hardware.sizes import (
    Real,
    Size,
    SizeLike,
    check_choice,
    check_rate,
    check_size,
    divide_up,
    to_float,
    to_plain_float,
)

Recompute = Literal["none", "selective", "full"]
RECOMPUTES: tuple[Recompute, ...] = get_args(Recompute)
"""What the backward pass recomputes: nothing, the attention scores, or each layer from its input."""
SCORES = ("attention", "windowed attention", "scores", "softmax", "values")
"""Operators that selective recomputation runs again."""


def count_checkpoint_bytes(
    tokens: SizeLike,
    width_elements: int,
    layers_count: int,
    *,
    per_layer_count: int = 1,
    element_bytes: float = 2,
) -> Real:
    """Bytes kept of a forward pass where each layer keeps `per_layer_count` arrays of tokens x width.

    Source: J. Austin et al., "How to Scale Your Model", part 6.
    """
    sizes = check_size("width_elements", width_elements) * check_size("layers_count", layers_count)
    kept = to_float(sizes) * to_float(check_size("per_layer_count", per_layer_count))
    kept = kept * check_rate("element_bytes", element_bytes)
    return to_float(check_size("tokens", tokens)) * kept


def count_activation_bytes_per_layer(
    model: TransformerModel | str,
    tokens: Size,
    *,
    sequences_count: Size = 1,
    tensor_count: int = 1,
    context_count: int = 1,
    sequence_parallel: bool = False,
    recompute: Recompute = "none",
) -> Real:
    """Bytes that one layer keeps for its backward pass, on one chip of a tensor-parallel group.

    s b h (10 + 24 / t + 5 a s / (h t)) bytes. Sequence parallelism divides the 10 by t as well; selective
    recomputation drops the term of the scores; full recomputation keeps only the layer's input (2 s b h).
    Context ways have their share of the tokens, rounded up, and its scores with all tokens.
    Assumes 16-bit activations, a dropout mask of one byte, a feed-forward network of two matrices with inner
    width 4 h, and as many KV heads as heads; other models keep about as much for their widths. It is a mean:
    layers of half a kind keep half, and those with a recurrence, instead of 8 / t and scores, what the first
    product makes, what the convolution makes of it, and the result.
    Source: V. Korthikanti et al., arXiv:2205.05198, equations 1 to 6.
    """
    model = find_model(model)
    check_choice("recompute", recompute, RECOMPUTES)
    keys, b = check_size("tokens", tokens), to_float(check_size("sequences_count", sequences_count))
    s = to_float(divide_up(keys, check_size("context_count", context_count)))
    t = to_float(check_size("tensor_count", tensor_count))
    h, heads = model.width_elements, model.heads_count
    if recompute == "full":
        return to_plain_float(2 * s * b * h / (t if sequence_parallel else 1))
    attention, mixing, feeding = (
        count / model.layers_count
        for count in (
            model.attention_layers_count,
            model.halves_count - model.feed_forward_layers_count,
            model.feed_forward_layers_count,
        )
    )
    outside = 5 * (mixing + feeding) / (t if sequence_parallel else 1)
    scores = 5 * heads * to_float(keys) / (h * t) if recompute == "none" else 0
    inside = attention * (8 / t + scores) + feeding * 16 / t
    if model.recurrent is not None:
        kept = model.recurrent.projected_elements + model.recurrent.convolved_elements
        kept += model.recurrent.values_elements
        inside = inside + model.recurrent_layers_count / model.layers_count * 2 * kept / (h * t)
    return to_plain_float(s * b * h * (outside + inside))


def count_recomputed_flops(
    model: TransformerModel | str, tokens: Size, *, sequences_count: Size = 1, recompute: Recompute
) -> Real:
    """FLOPs of the matrix products that the backward pass repeats: of the scores, or of all layers.

    The scores are about s / (6 h) of the forward pass where nothing is masked, and half of it in causal
    models. Softmax and dropout are not counted.
    Source: V. Korthikanti et al., arXiv:2205.05198, section 5 and appendix A.
    """
    model = find_model(model)
    check_choice("recompute", recompute, RECOMPUTES)
    group = prefill(check_size("tokens", tokens), sequences_count=sequences_count)
    operators = [
        operator
        for operator in list_operators(model, group, head_of_every_token=True)
        if operator.on_matrix_units
    ]
    if recompute == "none":
        return 0.0
    if recompute == "selective":
        return sum_flops([operator for operator in operators if operator.name in SCORES])
    return sum_flops([operator for operator in operators if operator.part != "head"])
