"""What the `config.json` of a model with recurrent layers says about its layers, family by family.

The keys are those of the configuration classes in `huggingface/transformers`, src/transformers/models/, and
for Kimi Linear of configuration_kimi.py next to its weights.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol

from diglot.hardware.models.recurrent import RecurrentLayers


class Keys(Protocol):
    """The file's keys."""

    values: Mapping[str, Any]

    def count(self, key: str, *, default: int | None = None) -> int:
        """A size, or an error that names the key."""


class HybridLayers(NamedTuple):
    """Layers of a model, of which some are recurrent."""

    recurrent_count: int
    recurrent: Mapping[str, Any]
    """Of `RecurrentLayers`."""
    others: Mapping[str, Any] = MappingProxyType({})
    """Of `TransformerModel`."""
    experts_layers_count: int | None = None
    """Layers with experts; None where the keys of other families say so."""

    @property
    def settings(self) -> dict[str, Any]:
        """Of `TransformerModel`. Raises ValueError for impossible sizes."""
        if not self.recurrent_count:
            return dict(self.others)
        recurrent = RecurrentLayers(layers_count=self.recurrent_count, **self.recurrent)
        return {**self.others, "recurrent": recurrent}


def _count_kinds(keys: Keys, *names: str) -> int | None:
    kinds = keys.values.get("layer_types")
    return sum(kind in names for kind in kinds) if isinstance(kinds, list) else None


def _count_every(layers: int, period: int, offset: int) -> int:
    return len(range(offset, layers, max(period, 1)))


def _read_qwen(keys: Keys) -> HybridLayers:
    layers, recurrent = keys.count("num_hidden_layers"), _count_kinds(keys, "linear_attention")
    if recurrent is None:
        recurrent = layers - layers // max(keys.count("full_attention_interval", default=4), 1)
    sizes = {
        "kind": "gated delta net",
        "key_heads_count": keys.count("linear_num_key_heads"),
        "value_heads_count": keys.count("linear_num_value_heads"),
        "key_elements": keys.count("linear_key_head_dim"),
        "value_elements": keys.count("linear_value_head_dim"),
        "convolution_tokens": keys.count("linear_conv_kernel_dim", default=4),
    }
    gated = keys.values.get("attn_output_gate") is not False
    return HybridLayers(recurrent, sizes, {"gated_attention": gated})


