"""The backward pass of attention: gradients of Q, K and V from the gradient of the output.

The fused form has five products: Q K^T recomputed, dV = P^T dO, dP = dO V^T, dQ = dS K and dK = dS^T Q; the
materialised form reads P back instead of the first. Published rates count 2.5 times the forward FLOPs.

Sources: T. Dao, "FlashAttention-2", arXiv:2307.08691 (backward FLOPs are 2.5 times the forward ones; the
log-sum-exp of each row kept instead of the scores); T. Dao et al., "FlashAttention", arXiv:2205.14135,
algorithm 3 (the materialised backward pass) and appendix B.
"""

from diglot.hardware.dtypes import DType, bytes_per_element
from diglot.hardware.kernels.attention import AttentionShape
from diglot.hardware.kernels.kernel import Kernel
from diglot.hardware.sizes import to_float

_ROW_BYTES = 4
"""Size of the log-sum-exp of a row, and of its sum of dO times O: both are fp32."""


def count_flash_attention_backward(shape: AttentionShape, *, dtype: DType = "bf16") -> Kernel:
    """Fused backward pass: scores are recomputed on the chip, and masked scores cost nothing.

    Reads Q, K, V, the output, its gradient and the log-sum-exp of each row once and writes dQ, dK and dV
    once, as if on-chip memory held every block that is reused.
    """
    size = bytes_per_element(dtype)
    rows = shape.queries_elements / to_float(shape.head_elements)
    return Kernel(
        name="flash attention backward",
        flops=10 * shape.scores_elements * to_float(shape.head_elements),
        read_bytes=(3 * shape.queries_elements + 2 * shape.keys_elements) * size + rows * _ROW_BYTES,
        written_bytes=(shape.queries_elements + 2 * shape.keys_elements) * size,
    )


def count_materialised_attention_backward(shape: AttentionShape, *, dtype: DType = "bf16") -> Kernel:
    """Separate kernels that read P, kept from the forward pass, and pass dP and dS through memory.

    Four products over the full score matrix, masked or not. P is read for dV and for dS, dP is written and
    read, and dS is written and read for dQ and for dK.
    """
    size = bytes_per_element(dtype)
    square = (
        to_float(shape.batch_count)
        * to_float(shape.heads_count)
        * to_float(shape.queries_tokens)
        * to_float(shape.keys_tokens)
    )
    # dV and dP read dO, dK reads Q; dP reads V, dQ reads K.
    operands = 3 * shape.queries_elements + 2 * shape.keys_elements
    return Kernel(
        name="materialised attention backward",
        flops=8 * square * to_float(shape.head_elements),
        read_bytes=(operands + 5 * square) * size,
        written_bytes=(shape.queries_elements + 2 * shape.keys_elements + 2 * square) * size,
    )
