"""The names that HTML has: of elements, attributes and values. What has none of them is a slip of an author.

`html_names.json` is the table. Elements of SVG and MathML are not in it: what is inside `<svg>` or `<math>`,
and an element with a hyphen in its name, has attributes of its own.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import msgspec

from diglot.diagnostics import differ_little, nearest, shortened
from diglot.html_tags import END_MAY_BE_LEFT_OUT, VOID, Attribute, Tag, written_attributes


class _Table(msgspec.Struct, frozen=True, kw_only=True):
    """The names, separated by spaces; those of attributes and values in small letters."""

    elements: dict[str, str]
    """The elements of HTML, each with the attributes that it has or once had."""
    obsolete: str
    """Elements of earlier versions: browsers know them, and their attributes are not judged."""
    everywhere: str
    """Attributes of all elements, also those of microdata and RDFa."""
    handlers: str
    """Events: `onclick` without its `on`."""
    aria: str
    switches: str
    """Attributes that are on whatever their value is."""
    whole_numbers: str
    lengths: str
    properties: str
    """Of CSS, without those of one browser."""
    sized: str
    """Properties whose numbers have units."""
    places: dict[str, str]
    """Elements that browsers know inside of certain others alone, one of these around them."""
    one_of: dict[str, str]
    """The values of an attribute, or of an element's: `button type`."""
    each_of: dict[str, str]
    """The words of which an attribute may have several."""
    near: dict[str, str]
    """The words of attributes that may have others, too: only what is nearly one of them is a slip."""
    languages: dict[str, str]
    """What people write for the code of a language."""


@cache  # most articles have no HTML
def _table() -> _Table:
    return msgspec.json.decode(Path(__file__).with_suffix(".json").read_bytes(), type=_Table)


def is_foreign(element: str) -> bool:
    """Whether what is in an element is of another language than HTML."""
    return element in ("svg", "math")


@cache
def elements() -> frozenset[str]:
    """The elements of today's HTML."""
    return frozenset(_table().elements)


@cache
def _attributes(element: str) -> frozenset[str]:
    table = _table()
    own = table.elements.get(element, "").split()
    return frozenset((*own, *table.everywhere.split(), *_with_prefix("on", table.handlers)))


def _with_prefix(prefix: str, names: str) -> list[str]:
    return [f"{prefix}{name}" for name in names.split()]


@cache
def _of_any() -> frozenset[str]:
    return frozenset().union(*(_attributes(element) for element in _table().elements))


def is_attribute(name: str) -> bool:
    """Whether HTML has an attribute of this name, for whatever element."""
    return name in _of_any() or name.startswith(("aria-", "data-"))


def is_element(name: str) -> bool:
    """Whether browsers know an element, or another program may have defined it: `<my-chart>`."""
    return name in elements() or "-" in name or is_foreign(name) or name in _table().obsolete.split()


def element_meant(name: str) -> str | None:
    """The element that a mistyped one was meant to be: `span` for `sapn`; None where none is near."""
    if is_element(name):
        return None
    close = (one for one in sorted(elements()) if differ_little(name, one))
    return next((one for one in close if len(name) > _SHORT or len(name) != len(one)), None)


_SHORT = 3
"""Letters of a name in which a wrong one makes another word: `int` is not meant for `ins`."""


def fix_of_element(name: str, otherwise: str = "") -> str:
    """What to write instead of an element that there is not; `otherwise` where no other is near."""
    if (meant := element_meant(name)) is not None:
        return f"write <{meant}>." if meant in VOID else f"write <{meant}> and </{meant}>."
    return otherwise or f'write <span class="{name}">, or put a hyphen into its name if a script defines it.'


_ANOTHER_PROGRAMS = re.compile(r"[:@#*(\[$_]|[^-]*[.:]|(?!aria)[a-z]\w*-")
"""The beginning of an attribute of a program that runs in pages: `@click`, `:class`, `x-data`, `hx-get`."""


