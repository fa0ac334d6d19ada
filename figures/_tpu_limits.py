"""What memory and arrays of a TPU allow streams of matrix products without a gap."""

from diglot import hardware

SUBLANES_COUNT = 16  # rows of bf16 come to the arrays in sixteens


def find_limits(
    chip: hardware.Chip, kernel: hardware.Kernel, shape: tuple[int, int, int], *, per_head: bool = False
) -> tuple[float, float]:
    """The shares of the peak that memory allows a kernel, and arrays its products of (m, k, n).

    Products of a head run each on one array; others are dealt over all of them.
    """
    sides = {"rows": chip.mxu_rows_count, "cols": chip.mxu_columns_count, "sublane_count": SUBLANES_COUNT}
    run = hardware.run_mxu(*shape, mxu_count=1 if per_head else chip.mxu_count, **sides)
    return chip.roofline("bf16").peak_fraction(kernel), run.steady_utilisation_fraction


def shape_head(attention: hardware.AttentionShape) -> tuple[int, int, int]:
    """(m, k, n) of queries times keys; the other product is its mirror image and fills a square array alike.

    With one token more for each sequence, the queries of heads that share keys are rows of one product.
    """
    together = 1 if attention.queries_tokens > 1 else attention.heads_count // attention.kv_heads_count
    return together * attention.queries_tokens, attention.head_elements, attention.keys_tokens
