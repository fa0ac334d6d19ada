"""The sizes of a transformer, and the parameter counts and KV cache that follow from them.

Sizes only, no weights. Counts are always derived; published counts serve as tests.
"""

from dataclasses import dataclass
from typing import Literal, cast, get_args

import numpy as np

from diglot.hardware.dtypes import DType, bytes_per_element
from diglot.hardware.models.recurrent import RecurrentLayers
from diglot.hardware.sizes import Real, SizeLike, check_size, to_float, to_plain_float

ModelKind = Literal["decoder", "encoder"]
MODEL_KINDS: tuple[ModelKind, ...] = get_args(ModelKind)
Norm = Literal["rms", "layer"]
NORMS: tuple[Norm, ...] = get_args(Norm)
Biases = Literal["none", "qkv", "all"]
BIASES: tuple[Biases, ...] = get_args(Biases)


@dataclass(frozen=True, slots=True, kw_only=True)
class LatentAttention:
    """Multi-head latent attention: keys and values are cached as one short vector for all heads.

    Source: DeepSeek-AI, "DeepSeek-V2", arXiv:2405.04434, section 2.1.
    """

    query_rank_elements: int = 0
    """Rank of the compression of queries; 0 where they are not compressed."""
    kv_rank_elements: int
    """Width of the cached vector for keys and values."""
    rope_elements: int
    """Width of the part of queries and of the shared key that carries the position; also cached."""
    plain_elements: int
    """Width of the part of each head's query and key without position."""
    value_elements: int
    """Width of each head's value."""

    def __post_init__(self) -> None:
        _check_sizes(self, "query_rank_elements", least=0)
        _check_sizes(self, "kv_rank_elements", "rope_elements", "plain_elements", "value_elements")

    @property
    def cached_elements(self) -> int:
        """Elements that one token adds to one layer's cache."""
        return self.kv_rank_elements + self.rope_elements

    @property
    def query_elements(self) -> int:
        """Width of one head's query and key."""
        return self.plain_elements + self.rope_elements


