"""Where caches lie: in blocks of a few tokens (paged), or in one piece as long as a request may become.

A paged cache wastes the rest of the last block of each sequence. A contiguous one wastes what was reserved
for tokens that do not exist yet, or never will. How a format of fewer bits helps is in `Formats.kv_cache`.
Source: W. Kwon et al., "Efficient Memory Management for Large Language Model Serving with PagedAttention",
SOSP 2023, arXiv:2309.06180.
"""

import numpy as np
import numpy.typing as npt

from diglot.hardware.serving.deployment import Deployment
from diglot.hardware.sizes import Size, SizeLike, check_size, divide_up, to_plain_int

_Floats = npt.NDArray[np.float64]


def count_allocated_tokens(context_tokens: SizeLike, *, block_tokens: SizeLike = 16) -> Size:
    """Tokens for which a paged cache has room: whole blocks.

    16 is the default of vLLM. Raises ValueError for sizes below 1.
    """
    block = check_size("block_tokens", block_tokens)
    return to_plain_int(divide_up(check_size("context_tokens", context_tokens), block) * block)


def find_cache_waste_fraction(context_tokens: SizeLike, *, block_tokens: SizeLike = 16) -> float:
    """Share of the allocated cache without a token, over sequences of these lengths.

    About half a block per sequence, less half a token: (block - 1) / 2 over the mean length and as much.
    """
    context = np.asarray(check_size("context_tokens", context_tokens), dtype=np.float64)
    block = np.asarray(check_size("block_tokens", block_tokens), dtype=np.float64)
    rest = (np.ceil(context / block) * block - context).sum()
    return float(rest / (rest + (context + 0 * block).sum()))


def find_cache_use_fraction(
    prompt_tokens: SizeLike,
    output_tokens: SizeLike,
    *,
    block_tokens: int | None = None,
    reserved_tokens: int | None = None,
) -> float:
    """Mean share of the allocated cache that holds tokens while requests of these lengths generate.

    Requests generate at one pace, so that one with a long answer stays longer. Give `block_tokens` for a
    paged cache, or `reserved_tokens` for a piece of this length per request; neither reserves exactly the
    length that each request will have at its end, as an oracle would.
    Raises ValueError for sizes below 1, both at once, and a reservation shorter than a request.
    """
    prompt = np.asarray(check_size("prompt_tokens", prompt_tokens), dtype=np.float64)
    output = np.asarray(check_size("output_tokens", output_tokens), dtype=np.float64)
    if block_tokens is not None and reserved_tokens is not None:
        raise ValueError("block_tokens and reserved_tokens are two ways to allocate: give one")
    used = np.sum(_sum_to(prompt + output) - _sum_to(prompt))
    if block_tokens is not None:
        block = float(check_size("block_tokens", block_tokens))
        allocated = np.sum(_sum_blocks_to(prompt + output, block) - _sum_blocks_to(prompt, block))
    else:
        longest = prompt + output
        if reserved_tokens is not None:
            reserved = float(check_size("reserved_tokens", reserved_tokens))
            if np.any(longest > reserved):
                raise ValueError(
                    f"reserved_tokens must be at least the longest request, {longest.max():g}, "
                    f"not {reserved_tokens!r}"
                )
            longest = np.broadcast_to(reserved, longest.shape)
        allocated = np.sum(output * longest)
    return float(used / allocated)


def count_paged_sequences(
    deployment: Deployment, context_tokens: SizeLike, *, block_tokens: SizeLike = 16
) -> Size:
    """Sequences of this length whose whole blocks fit next to the weights, over all copies; may be 0."""
    return deployment.largest_batch_count(count_allocated_tokens(context_tokens, block_tokens=block_tokens))


def _sum_to(tokens: _Floats) -> _Floats:
    """1 + 2 + … + tokens."""
    return np.asarray(tokens * (tokens + 1) / 2)


def _sum_blocks_to(tokens: _Floats, block: float) -> _Floats:
    """The same with every term rounded up to whole blocks."""
    whole = np.floor(tokens / block)
    return np.asarray(block * (block * _sum_to(whole) + (tokens - whole * block) * (whole + 1)))
