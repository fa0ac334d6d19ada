"""`{eval}` cannot reach Python, cannot hang, and prints no wrong number."""

import json
import math
import operator
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest

from diglot.diagnostics import DiagnosticError
from diglot.expressions.parsing import ExpressionError, figures_read_by
from diglot.languages import LANGUAGES
from diglot.render.values import Values
from tests.hostile.conftest import Counted
from tests.hostile.profile import draws, tries
from tests.hostile.tally import Tally
from tests.hostile.values import (
    DATA,
    ESCAPES,
    LIMITS,
    expression_from,
    float_from,
    read_back,
    whole_from,
)
from tests.waiting import HANG_S

SPACE_BYTES = 1 << 30
MOST_S = 1.0
"""In seconds. The promise is a tenth of a second; a busy machine is allowed more."""

IN_DATA = {"f": json.dumps(DATA).encode()}


def said(expression: str, data: dict[str, bytes] = IN_DATA, language: str = "en") -> str | None:
    """The text of an expression's value; None where it is refused."""
    try:
        return Values(language, data).text(expression, path="a/en.md", line=3)
    except DiagnosticError as error:
        (diagnostic,) = error.diagnostics
        assert diagnostic.rule.startswith("value-")
        assert diagnostic.fix
        assert str(diagnostic.location) == "a/en.md:3"
        assert len(str(diagnostic)) < 2000, "a message is to be read"
        return None


def tried(count: Tally, expression: str, *, refused: bool) -> None:
    """Try an expression in both places that read expressions."""
    count.tried += 1
    since = time.thread_time()
    try:
        figures_read_by(expression)
    except ExpressionError:
        pass
    except Exception as error:
        count.through.append(f"read: {expression[:80]!r}: {error!r:.200}")
    try:
        text = said(expression)
    except Exception as error:
        count.through.append(f"{expression[:80]!r}: {error!r:.200}")
        return
    if refused and text is not None:
        count.through.append(f"{expression[:80]!r} says {text[:80]!r}")
    if time.thread_time() - since > MOST_S:
        count.through.append(f"{expression[:80]!r} took {time.thread_time() - since:.1f} s")


def test_nothing_of_python_is_reached(tally: Counted) -> None:
    count = tally("values")
    for expression in ESCAPES:
        tried(count, expression, refused=True)


@pytest.mark.timeout(3000)
def test_nothing_grows_beyond_its_bounds(tally: Counted) -> None:
    count, draw = tally("values"), draws("value limits")
    for _ in range(tries(1, long=40)):
        for make in LIMITS.values():
            tried(count, make(draw), refused=True)


@pytest.mark.timeout(3000)
def test_nonsense_is_refused_or_says_something(tally: Counted) -> None:
    count, draw = tally("values"), draws("value nonsense")
    for _ in range(tries(1000, long=100_000)):
        tried(count, expression_from(draw), refused=False)


@pytest.mark.skipif(sys.platform == "darwin", reason="macOS knows no limit of a process's address space")
def test_no_bound_is_found_out_by_running_out_of_memory() -> None:
    """Runs all limits and escapes again in a process with bounded memory and time."""
    script = (
        "from tests.hostile.test_values import said, ESCAPES, LIMITS\n"
        "from tests.hostile.profile import draws\n"
        "draw = draws('value memory')\n"
        "for one in [*ESCAPES, *(make(draw) for make in LIMITS.values())]:\n"
        "    assert said(one) is None, one\n"
    )
    subprocess.run(
        [sys.executable, "-c", script],
        check=True,
        timeout=HANG_S,
        cwd=Path(__file__).parents[2],
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (SPACE_BYTES, SPACE_BYTES)),
    )


def data_of(value: object) -> dict[str, bytes]:
    return {"f": json.dumps({"v": value, "l": [value]}).encode()}


def numbers(family: str, short: int, long: int) -> list[int | float]:
    draw = draws(family)
    return [draw.choice([float_from, whole_from])(draw) for _ in range(tries(short, long=long))]


def is_short_for(shown: Fraction, value: float) -> bool:
    """Whether a text shows a float: exactly, or as the decimal of few digits that it misses by rounding."""
    if float(shown) == value:
        return True
    is_short = len(f"{float(shown):.15g}".strip("-0.").replace(".", "").partition("e")[0]) <= 12
    return is_short and abs(float(shown) - value) <= 3 * math.ulp(value)


