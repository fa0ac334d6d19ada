"""Why candidates of a plan lost, with how many did, and the one that came nearest."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal, get_args

Reason = Literal[
    "layout", "format", "network", "memory", "chips", "price", "ttft", "tpot", "communication", "dominated"
]
REASONS: tuple[Reason, ...] = get_args(Reason)

MEANINGS: Mapping[Reason, str] = MappingProxyType(
    {
        "layout": "heads, widths, layers or experts cannot be split so",
        "format": "the chip has no peak in this format",
        "network": "the catalogue does not say how so many chips are connected",
        "memory": "weights or caches do not fit the memory",
        "chips": "the pools need more chips than allowed",
        "price": "the chip has no price",
        "ttft": "the first token comes later than allowed",
        "tpot": "tokens follow more slowly than allowed",
        "communication": "fast enough but for the transfers between chips",
        "dominated": "another candidate is at least as good in both",
    }
)
"""What each reason means."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Loss:
    """Candidates that lost for one reason."""

    reason: Reason
    candidates_count: int = 1
    example: str
    """One of them, with its numbers; of those over a limit, the one that came nearest."""


def add_up_losses(losses: Iterable[Loss]) -> tuple[Loss, ...]:
    """One loss per reason, in the order of `REASONS`, with the first example of each."""
    by_reason: dict[Reason, Loss] = {}
    for loss in losses:
        first = by_reason.get(loss.reason)
        count = loss.candidates_count + (first.candidates_count if first else 0)
        example = first.example if first else loss.example
        by_reason[loss.reason] = Loss(reason=loss.reason, candidates_count=count, example=example)
    return tuple(by_reason[reason] for reason in REASONS if reason in by_reason)
