"""Every drawing begins with the same settings, even if the one before changed them."""

import matplotlib as mpl
import pytest

from diglot.figures.drawing.style import use_style
from diglot.languages import LANGUAGES, Language


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_a_script_sets_is_gone_with_the_next_drawing(language: Language) -> None:
    use_style(language, "variables")
    before = {name: str(mpl.rcParams[name]) for name in ("lines.linewidth", "font.family", "axes.grid")}
    mpl.rcParams["lines.linewidth"] = 9
    mpl.rcParams["font.family"].append("Comic")
    mpl.rcParams["axes.grid"] = not mpl.rcParams["axes.grid"]
    use_style(language, "variables")
    assert {name: str(mpl.rcParams[name]) for name in before} == before


def test_a_language_has_its_faces_whichever_was_used_before() -> None:
    faces = []
    for language in ("zh", "en", "zh"):
        use_style(language, "variables")
        faces.append(tuple(mpl.rcParams["font.family"]))
    assert faces[0] == faces[2] != faces[1]
    assert faces[0] == tuple(reversed(faces[1]))
