"""Memory of the training state per parameter, sharded over the copies of a model in ZeRO's stages."""

from dataclasses import dataclass
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


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingState:
    """What a training keeps per parameter, and what of it the copies of a model share.

    By default bf16 weights (2 bytes), fp32 gradients (4), and fp32 weights and two moments of Adam (12), as
    Megatron-LM keeps them. Raises ValueError for numbers out of range.
    Source: V. Korthikanti et al., arXiv:2205.05198 (18 bytes).
    """

    sharded: Sharded = "nothing"
    replicas_count: int = 1
    """Groups of copies that each hold the whole state, sharded inside the group (hybrid sharding, HSDP).

    On TPUs each is a slice of its own, and the data-centre network joins them (multi-slice).
    """
    parameter_bytes: float = 2
    gradient_bytes: float = 4
    optimiser_bytes: float = 12

    def __post_init__(self) -> None:
        check_choice("sharded", self.sharded, SHARDED)
        object.__setattr__(self, "replicas_count", int(check_size("replicas_count", self.replicas_count)))
        for name in ("parameter_bytes", "gradient_bytes", "optimiser_bytes"):
            check_amount(name, getattr(self, name))

    def count_bytes(self, parameters_count: float, *, trained_count: float, copies_count: int) -> float:
        """Bytes on each of so many chips of one group that have the same parameters.

        Those that are not trained have weights only; what is trained besides them has 16-bit weights.
        """
        adapters = 2.0 if trained_count < parameters_count else 0.0
        parts = (
            (parameters_count, self.parameter_bytes, 0.0, 0.0),
            (trained_count, adapters, self.gradient_bytes, self.optimiser_bytes),
        )
        return sum(
            float(
                count_state_bytes_per_chip(
                    count,
                    copies_count=copies_count,
                    sharded=self.sharded,
                    parameter_bytes=weights,
                    gradient_bytes=gradients,
                    optimiser_bytes=optimiser,
                )
            )
            for count, weights, gradients, optimiser in parts
        )

    def count_update_bytes(self, parameters_count: float, *, copies_count: int) -> float:
        """Memory traffic of the optimiser on each chip: it reads gradients and its state, and writes weights.

        Each chip updates the parameters whose optimiser state it holds.
        """
        held = parameters_count / (1 if self.sharded == "nothing" else copies_count)
        return held * (self.gradient_bytes + 2 * self.optimiser_bytes + self.parameter_bytes)


DEFAULT_STATE = TrainingState()
"""Nothing sharded, 18 bytes per parameter."""