@pytest.mark.timeout(3000)
def test_a_number_without_a_filter_is_that_number(tally: Counted) -> None:
    count = tally("values")
    for value in numbers("values without filter", 200, 5_000):
        count.tried += 1
        texts = {
            said(expression, data_of(value), language)
            for expression in (
                "f.v",
                'f.v ~ ""',
                "f.l | join",
                "f.l | max",
                "f.l | first",
                "f.l | sum",
                "-(-f.v)",
                "f.v + 0",
            )
            for language in LANGUAGES
        }
        (text,) = texts
        exact = text is not None and read_back(text)
        if exact is False or not (is_short_for(exact, value) if isinstance(value, float) else exact == value):
            count.through.append(f"{value!r} is printed as {text}")


def _by_digits(digits: int) -> Callable[[Fraction, Fraction], Fraction]:
    return lambda _value, _shown: Fraction(1, 2 * 10**digits)


def _three_digits(value: Fraction, shown: Fraction) -> Fraction:
    """Half a unit of the third digit, of the shown number or of the value, whichever is larger."""
    return max(abs(value), abs(shown)) / 200


def filters_of() -> list[tuple[str, str, Callable[[Fraction, Fraction], Fraction]]]:
    """Expressions of `f.v`, the unit they show, and the error allowed in the shown number."""
    found: list[tuple[str, str, Callable[[Fraction, Fraction], Fraction]]] = []
    for digits in range(16):
        found += [
            (f"f.v | number({digits})", "", _by_digits(digits)),
            (f"f.v | percent({digits})", "%", _by_digits(digits + 2)),
            (f"f.v | round({digits})", "", _by_digits(digits)),
            (
                f'f.v | si("B", {digits})',
                "B",
                lambda value, _, digits=digits: max(abs(value), _QUECTO) / 2 / 10**digits,
            ),
            (f'f.v | unit("GB", {digits})', "", _by_digits(digits)),
            (f'f.v | unit("GiB", {digits})', "", _by_digits(digits)),
            (f'f.v | unit("ns", {digits})', "", _by_digits(digits)),
            (
                f"f.v | large({digits})",
                "words",
                lambda value, _, digits=digits: max(abs(value), 1) / 2 / 10**digits,
            ),
        ]
    found.append(('f.v | si("B")', "B", _three_digits))
    return found


_QUECTO = Fraction(1, 10**30)
_SCALES = {"GB": Fraction(10**9), "GiB": Fraction(2**30), "ns": Fraction(1, 10**9)}


@pytest.mark.timeout(3000)
def test_a_filter_prints_the_number_within_its_digits_and_never_as_nothing(tally: Counted) -> None:
    count, draw = tally("values"), draws("values filtered")
    checked_limits = [(10**4300 - 1) * sign for sign in (1, -1)]
    for value in checked_limits + numbers("values with filter", 150, 2_000):
        for expression, unit, allowed in draw.sample(filters_of(), tries(8, long=40)):
            language = draw.choice(LANGUAGES)
            text = said(expression, data_of(value), language)
            count.tried += 1
            exact = Fraction(value)
            for name, scale in _SCALES.items():
                if f'"{name}"' in expression:
                    exact, text = exact / scale, text and text.removesuffix(f"\N{NO-BREAK SPACE}{name}")
            if text is None:
                # Refusal is right if the value rounds to 0, or (`si` alone) is beyond the prefixes.
                if exact == 0 or 1 <= abs(exact) < 10**4280:
                    count.through.append(f"{value!r} {expression} is refused")
                continue
            shown = read_back(text, unit=unit)
            room = allowed(exact, shown)
            if abs(shown - exact) > room + (abs(exact) / 2**52 if "round" in expression else 0):
                count.through.append(f"{value!r} {expression} is shown as {text}")
            if (shown == 0) != (exact == 0) or shown * exact < 0:
                count.through.append(f"{value!r} {expression} is shown as {text}")
            if "-0" in text or text.startswith("\N{MINUS SIGN}0\N{NO-BREAK SPACE}"):
                count.through.append(f"{value!r} {expression} is shown as {text}")


