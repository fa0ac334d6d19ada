"""Arrays sharded over a mesh of chips: copies, and when adding partial products costs less than making them.

Source: J. Austin et al., "How to Scale Your Model", parts 1 and 3.
"""

from collections.abc import Collection, Mapping

from diglot.hardware.dtypes import DType, bytes_per_element
from diglot.hardware.sizes import Real, SizeLike, check_rate, check_size, to_float


def count_copies(mesh: Mapping[str, int], sharded_axes: Collection[str]) -> int:
    """Copies of an array over all chips of a mesh: the product of the axes over which it is not sharded.

    Raises ValueError for an axis that the mesh does not have.
    """
    unknown = set(sharded_axes) - mesh.keys()
    if unknown:
        raise ValueError(f"no axis {sorted(unknown)[0]!r} in a mesh of {', '.join(mesh)}")
    copies = 1
    for axis, side in mesh.items():
        copies *= 1 if axis in sharded_axes else int(check_size(axis, side))
    return copies


def find_split_critical_depth(
    peak_flops_per_s: Real, network_bytes_per_s: Real, *, chips_count: SizeLike, dtype: DType = "bf16"
) -> Real:
    """Least k of C[m, n] = A[m, k] @ B[k, n], split over chips, for which arithmetic hides the all-reduce.

    Independent of m and n: the ridge point of `count_split_depth_gemm`. A real number, not rounded;
    `network_bytes_per_s` is the send rate of one chip.
    """
    peak = check_rate("peak_flops_per_s", peak_flops_per_s)
    rate = check_rate("network_bytes_per_s", network_bytes_per_s)
    others = to_float(check_size("chips_count", chips_count) - 1)
    return others * bytes_per_element(dtype) * peak / rate
