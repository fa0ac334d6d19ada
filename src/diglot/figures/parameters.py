"""The reader's controls: each parameter of `compute` has a finite domain."""

from collections.abc import Iterator
from dataclasses import dataclass

MOST_VALUES = 1000


@dataclass(frozen=True, slots=True)
class Range:
    """Numbers from `start` up to and including `stop`: `Annotated[int, Range(1, 512, 1)]`."""

    start: int | float
    stop: int | float
    step: int | float = 1

    def __post_init__(self) -> None:
        if not self.step > 0:
            raise ValueError(f"the step of a range is above 0, not {self.step}")
        if not self.start <= self.stop:
            raise ValueError(f"a range runs upwards, not from {self.start} to {self.stop}")
        if len(self) > MOST_VALUES:
            raise ValueError(f"a range has at most {MOST_VALUES:,} values, not {len(self):,}")

    def __len__(self) -> int:
        return int((self.stop - self.start) / self.step + 1e-9) + 1

    def __iter__(self) -> Iterator[int | float]:
        whole = all(isinstance(n, int) for n in (self.start, self.step))
        for n in range(len(self)):
            value = self.start + n * self.step
            yield value if whole else round(float(value), 12)
