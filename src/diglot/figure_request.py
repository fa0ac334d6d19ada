"""A figure with its parameters, as articles name it and workers compute it."""

import re
from typing import NamedTuple
from urllib.parse import parse_qsl, quote, urlencode

_ID = re.compile(r"[a-z][a-z0-9_]*")
WORDS_OF_EXPRESSIONS = frozenset(("none", "true", "false", "not", "and", "or", "in", "is", "if", "else"))
"""What expressions read as constants and operators: a figure of this name could not be quoted."""


CELLS = "cells"
"""What expressions call the values that the code cells of their article assign; no figure has this id."""
_OF = "of"


def is_figure_id(text: str) -> bool:
    """Whether a figure can have this id."""
    return _ID.fullmatch(text) is not None and text not in WORDS_OF_EXPRESSIONS and text != CELLS


class FigureRequest(NamedTuple):
    """A figure with one choice of parameters."""

    figure_id: str
    parameters: tuple[tuple[str, str], ...] = ()
    """As the author wrote them, sorted by name; a parameter left out keeps its default."""

    @classmethod
    def of(cls, figure_id: str, parameters: tuple[tuple[str, str], ...] = ()) -> "FigureRequest":
        """The request with sorted parameters, so that equal requests compare equal."""
        return cls(figure_id, tuple(sorted(parameters)))

    @classmethod
    def parse(cls, text: str) -> "FigureRequest":
        """The request from the text that `str` gives, e.g. `roofline?dtype=fp8`."""
        figure_id, _, query = text.partition("?")
        return cls.of(figure_id, tuple(parse_qsl(query, keep_blank_values=True)))

    @classmethod
    def of_cells(cls, path: str) -> "FigureRequest":
        """What the code cells of an article came to, for the half in this file."""
        return cls(CELLS, ((_OF, path),))

    @property
    def cells_path(self) -> str | None:
        """The file of the half for which it asks for what code cells came to; None for a figure."""
        return dict(self.parameters).get(_OF) if self.figure_id == CELLS else None

    @property
    def called(self) -> str:
        """What reports call it."""
        return str(self) if self.cells_path is None else f"code cells of {self.cells_path}"

    def is_known_in(self, path: str) -> bool:
        """Whether a half, which knows all figures, but no code cells except its own, can read the data."""
        return self.cells_path in (None, path)

    @property
    def file_stem(self) -> str:
        """The name of its files without suffix: `roofline`, `roofline-dtype-fp8`.

        Characters that an address cannot contain are written as `=` and their code. A percent sign would be
        decoded on the way to the file.
        """
        words = [self.figure_id, *(word for parameter in self.parameters for word in parameter)]
        return "-".join(quote(word, safe="").replace("%", "=") for word in words)

    @property
    def expression(self) -> str:
        """The figure as expressions name it: `roofline(dtype="fp8")`."""
        if self.cells_path is not None:
            return CELLS
        given = ", ".join(f'{name}="{value}"' for name, value in self.parameters)
        return f"{self.figure_id}({given})" if given else self.figure_id

    def __str__(self) -> str:
        return f"{self.figure_id}?{urlencode(self.parameters)}" if self.parameters else self.figure_id
