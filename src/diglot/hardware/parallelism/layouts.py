"""How a model is spread over chips, and what it costs them to talk.

`Interconnect` is anything that knows four times; `Ring` is the simplest such thing, `NetworkLinks` takes
them from models of networks, and `chip_links.find_links` takes these from the catalogue.
"""

from dataclasses import dataclass
from typing import Protocol, cast

import numpy as np

from diglot.hardware.chips.calibration import IDEAL, Factors
from diglot.hardware.models.model import TransformerModel
from diglot.hardware.sizes import (
    Real,
    Size,
    check_amount,
    check_rate,
    check_size,
    to_plain_float,
)


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
    context_count: int = 1
    """Parts of every sequence, prompt and cache, each on chips with all weights (ring attention)."""
    sequence_parallel: bool = False
    """Whether tensor-parallel chips share out what else each does whole: norms, routers, latent compression.

    Megatron-LM trains so (V. Korthikanti et al., arXiv:2205.05198); engines that serve repeat them unless
    told otherwise, hence the default. Sums travel as a reduce-scatter and an all-gather: as long as whole.
    """

    def __post_init__(self) -> None:
        for name in ("tensor_count", "pipeline_count", "expert_count", "data_count", "context_count"):
            object.__setattr__(self, name, cast(int, check_size(name, getattr(self, name))))

    @property
    def chips_count(self) -> int:
        """Chips in all."""
        return self.chips_per_copy_count * self.data_count

    @property
    def chips_per_copy_count(self) -> int:
        """Chips that hold the model once."""
        return self.tensor_count * self.pipeline_count * self.expert_count * self.context_count

    @property
    def groups_count(self) -> int:
        """Groups of chips that work on sequences of their own: over copies and expert ways."""
        return self.data_count * self.expert_count

    def check_divides(self, model: TransformerModel) -> None:
        """Raise ValueError where heads, widths, layers or experts cannot be cut into equal parts so."""
        ways = self.tensor_count
        if model.heads_count % ways:
            raise ValueError(f"{ways} tensor-parallel ways do not divide {model.heads_count} heads")
        kv_heads = model.kv_heads_count
        if model.latent is None and kv_heads % ways and ways % kv_heads:
            raise ValueError(
                f"{ways} tensor-parallel ways and {kv_heads} KV heads: neither divides the other"
            )
        widths = [model.feed_forward_elements] if model.dense_layers_count else []
        widths += [model.experts.hidden_elements] if model.experts is not None else []
        for width in widths:
            if width % ways:
                raise ValueError(f"{ways} tensor-parallel ways do not divide the inner width {width}")
        if self.pipeline_count > model.layers_count:
            raise ValueError(f"{self.pipeline_count} stages are more than {model.layers_count} layers")
        if self.context_count > 1 and model.latent is not None:
            raise ValueError(f"context_count must be 1 for latent attention, not {self.context_count}")
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

    def all_gather_time_s(self, array_bytes: Real, chips_count: int) -> Real:
        """Until every chip has seen all parts of an array that they hold together."""

    def send_time_s(self, message_bytes: Real) -> Real:
        """Until a neighbour has the message."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ring:
    """A ring, or a switch used as one.

    An all-reduce is a reduce-scatter and an all-gather of n - 1 steps each: 2 (n - 1) / n of the message
    leaves every chip. An all-to-all is what a switch allows: (n - 1) / n of the message. Every transfer takes
    the longer of its latency and its data, a lower bound; `networks.algorithms` adds them up.
    Source: P. Patarasuk, X. Yuan, "Bandwidth optimal all-reduce algorithms for clusters of workstations",
    Journal of Parallel and Distributed Computing 69(2), 2009.
    """

    bandwidth_bytes_per_s: float
    """What one chip can send, all its links together."""
    latency_s: float = 0.0
    """Of one step."""

    def __post_init__(self) -> None:
        check_rate("bandwidth_bytes_per_s", self.bandwidth_bytes_per_s)
        check_amount("latency_s", self.latency_s)

    def all_reduce_time_s(self, message_bytes: Real, chips_count: int) -> Real:
        """2 (n - 1) / n of the message at the bandwidth, or 2 (n - 1) steps. Nothing for one chip."""
        message, chips = _check_message(message_bytes), check_size("chips_count", chips_count)
        steps = 2 * (chips - 1)
        return _take_longer(steps * self.latency_s, steps / chips * message / self.bandwidth_bytes_per_s)

    def all_to_all_time_s(self, message_bytes: Real, chips_count: int) -> Real:
        """(n - 1) / n of the message at the bandwidth, or one step. Nothing for one chip."""
        message, chips = _check_message(message_bytes), int(check_size("chips_count", chips_count))
        sent = (chips - 1) / chips * message
        return _take_longer(self.latency_s if chips > 1 else 0.0, sent / self.bandwidth_bytes_per_s)

    def all_gather_time_s(self, array_bytes: Real, chips_count: int) -> Real:
        """(n - 1) / n of the array at the bandwidth, or n - 1 steps. Nothing for one chip."""
        array = check_amount("array_bytes", array_bytes)
        steps = int(check_size("chips_count", chips_count)) - 1
        return _take_longer(steps * self.latency_s, steps / chips_count * array / self.bandwidth_bytes_per_s)

    def send_time_s(self, message_bytes: Real) -> Real:
        """The message at the bandwidth, or one step."""
        return _take_longer(self.latency_s, _check_message(message_bytes) / self.bandwidth_bytes_per_s)


class CollectiveCost(Protocol):
    """What a collective costs, apart from the size of its array."""

    @property
    def latency_s(self) -> Real:
        """Until the farthest chip has the first byte."""

    @property
    def per_byte_s(self) -> Real:
        """For each byte of the array, once data flows."""


class CollectiveNetwork(Protocol):
    """Chips that take part in one collective together: a slice of a torus, an island, a cluster."""

    @property
    def chips_count(self) -> Size:
        """Chips that are joined."""

    def all_gather_cost(self) -> CollectiveCost:
        """Of an all-gather over all its chips."""

    def all_reduce_cost(self) -> CollectiveCost:
        """Of an all-reduce over all its chips."""

    def all_to_all_cost(self) -> CollectiveCost:
        """Of an all-to-all over all its chips."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NetworkLinks:
    """An interconnect made of the networks that the axes of a layout lie on.

    A transfer takes the longer of its latency and its data, a lower bound, unless `factors` are given; then a
    collective takes both and a launch. It must be over all chips of its network: ValueError otherwise, and
    for what has no network or rate.
    """

    reducing: CollectiveNetwork | tuple[CollectiveNetwork, ...] | None = None
    """That all-reduces run on: one tensor-parallel group; of several the one with as many chips."""
    gathering: CollectiveNetwork | None = None
    """That all-gathers run on: one group of context ways."""
    exchanging: CollectiveNetwork | None = None
    """That all-to-alls run on: one group of expert ways."""
    neighbour_bandwidth_bytes_per_s: float | None = None
    """From a chip of one stage to its like of the next; None where there is no next."""
    neighbour_latency_s: float = 0.0
    factors: Factors = IDEAL
    """Of the operator `collective`: a launch, the latency, and the data at a share of the bandwidth."""

    def __post_init__(self) -> None:
        if self.neighbour_bandwidth_bytes_per_s is not None:
            check_rate("neighbour_bandwidth_bytes_per_s", self.neighbour_bandwidth_bytes_per_s)
        check_amount("neighbour_latency_s", self.neighbour_latency_s)

    def all_reduce_time_s(self, message_bytes: Real, chips_count: int) -> Real:
        """Over the reducing network. Nothing for one chip."""
        message = _check_message(message_bytes)
        if check_size("chips_count", chips_count) == 1:
            return 0.0
        several = self.reducing if isinstance(self.reducing, tuple) else (self.reducing,)
        network = _choose_network("reducing", several, chips_count)
        return self._find_time_s(network.all_reduce_cost(), message)

    def all_to_all_time_s(self, message_bytes: Real, chips_count: int) -> Real:
        """Over the exchanging network. Nothing for one chip."""
        message = _check_message(message_bytes)
        if check_size("chips_count", chips_count) == 1:
            return 0.0
        network = _choose_network("exchanging", (self.exchanging,), chips_count)
        return self._find_time_s(network.all_to_all_cost(), message)

    def all_gather_time_s(self, array_bytes: Real, chips_count: int) -> Real:
        """Over the gathering network. Nothing for one chip."""
        array = check_amount("array_bytes", array_bytes)
        if check_size("chips_count", chips_count) == 1:
            return 0.0
        network = _choose_network("gathering", (self.gathering,), chips_count)
        return self._find_time_s(network.all_gather_cost(), array)

    def send_time_s(self, message_bytes: Real) -> Real:
        """To the next stage."""
        if self.neighbour_bandwidth_bytes_per_s is None:
            raise ValueError(
                "the rate from stage to stage is not known: neighbour_bandwidth_bytes_per_s is None"
            )
        data_s = _check_message(message_bytes) / self.neighbour_bandwidth_bytes_per_s
        return _take_longer(self.neighbour_latency_s, data_s)

    def _find_time_s(self, cost: CollectiveCost, message_bytes: Real) -> Real:
        data_s = message_bytes * cost.per_byte_s
        if self.factors == IDEAL:
            return _take_longer(cost.latency_s, data_s)
        return self.factors.time_s(compute_time_s=0.0, memory_time_s=data_s) + cost.latency_s


def _choose_network(
    role: str, networks: "tuple[CollectiveNetwork | None, ...]", chips_count: int
) -> CollectiveNetwork:
    joined = [network.chips_count for network in networks if network is not None]
    for network in networks:
        if network is not None and np.all(np.asarray(network.chips_count) == chips_count):
            return network
    words = " or ".join(str(count) for count in joined) or "0"
    raise ValueError(f"the {role} network connects {words} chips, not {chips_count}")


def _take_longer(latency_s: Real, data_s: Real) -> Real:
    """Of the two, as `collectives` does: data in flight hides the latency of what follows."""
    return to_plain_float(np.maximum(latency_s, data_s))


def _check_message(message_bytes: Real) -> Real:
    return check_amount("message_bytes", message_bytes)
