"""The operators of a transformer's forward pass with their FLOPs and bytes.

A step processes sequences (`SequenceGroup`), each with new tokens and a context already in the cache: prefill
has no context, decode has one new token, and a chunk of a prefill has both. Everything is per chip of a
layout; arrays of sizes broadcast. Embedding look-up, rotary positions, residual additions and sampling are
not included.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Literal, get_args

import numpy as np

from diglot.hardware.chips.calibration import Operator as MeasuredOperator
from diglot.hardware.dtypes import DTYPES, DType, bytes_per_element
from diglot.hardware.kernels.attention import AttentionForm, AttentionShape, count_flash_attention
from diglot.hardware.kernels.attention_backward import count_flash_attention_backward
from diglot.hardware.kernels.kernel import (
    Kernel,
    count_batched_gemm,
    count_elementwise,
    count_gemm,
    count_softmax,
)
from diglot.hardware.kernels.layers import ExpertLayer
from diglot.hardware.kernels.recurrence import RecurrenceShape, count_recurrence
from diglot.hardware.models.catalogue import find_model
from diglot.hardware.models.model import TransformerModel
from diglot.hardware.parallelism.layouts import ONE_CHIP, Layout
from diglot.hardware.sizes import (
    Real,
    Size,
    check_choice,
    check_size,
    divide_up,
    to_float,
    to_plain_float,
    to_plain_int,
)

Part = Literal["attention", "feed-forward", "head"]
OperatorKind = Literal["gemm", "attention", "elementwise", "experts"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Formats:
    """Number formats in which a model runs."""

    weights: DType = "bf16"
    activations: DType = "bf16"
    kv_cache: DType = "bf16"
    arithmetic: DType = "bf16"
    """Format in which the matrix units compute; selects the peak rate."""
    embeddings: DType = "bf16"
    """Format of the embedding and the output head, which quantised models often keep wide."""

    def __post_init__(self) -> None:
        for each in fields(self):
            check_choice(each.name, getattr(self, each.name), DTYPES)

    @property
    def dispatched_fraction(self) -> float:
        """Bytes of a token on its way to experts over those of its result: it is narrowed before, not after.

        Source: DeepSeek-AI, arXiv:2412.19437, section 3.3.3 (dispatch in 8 bits, results in 16).
        """
        wide = bytes_per_element(self.activations)
        return min(wide, bytes_per_element(self.arithmetic)) / wide


DEFAULT_FORMATS = Formats()
"""bf16 throughout."""


def check_formats(formats: object) -> None:
    """Raise ValueError for anything but `Formats`, such as the name of one format."""
    if isinstance(formats, Formats):
        return
    example = formats if isinstance(formats, str) and formats in DTYPES else "fp8"
    raise ValueError(
        f'formats must be Formats, such as Formats(weights="{example}", kv_cache="{example}", '
        f'arithmetic="{example}"), not {formats!r}'
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SequenceGroup:
    """Sequences of equal shape in one step; arrays broadcast. Raises ValueError for impossible sizes."""

    sequences_count: Size = 1
    new_tokens: Size = 1
    """Tokens per sequence that this step processes."""
    context_tokens: Size = 0
    """Tokens per sequence in the cache before this step."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "sequences_count", check_size("sequences_count", self.sequences_count))
        object.__setattr__(self, "new_tokens", check_size("new_tokens", self.new_tokens))
        object.__setattr__(self, "context_tokens", check_size("context_tokens", self.context_tokens, least=0))

    @property
    def tokens(self) -> Size:
        """New tokens of all sequences."""
        return self.sequences_count * self.new_tokens

    def tokens_on_chip(self, context_count: int) -> Size:
        """New tokens on one of `context_count` context ways; parts of a sequence are rounded up."""
        return self.sequences_count * divide_up(self.new_tokens, context_count)

    def divided(self, ways: int) -> "SequenceGroup":
        """One of `ways` equal shares, rounded up to whole sequences."""
        return SequenceGroup(
            sequences_count=divide_up(self.sequences_count, ways),
            new_tokens=self.new_tokens,
            context_tokens=self.context_tokens,
        )


