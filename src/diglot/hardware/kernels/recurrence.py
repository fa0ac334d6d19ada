"""Recurrent layers, which keep a state of constant size instead of the keys and values of all tokens.

Mamba's selective scan, Mamba-2 and the gated delta rule. Kernels for prompts work in chunks, by products of
matrices inside a chunk and one state from chunk to chunk; a single token reads and writes the state.

Sources: A. Gu, T. Dao, "Mamba", arXiv:2312.00752, section 3.3 (the scan); T. Dao, A. Gu, "Transformers are
SSMs", arXiv:2405.21060, section 6 (chunks of Mamba-2); S. Yang, J. Kautz, A. Hatamizadeh, "Gated Delta
Networks", arXiv:2412.06464, section 3.3, and Kimi Team, "Kimi Linear", arXiv:2510.26692, section 3 (chunks of
the delta rule).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal, get_args

import numpy as np

from diglot.hardware.dtypes import DType, bytes_per_element
from diglot.hardware.kernels.kernel import Kernel
from diglot.hardware.sizes import Size, check_choice, check_size, to_float, to_plain_float

RecurrentKind = Literal["mamba", "mamba-2", "gated delta net", "kimi delta attention"]
RECURRENT_KINDS: tuple[RecurrentKind, ...] = get_args(RecurrentKind)
CHUNK_TOKENS: Mapping[RecurrentKind, int] = MappingProxyType(
    {"mamba": 1, "mamba-2": 256, "gated delta net": 64, "kimi delta attention": 64}
)
"""Tokens of a chunk in the authors' kernels (mamba_ssm, flash-linear-attention). Mamba's has no products."""
STATE_DTYPE: DType = "fp32"
"""Format in which engines keep states by default; in 16 bits they would be read in half the time."""
_SCAN_FLOPS_PER_ELEMENT = 8
"""Of Mamba, for each token and element of the state: the decay and its exponential, two products of the
input, product and sum of the state, product and sum of the result."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RecurrenceShape:
    """Sequences that pass recurrent heads in one layer. Raises ValueError for impossible sizes.

    A head's state is a matrix of `key_elements` x `value_elements`. Mamba-2 calls keys B, queries C and
    values x; each channel of Mamba is a head with values of one element.
    """

    kind: RecurrentKind
    sequences_count: Size = 1
    new_tokens: Size
    """Tokens of each sequence."""
    context_tokens: Size = 0
    """Tokens of each sequence that its state has seen: with none, there is no state to read."""
    key_heads_count: int
    """Heads of keys and queries, which value heads share."""
    value_heads_count: int
    key_elements: int
    value_elements: int

    def __post_init__(self) -> None:
        check_choice("kind", self.kind, RECURRENT_KINDS)
        object.__setattr__(self, "context_tokens", check_size("context_tokens", self.context_tokens, least=0))
        for name in ("sequences_count", "new_tokens", "key_heads_count", "value_heads_count"):
            object.__setattr__(self, name, check_size(name, getattr(self, name)))
        for name in ("key_elements", "value_elements"):
            object.__setattr__(self, name, check_size(name, getattr(self, name)))


def count_recurrence(shape: RecurrenceShape, *, dtype: DType = "bf16") -> Kernel:
    """The recurrence of one layer, without its projections, convolution and norm.

    In a chunk of c tokens a token sees (c + 1) / 2 on average. For each token and value head, with keys of k
    and values of v elements, that costs 2 v for the result and, once for all heads that share keys, 2 k for
    the scores; the state costs 4 k v, added to and read. The delta rule has products of keys with keys, two
    with the inverse of a triangle (c^2 / 3 itself), and 2 k v for what the state has of a key already.
    Inputs, results and the state at both ends are moved once; states between chunks stay on the chip.
    """
    tokens, k, v = to_float(shape.new_tokens), shape.key_elements, shape.value_elements
    heads, keys_heads = to_float(shape.value_heads_count), to_float(shape.key_heads_count)
    rows = to_float(shape.sequences_count) * tokens
    chunk = np.minimum(tokens, CHUNK_TOKENS[shape.kind])
    seen, shared = (chunk + 1) / 2, keys_heads / heads
    is_delta = shape.kind not in ("mamba", "mamba-2")
    if shape.kind == "mamba":
        flops = np.asarray(_SCAN_FLOPS_PER_ELEMENT * k * v, dtype=np.float64)
        gates = v  # of each channel its own time step
    elif not is_delta:
        flops = 2 * seen * (k * shared + v) + 4 * k * v
        gates = 1
    else:
        flops = 2 * seen * (2 * k * shared + k + 2 * v) + chunk**2 / 3 + 6 * k * v
        gates = 2 if shape.kind == "gated delta net" else 1 + k
    size = bytes_per_element(dtype)
    state_bytes = to_float(shape.sequences_count) * heads * k * v * bytes_per_element(STATE_DTYPE)
    read = rows * (2 * keys_heads * k + heads * (v + gates)) * size
    read = read + np.where(np.asarray(shape.context_tokens) > 0, state_bytes, 0.0)
    return Kernel(
        name="recurrence",
        flops=to_plain_float(rows * heads * flops),
        read_bytes=to_plain_float(read),
        written_bytes=to_plain_float(rows * heads * v * size + state_bytes),
    )
