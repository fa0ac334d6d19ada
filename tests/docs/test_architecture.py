"""`docs/architecture.md` is true: tasks, packages and commands exist, and edits rerun what its table says."""

import re
import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from diglot.rules.site import site_rules
from tests.docs.pages import ARCHITECTURE, DOCS, ROOT, code, rows, section
from tests.space import BARS, CHIPS, SITE_YAML, Space, errors, ran, told

HALF = """\
## {roof} {{#roof}}

{first}{{eval}}`chips.h200.ridge | number(0)`.

```{{figure}} bars
{caption}
```

{second}
"""
ZH = HALF.format(roof="屋顶", first="第一段，值是", caption="图注。", second="第二段。")
EN = HALF.format(roof="Roof", first="First, ", caption="Caption.", second="Second.")


class Rebuilds:
    """A small built site, which runs the tasks of an edit and undoes it."""

    def __init__(self, root: Path) -> None:
        self.space = Space(root)
        self.space.write("figures/chips.py", CHIPS)
        self.space.write("figures/bars.py", BARS + "\n\nimport _tools\n")
        self.space.write("figures/_tools.py", "WIDTH = 1\n")
        shutil.copytree(ROOT / "templates", root / "templates")
        self.space.write("site/static/hello.txt", "hello")
        self.space.write("site/static/custom.css", "p { color: teal }")
        self.space.write(
            "site/site.yaml", f"{SITE_YAML.replace('none', 'figures')}params: {{mood: bright}}\n"
        )
        self.space.write(
            "templates/base.html",
            (ROOT / "templates/base.html").read_text("utf-8")
            + "<!-- {{ site.params.mood }} {{ page.params.mood }} -->",
        )
        self.space.post("one", zh=ZH, en=EN, tags="[roofline]", params="{mood: calm}")
        self.space.post("two", zh="二", en="Two", tags="[roofline]")

    def kinds(self, path: str, old: str, new: str) -> set[str]:
        """The kinds of tasks that run after an edit; the edit is undone."""
        with self.space.site() as site:
            assert not errors(site.build())
            self.space.change(path, old, new)
            result = site.build()
            assert not errors(result), told(result)
            self.space.change(path, new, old)
        return {word.split()[0] for word in ran(result)}


EDITS = {
    "a paragraph": ("content/posts/one/en.md", "Second.", "Second, mended."),
    "a caption": ("content/posts/one/en.md", "Caption.", "Legend."),
    "the first paragraph": ("content/posts/one/en.md", "First,", "Firstly,"),
    "a title": ("content/posts/one/en.md", "title: Article one", "title: Article the first"),
    "a figure's numbers": ("figures/bars.py", "[3, 5]", "[3, 6]"),
    "a figure's drawing": ("figures/bars.py", "set_height_px(120)", "set_height_px(121)"),
    "a comment in a figure script": ("figures/bars.py", '"""Two bars."""', '"""Two of them."""'),
    "a module a script imports": ("figures/_tools.py", "WIDTH = 1", "WIDTH = 2"),
    "a value that prose quotes": ("figures/chips.py", "206.04", "207.04"),
    "a tag's label": ("site/site.yaml", "en: Roofline", "en: Rooflines"),
    "`article.html`": ("templates/article.html", "<article>", "<article >"),
    "`base.html`": ("templates/base.html", "</html>", "</html >"),
    "a word of the interface": ("templates/strings/en.yaml", "home: Home", "home: Start"),
    "`style.css`": ("templates/static/style.css", "body { margin: 0;", "body {  margin: 0;"),
    "a static file of the site": ("site/static/hello.txt", "hello", "goodbye"),
    "`custom.css`": ("site/static/custom.css", "teal", "olive"),
    "a param of the site": ("site/site.yaml", "bright", "dark"),
    "a param of an article": ("content/posts/one/en.md", "calm", "wild"),
}


@pytest.fixture(scope="module")
def rebuilds(tmp_path_factory: pytest.TempPathFactory) -> Rebuilds:
    root = tmp_path_factory.mktemp("project")
    return Rebuilds(root)


