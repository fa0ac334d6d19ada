"""Arrays spread over a mesh of chips: copies, and when adding partial products costs less than making them.

Source: J. Austin et al., "How to Scale Your Model", parts 1 and 3.
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


def find_split_critical_depth(
    peak_flops_per_s: Real, network_bytes_per_s: Real, *, chips_count: SizeLike, dtype: DType = "bf16"
) -> Real:
    """Depth k of C[m, n] = A[m, k] @ B[k, n], cut between chips, from which adding the results is hidden.

    Whatever m and n are: where `count_split_depth_gemm` has its ridge. A real number, not
    rounded; `network_bytes_per_s` is what one chip sends.
    """
    peak = check_rate("peak_flops_per_s", peak_flops_per_s)
    rate = check_rate("network_bytes_per_s", network_bytes_per_s)
    others = to_float(check_size("chips_count", chips_count) - 1)
    return others * bytes_per_element(dtype) * peak / rate
