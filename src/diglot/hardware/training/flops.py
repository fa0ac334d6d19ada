"""FLOPs of training, and the model FLOPs utilisation (MFU) and time that follow from them.

Model FLOPs exclude recomputation: it saves memory and takes time, but is not part of the model.
"""

import numpy as np

from diglot.hardware.models.catalogue import find_model
from diglot.hardware.models.model import TransformerModel
from diglot.hardware.operators.transformer import SequenceGroup, list_operators, prefill, sum_flops
from diglot.hardware.sizes import (
    Real,
    Size,
    SizeLike,
    check_rate,
    check_share,
    check_size,
    to_float,
    to_plain_float,
)


def count_forward_flops(
    model: TransformerModel, tokens: Size, *, sequences_count: Size = 1, causal: bool = True
) -> Real:
    """FLOPs of the matrix products of a forward pass over whole sequences, with the head for every token.

    2 FLOPs per parameter and token, plus the attention scores: half of the score matrix where `causal`.
    Published utilisations (Megatron's, PaLM's) count the full matrix although the model is causal.
    Source: V. Korthikanti et al., "Reducing Activation Recomputation in Large Transformer Models",
    arXiv:2205.05198, appendix A (full matrix).
    """
    group = prefill(check_size("tokens", tokens), sequences_count=sequences_count)
    operators = list_operators(model, group, head_of_every_token=True)
    total = sum_flops([operator for operator in operators if operator.on_matrix_units])
    if not causal and model.kind == "decoder":
        total = total + _count_masked_flops(model, group)
    return total


def count_training_step_flops(
    model: TransformerModel | str, tokens: Size, *, sequences_count: Size = 1, causal: bool = True
) -> Real:
    """Model FLOPs of a training step: three times the forward pass, since the backward pass counts double."""
    model = find_model(model)
    return 3 * count_forward_flops(model, tokens, sequences_count=sequences_count, causal=causal)


def _count_masked_flops(model: TransformerModel, group: SequenceGroup) -> Real:
    """FLOPs on masked scores of a kernel that ignores the causal mask, in layers without a window."""
    length = to_float(group.new_tokens)
    if model.latent is not None:
        elements = model.latent.query_elements + model.latent.value_elements
    else:
        elements = 2 * model.head_elements
    layers = model.attention_layers_count - model.windowed_layers_count
    scores = layers * model.heads_count * to_float(group.sequences_count) * length * (length - 1) / 2
    return 2 * elements * scores


def estimate_training_flops(parameters_count: Real, tokens: Real) -> Real:
    """FLOPs of a whole training run: 6 per (active) parameter and token, without attention scores.

    Source: J. Kaplan et al., "Scaling Laws for Neural Language Models", arXiv:2001.08361, section 2.1.
    """
    return 6 * check_rate("parameters_count", parameters_count) * check_rate("tokens", tokens)


def find_mfu_fraction(flops: Real, *, chip_s: Real, peak_flops_per_s: Real) -> Real:
    """Model FLOPs utilisation: share of the peak, for model FLOPs done in `chip_s` chip seconds.

    Chip seconds are chips x time. Raises ValueError for a result above 1: no chip exceeds its peak.
    Source: A. Chowdhery et al., "PaLM", arXiv:2204.02311, appendix B.
    """
    share = check_rate("flops", flops) / (
        check_rate("chip_s", chip_s) * check_rate("peak_flops_per_s", peak_flops_per_s)
    )
    if np.any(np.asarray(share) > 1):
        raise ValueError(f"these FLOPs in this time would be {np.max(share):.3g} of the peak")
    return to_plain_float(share)


def estimate_training_time_s(
    flops: Real, *, chips_count: SizeLike, peak_flops_per_s: Real, mfu_fraction: Real = 1.0
) -> Real:
    """Time of the FLOPs of a step or a whole run on `chips_count` chips at a utilisation."""
    check_share("mfu_fraction", mfu_fraction, zero=False)
    rate = to_float(check_size("chips_count", chips_count)) * check_rate("peak_flops_per_s", peak_flops_per_s)
    return to_plain_float(check_rate("flops", flops) / (rate * mfu_fraction))
