"""Models by the `config.json` that Hugging Face publishes with their weights.

config = read_config("Qwen3-30B-A3B/config.json")
config.model.parameters_count, config.precisions, config.notes

The keys are those of the configuration classes in `huggingface/transformers`, src/transformers/models/.
"""

import json
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple, TypeVar

from diglot.hardware.models.hybrid_configs import EXPERT_WIDTHS, HYBRIDS, SHARED_WIDTHS, UNREAD, HybridLayers
from diglot.hardware.models.model import Experts, LatentAttention, TransformerModel


class ConfigError(ValueError):
    """A `config.json` that cannot be read, or that describes a model of a kind that is not modelled."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelConfig:
    """A model, and what else its configuration says."""

    model: TransformerModel
    precisions: tuple[str, ...]
    """Names among `planning`'s precisions that the weights are published in; `bf16` where nothing is said."""
    notes: tuple[str, ...]
    """What is not read, or was assumed, a sentence each."""


def read_config(path: str | os.PathLike[str]) -> ModelConfig:
    """The model of a `config.json`, or of the folder that holds one.

    Raises ConfigError, which names the file and the key, and OSError where the file cannot be read.
    """
    file = Path(path)
    file = file / "config.json" if file.is_dir() else file
    try:
        return parse_config(file.read_text("utf-8"), name=file.parent.name or file.stem)
    except (ConfigError, UnicodeDecodeError) as error:
        raise ConfigError(f"{file}: {error}") from error


def find_config(name: str) -> Path | None:
    """The file of a model that is named by a path, or by an id (`org/name`) in Hugging Face's local cache."""
    path = Path(name)
    if path.suffix == ".json" or path.is_dir():
        return path
    if name.count("/") != 1:
        return None
    home = Path(os.environ.get("HF_HOME") or Path.home() / ".cache" / "huggingface")
    hub = Path(os.environ.get("HF_HUB_CACHE") or home / "hub")
    folder = hub / f"models--{name.replace('/', '--')}"
    try:
        revision = (folder / "refs" / "main").read_text("utf-8").strip()
    except OSError:
        return None
    return folder / "snapshots" / revision / "config.json"


def parse_config(text: str, *, name: str = "model") -> ModelConfig:
    """The model that the text of a `config.json` describes. Raises ConfigError."""
    try:
        whole = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"it is not JSON: {error}") from error
    if not isinstance(whole, dict):
        raise ConfigError("it is not a JSON object")
    notes: list[str] = []
    keys = whole
    if isinstance(whole.get("text_config"), dict):
        keys = {**whole["text_config"]}
        keys.setdefault("quantization_config", whole.get("quantization_config"))
        notes.append("Only its language model is read, not its encoders of pictures or sound.")
    model = _Reader(keys, notes).read(name)
    return ModelConfig(model=model, precisions=_find_precisions(keys, notes), notes=tuple(notes))


class _Family(NamedTuple):
    """What a `model_type` implies and its file does not say."""

    settings: Mapping[str, Any] = MappingProxyType({})
    """Of `TransformerModel`, unless a key says otherwise."""
    expert_width: str = "moe_intermediate_size"
    """The key of an expert's inner width."""
    windows: Callable[["_Reader"], int] | None = None
    """The number of layers with a window, where the file has no `layer_types`; None: no window."""


def _every_layer(reader: "_Reader") -> int:
    return reader.count("num_hidden_layers")


def _every_other(reader: "_Reader") -> int:
    return reader.count("num_hidden_layers") // 2


def _but_every_sixth(reader: "_Reader") -> int:
    layers = reader.count("num_hidden_layers")
    return layers - layers // reader.count("sliding_window_pattern", default=6)


_GEMMA = MappingProxyType({"tied_embeddings": True})
_GEMMA_2 = MappingProxyType({"tied_embeddings": True, "norms_per_layer_count": 4})
_BERT = MappingProxyType(
    {"kind": "encoder", "gated": False, "norm": "layer", "biases": "all", "segments_count": 2}
)
_GPT_2 = MappingProxyType({"gated": False, "norm": "layer", "biases": "all", "tied_embeddings": True})

