"""Unreferenced figures are drawn in a cache of their own, which recovers from damage."""

import shutil
import sqlite3
from contextlib import closing

from diglot.rules.figures import draw_figure, scripts_at
from diglot.rules.options import SiteOptions
from diglot.rules.unreferenced import UnreferencedFigures
from tests.space import BARS, Space


def _drawn(space: Space) -> list[str]:
    figures = UnreferencedFigures(SiteOptions(root=space.root, output=space.root / "public"))
    figures.draw(scripts_at(["figures/bars.py"]), wanted=lambda: True, progress=lambda _: None)
    return sorted(map(str, figures.last_build.values(draw_figure)))


def test_a_damaged_drawing_is_made_again(space: Space) -> None:
    space.write("figures/bars.py", BARS)
    assert _drawn(space) == ["bars@en", "bars@zh"]

    with closing(sqlite3.connect(space.root / ".diglot/unreferenced/store.sqlite")) as store, store:
        store.execute("UPDATE objects SET content = zeroblob(length(content))")

    assert _drawn(space) == ["bars@en", "bars@zh"]


def test_a_file_in_place_of_their_cache_is_replaced(space: Space) -> None:
    space.write("figures/bars.py", BARS)
    assert _drawn(space) == ["bars@en", "bars@zh"]

    shutil.rmtree(space.root / ".diglot/unreferenced")
    space.write(".diglot/unreferenced", "in the way")

    assert _drawn(space) == ["bars@en", "bars@zh"]
