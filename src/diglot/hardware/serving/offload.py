"""Caches and weights in the memory of the host, or behind CXL: what the link to it costs.

Two questions: whether the cache of a prompt is fetched sooner than computed again, and how long a decode step
takes where part of what it reads lies beyond the link. Rates and capacities are parameters: the usable rate
of a PCIe or CXL link is well below the sum of its lanes, and no catalogue has it.
Sources: Y. Sheng et al., "FlexGen", ICML 2023, arXiv:2303.06865 (offloading, and its schedule that hides
transfers behind arithmetic); B. Gao et al., "Cost-Efficient Large Language Model Serving for Multi-turn
Conversations with CachedAttention", USENIX ATC 2024, arXiv:2403.19708 (fetching caches).
"""

from dataclasses import dataclass

import numpy as np

from diglot.hardware.chips.chip import Chip
from diglot.hardware.chips.loading import find_chip
from diglot.hardware.models.catalogue import find_model
from diglot.hardware.models.model import TransformerModel
from diglot.hardware.operators.transformer import DEFAULT_FORMATS, Formats
from diglot.hardware.parallelism.chip_links import find_links
from diglot.hardware.parallelism.layouts import ONE_CHIP, Layout
from diglot.hardware.serving.deployment import Deployment
from diglot.hardware.serving.steps import estimate_decode, estimate_prefill
from diglot.hardware.sizes import (
    Real,
    SizeLike,
    check_amount,
    check_rate,
    check_size,
    divide_up,
    to_float,
    to_plain_float,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class HostMemory:
    """Memory beyond a link: each chip's share of it. Raises ValueError for impossible figures."""

    capacity_bytes: float
    bandwidth_bytes_per_s: float
    """Usable rate of one chip's link to it, one way."""
    latency_s: float = 0.0
    """Time until the first byte of a transfer arrives."""

    def __post_init__(self) -> None:
        check_rate("capacity_bytes", self.capacity_bytes)
        check_rate("bandwidth_bytes_per_s", self.bandwidth_bytes_per_s)
        check_amount("latency_s", self.latency_s)

    def find_transfer_s(self, transferred_bytes: Real) -> Real:
        """Latency and time of the bytes of one chip."""
        moved = check_amount("transferred_bytes", transferred_bytes)
        return to_plain_float(self.latency_s + moved / self.bandwidth_bytes_per_s)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FetchRun:
    """A cache that is fetched or computed again."""

    fetch_s: Real
    recompute_s: Real
    """Time of the prefill that it saves."""
    break_even_bandwidth_bytes_per_s: Real
    """Rate of a chip's link below which computing is quicker; infinite where latency alone takes longer."""

    @property
    def speed_up(self) -> Real:
        """Ratio of the time of computing to that of fetching; below 1 computing is quicker."""
        return to_plain_float(self.recompute_s / self.fetch_s)


def compare_fetching(deployment: Deployment, context_tokens: SizeLike, host: HostMemory) -> FetchRun:
    """Fetching the cache of a sequence from the host, against computing it again.

    Every chip fetches its part over its own link, at the same time. Nothing else uses the chips or the links.
    Raises ValueError for a context below 1 token.
    """
    context = check_size("context_tokens", context_tokens)
    own_bytes = deployment.kv_bytes_per_chip(context)
    recompute_s = estimate_prefill(deployment, context).time_s
    left_s = np.maximum(np.asarray(recompute_s) - host.latency_s, 0.0)
    with np.errstate(divide="ignore"):
        least = np.asarray(own_bytes) / left_s
    return FetchRun(
        fetch_s=host.find_transfer_s(own_bytes),
        recompute_s=recompute_s,
        break_even_bandwidth_bytes_per_s=to_plain_float(least),
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class OffloadedStep:
    """A decode step that reads part of its data over the link to the host."""

    offloaded_bytes: Real
    """Weights and caches of one chip that its own memory does not hold."""
    device_s: Real
    """Time of the step if the chip's memory held all."""
    link_s: Real
    """Time of the offloaded bytes over the link."""

    @property
    def time_s(self) -> Real:
        """The longer of the two: while one layer is computed, the next is fetched."""
        return to_plain_float(np.maximum(self.device_s, self.link_s))


def deploy_with_host(
    model: TransformerModel | str,
    chip: Chip | str,
    host: HostMemory,
    *,
    layout: Layout = ONE_CHIP,
    formats: Formats = DEFAULT_FORMATS,
) -> Deployment:
    """A deployment whose memory is that of the chips and of their host together, at the rooflines.

    Raises ValueError where even both together do not hold the weights.
    """
    model = find_model(model)
    chip = find_chip(chip)
    return Deployment(
        model=model,
        layout=layout,
        formats=formats,
        roofline=chip.roofline(formats.arithmetic),
        memory_bytes=chip.memory_bytes + host.capacity_bytes,
        interconnect=find_links(chip, layout),
    )


def estimate_offloaded_decode(
    deployment: Deployment, host: HostMemory, context_tokens: SizeLike, *, batch_count: SizeLike = 1
) -> OffloadedStep:
    """A decode step of a deployment whose memory includes that of the host (`deploy_with_host`).

    The chip's own memory is filled first, less the reserved share. What is left is fetched in every step,
    since a step reads all weights and caches; buffers for it are not counted. A mixture counts all experts,
    as if each step visited every one.
    Raises ValueError where the batch does not fit even so, and for a deployment with less memory than its
    host alone.
    """
    context = check_size("context_tokens", context_tokens)
    batch = check_size("batch_count", batch_count)
    device_bytes = deployment.memory_bytes - host.capacity_bytes
    if device_bytes <= 0:
        raise ValueError(
            f"capacity_bytes of the host must be below the memory of the deployment, "
            f"{deployment.memory_bytes:.4g}, which includes it; not {host.capacity_bytes:.4g}"
        )
    deployment.check_fits(batch, context)
    own = to_float(divide_up(batch, deployment.layout.groups_count))
    held_bytes = deployment.weights_bytes_per_chip + own * deployment.kv_bytes_per_chip(context)
    usable_bytes = device_bytes * (1 - deployment.reserved_fraction)
    offloaded_bytes = np.maximum(np.asarray(held_bytes) - usable_bytes, 0.0)
    link_s = np.where(offloaded_bytes > 0, host.find_transfer_s(offloaded_bytes), 0.0)
    return OffloadedStep(
        offloaded_bytes=to_plain_float(offloaded_bytes),
        device_s=estimate_decode(deployment, context, batch_count=batch).time_s,
        link_s=to_plain_float(link_s),
    )
