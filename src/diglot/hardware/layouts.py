"""How a model is spread over chips, and what it costs them to talk.

`Interconnect` is anything that knows three times; `Ring` is the simplest such thing.
"""

from dataclasses import dataclass
from typing import Protocol, cast

from diglot.hardware.models import TransformerModel
from diglot.hardware.sizes import Real, check_rate, check_size


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """Ways along each axis; the chips are their product. Raises ValueError for a size below 1."""

    tensor_count: int = 1
    """Every matrix is cut over so many chips, which add up their halves twice per layer."""
    pipeline_count: int = 1
    """Stages, each with its share of the layers."""
    expert_count: int = 1
    """Groups that share the experts among them; outside the experts each works on sequences of its own."""
    data_count: int = 1
    """Whole copies, each with sequences of its own."""

    def __post_init__(self) -> None:
        for name in ("tensor_count", "pipeline_count", "expert_count", "data_count"):
            object.__setattr__(self, name, cast(int, check_size(name, getattr(self, name))))

    @property
    def chips_count(self) -> int:
        """Chips in all."""
        return self.chips_per_copy_count * self.data_count

    @property
    def chips_per_copy_count(self) -> int:
        """Chips that hold the model once."""
        return self.tensor_count * self.pipeline_count * self.expert_count

    def check_divides(self, model: TransformerModel) -> None:
        """Raise ValueError where heads, widths, layers or experts cannot be cut into equal parts so."""
        ways = self.tensor_count
        if model.heads_count % ways:
            raise ValueError(f"{ways} tensor-parallel ways do not divide {model.heads_count} heads")
        kv_heads = model.kv_heads_count
        if model.latent is None and kv_heads % ways and ways % kv_heads:
            raise ValueError(f"{ways} tensor-parallel ways and {kv_heads} KV heads do not divide either way")
        widths = [model.feed_forward_elements] if model.dense_layers_count else []
        widths += [model.experts.hidden_elements] if model.experts is not None else []
        for width in widths:
            if width % ways:
                raise ValueError(f"{ways} tensor-parallel ways do not divide the inner width {width}")
        if self.pipeline_count > model.layers_count:
            raise ValueError(f"{self.pipeline_count} stages are more than {model.layers_count} layers")
        routed = 1 if model.experts is None else model.experts.routed_count
        if routed % self.expert_count:
            raise ValueError(f"{self.expert_count} expert-parallel ways do not divide {routed} experts")


ONE_CHIP = Layout()
"""Nothing split."""


class Interconnect(Protocol):
    """Times of the transfers that layouts need; a message is what one chip holds before, whole."""

    def all_reduce_time_s(self, message_bytes: Real, chips_count: int) -> Real:
        """Until every chip has the sum of all chips' messages."""

    def all_to_all_time_s(self, message_bytes: Real, chips_count: int) -> Real:
        """Until every chip has sent each other one its equal part of its message."""

    def send_time_s(self, message_bytes: Real) -> Real:
        """Until a neighbour has the message."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ring:
    """A ring, or a switch used as one.

    An all-reduce is a reduce-scatter and an all-gather of n - 1 steps each: 2 (n - 1) / n of the message
    leaves every chip. An all-to-all is what a switch allows: (n - 1) / n of the message.
    Source: P. Patarasuk, X. Yuan, "Bandwidth optimal all-reduce algorithms for clusters of workstations",
    Journal of Parallel and Distributed Computing 69(2), 2009.
    """

    bandwidth_bytes_per_s: float
    """What one chip can send, all its links together."""
    latency_s: float = 0.0
    """Of one step."""

    def __post_init__(self) -> None:
        check_rate("bandwidth_bytes_per_s", self.bandwidth_bytes_per_s)
        if not 0 <= self.latency_s < float("inf"):
            raise ValueError(f"latency_s must be finite and not negative, not {self.latency_s!r}")

    def all_reduce_time_s(self, message_bytes: Real, chips_count: int) -> Real:
        """2 (n - 1) / n of the message at the bandwidth, and 2 (n - 1) steps. Nothing for one chip."""
        steps = 2 * (chips_count - 1)
        return steps / chips_count * message_bytes / self.bandwidth_bytes_per_s + steps * self.latency_s

    def all_to_all_time_s(self, message_bytes: Real, chips_count: int) -> Real:
        """(n - 1) / n of the message at the bandwidth, and one step. Nothing for one chip."""
        sent = (chips_count - 1) / chips_count * message_bytes
        return sent / self.bandwidth_bytes_per_s + (self.latency_s if chips_count > 1 else 0.0)

    def send_time_s(self, message_bytes: Real) -> Real:
        """The message at the bandwidth, and one step."""
        return message_bytes / self.bandwidth_bytes_per_s + self.latency_s