_FAMILIES: Mapping[str, _Family] = MappingProxyType(
    {
        **dict.fromkeys(
            ("llama", "granite", "phi3", "qwen3", "smollm3", "minicpm", "glm4", "seed_oss"), _Family()
        ),
        "mistral": _Family(windows=_every_layer),
        "ministral": _Family(windows=_every_layer),
        "qwen2": _Family(settings=MappingProxyType({"biases": "qkv"})),
        "olmo2": _Family(),
        "gemma": _Family(settings=_GEMMA),
        "gemma2": _Family(settings=_GEMMA_2, windows=_every_other),
        "gemma3_text": _Family(settings=_GEMMA_2, windows=_but_every_sixth),
        "gpt2": _Family(settings=_GPT_2),
        "bert": _Family(settings=_BERT),
        "mixtral": _Family(expert_width="intermediate_size"),
        "gpt_oss": _Family(expert_width="intermediate_size", windows=_every_other),
        "qwen2_moe": _Family(settings=MappingProxyType({"biases": "qkv"})),
        "llama4_text": _Family(expert_width="intermediate_size"),
        **dict.fromkeys(
            ("qwen3_moe", "deepseek_v2", "deepseek_v3", "deepseek_v32", "kimi_k2", "glm4_moe", "glm_moe_dsa"),
            _Family(),
        ),
        **{name: _Family(expert_width=EXPERT_WIDTHS.get(name, "moe_intermediate_size")) for name in HYBRIDS},
    }
)
"""By `model_type`."""

_OTHER_NAMES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "hidden_size": ("n_embd", "d_model"),
        "num_hidden_layers": ("n_layer", "num_layers"),
        "num_attention_heads": ("n_head",),
        "head_dim": ("attention_head_dim",),
        "intermediate_size": ("n_inner", "ffn_dim"),
        "max_position_embeddings": ("n_positions",),
        "num_experts": ("num_local_experts", "n_routed_experts"),
        "num_experts_per_tok": ("experts_per_token", "num_experts_per_token"),
        "n_shared_experts": ("num_shared_experts",),
    }
)
"""Keys that other configurations use for the same."""
_ABSOLUTE = ("gpt2", "bert")
"""Families with learned embeddings of positions."""
_NOT_ATTENTION = ("mamba_d_state", "ssm_cfg", "state_size", "linear_num_value_heads", "attn_layer_period")
"""Keys of layers that are no attention."""


_Built = TypeVar("_Built")


