"""FLOPs and traffic of whole layers: convolution, normalisation, embedding, feed-forward with experts.

Counted as in `kernel`: from shapes, with every operand crossing the memory interface once.
"""

from dataclasses import dataclass

import numpy as np

from diglot.hardware.dtypes import DType, bytes_per_element
from diglot.hardware.kernels.kernel import Kernel
from diglot.hardware.sizes import Real, Size, SizeLike, check_rate, check_size, to_float, to_plain_float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ConvolutionShape:
    """A two-dimensional convolution; arrays broadcast.

    Raises ValueError for a size below 1 (padding: below 0) or not whole, for groups that do not divide the
    channels and filters, and for a filter larger than the padded image.
    """

    batch_count: Size = 1
    height_elements: Size
    width_elements: Size
    channels_count: Size
    """Channels of the input."""
    filters_count: Size
    """Channels of the output."""
    filter_height_elements: Size
    filter_width_elements: Size
    stride_elements: Size = 1
    padding_elements: Size = 0
    """Zeros added on each of the four sides; not read from memory."""
    groups_count: Size = 1
    """Groups into which channels and filters are split; `channels_count` for a depthwise convolution."""

    def __post_init__(self) -> None:
        for name in (
            "batch_count",
            "height_elements",
            "width_elements",
            "channels_count",
            "filters_count",
            "filter_height_elements",
            "filter_width_elements",
            "stride_elements",
            "groups_count",
        ):
            object.__setattr__(self, name, check_size(name, getattr(self, name)))
        padding = check_size("padding_elements", self.padding_elements, least=0)
        object.__setattr__(self, "padding_elements", padding)
        for name in ("channels_count", "filters_count"):
            if np.any(getattr(self, name) % self.groups_count != 0):
                raise ValueError(f"{self.groups_count} groups do not divide {name} {getattr(self, name)}")
        if np.any(np.minimum(self.output_height_elements, self.output_width_elements) < 1):
            raise ValueError("the filter is larger than the padded image")

    @property
    def output_height_elements(self) -> Size:
        """Rows of each output image."""
        return self._count_steps(self.height_elements, self.filter_height_elements)

    @property
    def output_width_elements(self) -> Size:
        """Columns of each output image."""
        return self._count_steps(self.width_elements, self.filter_width_elements)

    @property
    def gemm_sizes(self) -> tuple[Size, Size, Size]:
        """(m, k, n) of the equivalent product of one group: output positions, filter entries, filters."""
        places = self.batch_count * self.output_height_elements * self.output_width_elements
        entries = self.filter_height_elements * self.filter_width_elements
        depth = self.channels_count // self.groups_count
        return places, entries * depth, self.filters_count // self.groups_count

    def _count_steps(self, side: Size, filter_side: Size) -> Size:
        return (side + 2 * self.padding_elements - filter_side) // self.stride_elements + 1


def count_convolution(shape: ConvolutionShape, *, dtype: DType = "bf16") -> Kernel:
    """A direct convolution: image and filters are read once, the output is written once.

    The FLOPs are those of the equivalent matrix product. The traffic is not: lowering in memory writes each
    input once per filter position that covers it. Multiplications with padding are executed, so they count.
    Source: NVIDIA, "Convolutional Layers User's Guide" (the equivalent matrix product).
    """
    m, k, n = (to_float(size) for size in shape.gemm_sizes)
    groups, batch = to_float(shape.groups_count), to_float(shape.batch_count)
    picture = to_float(shape.height_elements) * to_float(shape.width_elements)
    size = bytes_per_element(dtype)
    return Kernel(
        name="convolution",
        flops=2 * groups * m * k * n,
        read_bytes=(batch * picture * to_float(shape.channels_count) + groups * k * n) * size,
        written_bytes=groups * m * n * size,
    )


def count_layer_normalisation(rows: SizeLike, columns: SizeLike, *, dtype: DType = "bf16") -> Kernel:
    """Layer normalisation, with scale and shift: 7 FLOPs per element, each element read and written once.

    Sum, difference, square, sum of squares, product with the reciprocal root, scale, shift. Operations done
    once per row are not counted. A row stays on the chip between passes. Scale and shift are read once.
    Source: J. Ba, J. Kiros, G. Hinton, "Layer Normalization", arXiv:1607.06450.
    """
    return _count_normalisation(rows, columns, dtype, name="layer normalisation", flops=7, parameters=2)


def count_rms_normalisation(rows: SizeLike, columns: SizeLike, *, dtype: DType = "bf16") -> Kernel:
    """RMS normalisation, with scale: 4 FLOPs per element, each element read and written once.

    Square, sum, product with the reciprocal root, scale; otherwise as `count_layer_normalisation`.
    Source: B. Zhang, R. Sennrich, "Root Mean Square Layer Normalization", arXiv:1910.07467.
    """
    return _count_normalisation(rows, columns, dtype, name="RMS normalisation", flops=4, parameters=1)


