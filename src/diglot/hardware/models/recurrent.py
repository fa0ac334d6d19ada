"""Sizes of recurrent layers: Mamba, Mamba-2, gated delta nets and Kimi delta attention."""

from dataclasses import dataclass
from typing import cast

from diglot.hardware.dtypes import bytes_per_element
from diglot.hardware.kernels.recurrence import RECURRENT_KINDS, STATE_DTYPE, RecurrentKind
from diglot.hardware.sizes import check_choice, check_size


@dataclass(frozen=True, slots=True, kw_only=True)
class RecurrentLayers:
    """Layers with a state of constant size instead of attention. Raises ValueError for impossible sizes.

    Sources: as `kernels.recurrence`; the parameters are those of `huggingface/transformers`,
    modeling_jamba.py, modeling_mamba2.py and modeling_qwen3_next.py, and of modeling_kimi.py next to Kimi
    Linear's weights.
    """

    kind: RecurrentKind
    layers_count: int
    """How many of the model's layers are such."""
    key_heads_count: int
    """Heads of keys and queries, a divisor of `value_heads_count`; Mamba-2 calls them groups."""
    value_heads_count: int
    """Heads of values; of Mamba the channels."""
    key_elements: int
    """Width of a key; Mamba calls it the size of the state."""
    value_elements: int
    """Width of a value; 1 for Mamba."""
    convolution_tokens: int = 4
    """Tokens that the convolution before the recurrence sees."""
    rank_elements: int = 0
    """Rank of the products that make Mamba's time steps, or both gates of Kimi delta attention; else 0."""

    def __post_init__(self) -> None:
        check_choice("kind", self.kind, RECURRENT_KINDS)
        for name in ("layers_count", "key_heads_count", "value_heads_count", "key_elements"):
            object.__setattr__(self, name, cast(int, check_size(name, getattr(self, name))))
        for name, least in (("value_elements", 1), ("convolution_tokens", 1), ("rank_elements", 0)):
            object.__setattr__(self, name, cast(int, check_size(name, getattr(self, name), least=least)))
        if self.value_heads_count % self.key_heads_count:
            raise ValueError(
                f"{self.key_heads_count} key heads do not divide {self.value_heads_count} value heads"
            )
        if (self.rank_elements > 0) != (self.kind in ("mamba", "kimi delta attention")):
            raise ValueError(f"rank_elements is {self.rank_elements}, which {self.kind} cannot have")
        if self.kind == "mamba" and self.value_elements != 1:
            raise ValueError(f"value_elements must be 1 for mamba, not {self.value_elements}")

    @property
    def keys_elements(self) -> int:
        """Width of all keys."""
        return self.key_heads_count * self.key_elements

    @property
    def values_elements(self) -> int:
        """Width of all values."""
        return self.value_heads_count * self.value_elements

    @property
    def projected_elements(self) -> int:
        """What the first product makes of a token: values, keys, queries and gates, or inputs of low rank."""
        keys, values, heads = self.keys_elements, self.values_elements, self.value_heads_count
        return {
            "mamba": 2 * values,
            "mamba-2": 2 * values + 2 * keys + heads,
            "gated delta net": 2 * values + 2 * keys + 2 * heads,
            "kimi delta attention": values + 2 * keys + heads + 2 * self.rank_elements,
        }[self.kind]

    @property
    def convolved_elements(self) -> int:
        """Channels of the convolution."""
        return self.values_elements + (0 if self.kind == "mamba" else 2 * self.keys_elements)

    @property
    def state_bytes(self) -> float:
        """What one layer keeps of a sequence: matrices of all heads, and the convolution's last inputs."""
        matrices = self.values_elements * self.key_elements
        inputs = self.convolved_elements * (self.convolution_tokens - 1)
        return matrices * bytes_per_element(STATE_DTYPE) + inputs * bytes_per_element("bf16")

    def list_low_rank_products(self) -> tuple[tuple[str, int, int], ...]:
        """Name, inputs and outputs of the products besides the first and the last."""
        if self.kind == "mamba":
            made = self.rank_elements + 2 * self.keys_elements
            return (
                ("time step and key projection", self.values_elements, made),
                ("time step expansion", self.rank_elements, self.values_elements),
            )
        if self.kind == "kimi delta attention":
            return (
                ("decay expansion", self.rank_elements, self.keys_elements),
                ("gate expansion", self.rank_elements, self.values_elements),
            )
        return ()

    def list_products(self, width_elements: int) -> tuple[tuple[int, int], ...]:
        """Inputs and outputs of all products of one layer with weights."""
        check_size("width_elements", width_elements)
        between = tuple(sizes for _, *sizes in self.list_low_rank_products())
        outer = ((width_elements, self.projected_elements), (self.values_elements, width_elements))
        return (*outer, *((inputs, outputs) for inputs, outputs in between))

    def count_parameters(self, width_elements: int) -> int:
        """Parameters of one layer in a model of this width."""
        heads, values = self.value_heads_count, self.values_elements
        products = sum(inputs * outputs for inputs, outputs in self.list_products(width_elements))
        weights = self.convolved_elements * self.convolution_tokens
        rest = {
            # Biases of convolution and time steps, decays, and what passes the scan by.
            "mamba": 3 * values + values * self.key_elements,
            # Besides biases of time steps and decays, one of each a head, a norm.
            "mamba-2": self.convolved_elements + 3 * heads + values,
            "gated delta net": 2 * heads + self.value_elements,
            "kimi delta attention": heads + self.keys_elements + self.value_elements,
        }[self.kind]
        return products + weights + rest