def prefill(prompt_tokens: Size, *, sequences_count: Size = 1) -> SequenceGroup:
    """Whole prompts without cached context."""
    prompt = check_size("prompt_tokens", prompt_tokens)
    return SequenceGroup(sequences_count=sequences_count, new_tokens=prompt)


def decode(context_tokens: Size, *, sequences_count: Size = 1) -> SequenceGroup:
    """One new token per sequence; `context_tokens` counts the tokens before it."""
    return SequenceGroup(sequences_count=sequences_count, context_tokens=context_tokens)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ExpertRows:
    """The routed experts of one chip and the rows that they process together."""

    layer: ExpertLayer
    """The chip's own experts, each with its share of the inner width."""
    rows_count: Real
    """Visits to all of them."""
    weights: DType
    """Format of their weights."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Operator:
    """One kind of operator on one chip."""

    name: str
    part: Part
    kernel: Kernel
    """FLOPs and traffic of one instance, in one layer."""
    layers_count: int
    """Number of instances in the whole model."""
    measured_as: MeasuredOperator
    """Operator whose calibration applies."""
    product: "tuple[Size, Size, Size] | None" = None
    """m, k and n where it is a single product of activations and a weight matrix."""
    attention: AttentionShape | None = None
    """Its shape where it is fused attention; the kernel may count less, as with a window."""
    kv_dtype: DType | None = None
    """Format of the keys and values of fused attention."""
    experts: ExpertRows | None = None
    """Experts and rows where it is the layer of routed experts."""
    passed_bytes: Real = 0.0
    """Bytes of all context ways together that they pass to each other in one layer."""
    attention_form: AttentionForm = "flash"
    is_backward: bool = False
    """Whether it is the backward pass of fused attention."""

    def list_backward(self) -> "tuple[Operator, ...]":
        """What its backward pass runs: twice itself, but for fused attention one kernel of its own.

        The gradients of both operands are products as long as the first. Fused attention computes the scores
        again, so that it has 2.5 times the arithmetic (`kernels.attention_backward`). A recurrence computes
        its states again.
        """
        if self.attention is None:
            return (self, self, self) if self.name == RECURRENCE else (self, self)
        forward = count_flash_attention(self.attention)
        backward = count_flash_attention_backward(self.attention)
        kernel = Kernel(
            name=f"{self.kernel.name} backward",
            # A window or context ways count less than the shape has.
            flops=self.kernel.flops * (backward.flops / forward.flops),
            read_bytes=self.kernel.read_bytes * (backward.read_bytes / forward.read_bytes),
            written_bytes=self.kernel.written_bytes * (backward.written_bytes / forward.written_bytes),
        )
        return (replace(self, kernel=kernel, is_backward=True),)

    @property
    def kind(self) -> OperatorKind:
        """What it is timed as; a norm, softmax or activation is `elementwise`."""
        if self.experts is not None:
            return "experts"
        if self.attention is not None:
            return "attention"
        return "gemm" if self.on_matrix_units else "elementwise"

    @property
    def on_matrix_units(self) -> bool:
        """Whether it consists of matrix products, unlike a norm, softmax or activation."""
        return self.measured_as in ("gemm", "attention")

    @property
    def flops(self) -> Real:
        """FLOPs of all layers."""
        return self.kernel.flops * self.layers_count

    @property
    def memory_bytes(self) -> Real:
        """Memory traffic of all layers."""
        return self.kernel.memory_bytes * self.layers_count


@dataclass(frozen=True, slots=True, kw_only=True)
class _Lister:
    """Collects the operators of one step."""

    model: TransformerModel
    formats: Formats
    layout: Layout
    attention: AttentionForm
    operators: list[Operator] = field(default_factory=list)

    def add(
        self,
        name: str,
        part: Part,
        kernel: Kernel,
        layers: int | None = None,
        *,
        measured_as: MeasuredOperator = "gemm",
        product: tuple[Size, Size, Size] | None = None,
        attention: AttentionShape | None = None,
        experts: ExpertRows | None = None,
        passed_bytes: Real = 0.0,
    ) -> None:
        count = self.model.attention_layers_count if layers is None else layers
        if count:
            self.operators.append(
                Operator(
                    name=name,
                    part=part,
                    kernel=kernel,
                    layers_count=count,
                    measured_as=measured_as,
                    product=product,
                    attention=attention,
                    attention_form=self.attention,
                    kv_dtype=None if attention is None else self.formats.kv_cache,
                    experts=experts,
                    passed_bytes=passed_bytes,
                )
            )

    def add_linear(
        self,
        name: str,
        part: Part,
        sizes: tuple[Size, Size, Size],
        layers: int | None = None,
        *,
        weights: DType | None = None,
    ) -> None:
        """Add a product with a weight matrix; `sizes` are rows, inputs and outputs."""
        formats = self.formats
        kernel = count_gemm(*sizes, dtype=formats.activations, weight_dtype=weights or formats.weights)
        self.add(name, part, kernel, layers, product=sizes)

    def share_out(self, tokens: Size) -> Size:
        """Tokens that a chip processes in operators that are not split over the tensor ways."""
        return divide_up(tokens, self.layout.tensor_count) if self.layout.sequence_parallel else tokens

    def elementwise(self, elements: Size, *, inputs: int, flops_per_element: float) -> Kernel:
        return count_elementwise(
            elements, inputs=inputs, flops_per_element=flops_per_element, dtype=self.formats.activations
        )

    def add_norms(self, tokens: Size) -> None:
        model = self.model
        kernel = self.elementwise(
            self.share_out(tokens) * model.width_elements, inputs=1, flops_per_element=NORM_FLOPS_PER_ELEMENT
        )
        self.add(
            "norm",
            "attention",
            kernel,
            model.layers_count * model.norms_per_layer_count,
            measured_as="elementwise",
        )

    def add_projections(self, tokens: Size) -> None:
        model, ways = self.model, self.layout.tensor_count
        heads = model.heads_count // ways
        if model.latent is not None:
            latent = model.latent
            down = latent.query_rank_elements + latent.cached_elements
            rows = self.share_out(tokens)
            self.add_linear("query and KV compression", "attention", (rows, model.width_elements, down))
            queries = heads * latent.query_elements
            inputs = latent.query_rank_elements or model.width_elements
            self.add_linear("query projection", "attention", (tokens, inputs, queries))
            values = heads * latent.value_elements
        else:
            # With more ways than KV heads, every chip has a whole KV head.
            kv_heads = max(1, model.kv_heads_count // ways)
            out = (heads * (2 if model.gated_attention else 1) + 2 * kv_heads) * model.head_elements
            self.add_linear("QKV projection", "attention", (tokens, model.width_elements, out))
            values = heads * model.head_elements
        self.add_linear("output projection", "attention", (tokens, values, model.width_elements))

    def add_recurrent_projections(self, tokens: Size) -> None:
        """Everything of recurrent layers that treats tokens alike, whichever sequence they belong to.

        Heads are split over the tensor ways. The sum over ways of Mamba's keys and time steps is left out.
        """
        recurrent, ways = self.model.recurrent, self.layout.tensor_count
        if recurrent is None:
            return
        width, layers = self.model.width_elements, recurrent.layers_count
        own = replace(
            recurrent,
            key_heads_count=max(1, recurrent.key_heads_count // ways),
            value_heads_count=recurrent.value_heads_count // ways,
        )
        projected = (tokens, width, own.projected_elements)
        self.add_linear("recurrent input projection", "attention", projected, layers)
        for name, inputs, outputs in own.list_low_rank_products():
            self.add_linear(name, "attention", (tokens, inputs, outputs), layers)
        convolution = self.elementwise(
            tokens * own.convolved_elements,
            inputs=1,
            flops_per_element=2 * own.convolution_tokens + ACTIVATION_FLOPS_PER_ELEMENT,
        )
        self.add("convolution", "attention", convolution, layers, measured_as="elementwise")
        gate = self.elementwise(
            tokens * own.values_elements,
            inputs=2,
            flops_per_element=NORM_FLOPS_PER_ELEMENT + ACTIVATION_FLOPS_PER_ELEMENT,
        )
        self.add("gated norm", "attention", gate, layers, measured_as="elementwise")
        self.add_linear(
            "recurrent output projection", "attention", (tokens, own.values_elements, width), layers
        )

    def add_recurrence(self, sequences: SequenceGroup) -> None:
        recurrent, ways = self.model.recurrent, self.layout.tensor_count
        if recurrent is None:
            return
        shape = RecurrenceShape(
            kind=recurrent.kind,
            sequences_count=sequences.sequences_count,
            new_tokens=sequences.new_tokens,
            context_tokens=sequences.context_tokens,
            key_heads_count=max(1, recurrent.key_heads_count // ways),
            value_heads_count=recurrent.value_heads_count // ways,
            key_elements=recurrent.key_elements,
            value_elements=recurrent.value_elements,
        )
        kernel = count_recurrence(shape, dtype=self.formats.activations)
        # Nobody measured one here: a fused kernel of products and state, as attention is.
        self.add(RECURRENCE, "attention", kernel, recurrent.layers_count, measured_as="attention")

    def add_attention(self, sequences: SequenceGroup) -> None:
        model = self.model
        full = model.attention_layers_count - model.windowed_layers_count
        if model.latent is not None:
            self.add_latent_attention(sequences)
            return
        self.add_plain_attention(sequences, full, windowed=False)
        self.add_plain_attention(sequences, model.windowed_layers_count, windowed=True)

    def add_plain_attention(self, sequences: SequenceGroup, layers: int, *, windowed: bool) -> None:
        model, ways, formats = self.model, self.layout.tensor_count, self.formats
        if not layers:
            return
        keys = sequences.context_tokens + sequences.new_tokens
        if windowed:
            # Each new token attends to the last `window` tokens, including itself.
            keys = to_plain_int(np.minimum(keys, sequences.new_tokens + model.window_tokens - 1))
        shape = AttentionShape(
            batch_count=sequences.sequences_count,
            queries_tokens=sequences.new_tokens,
            keys_tokens=keys,
            heads_count=model.heads_count // ways,
            kv_heads_count=max(1, model.kv_heads_count // ways),
            head_elements=model.head_elements,
            causal=model.kind == "decoder",
        )
        if self.attention == "materialised":
            self.add_materialised_attention(shape, layers)
            return
        kernel = count_flash_attention(shape, dtype=formats.activations, kv_dtype=formats.kv_cache)
        if windowed:
            kernel = _limit_to_window(kernel, shape, sequences, model.window_tokens)
        kernel, passed_bytes = _share_over_context(kernel, self.layout.context_count)
        self.add(
            "windowed attention" if windowed else "attention",
            "attention",
            kernel,
            layers,
            measured_as="attention",
            attention=shape,
            passed_bytes=passed_bytes,
        )

    def add_materialised_attention(self, shape: AttentionShape, layers: int) -> None:
        dtype = self.formats.activations
        # Heads of a group share keys and values, so all queries of a group form one product.
        groups = shape.batch_count * shape.kv_heads_count
        rows = shape.queries_tokens * (shape.heads_count // shape.kv_heads_count)
        keys, head = shape.keys_tokens, shape.head_elements
        scores = count_batched_gemm(groups, rows, head, keys, dtype=dtype)
        values = count_batched_gemm(groups, rows, keys, head, dtype=dtype)
        self.add("scores", "attention", scores, layers)
        softmax = count_softmax(groups * rows, keys, dtype=dtype)
        self.add("softmax", "attention", softmax, layers, measured_as="softmax")
        self.add("values", "attention", values, layers)

    def add_latent_attention(self, sequences: SequenceGroup) -> None:
        """Queries attend in the space of the cached vector, or to expanded keys and values.

        The first multiplies longer vectors; the second expands the context again in every step. The one with
        fewer FLOPs is taken: for DeepSeek-V3, steps of up to 170 tokens with a long context, such as single
        tokens and drafts that are verified, do not expand.
        """
        latent = self.model.latent
        if latent is None:
            raise ValueError("this model does not have latent attention")
        heads = self.model.heads_count // self.layout.tensor_count
        keys = sequences.context_tokens + sequences.new_tokens
        count, new = to_float(sequences.sequences_count), to_float(sequences.new_tokens)
        size, kv_size = bytes_per_element(self.formats.activations), bytes_per_element(self.formats.kv_cache)
        seen = count * (new * to_float(keys) - new * (new - 1) / 2)  # causal
        long_elements = latent.cached_elements + latent.kv_rank_elements
        short_elements = latent.query_elements + latent.value_elements
        rank_elements = latent.kv_rank_elements * (latent.plain_elements + latent.value_elements)
        longer = new * to_float(keys) * (long_elements - short_elements)
        absorbed = (longer <= to_float(sequences.context_tokens) * rank_elements) | (new == 1)
        expanded_elements = heads * (latent.plain_elements + latent.value_elements)
        rows = to_plain_int(np.where(absorbed, sequences.tokens, sequences.sequences_count * keys))
        score_elements = np.where(absorbed, latent.cached_elements, latent.query_elements)
        value_elements = np.where(absorbed, latent.kv_rank_elements, latent.value_elements)
        read_per_key = np.where(absorbed, latent.cached_elements * kv_size, heads * short_elements * size)
        read = count * to_float(keys) * read_per_key
        self.add_linear("KV expansion", "attention", (rows, latent.kv_rank_elements, expanded_elements))
        kernel = Kernel(
            name="latent attention",
            flops=to_plain_float(2 * seen * heads * (score_elements + value_elements)),
            read_bytes=to_plain_float(read + count * new * heads * score_elements * size),
            written_bytes=to_plain_float(count * new * heads * value_elements * size),
        )
        shape = AttentionShape(
            batch_count=sequences.sequences_count,
            queries_tokens=sequences.new_tokens,
            keys_tokens=keys,
            heads_count=heads,
            kv_heads_count=to_plain_int(np.where(absorbed, 1, heads)),
            head_elements=to_plain_int((score_elements + value_elements) // 2),
            causal=True,
        )
        self.add("attention", "attention", kernel, measured_as="attention", attention=shape)

    def add_feed_forward(self, tokens: Size) -> None:
        model = self.model
        inner = model.feed_forward_elements // self.layout.tensor_count
        layers = model.dense_layers_count
        up = inner * (model.matrices_count - 1)
        self.add_linear("up projection", "feed-forward", (tokens, model.width_elements, up), layers)
        activation = self.elementwise(
            tokens * inner, inputs=model.matrices_count - 1, flops_per_element=ACTIVATION_FLOPS_PER_ELEMENT
        )
        self.add("activation", "feed-forward", activation, layers, measured_as="elementwise")
        self.add_linear("down projection", "feed-forward", (tokens, inner, model.width_elements), layers)

    def add_experts(self, tokens: Size, all_tokens: Size) -> None:
        """The experts of this chip get their share of `all_tokens`; `tokens` are those of its own group."""
        model, experts = self.model, self.model.experts
        if experts is None:
            return
        layers, ways = model.expert_layers_count, self.layout.expert_count
        router = (self.share_out(tokens), model.width_elements, experts.routed_count)
        self.add_linear("router", "feed-forward", router, layers)
        matrices = to_float(model.expert_parameters_count) / self.layout.tensor_count
        touched = count_touched_experts(experts.routed_count, experts.active_count, all_tokens) / ways
        routed_rows = to_float(all_tokens) * experts.active_count / ways
        mine = ExpertLayer(
            width_elements=model.width_elements,
            inner_elements=max(1, experts.hidden_elements // self.layout.tensor_count),
            experts_count=max(1, experts.routed_count // ways),
            gated=model.matrices_count == 3,
        )
        self.add(
            "routed experts",
            "feed-forward",
            self.count_expert_kernel(matrices, touched, routed_rows),
            layers,
            experts=ExpertRows(layer=mine, rows_count=routed_rows, weights=self.formats.weights),
        )
        if experts.shared_count:
            shared = self.count_expert_kernel(
                matrices, experts.shared_count, to_float(tokens) * experts.shared_count
            )
            self.add("shared experts", "feed-forward", shared, layers)

    def count_expert_kernel(self, matrices_elements: Real, experts: Real, rows: Real) -> Kernel:
        """Weights of visited experts are read once, rows read and written; inner activations are free."""
        formats, width = self.formats, self.model.width_elements
        rows_bytes = rows * width * bytes_per_element(formats.activations)
        return Kernel(
            name="experts",
            flops=2 * rows * matrices_elements,
            read_bytes=experts * matrices_elements * bytes_per_element(formats.weights) + rows_bytes,
            written_bytes=rows_bytes,
        )

    def add_head(self, rows: Size) -> None:
        model, embeddings = self.model, self.formats.embeddings
        if model.kind == "encoder":
            square = (rows, model.width_elements, model.width_elements)
            self.add_linear("pooler", "head", square, 1, weights=embeddings)
        else:
            columns = divide_up(model.vocabulary_count, self.layout.tensor_count)
            self.add_linear(
                "output head", "head", (rows, model.width_elements, columns), 1, weights=embeddings
            )


RECURRENCE = "recurrence"
"""Name of the operator of recurrent layers that reads and writes their state."""
NORM_FLOPS_PER_ELEMENT = 4
"""Square, sum, product with the reciprocal root, product with the weight."""
ACTIVATION_FLOPS_PER_ELEMENT = 8
"""Exponential, division and the products around them, one each. Activations are memory-bound anyway."""


def list_operators(
    model: TransformerModel | str,
    groups: SequenceGroup | Sequence[SequenceGroup],
    *,
    formats: Formats = DEFAULT_FORMATS,
    layout: Layout = ONE_CHIP,
    attention: AttentionForm = "flash",
    head_of_every_token: bool = False,
) -> tuple[Operator, ...]:
    """The operators of one forward step on one chip, all layers of all pipeline stages.

    Groups of different shape (such as a prompt chunk and decoding sequences) share the matrix products, but
    each has its own attention or recurrence. Every layer's weights are read once. The output head runs for
    the last token of each sequence, as in serving, or for every token, as in training. Sequences are split
    over data and expert ways, rounded up, and their new tokens over context ways. A single new token is
    processed by all context ways, each with its part of the cache. Routing is uniform
    (`count_touched_experts`).
    Raises ValueError for a layout that does not divide the model, for an encoder with context, and for
    materialised attention over context ways.
    """
    model = find_model(model)
    check_formats(formats)
    check_choice("attention", attention, get_args(AttentionForm))
    layout.check_divides(model)
    copies = [groups] if isinstance(groups, SequenceGroup) else list(groups)
    if not copies:
        raise ValueError("a step needs at least one group of sequences")
    if model.kind == "encoder" and any(np.any(group.context_tokens) for group in copies):
        raise ValueError(f"{model.name} is an encoder: it has no cache, and hence no context")
    copies = [group.divided(layout.data_count) for group in copies]
    own = [group.divided(layout.expert_count) for group in copies]
    ways = layout.context_count
    if ways > 1 and attention == "materialised":
        raise ValueError(f"context_count must be 1 with materialised attention, not {ways}")
    tokens = sum(group.tokens_on_chip(ways) for group in own)
    lister = _Lister(model=model, formats=formats, layout=layout, attention=attention)
    lister.add_norms(tokens)
    if model.attention_layers_count:
        lister.add_projections(tokens)
    lister.add_recurrent_projections(tokens)
    for group in own:
        if model.attention_layers_count:
            lister.add_attention(group)
        lister.add_recurrence(group)
    if model.dense_layers_count:
        lister.add_feed_forward(tokens)
    lister.add_experts(tokens, sum(group.tokens_on_chip(ways) for group in copies))
    # An encoder's pooler processes only the first token of a sequence.
    every = head_of_every_token and model.kind == "decoder"
    lister.add_head(tokens if every else sum(group.sequences_count for group in own))
    return tuple(lister.operators)


def list_kernels(
    model: TransformerModel | str,
    groups: SequenceGroup | Sequence[SequenceGroup],
    *,
    steps_count: int = 1,
) -> tuple[Kernel, ...]:
    """What a chip that holds the whole model runs in a step: each operator of all layers as one kernel.

    With `steps_count`, that of so many equal steps. Raises ValueError as `list_operators`.
    """
    check_size("steps_count", steps_count)
    operators = list_operators(model, groups)
    return tuple(each.kernel.repeated(each.layers_count * steps_count) for each in operators)


def count_touched_experts(experts_count: int, active_count: int, tokens: Size) -> Real:
    """Expected number of experts that at least one token visits, with uniform and independent routing.

    experts x (1 - (1 - active / experts)^tokens). Real routers are less uniform and touch fewer.
    """
    if check_size("active_count", active_count) > check_size("experts_count", experts_count):
        raise ValueError(f"active_count must be at most experts_count, not {active_count} of {experts_count}")
    missed = (1 - active_count / experts_count) ** to_float(check_size("tokens", tokens))
    return experts_count * (1 - missed)


def sum_flops(operators: Sequence[Operator], *, part: Part | None = None) -> Real:
    """FLOPs of all operators, or of one part of the model."""
    if part is not None:
        check_choice("part", part, get_args(Part))
    chosen = [operator.flops for operator in operators if part in (None, operator.part)]
    total: Real = 0.0
    for flops in chosen:
        total = total + flops
    return total


def _share_over_context(kernel: Kernel, ways: int) -> tuple[Kernel, Real]:
    """One chip's part of fused attention over context ways, and the bytes that all parts pass on.

    Keys and values circulate past each chip's queries; where queries and results are fewer bytes, as for
    single tokens, these circulate instead. Causal work is balanced (striped or zigzag partitioning).
    Sources: H. Liu et al., "Ring Attention", arXiv:2310.01889; A. Yang et al., "Context Parallelism for
    Scalable Million-Token Inference", arXiv:2411.01783 (which of the two to pass).
    """
    if ways == 1:
        return kernel, 0.0
    queries_bytes = kernel.written_bytes  # queries and results have equal sizes
    keys_bytes = kernel.read_bytes - queries_bytes
    passes_keys = keys_bytes <= 2 * queries_bytes
    others = (ways - 1) / ways
    read = np.where(passes_keys, queries_bytes / ways + keys_bytes, queries_bytes + keys_bytes / ways)
    received = np.where(passes_keys, keys_bytes, 2 * queries_bytes) * others
    shared = Kernel(
        name=kernel.name,
        flops=kernel.flops / ways,
        read_bytes=to_plain_float(read),
        written_bytes=to_plain_float(queries_bytes / ways + received),
    )
    return shared, to_plain_float(np.minimum(keys_bytes, 2 * queries_bytes))


def _limit_to_window(kernel: Kernel, shape: AttentionShape, sequences: SequenceGroup, window: int) -> Kernel:
    """The same kernel with only the scores inside the window."""
    new, context = to_float(sequences.new_tokens), to_float(sequences.context_tokens)
    # Query i (from 1) has min(context + i, window) keys: a triangle until the window is full, then a band.
    rising = np.clip(window - context, 0, new)
    seen = rising * context + rising * (rising + 1) / 2 + (new - rising) * window
    scores = to_float(shape.batch_count) * to_float(shape.heads_count) * seen
    return Kernel(
        name=kernel.name,
        flops=4 * scores * to_float(shape.head_elements),
        read_bytes=kernel.read_bytes,
        written_bytes=kernel.written_bytes,
    )
