"""Requests that arrive at given or random times, of given or random lengths.

Everything random is drawn from a seed, and times scale with the rate: the same seed at another rate gives the
same requests, closer together, so that rates can be compared.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from diglot.hardware.sizes import check_amount, check_rate, check_size

_Sizes = npt.NDArray[np.int64]
_Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Requests:
    """A trace: one entry per request, by time of arrival. Single lengths stand for all requests.

    Raises ValueError for lists of unequal length, times that are negative or go back, fewer than one prompt
    token or two output tokens, and prompts that are cached as a whole.
    """

    arrival_s: _Floats
    prompt_tokens: _Sizes
    output_tokens: _Sizes
    cached_tokens: _Sizes | int = 0
    """Tokens at the beginning of each prompt whose cache exists already (`prefix_cache`)."""

    def __post_init__(self) -> None:
        times = np.atleast_1d(np.asarray(check_amount("arrival_s", self.arrival_s)))
        if times.ndim != 1 or times.size == 0 or np.any(np.diff(times) < 0):
            raise ValueError("arrival_s must be a list of times in order")
        object.__setattr__(self, "arrival_s", times)
        for name, least in (("prompt_tokens", 1), ("output_tokens", 2), ("cached_tokens", 0)):
            sizes = np.asarray(check_size(name, getattr(self, name), least=least), dtype=np.int64)
            if sizes.ndim and sizes.shape != times.shape:
                raise ValueError(
                    f"{name} must have one entry for each of {times.size} arrivals, not {sizes.size}"
                )
            object.__setattr__(self, name, np.broadcast_to(sizes, times.shape))
        if np.any(self.cached_tokens >= self.prompt_tokens):
            raise ValueError("cached_tokens must be below prompt_tokens: the last token is always computed")

    @property
    def count(self) -> int:
        """Number of requests."""
        return self.arrival_s.size


def draw_arrivals_s(
    requests_per_s: float, *, requests_count: int, interval_variation_ratio: float = 1.0, seed: int = 0
) -> _Floats:
    """Random times of arrival, in seconds, with independent intervals from a gamma distribution.

    `interval_variation_ratio` is the standard deviation of the intervals over their mean: 1 is a Poisson
    process, more is bursty, 0 a clock; `seed` gives the same times each time. Raises ValueError for a rate
    not above zero, fewer than one request, and a ratio that is negative or not finite.
    """
    rate = float(check_rate("requests_per_s", requests_per_s))
    count = int(check_size("requests_count", requests_count))
    ratio = float(check_amount("interval_variation_ratio", interval_variation_ratio))
    random = np.random.default_rng(int(check_size("seed", seed, least=0)))
    intervals = np.ones(count) if ratio == 0 else random.gamma(ratio**-2, ratio**2, count)
    return np.asarray(np.cumsum(intervals) / rate)


def draw_lengths_tokens(
    mean_tokens: float, *, requests_count: int, variation_ratio: float, least_tokens: int = 1, seed: int = 0
) -> _Sizes:
    """Random lengths from a log-normal distribution with this mean and ratio of deviation to mean.

    Rounded to whole tokens, at least `least_tokens`; `seed` gives the same lengths each time. That lengths
    are log-normal is an assumption; measured ones can be given as they are. Raises ValueError for impossible
    sizes and a negative ratio.
    """
    mean = float(check_rate("mean_tokens", mean_tokens))
    count = int(check_size("requests_count", requests_count))
    ratio = float(check_amount("variation_ratio", variation_ratio))
    least = int(check_size("least_tokens", least_tokens))
    random = np.random.default_rng(int(check_size("seed", seed, least=0)))
    spread = np.sqrt(np.log1p(ratio**2))
    drawn = mean * np.exp(spread * random.standard_normal(count) - spread**2 / 2)
    return np.asarray(np.maximum(np.round(drawn), least), dtype=np.int64)


def draw_requests(
    requests_per_s: float,
    *,
    requests_count: int,
    prompt_tokens: float,
    output_tokens: float,
    interval_variation_ratio: float = 1.0,
    length_variation_ratio: float = 0.0,
    seed: int = 0,
) -> Requests:
    """Requests with independent intervals, prompts and answers, drawn from `seed`; lengths are means.

    Raises ValueError as `draw_arrivals_s` and `draw_lengths_tokens`.
    """
    check_size("seed", seed, least=0)
    prompts, outputs = (
        draw_lengths_tokens(
            float(check_rate(name, mean)),
            requests_count=requests_count,
            variation_ratio=float(check_amount("length_variation_ratio", length_variation_ratio)),
            least_tokens=least,
            seed=seed + place,
        )
        for place, (name, mean, least) in enumerate(
            (("prompt_tokens", prompt_tokens, 1), ("output_tokens", output_tokens, 2)), start=1
        )
    )
    return Requests(
        arrival_s=draw_arrivals_s(
            requests_per_s,
            requests_count=requests_count,
            interval_variation_ratio=interval_variation_ratio,
            seed=seed,
        ),
        prompt_tokens=prompts,
        output_tokens=outputs,
    )
