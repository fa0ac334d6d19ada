"""Time of one message between two chips: hops, and the links that it can use concurrently."""

from dataclasses import dataclass

import numpy as np

from diglot.hardware.networks.topologies import Island, Torus
from diglot.hardware.sizes import Real, SizeLike, check_size, to_float, to_plain_float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TransferRun:
    """Least cost of one message, or of an array of them."""

    hops_count: int
    """Links on the shortest path."""
    ports_count: int
    """Links of the sender that lead towards the receiver."""
    first_byte_time_s: Real
    """Time until the first byte arrives."""
    bandwidth_time_s: Real
    """Time of all bytes through `ports_count` links."""

    @property
    def time_s(self) -> Real:
        """Lower bound: the longer of the two, since a stream hides the hops of all but its first byte."""
        return to_plain_float(np.maximum(self.first_byte_time_s, self.bandwidth_time_s))


def estimate_torus_transfer(
    message_bytes: SizeLike, torus: Torus, *, source: tuple[int, ...], destination: tuple[int, ...]
) -> TransferRun:
    """A message on a torus by shortest paths: one for each axis along which the coordinates differ.

    Raises ValueError for coordinates outside the torus and for sides that are arrays.
    Source: J. Austin et al., "How to Scale Your Model", part 2 (question 5).
    """
    size = to_float(check_size("message_bytes", message_bytes))
    distances = []
    if not len(source) == len(destination) == len(torus.axes):
        raise ValueError(f"places need {len(torus.axes)} coordinates")
    for start, end, (side, wraps, stride) in zip(source, destination, torus.axes, strict=True):
        if np.ndim(side):
            raise ValueError("a place needs a torus with one shape")
        length, distance = int(side), abs(end - start)
        if not (0 <= start < length and 0 <= end < length):
            raise ValueError(f"{source} to {destination} leaves a torus of {torus.sides_count}")
        distances.append(stride * (min(distance, length - distance) if wraps else distance))
    hops, ports = sum(distances), sum(distance > 0 for distance in distances)
    return TransferRun(
        hops_count=hops,
        ports_count=ports,
        first_byte_time_s=to_plain_float(hops * torus.hop_latency_s + 0 * size),
        bandwidth_time_s=to_plain_float(size / (ports * torus.link_bytes_per_s)) if ports else 0 * size,
    )


def estimate_island_transfer(message_bytes: SizeLike, island: Island) -> TransferRun:
    """A message between two chips of an island without other traffic."""
    size = to_float(check_size("message_bytes", message_bytes))
    rate = island.egress_bytes_per_s
    if island.pair_bytes_per_s is not None:
        rate = to_plain_float(np.minimum(rate, island.pair_bytes_per_s))
    return TransferRun(
        hops_count=1,
        ports_count=1,
        first_byte_time_s=to_plain_float(island.step_latency_s + 0 * size),
        bandwidth_time_s=size / rate,
    )