class _Reader:
    def __init__(self, keys: Mapping[str, Any], notes: list[str]) -> None:
        self.values = keys
        self._notes = notes

    def read(self, name: str) -> TransformerModel:
        type_ = self.values.get("model_type")
        self._refuse_other_layers(type_)
        hybrid = self._read_hybrid(type_)
        family = _FAMILIES.get(str(type_))
        if family is None:
            family = _Family()
            known = ", ".join(sorted(_FAMILIES))
            self._notes.append(f'model_type "{type_}" is read as a llama; known are {known}.')
        latent = self._latent()
        experts = self._experts(family, hybrid)
        others = {} if hybrid is None else self._try(lambda: hybrid.settings)
        plain = latent is None and "heads_count" not in others
        settings: dict[str, Any] = {
            **family.settings,
            "name": name,
            "layers_count": 0 if "layers_count" in others else self.count("num_hidden_layers"),
            "width_elements": self.count("hidden_size"),
            "heads_count": 0 if "heads_count" in others else self.count("num_attention_heads"),
            "kv_heads_count": self.count("num_key_value_heads", default=0) if plain else 0,
            "head_elements": self.count("head_dim", default=0) if plain else 0,
            "feed_forward_elements": 0 if "feed_forward_elements" in others else self._feed_forward(experts),
            "vocabulary_count": self.count("vocab_size"),
            "experts": experts,
            "latent": latent,
            **self._window(family),
            **others,
        }
        if isinstance(tied := self.values.get("tie_word_embeddings"), bool):
            settings["tied_embeddings"] = tied
        if self.values.get("attention_bias") is True and "biases" not in settings:
            settings["biases"] = "qkv"
        if latent is not None:  # only the latent sizes count
            settings["head_elements"] = latent.query_elements
        if self.count("index_topk", default=0):
            self._notes.append("Its sparse attention is taken as full: long contexts are quicker than told.")
        if type_ in _ABSOLUTE:
            settings["positions_count"] = self.count("max_position_embeddings")
        return self._try(lambda: TransformerModel(**settings))

    def _try(self, build: Callable[[], _Built]) -> _Built:
        try:
            return build()
        except ConfigError:
            raise
        except (ValueError, TypeError) as error:
            raise ConfigError(f"its sizes do not fit each other: {error}") from error

    def _read_hybrid(self, type_: object) -> HybridLayers | None:
        read = HYBRIDS.get(str(type_))
        if read is None:
            return None
        for key, what in UNREAD.items():
            if self.values.get(key):
                raise ConfigError(f'"{key}" is {self.values[key]!r}: {what}, which is not modelled')
        return self._try(lambda: read(self))

    def _refuse_other_layers(self, type_: object) -> None:
        kinds = self.values.get("layer_types")
        known = _ATTENTION | _RECURRENT if type_ in HYBRIDS else _ATTENTION
        others = sorted(set(map(str, kinds)) - known) if isinstance(kinds, list) else []
        if type_ not in HYBRIDS:
            others += [key for key in _NOT_ATTENTION if self.values.get(key) is not None]
        if others:
            raise ConfigError(
                f'"{type_}" has layers that are not modelled ({", ".join(others)}): recurrent layers are of '
                + ", ".join(sorted(HYBRIDS))
            )
        if self.values.get("is_encoder_decoder") is True:
            raise ConfigError(f'"{type_}" has an encoder and a decoder, which are not modelled together')

    def count(self, key: str, *, default: int | None = None) -> int:
        """A size. Raises ConfigError for one that is missing, or no whole number."""
        for name in (key, *_OTHER_NAMES.get(key, ())):
            value = self.values.get(name)
            if value is None:
                continue
            if not isinstance(value, int) or isinstance(value, bool) or value < 0:
                raise ConfigError(f'"{name}" is {value!r}, not a whole number')
            return value
        if default is None:
            raise ConfigError(f'it has no "{key}"; is it the config.json of a language model?')
        return default

    def _feed_forward(self, experts: Experts | None) -> int:
        dense = self.count("intermediate_size_mlp", default=0)
        default = 4 * self.count("hidden_size") if self.values.get("model_type") == "gpt2" else None
        if default is None and experts is not None:
            default = experts.hidden_elements
        return dense or self.count("intermediate_size", default=default)

    def _experts(self, family: _Family, hybrid: HybridLayers | None) -> Experts | None:
        routed = self.count("num_experts", default=0)
        layers = None if hybrid is None else hybrid.experts_layers_count
        if not routed or layers == 0:
            return None
        hidden = self.count(family.expert_width, default=0) or self.count("intermediate_size")
        try:
            return Experts(
                routed_count=routed,
                active_count=self.count("num_experts_per_tok"),
                hidden_elements=hidden,
                shared_count=self._shared(hidden),
                dense_layers_count=self._dense_layers(hybrid),
            )
        except ValueError as error:
            raise ConfigError(f"its experts do not fit each other: {error}") from error

    def _shared(self, hidden: int) -> int:
        if self.values.get("model_type") == "llama4_text":
            return 1
        width = max(self.count(key, default=0) for key in SHARED_WIDTHS)
        if width % hidden:
            self._notes.append(
                f"The shared expert is {width} wide, and taken as {round(width / hidden)} x {hidden}."
            )
        return round(width / hidden) if width else self.count("n_shared_experts", default=0)

    def _dense_layers(self, hybrid: HybridLayers | None) -> int:
        if hybrid is not None and hybrid.experts_layers_count is not None:
            alone, layers = (
                hybrid.others.get(key, 0) for key in ("feed_forward_only_layers_count", "layers_count")
            )
            return (alone if layers else self.count("num_hidden_layers")) - hybrid.experts_layers_count
        layers = self.count("num_hidden_layers")
        step = self.count("interleave_moe_layer_step", default=0) or self.count(
            "decoder_sparse_step", default=1
        )
        only = self.values.get("mlp_only_layers")
        dense = len(only) if isinstance(only, list) else 0
        dense = max(dense, layers - layers // max(step, 1))
        kinds = self.values.get("mlp_layer_types")
        if isinstance(kinds, list):
            return kinds.count("dense")
        return dense or self.count("first_k_dense_replace", default=0)

    def _latent(self) -> LatentAttention | None:
        rank = self.count("kv_lora_rank", default=0)
        if not rank:
            return None
        return LatentAttention(
            query_rank_elements=self.count("q_lora_rank", default=0),
            kv_rank_elements=rank,
            rope_elements=self.count("qk_rope_head_dim"),
            plain_elements=self.count("qk_nope_head_dim"),
            value_elements=self.count("v_head_dim"),
        )

    def _window(self, family: _Family) -> dict[str, int]:
        window = self.count("sliding_window", default=0) or self.count("attention_chunk_size", default=0)
        if not window or self.values.get("use_sliding_window") is False:
            return {}
        kinds = self.values.get("layer_types")
        if isinstance(kinds, list):
            layers = sum(kind in _WINDOWED for kind in kinds)
        else:
            layers = family.windows(self) if family.windows is not None else 0
        return {"window_tokens": window, "windowed_layers_count": layers} if layers else {}


_WINDOWED = ("sliding_attention", "chunked_attention")
_ATTENTION = frozenset({"full_attention", "attention", *_WINDOWED})
_RECURRENT = frozenset({"linear_attention", "mamba"})


_BITS = {4: "w4a16", 8: "w8a16"}
"""Bits of weights next to activations in 16 → precision."""


def _find_precisions(keys: Mapping[str, Any], notes: list[str]) -> tuple[str, ...]:
    """The precisions that weights are published in."""
    quantised = keys.get("quantization_config")
    if not isinstance(quantised, dict):
        return ("bf16",)
    method, bits = str(quantised.get("quant_method", "")), quantised.get("bits")
    if method == "mxfp4":
        return ("fp4", "w4a16")  # a chip without fp4 widens the weights
    if method in ("fp8", "fbgemm_fp8"):
        return ("fp8",)
    if method in ("gptq", "awq", "bitnet", "hqq") and bits in _BITS:
        return (_BITS[bits],)
    if method == "bitsandbytes" and quantised.get("load_in_4bit"):
        return ("w4a16",)
    if method in ("compressed-tensors", "modelopt") and (grouped := _read_groups(quantised)):
        return grouped
    notes.append(f'Its quantisation "{method}" is not read: choose with --precisions.')
    return ("bf16",)


def _read_groups(quantised: Mapping[str, Any]) -> tuple[str, ...]:
    """Those of weights quantised in groups of layers; none where groups differ or are not known."""
    groups = quantised.get("config_groups")
    found = {_read_group(group) for group in groups.values()} if isinstance(groups, dict) else set()
    return found.pop() if len(found) == 1 else ()


def _read_group(group: Any) -> tuple[str, ...]:
    parts = group if isinstance(group, dict) else {}
    match _read_format(parts.get("weights")), _read_format(parts.get("input_activations")):
        case ("float", 4), _:
            return ("fp4", "w4a16")  # as above
        case ("float", 8), ("float", 8):
            return ("fp8",)
        case ("int", 8), ("int", 8):
            return ("int8",)
        case (_, 4 | 8 as bits), None:
            return (_BITS[bits],)
    return ()


def _read_format(part: Any) -> tuple[Any, Any] | None:
    """Kind and bits of numbers; None where they are not quantised."""
    return (part.get("type"), part.get("num_bits")) if isinstance(part, dict) else None