def _read_kimi(keys: Keys) -> HybridLayers:
    inner = keys.values.get("linear_attn_config")
    inner = inner if isinstance(inner, dict) else {}
    listed = inner.get("kda_layers")
    recurrent = len(listed) if isinstance(listed, list) else _count_kinds(keys, "linear_attention")
    layers = keys.count("num_hidden_layers")
    heads, head = inner.get("num_heads", 32), inner.get("head_dim", 128)
    sizes = {
        "kind": "kimi delta attention",
        "key_heads_count": heads,
        "value_heads_count": heads,
        "key_elements": head,
        "value_elements": head,
        "rank_elements": head,
        "convolution_tokens": inner.get("short_conv_kernel_size", 4),
    }
    return HybridLayers(layers - layers // 4 if recurrent is None else recurrent, sizes)


def _read_mamba_2(keys: Keys, names: tuple[str, str, str, str, str]) -> dict[str, Any]:
    """`names` are the keys of heads, their width, the size of the state, groups, and the convolution."""
    heads, head, state, groups, window = names
    return {
        "kind": "mamba-2",
        "key_heads_count": keys.count(groups, default=1),
        "value_heads_count": keys.count(heads),
        "key_elements": keys.count(state),
        "value_elements": keys.count(head),
        "convolution_tokens": keys.count(window, default=4),
    }


_BLOCKS = MappingProxyType({"mamba": "M", "linear_attention": "M", "attention": "*", "full_attention": "*"})
_PATTERN = MappingProxyType({**_BLOCKS, "mlp": "-", "moe": "E"})


def _read_nemotron(keys: Keys) -> HybridLayers:
    pattern, listed = keys.values.get("hybrid_override_pattern"), keys.values.get("layers_block_type")
    if not isinstance(pattern, str) and isinstance(listed, list):
        pattern = "".join(_PATTERN.get(str(kind), "?") for kind in listed)
    if not isinstance(pattern, str) or set(pattern) - set("M*-E"):
        raise ValueError(f'"hybrid_override_pattern" is {pattern!r}, not a text of M, *, - and E')
    feeding = pattern.count("-") + pattern.count("E")
    sizes = _read_mamba_2(
        keys, ("mamba_num_heads", "mamba_head_dim", "ssm_state_size", "n_groups", "conv_kernel")
    )
    others = {
        "layers_count": len(pattern),
        "mixer_only_layers_count": len(pattern) - feeding,
        "feed_forward_only_layers_count": feeding,
        "norms_per_layer_count": 1,
        "gated": False,
    }
    return HybridLayers(pattern.count("M"), sizes, others, pattern.count("E"))


def _read_granite(keys: Keys) -> HybridLayers:
    recurrent = _count_kinds(keys, "mamba", "linear_attention")
    indices, layers = keys.values.get("attn_layer_indices"), keys.count("num_hidden_layers")
    if recurrent is None:
        recurrent = layers - (len(indices) if isinstance(indices, list) else 0)
    sizes = _read_mamba_2(
        keys, ("mamba_n_heads", "mamba_d_head", "mamba_d_state", "mamba_n_groups", "mamba_d_conv")
    )
    dense = not keys.count("num_experts", default=0)
    width = keys.count("shared_intermediate_size", default=0) if dense else 0
    return HybridLayers(recurrent, sizes, {"feed_forward_elements": width} if width else {})


def _read_mamba_1(keys: Keys, state: str, rank: str, window: str, channels: int) -> dict[str, Any]:
    automatic = keys.values.get(rank) == "auto"
    return {
        "kind": "mamba",
        "key_heads_count": 1,
        "value_heads_count": channels,
        "key_elements": keys.count(state, default=16),
        "value_elements": 1,
        "rank_elements": -(-keys.count("hidden_size") // 16) if automatic else keys.count(rank),
        "convolution_tokens": keys.count(window, default=4),
    }


def _read_jamba(keys: Keys) -> HybridLayers:
    layers = keys.count("num_hidden_layers")
    channels = keys.count("mamba_expand", default=2) * keys.count("hidden_size")
    attention, experts = (
        _count_every(
            layers,
            keys.count(f"{kind}_layer_period", default=period),
            keys.count(f"{kind}_layer_offset", default=offset),
        )
        for kind, period, offset in (("attn", 8, 4), ("expert", 2, 1))
    )
    sizes = _read_mamba_1(keys, "mamba_d_state", "mamba_dt_rank", "mamba_d_conv", channels)
    several = keys.count("num_experts", default=16) > 1
    return HybridLayers(layers - attention, sizes, {}, experts if several else 0)


def _read_pure(keys: Keys) -> HybridLayers:
    layers = keys.count("num_hidden_layers")
    others = {
        "mixer_only_layers_count": layers,
        "norms_per_layer_count": 1,
        "heads_count": 1,
        "head_elements": 1,
        "feed_forward_elements": 0,
    }
    if keys.values.get("model_type") == "mamba2":
        sizes = _read_mamba_2(keys, ("num_heads", "head_dim", "state_size", "n_groups", "conv_kernel"))
    else:
        channels = keys.count("expand", default=2) * keys.count("hidden_size")
        channels = keys.count("intermediate_size", default=channels)
        sizes = _read_mamba_1(keys, "state_size", "time_step_rank", "conv_kernel", channels)
    return HybridLayers(layers, sizes, others)


HYBRIDS: Mapping[str, Callable[[Keys], HybridLayers]] = MappingProxyType(
    {
        **dict.fromkeys(("qwen3_next", "qwen3_5_text", "qwen3_5_moe_text"), _read_qwen),
        "kimi_linear": _read_kimi,
        "nemotron_h": _read_nemotron,
        **dict.fromkeys(("granitemoehybrid", "bamba"), _read_granite),
        "jamba": _read_jamba,
        **dict.fromkeys(("mamba", "mamba2", "falcon_mamba"), _read_pure),
    }
)
"""By `model_type`."""
UNREAD: Mapping[str, str] = MappingProxyType(
    {
        "moe_latent_size": "experts in a narrower space",
        "routed_expert_hidden_size": "experts in a narrower space",
        "mla_use_output_gate": "a gate of its latent attention",
    }
)
"""Key of these families → what it adds that is not modelled."""
EXPERT_WIDTHS: Mapping[str, str] = MappingProxyType(
    {"jamba": "intermediate_size", "granitemoehybrid": "intermediate_size"}
)
"""Families whose experts' inner width has another key than `moe_intermediate_size`."""
SHARED_WIDTHS = (
    "shared_expert_intermediate_size",
    "moe_shared_expert_intermediate_size",
    "shared_intermediate_size",
)
"""Keys of the inner width of all shared experts together."""
