"""Ten figures on a page: an edit redraws only the figures that depend on it."""

import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from tests.space import BARS, Space, errors, ran

HEAVY = ("numpy", "matplotlib", "PIL", "distributed", "diglot.figures.execution.workers")

SWEPT = """\
from diglot.figures import sweep

TITLE = {"zh": "扫", "en": "Swept"}


def point(m):
    return m


def compute():
    return {"sum": sweep(point, {"m": range(30)}).sum()}
"""


@pytest.fixture(scope="module")
def ten_built(tmp_path_factory: pytest.TempPathFactory) -> Space:
    space = Space(tmp_path_factory.mktemp("ten"))
    for number in range(10):
        space.write(f"figures/bars_{number}.py", BARS.replace("[3, 5]", f"[3, {number + 4}]"))
    fences = "\n\n".join(f"```{{figure}} bars_{number}\nBars\n```" for number in range(10))
    space.post("ten", zh=f"开头。\n\n{fences}", en=f"Beginning.\n\n{fences}")
    assert not errors(space.build())
    return space


@pytest.fixture
def ten(space: Space, ten_built: Space) -> Space:
    """An article with ten figures, built."""
    return space.copied_from(ten_built)


def kinds(space: Space) -> Counter[str]:
    result = space.build()
    assert not errors(result)
    return Counter(word.split()[0] for word in ran(result))


def test_editing_one_script_computes_and_draws_one_figure(ten: Space) -> None:
    ten.change("figures/bars_6.py", "[3, 10]", "[3, 11]")
    found = kinds(ten)
    assert (found["data"], found["drawing"]) == (1, 2)  # in two languages
    assert found["download"] == 4  # SVG and PNG of each


def test_editing_prose_draws_nothing(ten: Space) -> None:
    ten.change("content/posts/ten/en.md", "Beginning.", "Another beginning.")
    found = kinds(ten)
    assert found["article-page"]
    assert found["data"] == found["drawing"] == found["download"] == 0


def test_a_caption_draws_nothing(ten: Space) -> None:
    ten.write(
        "content/posts/ten/en.md",
        (ten.root / "content/posts/ten/en.md").read_text("utf-8").replace("Bars", "Two bars", 1),
    )
    found = kinds(ten)
    assert found["data"] == found["drawing"] == 0


def test_unchanged_figures_import_nothing_that_draws(ten: Space) -> None:
    program = (
        "import sys; from diglot.cli import main; main(['build', '-q', '-C', sys.argv[1]]); "
        f"print(*[name for name in {HEAVY!r} if name in sys.modules])"
    )
    environment = {"PYTHONPATH": str(Path(__file__).parents[2] / "src")}
    command = [sys.executable, "-c", program, str(ten.root)]
    subprocess.run(command, check=True, capture_output=True, env=environment)  # once by the command line
    again = subprocess.run(command, check=True, capture_output=True, text=True, env=environment)
    assert again.stdout.split() == []


def test_a_sweep_tells_its_progress_between_the_words_of_the_build(space: Space) -> None:
    space.write("figures/swept.py", SWEPT)
    space.post("swept", zh="{eval}`swept.sum`", en=None, only="zh")
    told: list[str] = []
    with space.site() as site:
        site.progress = lambda progress: told.append(str(progress.running))
        result = site.build()
    assert not errors(result)
    assert "data swept: 0 of 30 points" in told
    assert "data swept: 30 of 30 points" in told


def test_points_of_a_sweep_are_dependencies_of_the_page(space: Space) -> None:
    space.write("figures/swept.py", SWEPT)
    space.write("figures/_scale.py", "FACTOR = 1\n")
    space.post("swept", zh="{eval}`swept.sum`", en=None, only="zh")
    space.change("figures/swept.py", "return m", "from _scale import FACTOR; return m * FACTOR")
    assert not errors(space.build())
    assert ">435<" in space.page("zh/posts/swept")
    assert ran(space.build()) == []
    space.write("figures/_scale.py", "FACTOR = 2\n")
    assert not errors(space.build())
    assert ">870<" in space.page("zh/posts/swept")
