"""The `d` of an SVG path, as short as it can be written: most of a drawing's bytes are coordinates.

Points are given relative to the one before, which has fewer digits and repeats where shapes do: the cells of
a heat map compress to a third.
"""

import re

_TOKEN = re.compile(r"[A-Za-z]|-?\d+(?:\.\d+)?")
_COORDINATES = {"M": 2, "L": 2, "Q": 4, "C": 6}
"""How many follow each command that matplotlib writes, besides Z."""


def shortened(data: str) -> str:
    """The same path, in hundredths of a pixel and in relative commands.

    `data` has absolute commands (M, L, Q, C, Z) and numbers without exponents; one with others is returned as
    it is.
    """
    tokens = _TOKEN.findall(data)
    written: list[str] = []
    here, start = (0, 0), (0, 0)
    last = command = ""
    position = 0
    while position < len(tokens):
        if tokens[position].isalpha():
            command = tokens[position]
            position += 1
        if command in ("Z", "z"):
            written.append("z")
            here, last = start, "z"
            continue
        count = _COORDINATES.get(command, 0)
        given = tokens[position : position + count]
        if not count or len(given) < count or any(one.isalpha() for one in given):
            return data
        position += count
        points = [round(float(one) * 100) for one in given]
        end = (points[-2], points[-1])
        if command == "M":
            shorter, numbers, start = "M", points, end
            command = "L"  # further pairs after a move are lines
        elif command == "L" and end[1] == here[1]:
            shorter, numbers = "h", [end[0] - here[0]]
        elif command == "L" and end[0] == here[0]:
            shorter, numbers = "v", [end[1] - here[1]]
        else:
            shorter = command.lower()
            numbers = [one - here[at % 2] for at, one in enumerate(points)]
        written.append(_written(shorter, numbers, repeated=shorter == last and shorter != "M"))
        here, last = end, shorter
    return "".join(written)


def _written(command: str, hundredths: list[int], *, repeated: bool) -> str:
    """A command with its numbers; a repeated one goes without its letter."""
    parts = ["" if repeated else command]
    for at, one in enumerate(hundredths):
        text = _number(one)
        parts.append(" " + text if (at or repeated) and text[0] != "-" else text)
    return "".join(parts)


def _number(hundredths: int) -> str:
    whole, rest = divmod(abs(hundredths), 100)
    fraction = f".{rest:02d}".rstrip("0") if rest else ""
    return ("-" if hundredths < 0 else "") + (str(whole) if whole or not fraction else "") + fraction
