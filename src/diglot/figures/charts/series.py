"""The look of a series: a chip's own, a role's, or a step of grey, with its name."""

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from diglot.figures.charts.rows import text_of
from diglot.figures.chip_marks import fold_chip_id
from diglot.figures.chips import CHIP_NAMES, chip
from diglot.figures.scripts.misuse import Misuse, quoted
from diglot.figures.scripts.words import Words

ROLES = ("cmp", "mem", "net", "idle")
ROLE_OF = {"compute": "cmp", "memory": "mem", "network": "net", **{role: role for role in ROLES}}
"""Values of a column that stand for a role, with its colour."""
_GREYS = (
    ("ink", None),
    ("seq6", None),
    ("ink", (8.0, 3.0, 2.0, 3.0)),
    ("seq6", (8.0, 3.0, 2.0, 3.0)),
    ("seq5", None),
)
_FILLS = ("ink", "seq6", "seq3", "seq8", "seq1")
"""Greys of bars and areas, which have no dashes; neighbours differ most."""
GUIDE = (1.0, 3.0)
"""Dash and gap of guides, in px."""
_EIGHT_BIT = (6.0, 3.0)
_FORMATS = {"fp8": _EIGHT_BIT, "int8": _EIGHT_BIT, "fp6": _EIGHT_BIT, "fp4": _EIGHT_BIT, "int4": _EIGHT_BIT}
_DASHES: Mapping[str, tuple[float, ...]] = {**_FORMATS, "8bit": _EIGHT_BIT, "guide": GUIDE}


class Look(msgspec.Struct, frozen=True, kw_only=True):
    """How a series is drawn."""

    name: str
    token: str
    text_token: str
    marker: str = "o"
    dashes: tuple[float, ...] | None = None


def looks_of(
    values: Iterable[Any], words: Words, column: str | None, *, filled: bool = False
) -> dict[Any, Look]:
    """The look of each value of a series column, in order of first appearance.

    Chip ids have the look of their chip, roles their colour; anything else is ink and greys. Of two chips
    that have the same colour, the second has dashes. `filled` is for bars, which have greys of their own.
    """
    distinct = list(dict.fromkeys(map(series_key, values)))
    looks: dict[Any, Look] = {}
    taken: set[str] = set()
    for number, value in enumerate(distinct):
        look = look_of(value, words, column)
        if look is None:
            token, dashes = (_FILLS[number % len(_FILLS)], None) if filled else _GREYS[number % len(_GREYS)]
            text = token if token == "ink" else "mute"
            look = Look(
                name=text_of(_value(value), words, column), token=token, text_token=text, dashes=dashes
            )
        elif look.token in taken and look.token not in ROLES:
            look = msgspec.structs.replace(look, dashes=(8.0, 3.0, 2.0, 3.0))
        taken.add(look.token)
        looks[value] = look
    return looks


def look_of(value: Any, words: Words, column: str | None = None) -> Look | None:
    """The look of a chip or a role; None for any other value.

    Raises ValueError for an unknown id in the column `chip`, unless `COLUMNS` names it.
    """
    if not isinstance(value, str):
        return None
    entry = words.columns.get(column) if column is not None else None
    named = entry is not None and value in entry.names
    if value in ROLE_OF:
        role = ROLE_OF[value]
        return Look(
            name=text_of(value, words, column), token=role, text_token="mute" if role == "idle" else role
        )
    if column != "chip" and fold_chip_id(value) not in CHIP_NAMES:
        return None
    if column == "chip" and named:
        try:
            mark = chip(value)
        except ValueError:  # such as "8 × H200": named in COLUMNS, without a look of its own
            return None
    else:
        mark = chip(value)
    name = text_of(value, words, column) if named else mark.label
    return Look(name=name, token=mark.token, text_token=mark.text_token, marker=mark.marker)


_TEXT_TOKENS = {"gpu1": "gpu2", "tpu1": "tpu2", **dict.fromkeys(("rule", "idle", "paper", "sunk"), "mute")}
_TEXT_TOKENS |= {f"seq{step}": "mute" for step in range(6)}


def plain_look(token: str, name: str = "") -> Look:
    """A look in one colour of the palette."""
    return Look(name=name, token=token, text_token=_TEXT_TOKENS.get(token, token))


def dashes_of(dash: str | None) -> tuple[float, ...] | None:
    """Dashes for 8-bit formats (`fp8`; `fp8, int8`) or a kind of line (`8bit`, `guide`); others are solid."""
    kinds = {_DASHES.get(one) for one in dash.split(", ")} if isinstance(dash, str) else {None}
    return kinds.pop() if len(kinds) == 1 else None


def series_key(value: Any) -> Any:
    """The value of a series column in a form that can be compared. Raises Misuse for lists and the like."""
    if isinstance(value, Mapping) and "zh" in value and "en" in value:
        return value["zh"], value["en"]
    if isinstance(value, Mapping | list | set):
        raise Misuse(
            f"{quoted(value)} names no series, row or panel", "give a text, a number, or a text per language."
        )
    return value


def _value(key: Any) -> Any:
    return {"zh": key[0], "en": key[1]} if isinstance(key, tuple) else key
