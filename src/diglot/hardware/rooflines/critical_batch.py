"""Critical batch size: the batch from which a layer's matrix product is compute-bound."""

import numpy as np

from diglot.hardware.dtypes import DType, bytes_per_element
from diglot.hardware.rooflines.roofline import Roofline
from diglot.hardware.sizes import Real, SizeLike, check_rate, check_size, to_float, to_plain_float


def find_critical_rows(
    k: SizeLike,
    n: SizeLike,
    *,
    roofline: Roofline,
    dtype: DType = "bf16",
    weight_dtype: DType | None = None,
    output_dtype: DType | None = None,
) -> Real:
    """Rows m at which C[m, n] = A[m, k] @ B[k, n] reaches the ridge point; a real number, not rounded.

    Infinite where the product is memory-bound for any number of rows. For k and n far above m the result
    tends to ridge x bytes per weight / 2. Dtypes and errors as in `count_gemm`.
    Source: J. Austin et al., "How to Scale Your Model", part 1 (critical batch size), solved exactly here.
    """
    k_, n_ = to_float(check_size("k", k)), to_float(check_size("n", n))
    a_bytes = bytes_per_element(dtype)
    weight_bytes = bytes_per_element(weight_dtype or dtype)
    output_bytes = bytes_per_element(output_dtype or dtype)
    # Solves 2 m k n = ridge x bytes for m: each row's FLOPs beyond its own traffic pay for the weights.
    ridge = roofline.ridge_flops_per_byte
    spare_flops = np.asarray(2 * k_ * n_ - ridge * (k_ * a_bytes + n_ * output_bytes))
    rows = np.full(spare_flops.shape, np.inf)
    np.divide(ridge * k_ * n_ * weight_bytes, spare_flops, out=rows, where=spare_flops > 0)
    return to_plain_float(rows)


def find_moe_critical_tokens(
    ridge_flops_per_byte: float, *, experts_count: int, active_count: int, weight_dtype: DType = "bf16"
) -> float:
    """Tokens from which a mixture of experts is compute-bound.

    Ridge x bytes per weight / 2 x experts / active.
    Each expert receives only its share of the tokens but needs as many as a dense layer. Activations are
    ignored and routing is uniform. Raises ValueError for more active experts than experts.
    Source: J. Austin et al., "How to Scale Your Model", part 4, question 8.
    """
    if check_size("active_count", active_count) > check_size("experts_count", experts_count):
        raise ValueError(f"active_count must be at most experts_count, not {active_count} of {experts_count}")
    dense = (
        float(check_rate("ridge_flops_per_byte", ridge_flops_per_byte)) * bytes_per_element(weight_dtype) / 2
    )
    return dense * experts_count / active_count
