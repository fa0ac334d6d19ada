"""What engines do in a step beyond the plain sum of its operators and transfers."""

from dataclasses import dataclass

from diglot.hardware.models.model import TransformerModel
from diglot.hardware.parallelism.layouts import Layout
from diglot.hardware.serving.expert_balance import PLACEMENTS, Placement
from diglot.hardware.sizes import check_amount, check_choice, check_size


@dataclass(frozen=True, slots=True, kw_only=True)
class StepOptions:
    """Choices of an engine; the defaults spread tokens evenly, hide no transfer and split one dimension.

    Raises ValueError for impossible numbers, and for copies of experts without a skew to place them by.
    """

    routing_skew: float | None = None
    """How unevenly tokens choose experts (`Routing`): every way waits for the busiest. None is even, without
    the chance that is left at a skew of 0."""
    redundant_experts_count: int = 0
    """Copies of popular experts, held in addition to one of each."""
    expert_placement: Placement = "balanced"
    """`balanced` places experts by popularity, `blind` by number (`balance_experts`)."""
    overlapped_chunks_count: int = 1
    """Chunks in which tensor communication runs behind the products of all layers; 1 hides nothing, and many
    approach the longer of both (`overlap_chunks_s`)."""
    width_ways_count: int = 1
    """Tensor ways over the width of feed-forward layers and experts, the others being over their inner width;
    1 is the usual split (`split_feed_forward`). Products are timed in the shapes of that."""

    def __post_init__(self) -> None:
        if self.routing_skew is not None:
            check_amount("routing_skew", self.routing_skew)
        check_size("redundant_experts_count", self.redundant_experts_count, least=0)
        if self.redundant_experts_count and self.routing_skew is None:
            raise ValueError("redundant_experts_count needs a routing_skew, by which copies are placed")
        check_choice("expert_placement", self.expert_placement, PLACEMENTS)
        check_size("overlapped_chunks_count", self.overlapped_chunks_count)
        check_size("width_ways_count", self.width_ways_count)

    def check_fits(self, model: TransformerModel, layout: Layout) -> None:
        """Raise ValueError where the options need other layers or ways. The model has the copies already."""
        experts, copies = model.experts, self.redundant_experts_count
        if self.routing_skew is not None and experts is None:
            raise ValueError(f"routing_skew needs experts, which {model.name} does not have")
        if experts is not None and experts.routed_count - copies < experts.active_count:
            raise ValueError(
                f"redundant_experts_count must leave {experts.active_count} of {experts.routed_count} "
                f"experts, not {copies}"
            )
        if layout.tensor_count % self.width_ways_count:
            raise ValueError(
                f"width_ways_count must divide {layout.tensor_count} tensor ways, not {self.width_ways_count}"
            )
        if model.width_elements % self.width_ways_count:
            raise ValueError(
                f"width_ways_count must divide the width {model.width_elements}, not {self.width_ways_count}"
            )


PLAIN_STEP = StepOptions()
"""Every part of a step after the other."""
