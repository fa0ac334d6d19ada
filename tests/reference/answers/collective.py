"""Collectives on rings, tori and islands of GPUs."""

import re
from typing import cast, get_args

from diglot.hardware import (
    Chip,
    Island,
    MissingFigureError,
    Torus,
    bytes_per_element,
    estimate_collective,
    find_network,
)
from diglot.hardware.networks.collectives import Collective, CollectiveRun
from diglot.hardware.networks.network import Network
from tests.reference.answers.common import (
    Answers,
    AnswerTable,
    Inputs,
    KernelTimes,
    TimesTable,
    read_array_bytes,
)
from tests.reference.answers.spellings import fold
from tests.reference.catalogue import load_catalogue

RATE_NAMES = ("bus_bandwidth", "bus_bandwidth_max", "achieved", "bandwidth", "rate")
"""What sources call the bytes that a chip sends or receives in a second."""
LARGE_BYTES = 2**30
"""Stands for an array so large that no latency shows."""


def answer_axis(inputs: Inputs) -> Answers:
    """One axis of a torus, as a ring of whole shards and as the line that it is without wrap-around."""
    size = read_array_bytes(inputs["array"])
    line, ring = (
        estimate_collective(
            _read_collective(inputs),
            size,
            Torus(
                sides_count=(inputs["axis"],),
                wraps=wraps,
                link_bytes_per_s=inputs["link_bytes_per_s"],
                hop_latency_s=inputs.get("hop_latency_s", 0.0),
            ),
            whole_shards=True,
        ).time_s
        for wraps in (False, True)
    )
    return {"ideal_ring": ring, "without_wrap": line, "time": ring if inputs["wraparound"] else line}


def answer_mesh_axes(inputs: Inputs) -> Answers:
    """A collective over some axes of a mesh, of an array that is spread over others too.

    What is sharded along axes that the collective does not run over stays sharded.
    """
    sides = dict(zip("XYZ", map(int, inputs["mesh"].split("x")), strict=False))
    over = re.findall(r"[XYZ]", inputs["op"].split(" over ")[1])
    shape, _, spread = inputs["array"].partition(" sharded ")
    size = read_array_bytes(shape)
    for axis in re.findall(r"[XYZ]", spread):
        size //= 1 if axis in over else sides[axis]
    ring = Torus(
        sides_count=tuple(sides[axis] for axis in over),
        link_bytes_per_s=inputs["bidirectional_bytes_per_s"] / 2,
    )
    return {"time": estimate_collective(_read_collective(inputs), size, ring, whole_shards=True).time_s}


def answer_slice(inputs: Inputs) -> Answers:
    """A slice of TPUs by its shape; each chip holds so many elements once gathered."""
    run = _estimate_slice(inputs)
    return {"time": run.time_s, **dict.fromkeys(RATE_NAMES, run.bus_bandwidth_bytes_per_s)}


def answer_gpus(inputs: Inputs) -> Answers:
    """GPUs of one island: time where a size is given, and bus bandwidth."""
    run = estimate_collective(_read_collective(inputs), _read_bytes(inputs), _read_island(inputs))
    reducing = estimate_collective("all-reduce", LARGE_BYTES, _read_island(inputs, reduces_in_network=True))
    answers = {
        **dict.fromkeys(RATE_NAMES, run.bus_bandwidth_bytes_per_s),
        "with_in_network_reduction": reducing.bus_bandwidth_bytes_per_s,
    }
    return answers | ({"time": run.time_s} if {"bytes", "array"} & inputs.keys() else {})


def time_slice(inputs: Inputs) -> KernelTimes:
    """The traffic that calibration starts from; its launch stands for what the latency of links leaves."""
    return _make_times(inputs, _estimate_slice(inputs))


def time_gpus(inputs: Inputs) -> KernelTimes:
    """The same for GPUs; those of a measurement without a chip's name are taken for any."""
    run = estimate_collective(_read_collective(inputs), _read_bytes(inputs), _read_island(inputs))
    return _make_times(inputs, run)


def _make_times(inputs: Inputs, run: CollectiveRun) -> KernelTimes:
    moved_bytes = float(run.bus_bandwidth_bytes_per_s * run.time_s)
    return KernelTimes(
        chip=inputs.get("chip", "gpu"),
        operator="collective",
        compute_time_s=0.0,
        memory_time_s=float(run.bandwidth_time_s),
        latency_time_s=float(run.latency_time_s),
        work=dict.fromkeys(RATE_NAMES, moved_bytes),
    )


def _estimate_slice(inputs: Inputs) -> CollectiveRun:
    chip, topology = load_catalogue()[inputs["chip"]], inputs["topology"]
    sides = re.findall(r"\d+", topology) if isinstance(topology, str) else topology
    return estimate_collective(
        _read_collective(inputs), _read_bytes(inputs), find_network(chip, tuple(map(int, sides)))
    )


def _read_collective(inputs: Inputs) -> Collective:
    """What the operation begins with, `all-gather` or `AllGather`; an all-reduce where none is named."""
    op = fold(inputs.get("op", "all-reduce"))
    for collective in get_args(Collective):
        if op.startswith(fold(collective)):
            return cast(Collective, collective)
    raise LookupError(f"not a collective: {inputs['op']}")


def _read_bytes(inputs: Inputs) -> int:
    """Of the array, told as such, as an array or by its elements; a large one where nothing tells it."""
    if "bytes" in inputs:
        return inputs["bytes"]
    elements = inputs.get("input_elements", inputs.get("elements"))
    if elements is not None:
        return int(elements * bytes_per_element(inputs.get("dtype", "bf16")))
    return read_array_bytes(inputs["array"]) if "array" in inputs else LARGE_BYTES


def _read_island(inputs: Inputs, *, reduces_in_network: bool = False) -> Network:
    """The island that the case describes, else what the catalogue says of so many of its chips."""
    if "egress" in inputs:
        return Island(
            chips_count=inputs["gpus"],
            egress_bytes_per_s=inputs["egress"],
            reduces_in_network=reduces_in_network,
        )
    chip = load_catalogue()[inputs["chip"]]
    direct = "direct" in chip.topology
    try:
        return find_network(chip, inputs["gpus"], reduces_in_network=reduces_in_network and not direct)
    except (ValueError, MissingFigureError):
        # More than a domain, and no word about the network between: as if one domain held them all.
        return Island(chips_count=inputs["gpus"], egress_bytes_per_s=_find_egress(chip))


def _find_egress(chip: Chip) -> float:
    """Of its links; where none are known, nothing leaves a chip faster than its memory gives it."""
    try:
        return chip.interconnect_bytes_per_s
    except MissingFigureError:
        return chip.memory_bandwidth_bytes_per_s


ANSWERS: AnswerTable = (
    ({"axis", "array", "link_bytes_per_s", "wraparound"}, answer_axis),
    ({"mesh", "op", "array", "bidirectional_bytes_per_s"}, answer_mesh_axes),
    ({"chip", "topology"}, answer_slice),
    ({"gpus", "egress"}, answer_gpus),
    ({"gpus", "chip"}, answer_gpus),
)
CALIBRATED: TimesTable = (
    ({"chip", "topology"}, time_slice),
    ({"gpus", "egress", "array"}, time_gpus),
    ({"gpus", "chip"}, time_gpus),
)
