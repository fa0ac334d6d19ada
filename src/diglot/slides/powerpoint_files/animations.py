"""What appears on a slide one after another, as animations of PowerPoint."""

from collections.abc import Iterator, Sequence
from itertools import count
from typing import Any, NamedTuple

from diglot.slides.contents import Step
from diglot.slides.powerpoint_files.elements import add
from diglot.slides.xml import P


class Appearing(NamedTuple):
    """A shape, or one paragraph of its text, that is not there when a slide is first shown."""

    shape: int
    step: Step
    paragraph: int | None = None
    """Its number in the text of the shape, from 0; None for the whole shape."""
    has_text: bool = False
    """Whether the shape is one for text, and neither a picture nor a table."""
    has_ground: bool = False
    """Whether its text is on a ground of its own."""


def animate(slide: Any, appearing: Sequence[Appearing]) -> None:
    """Let parts of a slide appear in this order, at a click each or along with the one before."""
    if not appearing:
        return
    numbers = count(1)
    timing = add(slide.element, f"{P}timing", {"p": P[1:-1]})
    root = _below(_below(timing, "tnLst"), "par")
    node = _node(root, numbers, dur="indefinite", restart="never", nodeType="tmRoot")
    sequence = _below(_below(node, "childTnLst"), "seq", concurrent="1", nextAc="seek")
    clicks = _below(_node(sequence, numbers, dur="indefinite", nodeType="mainSeq"), "childTnLst")
    for together in _clicks(appearing):
        effects = clicks
        for delay in ("indefinite", "0"):
            effects = _timed(_node(_below(effects, "par"), numbers, fill="hold"), delay)
        for at, one in enumerate(together):
            _appear(effects, one, numbers, "withEffect" if at else "clickEffect")
    for name, event in (("prevCondLst", "onPrev"), ("nextCondLst", "onNext")):
        condition = _below(_below(sequence, name), "cond", evt=event, delay="0")
        _below(_below(condition, "tgtEl"), "sldTgt")
    _list_builds(timing, appearing)


def _clicks(appearing: Sequence[Appearing]) -> Iterator[list[Appearing]]:
    """What appears at each click."""
    together: list[Appearing] = []
    for one in appearing:
        if one.step == "click" and together:
            yield together
            together = []
        together.append(one)
    yield together


def _appear(parent: Any, one: Appearing, numbers: Iterator[int], kind: str) -> None:
    group = {"grpId": "0"} if one.has_text else {}
    effect = {"presetID": "1", "presetClass": "entr", "presetSubtype": "0", "fill": "hold", **group}
    inner = _timed(_node(_below(parent, "par"), numbers, **effect, nodeType=kind), "0")
    change = _below(inner, "set")
    behaviour = _below(change, "cBhvr")
    _below(_below(_node(behaviour, numbers, dur="1", fill="hold"), "stCondLst"), "cond", delay="0")
    target = _below(_below(behaviour, "tgtEl"), "spTgt", spid=str(one.shape))
    if one.paragraph is not None:
        number = str(one.paragraph)
        _below(_below(target, "txEl"), "pRg", st=number, end=number)
    _below(_below(behaviour, "attrNameLst"), "attrName").text = "style.visibility"
    _below(_below(change, "to"), "strVal", val="visible")


def _list_builds(timing: Any, appearing: Sequence[Appearing]) -> None:
    """Name the shapes whose text is animated, as PowerPoint wants it."""
    texts = {one.shape: one for one in appearing if one.has_text}
    if texts:
        builds = _below(timing, "bldLst")
        for shape, one in texts.items():
            by_paragraph = {"build": "p"} if one.paragraph is not None else {}
            ground = {"animBg": "1"} if one.has_ground else {}
            _below(builds, "bldP", spid=str(shape), grpId="0", **by_paragraph, **ground)


def _node(parent: Any, numbers: Iterator[int], **attributes: str) -> Any:
    return _below(parent, "cTn", id=str(next(numbers)), **attributes)


def _timed(node: Any, delay: str) -> Any:
    """The children of a node that begins after a delay."""
    _below(_below(node, "stCondLst"), "cond", delay=delay)
    return _below(node, "childTnLst")


def _below(parent: Any, name: str, **attributes: str) -> Any:
    return add(parent, f"{P}{name}", **attributes)
