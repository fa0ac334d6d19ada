"""Times of collectives as libraries take them, fitted to measurements on islands of GPUs (`chips.replay`).

NCCL is what frameworks call. `custom` is how serving engines reduce (TensorRT-LLM's own kernel, vLLM's
likewise): small arrays in one step, in which every GPU reads the arrays of all others; larger ones with NCCL.
Up to eight GPUs of one island were measured. The step in which all read from all is taken for no others;
NCCL joins more GPUs, or nodes, as a tree, with the latency of a hop that was measured in an island, or that
the catalogue has between nodes.
"""

from dataclasses import dataclass
from typing import Any, Literal, cast, get_args

import numpy as np

from diglot.hardware.chips.chip import Chip
from diglot.hardware.chips.replay import CollectiveFactors, OneShotFactors, load_replay
from diglot.hardware.networks.collectives import Collective
from diglot.hardware.networks.network import Network
from diglot.hardware.networks.topologies import Cluster, Island
from diglot.hardware.sizes import Real, check_amount, check_choice, to_plain_float

LibraryName = Literal["nccl", "custom"]
LIBRARIES: tuple[LibraryName, ...] = get_args(LibraryName)
MEASURED_GPUS_COUNT = 8
"""Most GPUs over which collectives were measured, all in one island."""
PAIR_BUFFER_BYTES, GROUP_BUFFER_BYTES = 16e6, 8e6
"""Largest arrays that serving engines reduce in one step, between two GPUs and between more: those that fit
the buffers in which GPUs read each other's arrays. Source: TensorRT-LLM, `tensorrt_llm/plugin/plugin.py`,
`max_workspace_size_auto`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Library:
    """A library on one kind of chip."""

    nccl: CollectiveFactors
    one_shot: OneShotFactors | None = None
    """All-reduces in one step; None where the library has none."""
    added_s: float = 0.0
    """What the host's launch adds to each collective; 0 in a replayed graph."""

    def __post_init__(self) -> None:
        check_amount("added_s", self.added_s)

    def find_time_s(
        self, collective: Collective, *, network: Network, data_time_s: Real, array_bytes: Real
    ) -> Real:
        """Time of a collective, or of an array of them, from the least time of its data without reduction in
        the network. Zero for a single chip.
        """
        chips = np.asarray(network.chips_count)
        island = np.asarray(network.island.chips_count if isinstance(network, Cluster) else chips)
        near = np.minimum(island, MEASURED_GPUS_COUNT)
        phases = 2 if collective == "all-reduce" else 1
        hops_s = np.log2(island / near) * self.nccl.per_chip_s
        if isinstance(network, Cluster):
            hops_s = hops_s + np.ceil(np.log2(network.islands_count)) * network.plane.latency_s
        time_s: Any = self.nccl.time_s(
            chips_count=near, data_time_s=data_time_s, phases_count=phases, hops_s=phases * hops_s
        )
        if self.one_shot is not None and collective == "all-reduce":
            # Two phases move (n - 1) / n of an array each, one step moves n - 1 whole arrays.
            at_once_s = self.one_shot.time_s(chips_count=near, exchange_time_s=data_time_s * chips / 2)
            buffer_bytes = np.where(chips == 2, PAIR_BUFFER_BYTES, GROUP_BUFFER_BYTES)
            fits = (np.asarray(array_bytes) <= buffer_bytes) & (chips == near)
            time_s = np.where(fits, np.minimum(time_s, at_once_s), time_s)
        return to_plain_float(np.where(chips > 1, time_s + self.added_s, 0.0))


def is_measured(network: Network) -> bool:
    """Whether collectives over such a network were measured: up to eight GPUs of one island."""
    few = np.all(np.asarray(network.chips_count) <= MEASURED_GPUS_COUNT)
    return isinstance(network, Island) and bool(few)


def find_library(chip: Chip, name: LibraryName = "nccl", *, launches: str = "graph") -> Library | None:
    """The library on a chip, or on the first measured chip of its family; None where none was measured.

    `launches="host"` adds what the host takes to start a collective. Raises ValueError for an unknown name.
    """
    check_choice("library", name, LIBRARIES)
    check_choice("launches", launches, ("graph", "host"))
    replay = load_replay()
    nccl = replay.find(chip, "nccl")
    if nccl is None:
        return None
    one_shot = replay.find(chip, "one-shot all-reduce") if name == "custom" else None
    return Library(
        nccl=cast(CollectiveFactors, nccl),
        one_shot=cast("OneShotFactors | None", one_shot),
        added_s=replay.host_collective_s if launches == "host" else 0.0,
    )
