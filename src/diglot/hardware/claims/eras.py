"""Models of three eras on TPUs: what memory and padded arrays allow ResNet-50, BERT large and Llama 3 70B.

Forward, in bf16. Every operator takes the longer of its traffic and of its products, as if one chip held the
model. Convolutions are matrix products whose unfolding is free, with norms and activations fused into them;
scores of BERT's attention pass through memory, as they did then. All times are lower bounds.
"""

from collections.abc import Iterable
from typing import Literal, NamedTuple, get_args

import numpy as np

from diglot.hardware.arrays.mxu import run_mxu
from diglot.hardware.chips.chip import Chip
from diglot.hardware.kernels.attention import AttentionShape
from diglot.hardware.kernels.kernel import Kernel
from diglot.hardware.kernels.layers import count_convolution
from diglot.hardware.kernels.resnet50 import list_resnet50_convolutions
from diglot.hardware.operators.transformer import decode, list_operators, prefill
from diglot.hardware.sizes import Size, check_choice, check_size

EraModel = Literal["resnet", "bert", "prefill", "decode"]
_SUBLANES_COUNT = 16
"""Rows of bf16 come to the arrays in sixteens."""
BERT_TOKENS = 128
"""Of most steps of BERT's training."""
_LLAMA_TOKENS = 2048
"""Of the prompt, and of the context in which a token is decoded."""


class EraOperator(NamedTuple):
    """An operator in all layers of a pass."""

    kernel: Kernel
    shape: tuple[Size, Size, Size] | None
    """(m, k, n) of the product that fills arrays, of attention that of one head; None without products."""
    per_head: bool = False


class EraPass(NamedTuple):
    """The least time of a pass through a model."""

    time_s: float
    peak_fraction: float
    """Share of the chip's peak that products use in that time."""


def list_era_operators(era_model: EraModel, batch_count: int = 1) -> list[EraOperator]:
    """A pass over so many images, sequences of BERT, or users who decode; prefill is of one prompt.

    Raises ValueError for other models and impossible batches.
    """
    check_choice("era_model", era_model, get_args(EraModel))
    check_size("batch_count", batch_count)
    if era_model == "resnet":
        shapes = list_resnet50_convolutions(batch_count)
        return [EraOperator(count_convolution(each), each.gemm_sizes) for each in shapes]
    groups = {
        "bert": prefill(BERT_TOKENS, sequences_count=batch_count),
        "prefill": prefill(_LLAMA_TOKENS),
        "decode": decode(_LLAMA_TOKENS - 1, sequences_count=batch_count),
    }[era_model]
    name = "bert-large" if era_model == "bert" else "llama-3-70b"
    operators = list_operators(name, groups)
    # Only a fused operator says of what it is the attention.
    head = next(shape_head(each.attention) for each in operators if each.attention is not None)
    if era_model == "bert":
        operators = list_operators(name, groups, attention="materialised")
    return [
        EraOperator(
            each.kernel.repeated(each.layers_count),
            None if each.kind == "elementwise" else each.product or head,
            each.product is None,
        )
        for each in operators
    ]


def run_era_operators(operators: Iterable[EraOperator], chip: Chip) -> EraPass:
    """The least time of a pass, and the share of the peak that it uses."""
    flops, time_s = 0.0, 0.0
    for kernel, shape, per_head in operators:
        if shape is None:  # the vector unit works, and keeps up with memory
            time_s += float(np.asarray(kernel.memory_bytes)) / chip.memory_bandwidth_bytes_per_s
            continue
        flops += float(np.asarray(kernel.flops))
        share = min(find_product_limits(chip, kernel, *shape, per_head=per_head))
        time_s += float(np.asarray(kernel.flops)) / chip.peak_flops_per_s("bf16") / share
    return EraPass(time_s, flops / time_s / chip.peak_flops_per_s("bf16"))


def find_product_limits(
    chip: Chip, kernel: Kernel, m: Size, k: Size, n: Size, *, per_head: bool = False
) -> tuple[float, float]:
    """The shares of the peak that memory allows a kernel, and arrays a stream of its products of (m, k, n).

    Products follow each other without a gap. Those of a head run on one array each, others on all of them.
    Raises MissingFigureError for chips without arrays, and ValueError for impossible sizes.
    """
    run = run_mxu(
        m, k, n, mxu_count=1 if per_head else chip.mxu_count, rows=chip.mxu_rows_count,
        cols=chip.mxu_columns_count, sublane_count=_SUBLANES_COUNT,
    )  # fmt: skip
    memory = chip.roofline("bf16").peak_fraction(kernel)
    return float(np.asarray(memory)), float(np.asarray(run.steady_utilisation_fraction))


def shape_head(attention: AttentionShape) -> tuple[Size, Size, Size]:
    """(m, k, n) of queries times keys; the other product is its mirror image and fills a square array alike.

    With one token more for each sequence, the queries of heads that share keys are rows of one product.
    """
    together = (
        1 if np.all(attention.queries_tokens > 1) else attention.heads_count // attention.kv_heads_count
    )
    return together * attention.queries_tokens, attention.head_elements, attention.keys_tokens
