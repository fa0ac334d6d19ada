"""FLOPs and traffic of attention: with the score matrix in memory, fused, and for one new token.

Per head, softmax(Q @ K^T) @ V. Each of the two products costs two FLOPs per score and element of the head
dimension. As in published rates, the FLOPs exclude the softmax, which runs in parallel with the matrix
units; its traffic is counted. Query heads share the keys and values of their group (GQA).

Sources: T. Dao et al., "FlashAttention: Fast and Memory-Efficient Exact Attention with IO-Awareness",
arXiv:2205.14135 (traffic of both forms); J. Shah et al., "FlashAttention-3", arXiv:2407.08608 (FLOPs counted
as 4 x length^2 x head dimension x heads, half of it where causal); J. Ainslie et al., "GQA: Training
Generalized Multi-Query Transformer Models from Multi-Head Checkpoints", arXiv:2305.13245.
"""

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from diglot.hardware.dtypes import DType, bytes_per_element
from diglot.hardware.kernels.kernel import Kernel
from diglot.hardware.sizes import Real, Size, check_size, to_float

AttentionForm = Literal["flash", "flash-2", "materialised"]
"""Scores that stay on the chip, in kernels for its own instructions or those of FlashAttention-2 (2023), or
scores that pass through memory."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class AttentionShape:
    """Sizes of one attention layer's computation; arrays broadcast.

    Raises ValueError for a size below 1 or not whole, for `kv_heads_count` that does not divide
    `heads_count`, and for more queries than keys under a causal mask.
    """

    batch_count: Size = 1
    """Sequences in the batch."""
    queries_tokens: Size
    """New tokens per sequence."""
    keys_tokens: Size
    """Tokens per sequence that they attend to, including themselves."""
    heads_count: Size
    kv_heads_count: Size
    """Heads of keys and values: `heads_count` for multi-head attention, 1 for multi-query attention."""
    head_elements: Size
    """Head dimension."""
    causal: bool = False
    """Whether query i attends only to keys j <= i + keys - queries."""

    def __post_init__(self) -> None:
        for name in (
            "batch_count",
            "queries_tokens",
            "keys_tokens",
            "heads_count",
            "kv_heads_count",
            "head_elements",
        ):
            object.__setattr__(self, name, check_size(name, getattr(self, name)))
        if np.any(self.heads_count % self.kv_heads_count != 0):
            raise ValueError(f"{self.kv_heads_count} KV heads do not divide {self.heads_count} heads")
        if self.causal and np.any(np.asarray(self.queries_tokens) > self.keys_tokens):
            raise ValueError("under a causal mask a sequence cannot have more queries than keys")

    @classmethod
    def of_sequence(
        cls,
        tokens: Size,
        heads_count: Size,
        head_elements: Size,
        *,
        kv_heads_count: "Size | None" = None,
        **more: Any,
    ) -> "AttentionShape":
        """A sequence that attends to itself, by default with keys and values of its own for every head."""
        return cls(
            queries_tokens=tokens,
            keys_tokens=tokens,
            heads_count=heads_count,
            kv_heads_count=heads_count if kv_heads_count is None else kv_heads_count,
            head_elements=head_elements,
            **more,
        )

    @property
    def scores_elements(self) -> Real:
        """Entries of all score matrices that are not masked."""
        queries, keys = to_float(self.queries_tokens), to_float(self.keys_tokens)
        seen = queries * (keys - queries) + queries * (queries + 1) / 2 if self.causal else queries * keys
        return to_float(self.batch_count) * to_float(self.heads_count) * seen

    @property
    def queries_elements(self) -> Real:
        """Entries of Q, and of the output."""
        tokens = to_float(self.batch_count) * to_float(self.queries_tokens)
        return tokens * to_float(self.heads_count) * to_float(self.head_elements)

    @property
    def keys_elements(self) -> Real:
        """Entries of K, and of V."""
        tokens = to_float(self.batch_count) * to_float(self.keys_tokens)
        return tokens * to_float(self.kv_heads_count) * to_float(self.head_elements)


def count_flash_attention(
    shape: AttentionShape, *, dtype: DType = "bf16", kv_dtype: DType | None = None
) -> Kernel:
    """Fused attention: Q, K and V are read once, the output is written once, and scores stay on the chip.

    Masked scores cost nothing. Reading K and V once assumes on-chip memory large enough for all query blocks
    of a head to share them; a kernel with less memory reads them again for each block.
    `kv_dtype` is the format of K and V where it differs from `dtype`.
    """
    size, kv_size = bytes_per_element(dtype), bytes_per_element(kv_dtype or dtype)
    return Kernel(
        name="flash attention",
        flops=4 * shape.scores_elements * to_float(shape.head_elements),
        read_bytes=shape.queries_elements * size + 2 * shape.keys_elements * kv_size,
        written_bytes=shape.queries_elements * size,
    )


def count_materialised_attention(shape: AttentionShape, *, dtype: DType = "bf16") -> Kernel:
    """Three kernels that keep the score matrix in memory between them: S = Q K^T, P = softmax(S), P V.

    S and P are each written once and read once. A causal mask saves nothing, because plain matrix products
    compute the full score matrix.
    """
    size = bytes_per_element(dtype)
    square = (
        to_float(shape.batch_count)
        * to_float(shape.heads_count)
        * to_float(shape.queries_tokens)
        * to_float(shape.keys_tokens)
    )
    return Kernel(
        name="materialised attention",
        flops=4 * square * to_float(shape.head_elements),
        read_bytes=(shape.queries_elements + 2 * shape.keys_elements + 2 * square) * size,
        written_bytes=(shape.queries_elements + 2 * square) * size,
    )


def count_decode_attention(
    *,
    batch_count: Size = 1,
    keys_tokens: Size,
    heads_count: Size,
    kv_heads_count: Size,
    head_elements: Size,
    dtype: DType = "bf16",
    kv_dtype: DType | None = None,
) -> Kernel:
    """Fused attention of one new token per sequence, which reads the KV cache once.

    With a 16-bit cache the arithmetic intensity tends to heads / KV heads FLOPs per byte, whatever the
    context length and batch size.
    """
    shape = AttentionShape(
        batch_count=batch_count,
        queries_tokens=1,
        keys_tokens=keys_tokens,
        heads_count=heads_count,
        kv_heads_count=kv_heads_count,
        head_elements=head_elements,
    )
    kernel = count_flash_attention(shape, dtype=dtype, kv_dtype=kv_dtype)
    return Kernel(
        name="decode attention",
        flops=kernel.flops,
        read_bytes=kernel.read_bytes,
        written_bytes=kernel.written_bytes,
    )
