"""A figure with the parameters it is asked for: what articles name and workers compute."""

from typing import NamedTuple
from urllib.parse import parse_qsl, quote, urlencode


class FigureRequest(NamedTuple):
    """One figure, one choice of its parameters."""

    figure_id: str
    parameters: tuple[tuple[str, str], ...] = ()
    """As written by the author, sorted by name; what is left out keeps its default."""

    @classmethod
    def of(cls, figure_id: str, parameters: tuple[tuple[str, str], ...] = ()) -> "FigureRequest":
        """The request with its parameters in the one order that makes equal requests equal."""
        return cls(figure_id, tuple(sorted(parameters)))

    @classmethod
    def parse(cls, text: str) -> "FigureRequest":
        """The request that `str` wrote, e.g. `roofline?dtype=fp8`."""
        figure_id, _, query = text.partition("?")
        return cls.of(figure_id, tuple(parse_qsl(query, keep_blank_values=True)))

    @property
    def file_stem(self) -> str:
        """What files made of it are called: `roofline`, `roofline-dtype-fp8`.

        What cannot stand in an address has its code behind an equals sign: a percent sign would be decoded
        on the way to the file.
        """
        words = [self.figure_id, *(word for parameter in self.parameters for word in parameter)]
        return "-".join(quote(word, safe="").replace("%", "=") for word in words)

    def __str__(self) -> str:
        return f"{self.figure_id}?{urlencode(self.parameters)}" if self.parameters else self.figure_id
