"""A figure that writes into inputs of builds gets a warning, and a preview does not build for ever."""

import pytest

from diglot.rules import live
from diglot.rules.live import LiveSite
from diglot.rules.options import SiteOptions
from tests.space import Space, told

TITLE = 'TITLE = {"zh": "写", "en": "Writes"}\n'
DRAW = """
def draw(figure, data, t):
    figure.set_height_px(80)
    figure.text_px(10, 20, str(data["n"]))


def describe(data, t):
    return t(zh="写。", en="It writes.")
"""
COUNT = "import pathlib\nF = pathlib.Path('{file}')\nF.write_text(str(int(F.read_text()) + 1))\n"

PROJECTS = {
    "compute reads and writes": {
        "one": "def compute():\n    F = open('content/n.txt', 'r+'); n = int(F.read()); F.seek(0)\n"
        "    F.write(str(n + 1)); F.close()\n    return {'n': n}\n"
    },
    "every call reads and writes": {
        "one": COUNT.format(file="content/n.txt") + "def compute(): return {'n': 1}\n" + DRAW
    },
    "draw writes what compute reads": {
        "one": "def compute(): return {'n': int(open('content/n.txt').read())}\n"
        + DRAW.replace(
            "    figure.set", "    open('content/n.txt', 'w').write(str(data['n'] + 1))\n    figure.set"
        )
    },
    "two write for each other": {
        "one": "def compute():\n    n = int(open('content/n.txt').read())\n"
        "    open('content/m.txt', 'w').write(str(n + 1))\n    return {'n': n}\n",
        "two": "def compute():\n    n = int(open('content/m.txt').read())\n"
        "    open('content/n.txt', 'w').write(str(n + 1))\n    return {'n': n}\n",
    },
    "new files in a folder that it lists": {
        "one": "import os\ndef compute():\n    n = len(os.listdir('content/many'))\n"
        "    open(f'content/many/{n}', 'w').close()\n    return {'n': n}\n"
    },
    "every call makes a file in a folder that it lists": {
        "one": "import os\nn = len(os.listdir('content/many'))\nopen(f'content/many/{n}', 'w').close()\n"
        "def compute():\n    return {'n': 1}\n" + DRAW
    },
}


@pytest.mark.parametrize("name", PROJECTS)
def test_a_preview_comes_to_rest(space: Space, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setattr(live, "_PATIENCE_S", 60)  # for figures, so that each build is whole
    monkeypatch.setattr(live, "_LONG_PATIENCE_S", 60)
    space.write("content/n.txt", "1")
    space.write("content/m.txt", "1")
    space.write("content/many/a", "")
    words = []
    for figure, code in PROJECTS[name].items():
        space.write(f"figures/{figure}.py", TITLE + code)
        words.append(f"```{{figure}} {figure}\n写\n```" if "def draw" in code else f"{{eval}}`{figure}.n`")
    space.post("all", zh="\n\n".join(words), en="\n\n".join(words).replace("写", "Writes"))
    options = SiteOptions(root=space.root, output=space.root / "public", jobs=2)
    with LiveSite(options) as site:
        result = site.refresh(())
        assert 'the script writes "content/' in told(result)
        assert "figure-writes" in {one.rule for one in result.diagnostics}
        for _ in range(12):
            if not site.is_outdated():
                break
            site.refresh(())
        else:
            pytest.fail("each build finds something changed by the last one")
