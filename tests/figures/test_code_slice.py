"""Code slices: which edits of a script keep the points of a sweep, and which do not."""

import pytest

from diglot.figures.scripts.code_slice import code_slice_digest

SCRIPT = '''\
"""A sweep."""
import numpy as np
from diglot.figures import sweep

TITLE = {"zh": "图", "en": "Figure"}
GRID = np.linspace(0, 1, 5)
FACTORS: dict = {"a": 2}
UNUSED = sorted(range(3))


class Shape:
    side = 3


def helper(x):
    return x * FACTORS["a"] * Shape.side


def by_name():
    return 1


def point(m):
    return helper(m) + getattr(np, "pi")


def compute():
    return {"a": sweep(point, {"m": GRID})}


def draw(figure, data, t):
    figure.text_px(1, 1, "a")
'''


def differs(old: str, new: str, script: str = SCRIPT) -> bool:
    assert script.count(old) == 1
    return code_slice_digest(script, "point") != code_slice_digest(script.replace(old, new), "point")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"Figure"', '"Picture"'),
        ("linspace(0, 1, 5)", "linspace(0, 1, 6)"),
        ("range(3)", "range(4)"),
        ('{"a": sweep', '{"b": sweep'),
        ('text_px(1, 1, "a")', 'text_px(2, 2, "b")'),
        ("def by_name():\n    return 1", "def by_name():\n    return 2"),
        ("def helper", "# a comment\n\n\ndef helper"),
        ('"""A sweep."""', '"""A grid."""'),
    ],
)
def test_what_the_function_does_not_reach_may_change(old: str, new: str):
    assert not differs(old, new)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("helper(m) +", "helper(m) -"),
        ("return x *", "return 2 * x *"),
        ('{"a": 2}', '{"a": 3}'),
        ("side = 3", "side = 4"),
        ("import numpy as np", "import numpy as np, math"),
        ('"pi"', '"e"'),
    ],
)
def test_what_it_reaches_may_not(old: str, new: str):
    assert differs(old, new)


@pytest.mark.parametrize(
    "does",
    [
        "helper.__defaults__ = (1,)",
        "for name in 'ab': FACTORS[name] = 3",
        "EXTRA = print('x')",
        "@register\ndef other(): return 1",
        "class Other(Shape): pass",
    ],
)
def test_what_a_script_does_when_it_is_loaded_counts(does: str):
    script = SCRIPT + does + "\n"
    assert code_slice_digest(script, "point") != code_slice_digest(SCRIPT, "point")


def test_a_name_in_a_text_counts():
    script = SCRIPT.replace('getattr(np, "pi")', 'lookup("by_name")')
    assert differs("return 1", "return 2", script)


@pytest.mark.parametrize("looks", ["globals()", "eval('1')", "open(__file__)"])
def test_a_script_that_looks_itself_up_counts_as_a_whole(looks: str):
    script = SCRIPT.replace('getattr(np, "pi")', looks)
    assert differs('"Figure"', '"Picture"', script)
