"""Rates of networks, and messages between two chips."""

from diglot.hardware import (
    Island,
    Torus,
    estimate_island_transfer,
    estimate_torus_transfer,
    find_network,
)
from tests.reference.answers.common import Answers, AnswerTable, Inputs, KernelTimes, TimesTable
from tests.reference.catalogue import load_catalogue

LARGE_BYTES = 2**30
"""Stands for a message so large that no latency shows."""


def answer_corner(inputs: Inputs) -> Answers:
    """From one chip of a slice to another."""
    run = estimate_torus_transfer(
        inputs["bytes"],
        Torus(
            sides_count=tuple(map(int, inputs["slice"].split("x"))),
            wraps=inputs.get("wraparound", False),
            link_bytes_per_s=inputs["link_bytes_per_s"],
            hop_latency_s=inputs["hop_latency_s"],
        ),
        source=tuple(inputs["src"]),
        destination=tuple(inputs["dst"]),
    )
    return {"first_byte": run.first_byte_time_s, "total": run.time_s}


def answer_node(inputs: Inputs) -> Answers:
    """What the GPUs of a node send together, and what its switches forward."""
    switches = inputs["switches"] * inputs["ports"] * inputs["port_bytes_per_s"]
    island = Island(
        chips_count=inputs["gpus"], egress_bytes_per_s=inputs["egress"], switch_bytes_per_s=switches
    )
    return {"node": island.total_bytes_per_s, "switch_level": switches}


def answer_pair(inputs: Inputs) -> Answers:
    """Between two GPUs of a node; both ways at once twice as much."""
    network = find_network(load_catalogue()[inputs["chip"]], 8)
    assert isinstance(network, Island)
    size = inputs.get("bytes", LARGE_BYTES)
    run = estimate_island_transfer(size, network)
    rate = size / run.time_s
    return {"time": run.time_s, "rate": rate, "unidirectional": rate, "duplex": 2 * rate}


def time_pair(inputs: Inputs) -> KernelTimes:
    """One way, as the traffic that calibration starts from."""
    answers, size = answer_pair(inputs), inputs.get("bytes", LARGE_BYTES)
    return KernelTimes(
        chip=inputs["chip"],
        operator="transfer",
        compute_time_s=0.0,
        memory_time_s=answers["time"],
        work={"rate": size, "unidirectional": size, "duplex": 2 * size},
    )


ANSWERS: AnswerTable = (
    ({"slice", "src", "dst", "bytes", "link_bytes_per_s", "hop_latency_s"}, answer_corner),
    ({"gpus", "egress", "switches", "ports", "port_bytes_per_s"}, answer_node),
    ({"chip", "bytes", "op"}, answer_pair),
    ({"chip", "spec_gbs"}, answer_pair),
)
CALIBRATED: TimesTable = (({"chip", "bytes", "op"}, time_pair), ({"chip", "spec_gbs"}, time_pair))