EDIT_TABLE = {row[0]: row[1] for row in rows(section(ARCHITECTURE, "## What an edit reruns"))}
LISTS = set(
    code(section(ARCHITECTURE, "## What an edit reruns").partition("“Lists” are ")[2].partition(".")[0])
)


@pytest.mark.parametrize("edit", list(EDITS))
def test_an_edit_runs_what_the_table_says(edit: str, rebuilds: Rebuilds) -> None:
    told_of = set(code(EDIT_TABLE[edit])) | (LISTS if " lists " in EDIT_TABLE[edit] else set())
    assert rebuilds.kinds(*EDITS[edit]) == told_of


def test_every_edit_of_the_table_is_tried() -> None:
    assert list(EDIT_TABLE) == list(EDITS)
    assert kinds_of_tasks() >= LISTS


def kinds_of_tasks() -> set[str]:
    """The kinds for which the generator has rules."""
    with TemporaryDirectory() as cache:
        return set(site_rules(Path(cache)))


def test_what_commands_do_with_a_site_is_no_task() -> None:
    modules = sorted((ROOT / "src/diglot/use").glob("*.py"))
    assert len(modules) > 10
    assert not [path.name for path in modules if "@task(" in path.read_text("utf-8")]


def test_every_step_of_the_walks_names_what_is_there() -> None:
    steps = re.findall(r"`(src/[\w./-]+)`\s*(?:`([\w.]+)`)?", section(ARCHITECTURE, "## Three walks"))
    assert len(steps) > 25
    for path, name in steps:
        text = (ROOT / path).read_text("utf-8")
        for part in name.split(".") if name else ():
            assert re.search(rf"\b(?:def|class) {part}\b", text), f"{path} has no {part}"


def test_every_kind_of_task_is_explained() -> None:
    described = [code(row[0])[0] for row in rows(section(ARCHITECTURE, "## Tasks"))]
    assert len(described) == len(set(described))
    assert set(described) == kinds_of_tasks()


def test_every_package_is_placed() -> None:
    source = ROOT / "src/diglot"
    there = {
        f"diglot.{path.stem}"
        for path in source.iterdir()
        if path.suffix == ".py" or (path / "__init__.py").exists()
    }
    described = {
        name for row in rows(section(ARCHITECTURE, "## Packages and layers")) for name in code(row[0])
    }
    assert described == there - {"diglot.__init__", "diglot.__main__"}


@pytest.mark.parametrize(
    "path",
    sorted({*DOCS.rglob("*.md"), ROOT / "README.md", ROOT / "CONTRIBUTING.md"}),
    ids=lambda path: path.name,
)
def test_every_link_between_documents_leads_somewhere(path: Path) -> None:
    text = re.sub(r"^(`{3,}).*?^\1$", "", path.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    text = re.sub(r"(`+)[^`].*?\1", "", text)
    for target, fragment in re.findall(r"\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)", text):
        goal = (path.parent / target) if target else path
        assert goal.exists(), target
        if fragment and DOCS / "manual" not in path.parents:  # whose ids `diglot check` knows
            assert fragment in anchors(goal.read_text("utf-8")), f"{target}#{fragment}"


def anchors(page: str) -> set[str]:
    """The ids that GitHub gives to headings."""
    headings = re.findall(r"^#+ (.*)$", page, re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("path", sorted(DOCS.glob("*.md")), ids=lambda path: path.name)
def test_every_file_of_the_source_that_is_named_is_there(path: Path) -> None:
    for name in re.findall(r"`((?:src|tests|templates)/[\w./-]+)`", path.read_text("utf-8")):
        is_readers_own = path.name == "themes.md" and name.startswith("templates/")
        assert (ROOT / name).exists() or is_readers_own, name


def test_every_decision_is_in_the_index() -> None:
    index = (DOCS / "decisions/README.md").read_text("utf-8")
    listed = re.findall(r"^\| \[\d+\]\(([\w.-]+)\) \|", index, re.MULTILINE)
    assert sorted(listed) == sorted(path.name for path in DOCS.glob("decisions/[0-9]*.md"))
