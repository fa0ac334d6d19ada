"""Pods: a chip's figures times its number."""

from math import prod

from diglot.hardware import gather_pod
from tests.reference.answers.common import Answers, AnswerTable, Inputs
from tests.reference.catalogue import load_catalogue


def _read_sides(text: str) -> tuple[int, ...]:
    return tuple(map(int, text.split("x")))


def answer_pod(inputs: Inputs) -> Answers:
    """A pod by its shape, with the hosts that carry it."""
    pod = gather_pod(load_catalogue()[inputs["chip"]], _read_sides(inputs["shape"]))
    return {
        "hosts": pod.hosts_count(prod(_read_sides(inputs["host"]))),
        "tensor_cores": pod.tensor_cores_count,
        "peak": pod.peak_flops_per_s,
        "hbm": pod.memory_bytes * 1e9 / 2**30,  # the book takes the GiB of a chip for GB
    }


def answer_generations(inputs: Inputs) -> Answers:
    """A pod against one of the generation before: more chips, each faster."""
    return {"system_speed": inputs["chips"] / inputs["v3_pod"] * inputs["speed_per_chip"]}


ANSWERS: AnswerTable = (
    ({"chip", "shape", "host"}, answer_pod),
    ({"chips", "v3_pod", "speed_per_chip"}, answer_generations),
)
