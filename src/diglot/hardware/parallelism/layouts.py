"""Layouts of a model over chips, and the times of the communication that they need.

An `Interconnect` gives the times of four transfers. `Ring` is the simplest implementation, `NetworkLinks`
uses models of networks, and `chip_links.find_links` takes those from the catalogue.
"""

from dataclasses import dataclass
from typing import Protocol, cast

import numpy as np

from diglot.hardware.chips.calibration import IDEAL, Factors
from diglot.hardware.models.model import TransformerModel
from diglot.hardware.networks.collectives import Collective
from diglot.hardware.networks.libraries import Library
from diglot.hardware.networks.network import LinearCost, Network
from diglot.hardware.networks.token_exchange import count_reached, find_token_exchange_cost
from diglot.hardware.sizes import (
    Real,
    check_amount,
    check_rate,
    check_size,
    divide_up,
    to_plain_float,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """Ways of each kind of parallelism; the chips are their product. Raises ValueError for a size below 1."""

    tensor_count: int = 1
    """Chips over which every matrix is split, with two all-reduces of partial sums per layer."""
    pipeline_count: int = 1
    """Pipeline stages, each with its share of the layers."""
    expert_count: int = 1
    """Groups that split the experts; outside the experts each processes different sequences."""
    data_count: int = 1
    """Copies of the model, each with different sequences."""
    context_count: int = 1
    """Parts of every sequence and its cache, each on chips with all weights (ring attention)."""
    sequence_parallel: bool = False
    """Whether tensor-parallel chips split norms, routers and latent compression instead of repeating them.

    Megatron-LM splits them (V. Korthikanti et al., arXiv:2205.05198); serving engines repeat them by default,
    as does this class. All-reduces become a reduce-scatter and an all-gather, which take as long.
    """

    def __post_init__(self) -> None:
        for name in ("tensor_count", "pipeline_count", "expert_count", "data_count", "context_count"):
            object.__setattr__(self, name, cast(int, check_size(name, getattr(self, name))))

    @property
    def chips_count(self) -> int:
        """Number of chips of all copies."""
        return self.chips_per_copy_count * self.data_count

    @property
    def chips_per_copy_count(self) -> int:
        """Number of chips of one copy of the model."""
        return self.tensor_count * self.pipeline_count * self.expert_count * self.context_count

    @property
    def groups_count(self) -> int:
        """Groups of chips that process different sequences: data ways x expert ways."""
        return self.data_count * self.expert_count

    def count_stage_layers(self, model: TransformerModel) -> int:
        """Layers of the fullest pipeline stage, which sets the pace: 8 of 126 layers on 16 stages."""
        return int(divide_up(model.layers_count, self.pipeline_count))

    def find_stage_fraction(self, model: TransformerModel) -> float:
        """Share of the layers on the fullest pipeline stage: 8 of 126 on 16 stages."""
        return self.count_stage_layers(model) / model.layers_count

    def check_divides(self, model: TransformerModel) -> None:
        """Raise ValueError where heads, widths or experts cannot be split by this layout.

        Layers need not divide: some stages have one less than the fullest (`count_stage_layers`).
        """
        ways = self.tensor_count
        shared = []  # heads that are split, and what they share, which is repeated where there are fewer
        if model.attention_layers_count:
            shared += [
                (model.heads_count, "heads", ways if model.latent else model.kv_heads_count, "KV heads")
            ]
        if model.recurrent is not None:
            recurrent = model.recurrent
            keys = recurrent.key_heads_count
            shared += [(recurrent.value_heads_count, "recurrent heads", keys, "recurrent key heads")]
        for heads, name, others, others_name in shared:
            if heads % ways:
                raise ValueError(f"{ways} tensor-parallel ways do not divide {heads} {name}")
            if others % ways and ways % others:
                raise ValueError(
                    f"{ways} tensor-parallel ways and {others} {others_name}: neither divides the other"
                )
        widths = [model.feed_forward_elements] if model.dense_layers_count else []
        widths += [model.experts.hidden_elements] if model.experts is not None else []
        for width in widths:
            if width % ways:
                raise ValueError(f"{ways} tensor-parallel ways do not divide the inner width {width}")
        if self.pipeline_count > model.layers_count:
            raise ValueError(f"{self.pipeline_count} stages are more than {model.layers_count} layers")
        for kind, has in (("latent attention", model.latent), ("recurrent layers", model.recurrent)):
            if self.context_count > 1 and has is not None:
                raise ValueError(f"context_count must be 1 for {kind}, not {self.context_count}")
        routed = 1 if model.experts is None else model.experts.routed_count
        if routed % self.expert_count:
            raise ValueError(f"{self.expert_count} expert-parallel ways do not divide {routed} experts")


ONE_CHIP = Layout()
"""The model on one chip."""


class Interconnect(Protocol):
    """Times of the transfers that layouts need. Sizes are the larger of what a chip has before and after."""

    def all_reduce_time_s(self, message_bytes: Real, chips_count: int) -> Real:
        """Seconds until every chip has the sum of all chips' messages."""

    def token_exchange_time_s(self, message_bytes: Real, chips_count: int, visits_count: int) -> Real:
        """Seconds until the chips of so many experts have each token of a chip, or its results are back."""

    def all_gather_time_s(self, array_bytes: Real, chips_count: int) -> Real:
        """Seconds until every chip has received all parts of an array that is split over them."""

    def send_time_s(self, message_bytes: Real) -> Real:
        """Seconds until a neighbour has the message."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ring:
    """A ring, or a switch used as one.

    An all-reduce is a reduce-scatter and an all-gather of n - 1 steps each: every chip sends 2 (n - 1) / n of
    the message. An exchange of tokens is that of a switch: (n - 1) / n of the copies leave their chip. A
    transfer takes the longer of its latency and data time, a lower bound; `networks.algorithms` adds the two.
    Source: P. Patarasuk, X. Yuan, "Bandwidth optimal all-reduce algorithms for clusters of workstations",
    Journal of Parallel and Distributed Computing 69(2), 2009.
    """

    bandwidth_bytes_per_s: float
    """Send rate of one chip over all its links."""
    latency_s: float = 0.0
    """Latency of one step."""

    def __post_init__(self) -> None:
        check_rate("bandwidth_bytes_per_s", self.bandwidth_bytes_per_s)
        check_amount("latency_s", self.latency_s)

    def all_reduce_time_s(self, message_bytes: Real, chips_count: int) -> Real:
        """2 (n - 1) / n of the message at the bandwidth, or 2 (n - 1) steps if longer. Zero for one chip."""
        message, chips = _check_message(message_bytes), check_size("chips_count", chips_count)
        steps = 2 * (chips - 1)
        return _take_longer(steps * self.latency_s, steps / chips * message / self.bandwidth_bytes_per_s)

    def token_exchange_time_s(self, message_bytes: Real, chips_count: int, visits_count: int) -> Real:
        """(n - 1) / n of the copies at the bandwidth, or one step if longer. Zero for one chip."""
        tokens, chips = _check_message(message_bytes), int(check_size("chips_count", chips_count))
        sent = (chips - 1) / chips * count_reached(chips, visits_count) * tokens
        return _take_longer(self.latency_s if chips > 1 else 0.0, sent / self.bandwidth_bytes_per_s)

    def all_gather_time_s(self, array_bytes: Real, chips_count: int) -> Real:
        """(n - 1) / n of the array at the bandwidth, or n - 1 steps if longer. Zero for one chip."""
        array = check_amount("array_bytes", array_bytes)
        steps = int(check_size("chips_count", chips_count)) - 1
        return _take_longer(steps * self.latency_s, steps / chips_count * array / self.bandwidth_bytes_per_s)

    def send_time_s(self, message_bytes: Real) -> Real:
        """The message at the bandwidth, or one step if longer."""
        return _take_longer(self.latency_s, _check_message(message_bytes) / self.bandwidth_bytes_per_s)


@dataclass(frozen=True, slots=True, kw_only=True)
class NetworkLinks:
    """An interconnect made of the networks to which the ways of a layout are mapped.

    A transfer takes the longer of its latency and data time, a lower bound. With `factors`, a collective
    takes both plus a launch. Raises ValueError for a collective that is not over all chips of its network,
    and for transfers without a network or rate.
    """

    reducing: Network | tuple[Network, ...] | None = None
    """Network for all-reduces: one tensor-parallel group. Of several, the one of matching size is used."""
    gathering: Network | None = None
    """Network for all-gathers: one group of context ways."""
    exchanging: Network | None = None
    """Network for tokens on their way to experts: one group of expert ways."""
    neighbour_bandwidth_bytes_per_s: float | None = None
    """Rate from a chip of one stage to its counterpart in the next; None where there is only one stage."""
    neighbour_latency_s: float = 0.0
    factors: Factors = IDEAL
    """Factors of the operator `collective`: a launch, and the share of the bandwidth that data reaches."""
    library: Library | None = None
    """Library whose measured times collectives take instead, on networks that do not reduce."""

    def __post_init__(self) -> None:
        if self.neighbour_bandwidth_bytes_per_s is not None:
            check_rate("neighbour_bandwidth_bytes_per_s", self.neighbour_bandwidth_bytes_per_s)
        check_amount("neighbour_latency_s", self.neighbour_latency_s)

    def all_reduce_time_s(self, message_bytes: Real, chips_count: int) -> Real:
        """Time over the reducing network. Zero for one chip."""
        message = _check_message(message_bytes)
        if check_size("chips_count", chips_count) == 1:
            return 0.0
        several = self.reducing if isinstance(self.reducing, tuple) else (self.reducing,)
        network = _choose_network("reducing", several, chips_count)
        return self._find_time_s("all-reduce", network, network.all_reduce_cost(), message)

    def token_exchange_time_s(self, message_bytes: Real, chips_count: int, visits_count: int) -> Real:
        """Time over the exchanging network. Zero for one chip."""
        tokens = _check_message(message_bytes)
        if check_size("chips_count", chips_count) == 1:
            return 0.0
        network = _choose_network("exchanging", (self.exchanging,), chips_count)
        cost = find_token_exchange_cost(network, visits_count)
        return self._find_time_s("all-to-all", network, cost, tokens)

    def all_gather_time_s(self, array_bytes: Real, chips_count: int) -> Real:
        """Time over the gathering network. Zero for one chip."""
        array = check_amount("array_bytes", array_bytes)
        if check_size("chips_count", chips_count) == 1:
            return 0.0
        network = _choose_network("gathering", (self.gathering,), chips_count)
        return self._find_time_s("all-gather", network, network.all_gather_cost(), array)

    def send_time_s(self, message_bytes: Real) -> Real:
        """Time to the next stage."""
        if self.neighbour_bandwidth_bytes_per_s is None:
            raise ValueError(
                "the rate from stage to stage is not known: neighbour_bandwidth_bytes_per_s is None"
            )
        data_s = _check_message(message_bytes) / self.neighbour_bandwidth_bytes_per_s
        return _take_longer(self.neighbour_latency_s, data_s)

    def _find_time_s(
        self, collective: Collective, network: Network, cost: LinearCost, message_bytes: Real
    ) -> Real:
        data_s = message_bytes * cost.per_byte_s
        if self.library is not None:
            return self.library.find_time_s(
                collective, network=network, data_time_s=data_s, array_bytes=message_bytes
            )
        if self.factors == IDEAL:
            return _take_longer(cost.latency_s, data_s)
        return self.factors.time_s(compute_time_s=0.0, memory_time_s=data_s) + cost.latency_s


def _choose_network(role: str, networks: tuple[Network | None, ...], chips_count: int) -> Network:
    joined = [network.chips_count for network in networks if network is not None]
    for network in networks:
        if network is not None and np.all(np.asarray(network.chips_count) == chips_count):
            return network
    words = " or ".join(str(count) for count in joined) or "0"
    raise ValueError(f"the {role} network connects {words} chips, not {chips_count}")


def _take_longer(latency_s: Real, data_s: Real) -> Real:
    """The longer of the two, as in `collectives`: data in flight hides the latency of what follows."""
    return to_plain_float(np.maximum(latency_s, data_s))


def _check_message(message_bytes: Real) -> Real:
    return check_amount("message_bytes", message_bytes)