@pytest.mark.timeout(3000)
def test_arithmetic_is_right_or_refused(tally: Counted) -> None:
    count, draw = tally("values"), draws("values computed")
    operations: dict[str, Callable[[Fraction, Fraction], Fraction]] = {
        "+": operator.add,
        "-": operator.sub,
        "*": operator.mul,
        "/": operator.truediv,
        "//": operator.floordiv,
        "%": operator.mod,
    }
    left, right = numbers("values left", 600, 20_000), numbers("values right", 600, 20_000)
    for a, b in zip(left, right, strict=True):
        sign, operation = draw.choice(list(operations.items()))
        text = said(f"f.a {sign} f.b", {"f": json.dumps({"a": a, "b": b}).encode()})
        count.tried += 1
        if text is None:
            continue
        exact, shown = operation(Fraction(a), Fraction(b)), read_back(text)
        if isinstance(a, int) and isinstance(b, int) and sign != "/":
            right_ = shown == exact
        elif sign in ("//", "%") and isinstance(a, float) and isinstance(b, float):
            right_ = is_short_for(shown, a // b if sign == "//" else a % b)  # as Python defines both
        else:
            # Exact, or rounded to a float once; below the smallest normal float, within its spacing.
            right_ = shown == exact or abs(shown - exact) <= max(abs(exact) / 2**52, Fraction(1, 2**1074))
            right_ = right_ or is_short_for(shown, float(exact))
            right_ = right_ and (shown != 0 or exact == 0)
        if not right_:
            count.through.append(
                f"{a!r} {sign} {b!r} is shown as {text}, and is {float(exact) if abs(exact) < 1e300 else '…'}"
            )


def test_sums_are_rounded_once(tally: Counted) -> None:
    count, draw = tally("values"), draws("values summed")
    for _ in range(tries(150, long=10_000)):
        values = [draw.choice([float_from, whole_from])(draw) for _ in range(draw.randint(1, 12))]
        text = said("f.l | sum", {"f": json.dumps({"l": values}).encode()})
        count.tried += 1
        exact = sum(map(Fraction, values), Fraction(0))
        if text is None:
            if abs(exact) < Fraction(1.7e308):
                count.through.append(f"the sum of {values!r:.200} is refused")
        elif (shown := read_back(text)) != exact and not is_short_for(shown, float(exact)):
            count.through.append(f"the sum of {values!r:.200} is shown as {text:.100}")


@pytest.mark.parametrize("written", ["NaN", "Infinity", "-Infinity", "1e999", "-1e999"])
@pytest.mark.parametrize(
    "expression",
    [
        *("f.v", "f.v | number", "f.v > 1", "f.v == f.v", "f.l | max", "f.l | sum", "f.l | join", "f.l[1]"),
        *("-f.v", "f.v | si('B')", "f.v | int", "f.v in f.l"),
    ],
)
def test_what_is_no_number_is_never_computed_with(written: str, expression: str) -> None:
    assert said(expression, {"f": f'{{"v": {written}, "l": [1, {written}]}}'.encode()}) is None


@pytest.mark.parametrize("depth", [100, 900, 2000, 100_000])
def test_data_nested_beyond_reading_is_a_diagnostic(depth: int) -> None:
    said("f.v", {"f": b'{"v": ' + b"[" * depth + b"]" * depth + b"}"})


def test_a_number_longer_than_python_reads_is_a_diagnostic() -> None:
    assert said("f.v", {"f": b'{"v": ' + b"9" * 5000 + b"}"}) is None
    assert said("f.v", {"f": b'{"v": ' + b"9" * 4300 + b"}"}) == f"{10**4300 - 1:,d}"


def test_a_tenth_of_a_second_is_enough_for_what_is_not_refused() -> None:
    """Measures the largest number of steps that is allowed, in processor time."""
    data = {"f": json.dumps({"l": [n + 0.5 for n in range(200_000)], "n": 10**4299}).encode()}
    said("f.l | length", data)  # loads the data
    for expression in (
        "f.l | sum",
        "f.l | max",
        "1 if 7 in f.l else 2",
        "[" + ",".join(["f.n // 7"] * 90) + "] | max",
    ):
        since = time.thread_time()
        said(expression, data)
        assert time.thread_time() - since < 5 * 0.1, expression
