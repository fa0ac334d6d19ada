"""Memory of the training state per parameter, sharded over the copies of a model in ZeRO's stages."""

from typing import Literal, get_args

from diglot.hardware.sizes import (
    Real,
    SizeLike,
    check_amount,
    check_choice,
    check_rate,
    check_size,
    to_float,
)

Sharded = Literal["nothing", "optimiser", "gradients", "parameters"]
"""What is sharded; each word includes those before it. ZeRO's stages 0 to 3; the last is FSDP."""
SHARDED: tuple[Sharded, ...] = get_args(Sharded)


def count_state_bytes_per_chip(
    parameters_count: float,
    *,
    copies_count: SizeLike,
    sharded: Sharded,
    parameter_bytes: float = 2,
    gradient_bytes: float = 2,
    optimiser_bytes: float = 12,
) -> Real:
    """Bytes of weights, gradients and optimiser state per chip, with some of them sharded over the copies.

    The byte arguments are per parameter. The default is mixed precision with Adam: 16-bit weights and
    gradients, and in fp32 the weights and two moments. Without activations and buffers.
    Raises ValueError for an unknown `sharded`, and for numbers out of range.
    Source: S. Rajbhandari et al., "ZeRO", arXiv:1910.02054, section 5 and figure 1.
    """
    check_choice("sharded", sharded, SHARDED)
    stage, copies = SHARDED.index(sharded), to_float(check_size("copies_count", copies_count))
    held = (
        check_amount("parameter_bytes", parameter_bytes) / (copies if stage >= 3 else 1)
        + check_amount("gradient_bytes", gradient_bytes) / (copies if stage >= 2 else 1)
        + check_amount("optimiser_bytes", optimiser_bytes) / (copies if stage >= 1 else 1)
    )
    return check_rate("parameters_count", parameters_count) * held
