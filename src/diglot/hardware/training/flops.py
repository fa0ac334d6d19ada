"""FLOPs of training, and the utilisation (MFU) and time that follow from them.

Model FLOPs are those of the model alone: what is computed again to save memory takes time but does not count.
"""

import numpy as np

from diglot.hardware.models.model import TransformerModel
from diglot.hardware.operators.transformer import SequenceGroup, list_operators, prefill, sum_flops
from diglot.hardware.sizes import Real, Size, SizeLike, check_rate, check_size, to_float, to_plain_float


def count_forward_flops(
    model: TransformerModel, tokens: Size, *, sequences_count: Size = 1, causal: bool = True
) -> Real:
    """FLOPs of the matrix products of a forward pass over whole sequences, output head for every token.

    2 per parameter and token, and the attention scores: half of the square where `causal`. Published
    utilisations (Megatron's, PaLM's) count the whole square although the model is causal.
    Source: V. Korthikanti et al., "Reducing Activation Recomputation in Large Transformer Models",
    arXiv:2205.05198, appendix A (whole square).
    """
    group = prefill(check_size("tokens", tokens), sequences_count=sequences_count)
    operators = list_operators(model, group, head_of_every_token=True)
    total = sum_flops([operator for operator in operators if operator.on_matrix_units])
    if not causal and model.kind == "decoder":
        total = total + _count_masked_flops(model, group)
    return total


def count_training_step_flops(
    model: TransformerModel, tokens: Size, *, sequences_count: Size = 1, causal: bool = True
) -> Real:
    """Model FLOPs of a training step: three forward passes, the backward pass being two."""
    return 3 * count_forward_flops(model, tokens, sequences_count=sequences_count, causal=causal)


def _count_masked_flops(model: TransformerModel, group: SequenceGroup) -> Real:
    """What a kernel that ignores the causal mask computes in vain, in layers without a window."""
    length = to_float(group.new_tokens)
    if model.latent is not None:
        elements = model.latent.query_elements + model.latent.value_elements
    else:
        elements = 2 * model.head_elements
    layers = model.layers_count - model.windowed_layers_count
    scores = layers * model.heads_count * to_float(group.sequences_count) * length * (length - 1) / 2
    return 2 * elements * scores


def estimate_training_flops(parameters_count: float, tokens: float) -> float:
    """FLOPs of a whole training run: 6 for each (active) parameter and token. No attention scores.

    Source: J. Kaplan et al., "Scaling Laws for Neural Language Models", arXiv:2001.08361, section 2.1.
    """
    return 6 * float(check_rate("parameters_count", parameters_count)) * float(check_rate("tokens", tokens))


def find_mfu_fraction(flops: Real, *, chip_s: Real, peak_flops_per_s: float) -> Real:
    """Share of the peak that did the model's FLOPs in so many chip seconds (chips times time).

    Source: A. Chowdhery et al., "PaLM", arXiv:2204.02311, appendix B. Raises ValueError where it comes out
    above one: no chip does more than its peak.
    """
    share = check_rate("flops", flops) / (
        check_rate("chip_s", chip_s) * check_rate("peak_flops_per_s", peak_flops_per_s)
    )
    if np.any(np.asarray(share) > 1):
        raise ValueError(f"these FLOPs in this time would be {np.max(share):.3g} of the peak")
    return to_plain_float(share)


def estimate_training_time_s(
    flops: Real, *, chips_count: SizeLike, peak_flops_per_s: float, mfu_fraction: float = 1.0
) -> Real:
    """Time of so many FLOPs on so many chips at a utilisation: a step's, or a whole run's."""
    if not 0 < mfu_fraction <= 1:
        raise ValueError(f"mfu_fraction must be above 0 and at most 1, not {mfu_fraction!r}")
    rate = to_float(check_size("chips_count", chips_count)) * check_rate("peak_flops_per_s", peak_flops_per_s)
    return to_plain_float(check_rate("flops", flops) / (rate * mfu_fraction))
