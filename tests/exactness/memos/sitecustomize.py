"""Makes every memo of diglot work out again what it remembers, in each Python process that begins with this.

Where the two differ, the memo's key lacks something that the value depends on: its name is written into the
file `DIGLOT_TEST_MEMOS`, on a line behind `differs`. Memos that remembered something are behind `asked`.
"""

import functools
import os
import re
import time
from collections import Counter

_REPORT = os.environ["DIGLOT_TEST_MEMOS"]
_MOST_S = float("inf") if os.environ.get("DIGLOT_LONG_TESTS") else 0.1
"""How long each memo may work out again what it remembers, in each process."""
_DOERS = (
    "diglot.figures.observation.file_access.install",
    "diglot.figures.observation.chance.install",
    "diglot.figures.observation.databases.install",
)
"""Functions that change their process, once; they give nothing."""
_SHARED = ("diglot.render.theme.Theme.",)
"""Places for what pages share. They are always empty here, so that pages share nothing."""

_lru_cache, _cached_property = functools.lru_cache, functools.cached_property
_noted = set()
_took_s = Counter()


def _note(word, name):
    if (word, name) not in _noted:
        _noted.add((word, name))
        with open(_REPORT, "a", encoding="utf-8") as report:
            report.write(f"{word} {name}\n")


def _text(value):
    return re.sub(r" at 0x[0-9a-f]+", "", repr(value))


def _is_of_diglot(name):
    return name.startswith("diglot.") and name not in _DOERS


def _compare(name, remembered, work):
    """Note what a memo remembers in vain. Returns the new value, or the remembered one when time is up."""
    _note("asked", name)
    if _took_s[name] > _MOST_S:
        return remembered
    since_s = time.monotonic()
    value = work()
    if _text(value) != _text(remembered):
        _note("differs", name)
    _took_s[name] += time.monotonic() - since_s
    return value


def _checked(function, name):
    known = {}

    @functools.wraps(function)
    def again(*arguments, **named):
        key = (arguments, tuple(sorted(named.items())))
        work = functools.partial(function, *arguments, **named)
        known[key] = _compare(name, known[key], work) if key in known else work()
        return known[key]

    again.cache_clear = known.clear
    return again


def lru_cache(maxsize=128, typed=False):
    if callable(maxsize):
        return lru_cache()(maxsize)

    def decorated(function):
        name = f"{getattr(function, '__module__', '')}.{getattr(function, '__qualname__', '')}"
        return _checked(function, name) if _is_of_diglot(name) else _lru_cache(maxsize, typed)(function)

    return decorated


class cached_property(_cached_property):
    def __get__(self, instance, owner=None):
        if instance is None:
            return self
        name = f"{self.func.__module__}.{self.func.__qualname__}"
        if name.startswith(_SHARED):
            return self.func(instance)
        if not _is_of_diglot(name) or self.attrname not in vars(instance):
            return super().__get__(instance, owner)
        return _compare(name, vars(instance)[self.attrname], lambda: self.func(instance))

    def __set__(self, instance, value):
        """Having this makes `__get__` come before the instance's own attributes."""
        vars(instance)[self.attrname] = value


functools.lru_cache = lru_cache
functools.cache = lru_cache(maxsize=None)
functools.cached_property = cached_property
