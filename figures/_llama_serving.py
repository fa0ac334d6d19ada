"""Llama 3 70B in bf16 on slices of several chips: what the figures about serving share.

Every matrix is cut over all chips of a slice. Kernels reach their rooflines, sums between chips the rate of
the busiest link, a hop takes a microsecond everywhere; nothing hides behind anything else. Times are lower
bounds on what runs in practice.
"""

from dataclasses import dataclass

from diglot.hardware.catalogue import load_catalogue
from diglot.hardware.chip_networks import find_network
from diglot.hardware.layouts import Layout
from diglot.hardware.model_catalogue import load_models
from diglot.hardware.networks import Network
from diglot.hardware.serving import Deployment, deploy

MODEL_ID = "llama-3-70b"
HOP_S = 1e-6
"""As "How to Scale Your Model" has it for TPUs; a step through NVSwitch, which nobody prints, alike."""
RESERVED_FRACTION = 0.1
"""Of the memory, for activations and the runtime."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Links:
    """Sums over all chips of a network, as cutting matrices needs them."""

    network: Network

    def all_reduce_time_s(self, message_bytes, chips_count):
        """Latency, then the bytes."""
        assert chips_count == self.network.chips_count, "a slice is cut as a whole"
        cost = self.network.all_reduce_cost()
        return cost.latency_s + message_bytes * cost.per_byte_s


def serve_on(chip_id: str, sides: tuple[int, ...]) -> Deployment:
    """The model on a slice of those sides; of GPUs one side, all behind one switch."""
    chip = load_catalogue()[chip_id]
    network = find_network(chip, sides, latency_s=HOP_S)
    return deploy(
        load_models()[MODEL_ID].model,
        chip,
        layout=Layout(tensor_count=int(network.chips_count)),
        interconnect=Links(network=network),
        reserved_fraction=RESERVED_FRACTION,
    )