def _count_normalisation(
    rows: SizeLike, columns: SizeLike, dtype: DType, *, name: str, flops: int, parameters: int
) -> Kernel:
    width = to_float(check_size("columns", columns))
    elements = to_float(check_size("rows", rows)) * width
    size = bytes_per_element(dtype)
    return Kernel(
        name=name,
        flops=flops * elements,
        read_bytes=(elements + parameters * width) * size,
        written_bytes=elements * size,
    )


def count_embedding(
    tokens: SizeLike, width: SizeLike, *, dtype: DType = "bf16", id_bytes: SizeLike = 4
) -> Kernel:
    """Embedding look-up: copies one table row per token without arithmetic, and reads the token ids.

    The row of a repeated token is read each time.
    """
    count = to_float(check_size("tokens", tokens))
    row_bytes = to_float(check_size("width", width)) * bytes_per_element(dtype)
    return Kernel(
        name="embedding",
        flops=0.0 * count,
        read_bytes=count * (row_bytes + to_float(check_size("id_bytes", id_bytes))),
        written_bytes=count * row_bytes,
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ExpertLayer:
    """A feed-forward layer with experts, of which each token visits some; by default a plain dense layer.

    Raises ValueError for a size below 1 or not whole, and for more active experts than there are.
    """

    width_elements: Size
    """Width of the model."""
    inner_elements: Size
    """Inner width of each expert."""
    experts_count: Size = 1
    active_count: Size = 1
    """Experts that each token visits."""
    gated: bool = True
    """Whether each expert has three matrices (SwiGLU) instead of two."""

    def __post_init__(self) -> None:
        for name in ("width_elements", "inner_elements", "experts_count", "active_count"):
            object.__setattr__(self, name, check_size(name, getattr(self, name)))
        if np.any(np.asarray(self.active_count) > self.experts_count):
            raise ValueError(f"{self.active_count} active experts of {self.experts_count}")

    @property
    def expert_elements(self) -> Real:
        """Weights of one expert."""
        matrices = 3 if self.gated else 2
        return matrices * to_float(self.width_elements) * to_float(self.inner_elements)

    def visited_experts_count(self, tokens: SizeLike) -> Real:
        """Expected number of experts with at least one of `tokens` tokens; routing uniform and independent.

        E (1 - (1 - k / E)^tokens).
        """
        experts = to_float(self.experts_count)
        missed = 1 - to_float(self.active_count) / experts
        return to_plain_float(experts * (1 - missed ** to_float(check_size("tokens", tokens))))

    def expert_tokens(self, tokens: SizeLike) -> Real:
        """Mean number of tokens per visited expert: the rows of its products."""
        visits = to_float(check_size("tokens", tokens)) * to_float(self.active_count)
        return to_plain_float(visits / self.visited_experts_count(tokens))


def count_expert_feed_forward(
    layer: ExpertLayer,
    tokens: SizeLike,
    *,
    visited_experts_count: "Real | None" = None,
    dtype: DType = "bf16",
    weight_dtype: DType | None = None,
) -> Kernel:
    """Matrix products of the router and of all experts for `tokens` tokens.

    Weights of each visited expert are read once. The number of visited experts follows from uniform routing
    unless given (for uneven routing, subtract `expert_routing.count_idle_experts`). Each visit reads and
    writes a row of the model's width; inner activations are written and read between the products, after the
    gate if there is one. A single expert has no router.
    Source: N. Shazeer et al., "Outrageously Large Neural Networks: The Sparsely-Gated Mixture-of-Experts
    Layer", arXiv:1701.06538; gated: N. Shazeer, "GLU Variants Improve Transformer", arXiv:2002.05202.
    """
    count = to_float(check_size("tokens", tokens))
    size, weight_size = bytes_per_element(dtype), bytes_per_element(weight_dtype or dtype)
    width, inner = to_float(layer.width_elements), to_float(layer.inner_elements)
    experts = to_float(layer.experts_count)
    router = np.where(np.asarray(experts) > 1, width * experts, 0.0)
    visits = count * to_float(layer.active_count)
    visited = layer.visited_experts_count(tokens)
    if visited_experts_count is not None:
        visited = check_rate("visited_experts_count", visited_experts_count)
        if np.any(np.asarray(visited) > experts):
            raise ValueError(f"{visited_experts_count} visited experts of {layer.experts_count}")
    weights = visited * layer.expert_elements + router
    return Kernel(
        name="expert feed-forward",
        flops=to_plain_float(2 * visits * layer.expert_elements + 2 * count * router),
        read_bytes=to_plain_float(weights * weight_size + visits * (width + inner) * size),
        written_bytes=visits * (width + inner) * size,
    )