@dataclass(frozen=True, slots=True, kw_only=True)
class Experts:
    """A mixture of experts in place of the feed-forward network. Raises ValueError for impossible sizes."""

    routed_count: int
    """Experts that the router chooses among."""
    active_count: int
    """Routed experts that each token visits."""
    hidden_elements: int
    """Inner width of one expert."""
    shared_count: int = 0
    """Experts that every token visits, besides the routed ones."""
    dense_layers_count: int = 0
    """Number of first layers that keep an ordinary feed-forward network."""

    def __post_init__(self) -> None:
        _check_sizes(self, "routed_count", "active_count", "hidden_elements")
        _check_sizes(self, "shared_count", "dense_layers_count", least=0)
        if self.active_count > self.routed_count:
            raise ValueError(
                f"{self.active_count} active experts are more than the {self.routed_count} routed ones"
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class TransformerModel:
    """The sizes of a transformer. Raises ValueError for sizes that do not fit each other.

    Decoders have causal attention, a KV cache, a final norm and an output head. Encoders attend in both
    directions and have, like BERT, a norm after the embeddings and a pooler.

    A layer has attention or, if it is one of `recurrent`, a state of constant size, and then a feed-forward
    network; hybrids such as Nemotron-H have layers of only one of these.
    """

    name: str = "transformer"
    kind: ModelKind = "decoder"
    layers_count: int
    width_elements: int
    heads_count: int
    kv_heads_count: int = 0
    """Heads of keys and values, a divisor of `heads_count`. Default: `heads_count`."""
    head_elements: int = 0
    """Width of one head. Default: width / heads, which must be whole."""
    feed_forward_elements: int
    """Inner width of the feed-forward network (with experts: of the dense layers); 0 if no layer has one."""
    gated: bool = True
    """Whether the feed-forward network has three matrices (SwiGLU, GeGLU) instead of two."""
    vocabulary_count: int
    tied_embeddings: bool = False
    """Whether the output head is the embedding matrix; encoders have no output head."""
    norm: Norm = "rms"
    """`layer` has a bias in addition to the scale."""
    norms_per_layer_count: int = 2
    biases: Biases = "none"
    """Matrix products with biases: none, those of queries, keys and values, or all."""
    positions_count: int = 0
    """Learned position embeddings; 0 where positions are computed."""
    segments_count: int = 0
    """Learned segment embeddings (BERT has two)."""
    window_tokens: int = 0
    """Most tokens to which a query of a windowed layer attends, itself included."""
    windowed_layers_count: int = 0
    """Layers with sliding-window attention."""
    experts: Experts | None = None
    latent: LatentAttention | None = None
    """If set, `kv_heads_count` and `head_elements` are ignored."""
    gated_attention: bool = False
    """Whether queries come with a gate for the result of attention, as wide as they are (Qwen3-Next)."""
    recurrent: RecurrentLayers | None = None
    mixer_only_layers_count: int = 0
    """Layers of attention or a recurrence alone, without a feed-forward network."""
    feed_forward_only_layers_count: int = 0
    """Layers of a feed-forward network alone."""

    def __post_init__(self) -> None:
        _check_sizes(self, "layers_count", "width_elements", "heads_count")
        _check_sizes(self, "vocabulary_count", "norms_per_layer_count")
        _check_sizes(self, "kv_heads_count", "head_elements", "positions_count", "segments_count", least=0)
        _check_sizes(self, "window_tokens", "windowed_layers_count", least=0)
        _check_sizes(self, "mixer_only_layers_count", "feed_forward_only_layers_count", least=0)
        for name, known in (("kind", MODEL_KINDS), ("norm", NORMS), ("biases", BIASES)):
            if getattr(self, name) not in known:
                raise ValueError(f"{name} must be one of {', '.join(known)}, not {getattr(self, name)!r}")
        if self.head_elements == 0:
            if self.width_elements % self.heads_count:
                raise ValueError(f"{self.heads_count} heads do not divide the width {self.width_elements}")
            object.__setattr__(self, "head_elements", self.width_elements // self.heads_count)
        if self.kv_heads_count == 0:
            object.__setattr__(self, "kv_heads_count", self.heads_count)
        if self.heads_count % self.kv_heads_count:
            raise ValueError(f"{self.kv_heads_count} KV heads do not divide {self.heads_count} heads")
        if self.attention_layers_count < 0 or self.feed_forward_layers_count < 0:
            raise ValueError("there are more layers of a kind than layers")
        if self.recurrent is not None and self.kind == "encoder":
            raise ValueError("recurrent layers see only what comes before: an encoder cannot have them")
        if self.windowed_layers_count > self.attention_layers_count:
            raise ValueError("there are more layers with a window than layers with attention")
        if (self.window_tokens == 0) != (self.windowed_layers_count == 0):
            raise ValueError("window_tokens and windowed_layers_count must be given together")
        if self.experts is not None and self.experts.dense_layers_count >= self.feed_forward_layers_count:
            raise ValueError("no layer is left for the experts")
        _check_sizes(self, "feed_forward_elements", least=1 if self.dense_layers_count else 0)

    @property
    def recurrent_layers_count(self) -> int:
        """Layers with a state of constant size."""
        return 0 if self.recurrent is None else self.recurrent.layers_count

    @property
    def attention_layers_count(self) -> int:
        """Layers with attention, with or without a window."""
        return self.layers_count - self.feed_forward_only_layers_count - self.recurrent_layers_count

    @property
    def feed_forward_layers_count(self) -> int:
        """Layers with a feed-forward network or experts."""
        return self.layers_count - self.mixer_only_layers_count

    @property
    def halves_count(self) -> int:
        """Mixers (attention or recurrence) and feed-forward networks of all layers: usually two a layer."""
        return 2 * self.layers_count - self.mixer_only_layers_count - self.feed_forward_only_layers_count

    @property
    def matrices_count(self) -> int:
        """Matrices of one feed-forward network: 3 if gated, otherwise 2."""
        return 3 if self.gated else 2

    @property
    def dense_layers_count(self) -> int:
        """Layers with an ordinary feed-forward network."""
        return self.feed_forward_layers_count if self.experts is None else self.experts.dense_layers_count

    @property
    def expert_layers_count(self) -> int:
        """Layers with experts."""
        return self.feed_forward_layers_count - self.dense_layers_count

    @property
    def attention_parameters_count(self) -> int:
        """Projections of queries, keys, values and output of all layers, with biases and inner norms."""
        width, heads = self.width_elements, self.heads_count
        if self.latent is not None:
            latent = self.latent
            queries = width * latent.query_rank_elements + latent.query_rank_elements
            queries += (latent.query_rank_elements or width) * heads * latent.query_elements
            cached = width * latent.cached_elements + latent.kv_rank_elements
            expanded = latent.kv_rank_elements * heads * (latent.plain_elements + latent.value_elements)
            layer = queries + cached + expanded + heads * latent.value_elements * width
            return self.attention_layers_count * layer
        qkv = (heads * (2 if self.gated_attention else 1) + 2 * self.kv_heads_count) * self.head_elements
        layer = width * qkv + heads * self.head_elements * width
        layer += qkv if self.biases != "none" else 0
        layer += width if self.biases == "all" else 0
        return self.attention_layers_count * layer

    @property
    def recurrent_parameters_count(self) -> int:
        """Projections, convolutions, decays and inner norms of all recurrent layers."""
        if self.recurrent is None:
            return 0
        return self.recurrent.layers_count * self.recurrent.count_parameters(self.width_elements)

    @property
    def expert_parameters_count(self) -> int:
        """Parameters of one expert; 0 without experts."""
        return (
            0
            if self.experts is None
            else self.matrices_count * self.width_elements * self.experts.hidden_elements
        )

    @property
    def feed_forward_parameters_count(self) -> int:
        """Feed-forward networks, experts and routers of all layers."""
        return self._count_feed_forward(active_only=False)

    @property
    def embedding_parameters_count(self) -> int:
        """Embeddings of tokens, positions and segments, without the output head."""
        return (self.vocabulary_count + self.positions_count + self.segments_count) * self.width_elements

    @property
    def head_parameters_count(self) -> int:
        """The output head if it is not tied, or an encoder's pooler."""
        if self.kind == "encoder":
            return self.width_elements**2 + self.width_elements
        return 0 if self.tied_embeddings else self.vocabulary_count * self.width_elements

    @property
    def norm_parameters_count(self) -> int:
        """Norms of all layers, and the final norm (an encoder's: after the embeddings)."""
        norms = self.layers_count * self.norms_per_layer_count + 1
        return norms * self.width_elements * (2 if self.norm == "layer" else 1)

    @property
    def parameters_count(self) -> int:
        """All parameters."""
        return self._outside_feed_forward_count + self.feed_forward_parameters_count

    @property
    def active_parameters_count(self) -> int:
        """Parameters used per token: of the experts only active and shared ones; the whole embedding."""
        return self._outside_feed_forward_count + self._count_feed_forward(active_only=True)

    @property
    def _outside_feed_forward_count(self) -> int:
        embeddings = self.embedding_parameters_count + self.head_parameters_count
        mixers = self.attention_parameters_count + self.recurrent_parameters_count
        return mixers + embeddings + self.norm_parameters_count

    def _count_feed_forward(self, *, active_only: bool) -> int:
        layer = self.matrices_count * self.width_elements * self.feed_forward_elements
        if self.biases == "all":
            layer += (self.matrices_count - 1) * self.feed_forward_elements + self.width_elements
        total = self.dense_layers_count * layer
        if self.experts is not None:
            used = self.experts.active_count if active_only else self.experts.routed_count
            router = self.width_elements * self.experts.routed_count
            expert = (used + self.experts.shared_count) * self.expert_parameters_count
            total += self.expert_layers_count * (expert + router)
        return total

    def check_positions(self, tokens: SizeLike) -> None:
        """Raise ValueError for sequences longer than the positions that the model has learned, if any."""
        longest = int(np.max(check_size("tokens", tokens)))
        if self.positions_count and longest > self.positions_count:
            raise ValueError(
                f"{self.name} has {self.positions_count:,} learned positions, fewer than {longest:,} tokens"
            )

    def count_adapter_parameters(self, rank_elements: int) -> int:
        """Parameters of adapters of low rank on all products of mixers and of feed-forward networks.

        Experts have none, as is usual. Source: E. Hu et al., "LoRA", arXiv:2106.09685, section 4.
        """
        width, heads = self.width_elements, self.heads_count
        if self.latent is not None:
            latent = self.latent
            values = heads * latent.value_elements
            expanded = heads * latent.plain_elements + values
            products = [(width, latent.cached_elements), (values, width), (latent.kv_rank_elements, expanded)]
            products += [(latent.query_rank_elements or width, heads * latent.query_elements)]
            if latent.query_rank_elements:
                products += [(width, latent.query_rank_elements)]
        else:
            keys, queries = self.kv_heads_count * self.head_elements, heads * self.head_elements
            gated = queries * (2 if self.gated_attention else 1)
            products = [(width, gated), (width, keys), (width, keys), (queries, width)]
        attention = self.attention_layers_count * sum(map(sum, products))
        if self.recurrent is not None:
            attention += self.recurrent.layers_count * sum(map(sum, self.recurrent.list_products(width)))
        network = self.matrices_count * (width + self.feed_forward_elements)
        return int(check_size("rank_elements", rank_elements)) * (
            attention + self.dense_layers_count * network
        )

    @property
    def kv_elements_per_token_count(self) -> int:
        """Elements that one token adds to the cache of one layer with attention."""
        if self.latent is not None:
            return self.latent.cached_elements
        return 2 * self.kv_heads_count * self.head_elements

    def kv_bytes_per_token(self, dtype: DType = "bf16") -> float:
        """Bytes that one more token adds to the cache of all layers while no window is full.

        2 x KV heads x head x layers with attention x bytes; of latent attention the cached vector instead.
        Source: J. Austin et al., "How to Scale Your Model", part 7. Raises ValueError for an encoder.
        """
        if self.kind == "encoder":
            raise ValueError(f"{self.name} is an encoder and keeps no KV cache")
        return self.attention_layers_count * self.kv_elements_per_token_count * bytes_per_element(dtype)

    @property
    def state_bytes(self) -> float:
        """What recurrent layers keep of one sequence, however long it is (`RecurrentLayers.state_bytes`)."""
        return 0.0 if self.recurrent is None else self.recurrent.layers_count * self.recurrent.state_bytes

    def kv_bytes(self, context_tokens: SizeLike, dtype: DType = "bf16") -> Real:
        """Keys and values of one sequence with `context_tokens` tokens, without recurrent layers' state.

        Windowed layers keep at most their window.
        """
        context = to_float(check_size("context_tokens", context_tokens, least=0))
        layers = self.attention_layers_count
        layer_token = self.kv_bytes_per_token(dtype) / max(layers, 1)
        seen = np.minimum(context, self.window_tokens) if self.windowed_layers_count else 0.0
        full_layers = layers - self.windowed_layers_count
        return to_plain_float(layer_token * (full_layers * context + self.windowed_layers_count * seen))


def _check_sizes(record: object, *names: str, least: int = 1) -> None:
    for name in names:
        object.__setattr__(record, name, cast(int, check_size(name, getattr(record, name), least=least)))
