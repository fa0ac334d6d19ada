"""What turns the drawing of one state into that of another."""

from xml.etree import ElementTree

import pytest

from diglot.figures.frames.differences import Differences, find_differences


def drawing(prefix: str, inside: str, alt: str = "alt") -> str:
    return (
        f'<svg class="column"><title id="{prefix}-title">t</title>'
        f'<desc id="{prefix}-desc">{alt}</desc><g>{inside}</g></svg>'
    )


def turned(skeleton: str, found: Differences, frame: int) -> str:
    """The skeleton as the script of a page turns it, without what is not displayed."""
    root = ElementTree.fromstring(skeleton)

    def at(path):
        element = root
        for index in path:
            element = element[index]
        return element

    for path, markup in ((one.path, one.markup) for one in found.insert):
        at(path[:-1]).insert(path[-1], ElementTree.fromstring(markup))
    for slot in found.slots:
        value = slot.values[frame if slot.which is None else slot.which[frame]]
        if value is not None:
            value = slot.around[0] + value + slot.around[1]
        if not slot.attribute:
            at(slot.path).text = value
        elif value is None:
            at(slot.path).attrib.pop(slot.attribute, None)
        else:
            at(slot.path).set(slot.attribute, value)
    for parent in list(root.iter()):
        for child in [one for one in parent if one.get("visibility") == "hidden"]:
            parent.remove(child)
    return canonical(ElementTree.tostring(root, encoding="unicode"))


def canonical(svg: str) -> str:
    return ElementTree.canonicalize(svg).replace("></title>", "/>")


CASES = {
    "an attribute and a text": ['<path d="M1"/><text>a</text>', '<path d="M2"/><text>b</text>'],
    "an attribute that one lacks": ['<path d="M1" clip="x"/>', '<path d="M1"/>'],
    "what only some have": [
        '<path d="M1"/>',
        '<path d="M1"/><text x="1">a</text>',
        '<text x="0">c</text><path d="M1"/><text x="2">b</text>',
        '<path d="M3"/>',
    ],
    "a long value": [f'<path d="{"L1 " * 40}M{n}{"L2 " * 40}"/>' for n in (1, 1, 12, 2)],
    "groups with different contents": [
        "<g><path/></g>",
        "<g><path/></g><g><path/><text>a</text></g>",
        "<g><text>b</text></g>",
        "",
    ],
    "cells that come and go": [
        "".join(f'<rect x="{x}" fill="{(x * n) % 3}"/>' for x in range(9) if (x + n) % 4) for n in range(5)
    ],
}


@pytest.mark.parametrize("name", CASES)
def test_the_skeleton_becomes_every_other_drawing(name: str):
    drawings = [drawing(f"f-{n}-zh", inside, f"alt {n}") for n, inside in enumerate(CASES[name])]
    for default, skeleton in enumerate(drawings):
        found = find_differences(drawings, default)
        for frame, wanted in enumerate(drawings):
            own = wanted.replace(f"f-{frame}-zh", f"f-{default}-zh")
            assert turned(skeleton, found, frame) == canonical(own), f"frame {frame} from {default}"


def test_what_does_not_change_is_left_out_and_values_are_told_once():
    inside = ['<path d="M1"/><path d="M1"/>', '<path d="M2"/><path d="M1"/>', '<path d="M1"/><path d="M1"/>']
    found = find_differences([drawing("f", one) for one in inside], 0)
    assert not found.insert
    (slot,) = found.slots
    assert (slot.path, slot.attribute, slot.values, slot.which) == ((2, 0), "d", ("M1", "M2"), (0, 1, 0))


def test_what_keeps_its_place_while_others_come_and_go_changes_in_text_and_colour_alone():
    def grid(frame: int) -> str:
        shown = range(frame, frame + 4)
        cells = "".join(f'<path d="M{x} 0z" style="fill:c{x - frame}"/>' for x in shown)
        return cells + "".join(f'<text x="{x}" y="0">{x - frame}</text>' for x in shown if x % 3)

    found = find_differences([drawing("f", grid(frame)) for frame in range(6)], 0)
    assert {slot.attribute for slot in found.slots} == {"", "visibility", "style"}
