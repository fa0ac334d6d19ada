"""Cost of sending tokens to the chips of their experts, and of getting results back.

A token is sent once to each chip that holds any of its experts, and once to each island, in which the chip of
the same rank passes it on. An expert in the same place costs nothing more.

Source: DeepSeek-AI, "DeepSeek-V3 Technical Report", arXiv:2412.19437, section 3.2.2 (its library, DeepEP).
"""

import numpy as np

from diglot.hardware.networks.network import LinearCost, Network
from diglot.hardware.networks.topologies import Cluster
from diglot.hardware.sizes import Real, SizeLike, check_size, to_float, to_plain_float


def find_token_exchange_cost(network: Network, visits_count: SizeLike) -> LinearCost:
    """Cost of one direction, per byte of the tokens that a chip has.

    Each token visits `visits_count` experts, spread over the chips at random. Those that a router confines to
    fewer islands cost less.
    """
    everywhere = count_reached(network.chips_count, visits_count)
    if not isinstance(network, Cluster):
        cost = network.all_to_all_cost()
        return LinearCost(latency_s=cost.latency_s, per_byte_s=cost.per_byte_s * everywhere)
    inside, between = network.island.all_to_all_cost(), network.plane.all_to_all_cost()
    islands = count_reached(network.islands_count, visits_count)
    slower_s = np.maximum(inside.per_byte_s * everywhere, between.per_byte_s * islands)
    return LinearCost(latency_s=inside.latency_s + between.latency_s, per_byte_s=to_plain_float(slower_s))


def count_reached(places_count: SizeLike, visits_count: SizeLike) -> Real:
    """Expected number of equal places that so many visits at random reach: at most either."""
    places = to_float(check_size("places_count", places_count))
    visits = to_float(check_size("visits_count", visits_count))
    return to_plain_float(places * (1 - (1 - 1 / places) ** visits))
