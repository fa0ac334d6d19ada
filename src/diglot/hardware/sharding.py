"""Arrays spread over a mesh of chips: copies, and when moving weights costs less than multiplying with them.

Source of all: J. Austin et al., "How to Scale Your Model", parts 3 and 5.
"""

from collections.abc import Collection, Mapping

from diglot.hardware.dtypes import DType, bytes_per_element
from diglot.hardware.sizes import Real, SizeLike, check_rate, check_size, to_float


def count_copies(mesh: Mapping[str, int], sharded_axes: Collection[str]) -> int:
    """Copies of an array that all chips of a mesh hold together: the product of the axes not sharded over.

    Raises ValueError for an axis that the mesh does not have.
    """
    unknown = set(sharded_axes) - mesh.keys()
    if unknown:
        raise ValueError(f"no axis {sorted(unknown)[0]!r} in a mesh of {', '.join(mesh)}")
    copies = 1
    for axis, side in mesh.items():
        copies *= 1 if axis in sharded_axes else int(check_size(axis, side))
    return copies


def find_gather_critical_tokens(
    peak_flops_per_s: Real, gather_bytes_per_s: Real, *, weight_dtype: DType = "bf16"
) -> Real:
    """Tokens of each chip from which gathering the weights is hidden behind the products with them.

    Fully sharded data parallelism: W bytes of weights arrive at `gather_bytes_per_s` (of all links used,
    both ways round a ring: 2 x link), and are used for 2 FLOPs per token each.
    """
    peak = check_rate("peak_flops_per_s", peak_flops_per_s)
    rate = check_rate("gather_bytes_per_s", gather_bytes_per_s)
    return peak * bytes_per_element(weight_dtype) / (2 * rate)


def find_tensor_parallel_limit(
    hidden_elements: SizeLike,
    peak_flops_per_s: Real,
    gather_bytes_per_s: Real,
    *,
    activation_dtype: DType = "bf16",
) -> Real:
    """Ways that a feed-forward layer of that inner width can be split before its activations' travel binds.

    Of `count` ways each chip multiplies 1 / count of the layer, while its tokens' activations cross the links
    whole. A real number, not rounded. At 16 bits: width x rate / peak.
    """
    width = to_float(check_size("hidden_elements", hidden_elements))
    peak = check_rate("peak_flops_per_s", peak_flops_per_s)
    rate = check_rate("gather_bytes_per_s", gather_bytes_per_s)
    return 2 * width * rate / (peak * bytes_per_element(activation_dtype))