def attribute_slip(name: str, element: str, value: str | None = None) -> str | None:
    """What to do about an attribute that an element does not have; None if it has it, or may have it.

    With its value, where it is written in braces: then it is one only if it is nearly another.
    """
    known: Collection[str] = _attributes(element)
    in_braces = value is not None
    if name in known or name.startswith("data-") or (in_braces and (name in _of_any() or not name.isalpha())):
        return None
    if name.startswith("aria"):
        known = _with_prefix("aria-", _table().aria)
        if name in known:
            return None
    is_another_programs = _ANOTHER_PROGRAMS.match(name) is not None
    if is_another_programs:
        known = [one for one in known if "-" in one]
    if (run_together := _RUN_TOGETHER.fullmatch(name)) is not None and run_together[1] in known:
        return f'write {run_together[1]}="{run_together[2]}".'
    if set(name) & set("\"'<"):
        return "write &quot; for a quotation mark inside a value, and one mark at each of its ends."
    if len(name) > 1 and (meant := nearest(name, known)) is not None:
        return f'write {meant}="{value}".' if in_braces else f"write {meant} instead."
    if is_another_programs or in_braces:
        return None
    if name in _of_any():
        return f"delete it: other elements have it, and <{element}> has not."
    plain = name.removeprefix("data").lstrip("_") or name
    return f"delete it, or call it data-{plain} if a script or a style needs it."


_RUN_TOGETHER = re.compile(r"([a-z-]+)[\"']([^\"']*)[\"']?")
"""An attribute whose sign is missing: `class"lead"`."""


class Slip(NamedTuple):
    """What is wrong in a tag."""

    message: str
    fix: str
    start: int
    """Where it is in the text that the tag is in."""


_TEMPLATE = re.compile(r"\{[{%<]")
"""A tag of another program's template, which is reported as that."""


def slips_of(tag: Tag) -> Iterator[Slip]:
    """The attributes of a start tag of HTML that browsers pass over, or do not read as they look."""
    if tag.closes or tag.name not in _table().elements or _TEMPLATE.search(tag.source) is not None:
        return
    begins = len(tag.name) + 1
    attributes = (*written_attributes(tag.source[begins:-1], tag.start + begins),)
    is_prose = attributes and not any(
        set("=\"'") & set(one.source) or is_attribute(one.name) for one in attributes
    )
    if is_prose and not any(attribute_slip(one.name, tag.name, "") for one in attributes):
        if tag.name in END_MAY_BE_LEFT_OUT | VOID:  # else it is an error that it never ends
            message = f'"{shortened(tag.source, 60)}" is read as a tag, and not shown'
            yield Slip(message, "for the sign, write &lt;, as in a &lt; b.", tag.start)
        return
    before: dict[str, Attribute] = {}
    previous: Attribute | None = None
    end = tag.start + begins
    for attribute in attributes:
        name, start = attribute.name, attribute.start
        if "/" in tag.source[end - tag.start : start - tag.start]:
            yield Slip(f"a slash is inside the tag <{tag.name}>", "delete the slash.", start)
        end = start + len(attribute.source)
        if name in before:
            fix = "write all classes in one: " if name == "class" else "delete one of the two: "
            both = f"{before[name].value} {attribute.value}" if name == "class" else attribute.value
            message = f'<{tag.name}> has the attribute "{name}" twice, and browsers read only the first'
            yield Slip(message, f'{fix}{name}="{shortened(both, 60)}".', start)
        elif (fix_of_name := attribute_slip(name, tag.name)) is not None:
            if previous is not None and "=" in previous.source and previous.source[-1] not in "\"'":
                fix_of_name = f'write quotation marks: {previous.name}="{previous.value} {attribute.source}".'
            yield Slip(f'<{tag.name}> has no attribute "{name}"', fix_of_name, start)
        elif (slip := value_slip(name, attribute.value, tag.name)) is not None:
            yield Slip(*slip, start)
        before.setdefault(name, attribute)
        previous = attribute


