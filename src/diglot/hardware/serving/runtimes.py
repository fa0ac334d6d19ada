"""How serving engines start work: kernels by a graph or by the host, and what the host does between steps.

deploy(model, chip, timing="calibrated", runtime=RUNTIMES["vllm-0"])
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from diglot.hardware.chips.replay import LAUNCHES, Launches
from diglot.hardware.sizes import check_amount, check_choice


@dataclass(frozen=True, slots=True, kw_only=True)
class Runtime:
    """What an engine adds to the kernels of a step."""

    launches: Launches = "graph"
    """`host` where the host starts the kernels of a step one after another, running ahead of the chips."""
    host_step_s: float = 0.0
    """Time between two steps in which the host samples and schedules while the chips wait."""

    def __post_init__(self) -> None:
        check_choice("launches", self.launches, LAUNCHES)
        check_amount("host_step_s", self.host_step_s)


OVERLAPPED = Runtime()
"""A host that works ahead of the chips, which replay each step of single tokens as one graph."""
RUNTIMES: Mapping[str, Runtime] = MappingProxyType(
    {
        "overlapped": OVERLAPPED,
        "static": Runtime(launches="host"),
        "vllm-0": Runtime(host_step_s=5.5e-3),
    }
)
"""Engines by what they do: hosts that work ahead of replayed graphs (TensorRT-LLM 1, SGLang, vLLM 1), one
batch at a time whose kernels the host starts (TensorRT-LLM 0.5 and 0.6), and vLLM before its version 1.

Source of the last: vLLM, issue 16300: on 2 to 8 A100s a token takes 4 to 7 ms longer than its kernels.
"""
