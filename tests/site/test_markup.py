"""The Nu HTML checker finds nothing on any page of this site, nor on one that uses every feature."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.space import BARS, CHIPS, SITE_YAML, Space, told
from tests.waiting import HANG_S

LATER_THAN_THE_CHECKER = ("CSS: ",)
"""It knows less of CSS than browsers do: container queries, `@property`."""

EVERYTHING = """
    Words with *emphasis*, `code`, $x^2$, a note[^1], <kbd>Esc</kbd>,
    [脉动阵列]{lang=zh-Hans}, and {eval}`chips.h200.ridge | number(0)`.

    [^1]: A note.

    ![A chip](chip.png "A chip, from above")

    ![](chip.png){.decorative width=50%}

    ```{figure} turned
    :explore: n
    A caption.
    ```

    ```{table} turned
    ```

    {#code}
    ```python
    print("x")
    ```

    $$
    R = \\min(P, \\beta I)
    $$ (eq:roof)

    :::{note} A title
    > Inner words.
    :::

    > [!TIP]
    > Words.

    - [x] done
    - [ ] to do

    Ridge
    : The intensity at which both roofs meet.

    | chip | peak |
    | ---- | ---: |
    | H200 | 989 |

    ## A section {#section}

    See {ref}`section`, {ref}`fig-chip` and [formula](#eq:roof).
"""
TURNED = (
    BARS.replace("def compute():", 'from typing import Literal\n\n\ndef compute(n: Literal["3", "5"] = "3"):')
    .replace('{"values": [3, 5]}', '{"values": [int(n), 5]}')
    .replace('"""Two bars."""', '"""Two bars, one of which readers turn."""')
    + """

def table(data, t):
    from diglot.figures import make_table

    return make_table([t(zh="值", en="Value")], [[one] for one in data["values"]])
"""
)


@pytest.fixture(scope="session")
def checker() -> list[str]:
    """The command that checks files of HTML."""
    jar, java = os.environ.get("VNU_JAR", ""), shutil.which("java")
    if java is None:
        pytest.skip("Java is not installed")
    if not Path(jar).is_file():
        pytest.skip("VNU_JAR does not name the Nu HTML checker, which is in the npm package vnu-jar")
    options = ("-XX:TieredStopAtLevel=1", "-Xss8m")  # it is over before Java has compiled what it runs
    return [java, *options, "-jar", jar, "--format", "json", "--stdout", "--exit-zero-always"]


def findings(checker: list[str], pages: list[Path], folder: Path) -> list[str]:
    """What the checker says of pages, each with its place."""
    done = subprocess.run([*checker, *map(str, pages)], capture_output=True, timeout=HANG_S, check=True)
    return [
        f"{one['url'].removeprefix(f'file:{folder}/')}:{one.get('lastLine')}: {one['message']}"
        for one in json.loads(done.stdout)["messages"]
        if not one["message"].startswith(LATER_THAN_THE_CHECKER)
        and one.get("subType") != "warning"
        and one["type"] != "info"
    ]


def test_all_pages_of_this_site_are_right(checker: list[str], own_site: Path) -> None:
    """All in one process: ten seconds of processor time, of which Java takes three to start."""
    assert findings(checker, sorted(own_site.rglob("*.html")), own_site) == []


def test_a_page_with_everything_is_right(checker: list[str], space: Space) -> None:
    space.write("site/site.yaml", SITE_YAML + "gallery: true\nmarkdown: true\nlicence: CC BY 4.0\n")
    space.write("figures/turned.py", TURNED)
    space.write("figures/chips.py", CHIPS)
    space.write(
        "content/posts/a/chip.png", (Path(__file__).parents[2] / "templates/static/icon-512.png").read_bytes()
    )
    space.write("content/posts/a/chip.dark.png", (space.root / "content/posts/a/chip.png").read_bytes())
    space.post("a", zh=EVERYTHING, en=EVERYTHING, tags="[roofline]", aliases="[/old/]")
    space.post("b", zh="另一篇。", en=None, only="zh", fallback="true")
    result = space.build()
    assert result.published is not None, told(result)
    public = space.root / "public"
    assert findings(checker, sorted(public.rglob("*.html")), public) == []