def value_slip(name: str, value: str, element: str) -> tuple[str, str] | None:
    """What is wrong with the value of an attribute, and what to do; None if nothing seems to be."""
    table = _table()
    plain = value.strip().casefold()
    written = f'{name}="{shortened(value, 60)}"'
    if name == "id" and (not plain or re.search(r"\s", value)):
        meant = "-".join(value.split()) or "name"
        return f"an id is one word, and {written} is none", f'write id="{meant}".'
    if not plain:
        return None
    if name in table.switches.split():
        is_off = plain in ("false", "no", "off", "0")
        return (f"{written} switches {name} on, as every value does", "delete it.") if is_off else None
    if name in ("lang", "hreflang", "srclang"):
        code = table.languages.get(plain) or (plain.replace("_", "-") if "_" in plain else None)
        return None if code is None else (f"{written} is no language's code", f'write {name}="{code}".')
    if name in table.whole_numbers.split() and re.match(r"[+-]?[0-9]", plain) is None:
        return f"{written} is no whole number", f'write one in digits, as in {name}="2".'
    if name == "style":
        return next(filter(None, map(_slip_of_style, _DECLARATION.findall(value))), None)
    if name in table.lengths.split() and _LENGTH.fullmatch(plain) is None:
        return f"{written} is no size", f'write a number of pixels, as in {name}="300".'
    one_of = (table.one_of.get(f"{element} {name}") or table.one_of.get(name, "")).split()
    if one_of and plain not in one_of:
        return _unknown_value(name, plain, plain, one_of)
    each_of = table.each_of.get(name, "").split()
    for word in plain.split() if each_of else ():
        if word not in each_of and not word.startswith(("doc-", "graphics-")):
            return _unknown_value(name, word, plain, each_of)
    for word in plain.split() if name in table.near else ():
        known = table.near[name].split()
        is_keyword = name == "target" and (word.startswith("_") or f"_{word}" in known)
        if word not in known and (is_keyword or nearest(word, known) is not None):
            return _unknown_value(name, word, plain, known)
    return None


_LENGTH = re.compile(r"\+?[0-9.]+ ?(?:[a-z]{1,4}|[%*])?|auto|inherit|\{.*")
_DECLARATION = re.compile(r"(?:[^;\"'(]|\"[^\"]*\"|'[^']*'|\([^()]*(?:\([^()]*\)[^()]*)*\)|\()+")
"""A property of CSS with its value; semicolons in quotation marks and addresses are in it."""


def _slip_of_style(declaration: str) -> tuple[str, str] | None:
    """What is wrong with one property of a style: its name, its colon, or a number without a unit."""
    table, written = _table(), shortened(declaration.strip(), 60)
    if not written or written.startswith(("/*", "{", "--", "-")):
        return None
    name, colon, value = (part.strip().casefold() for part in declaration.partition(":"))
    known = table.properties.split()
    if not colon:
        first, _, rest = written.partition("=" if "=" in written else " ")
        example = f"{first.strip()}: {rest.strip() or '…'}" if first.strip() in known else "name: value"
        return f'"{written}" is no property of a style: it has no colon', f"write {example}."
    if name not in known and (meant := nearest(name, known)) is not None:
        return f'CSS has no property "{name}"', f"write {meant}: {value}."
    if name in table.sized.split() and (bare := _BARE.search(value)) is not None:
        return f'the size in "{written}" has no unit', f"write {value.replace(bare[0], f'{bare[0]}px')}."
    return None


_BARE = re.compile(r"(?<![\w.(#-])(?!0(?:\.0*)?(?![\d.]))\d+(?:\.\d+)?(?![\w.%(])")
"""A number other than 0 that has no unit."""


def place_slip(element: str, around: Collection[str]) -> str | None:
    """The element that has to be around this one, and is not among those that are; else None."""
    parents = _table().places.get(element, "").split()
    return parents[0] if parents and not any(parent in around for parent in parents) else None


def _unknown_value(name: str, word: str, value: str, known: Sequence[str]) -> tuple[str, str]:
    begins = (one for one in known if len(one) > 2 and word.startswith(one))
    if (meant := nearest(word, known) or next(begins, None)) is not None:
        fix = f'write {name}="{value.replace(word, meant)}".'
    elif len(known) <= _MOST_LISTED:
        fix = f"write one of {', '.join(known)}, or delete it."
    else:
        fix = "delete it."
    what = "" if value == word else f'"{word}" in '
    return f'browsers do not know {what}{name}="{shortened(value, 60)}"', fix


_MOST_LISTED = 10
