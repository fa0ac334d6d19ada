"""Which parameters of a figure readers can turn, as an author writes it: `dtype, batch = 1..64 step 8`."""

import re
from typing import NamedTuple

EXAMPLE = "dtype, batch = 1..64 step 8, tile = [64x128, 128x128]"


class ExploreError(ValueError):
    """What an author wrote after `:explore:` cannot be read."""

    def __init__(self, message: str, fix: str, at: int) -> None:
        """`at` is the character, from 0, at which it goes wrong."""
        super().__init__(message)
        self.message, self.fix, self.at = message, fix, at


class Explored(NamedTuple):
    """One parameter that readers can turn, with all values of the script, or some of them."""

    name: str
    values: tuple[str, ...] = ()
    """The values in brackets; empty where there are none."""
    low: str = ""
    high: str = ""
    """The ends of `1..64`; empty where there is no such part."""
    step: str = ""
    at: int = 0
    """The character, from 0, at which it is in the option."""

    def __str__(self) -> str:
        if self.values:
            return f"{self.name} = [{', '.join(self.values)}]"
        if self.low:
            return f"{self.name} = {self.low}..{self.high}" + (f" step {self.step}" if self.step else "")
        return self.name


_ITEM = re.compile(r"(?:[^,\[\]]|\[[^\[\]]*\])+")
_NAME = re.compile(r"[a-z][a-z0-9_]*")
_NUMBER = r"[-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?"
_PART = re.compile(rf"({_NUMBER})\s*\.\.\s*({_NUMBER})(?:\s+step\s+({_NUMBER}))?")
_LIST = re.compile(r"\[([^\[\]]*)\]")


def read_exploration(text: str) -> tuple[Explored, ...]:
    """The parameters after `:explore:`, in the author's order. Raises ExploreError."""
    found: list[Explored] = []
    end = 0
    for item in _ITEM.finditer(text):
        if text[end : item.start()].strip() not in ("", ","):
            break
        end = item.end()
        start = item.start() + len(item[0]) - len(item[0].lstrip())
        one = _read_item(item[0].strip(), start)
        if any(one.name == other.name for other in found):
            raise ExploreError(f'"{one.name}" is named twice', "name each parameter once.", start)
        found.append(one)
    if text[end:].strip() or not found:
        raise ExploreError(
            f'"{text[end:].strip() or text}" cannot be read', f"write it as in `{EXAMPLE}`.", end
        )
    return tuple(found)


def _read_item(text: str, at: int) -> Explored:
    name, equals, domain = (part.strip() for part in text.partition("="))
    if _NAME.fullmatch(name) is None:
        loose = re.match(rf"({_NAME.pattern})\s+(?=[\[\d+-])", text)
        if loose is not None:
            fix = f"write `{loose[1]} = {text[loose.end() :]}`."
            raise ExploreError(f'there is no "=" after "{loose[1]}"', fix, at)
        fix = f"name parameters of the script, as in `{EXAMPLE}`."
        raise ExploreError(f'"{name}" cannot be the name of a parameter', fix, at)
    if not equals:
        return Explored(name, at=at)
    if part := _PART.fullmatch(domain):
        return Explored(name, low=part[1], high=part[2], step=part[3] or "", at=at)
    if listed := _LIST.fullmatch(domain):
        values = tuple(value.strip() for value in listed[1].split(",") if value.strip())
        if values:
            return Explored(name, values=values, at=at)
    fix = f"write `{name} = 1..64`, `{name} = 1..64 step 8` or `{name} = [1, 8, 64]`."
    raise ExploreError(f'"{domain}" says no values of "{name}"', fix, at)


def written(explored: tuple[Explored, ...]) -> str:
    """The parameters as `read_exploration` reads them."""
    return ", ".join(map(str, explored))
