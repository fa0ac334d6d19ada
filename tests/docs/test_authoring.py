"""`docs/authoring.md` is true: its examples build, and it names everything there is, and nothing else."""

import re
import shutil

import pytest
from msgspec.structs import fields

from diglot.cli.parsing import parse_arguments
from diglot.content.admonitions.kinds import LOOKS
from diglot.content.front_matter import KEYS
from diglot.languages import LANGUAGES, Language
from diglot.project import Project, load_project
from tests.docs.pages import AUTHORING, ROOT, Example, code, examples, rows, section
from tests.docs.rules import rule_names
from tests.space import Space, told

SNIPPETS = examples(AUTHORING, "markdown")
PIXEL = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010806000000"
    "1f15c4890000000d49444154789c6360606060000000050001a5f645400000000049454e44ae426082"
)


def write_snippet(space: Space, name: str, snippet: Example) -> None:
    """A snippet as both halves of an article, with the files it names."""
    text = snippet.text
    if text.startswith("---"):
        for language in LANGUAGES:
            space.write(f"content/posts/{name}/{language}.md", text)
    else:
        space.post(name, zh=text, en=text)
    space.write(f"content/posts/{name}/stack.png", PIXEL)
    space.write(f"content/posts/{name}/data.csv", "a\n1\n")


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Space, str]:
    """All snippets in one project, and the diagnostics of its build."""
    space = Space(tmp_path_factory.mktemp("project"))
    shutil.copytree(ROOT / "figures", space.root / "figures")
    space.write("site/static/robots-of-ours.txt", "")
    space.post("gpu-vs-tpu", zh="## 一 {#gpu}", en="## One {#gpu}", tags="[roofline]")
    for snippet in SNIPPETS:
        write_snippet(space, f"line-{snippet.line}", snippet)
    return space, told(space.build())


def test_every_example_builds_without_a_word(built: tuple[Space, str]) -> None:
    assert len(SNIPPETS) > 15
    assert built[1] == ""


def page_of(built: tuple[Space, str], text: str, language: Language = "en") -> str:
    """The page of the example that contains a text."""
    (snippet,) = (one for one in SNIPPETS if text in one.text)
    return built[0].page(f"{language}/posts/line-{snippet.line}")


@pytest.mark.parametrize(
    ("example", "becomes"),
    [
        ("### Where it bends", 'id="where-it-bends"'),
        ("[all tags]", '<a href="/en/tags/">'),
        ("[all tags]", '<a href="/zh/posts/gpu-vs-tpu/">its Chinese half</a>'),
        ("eight stacks", 'width="1" height="1"'),
        ("{#peaks}", 'id="peaks"'),
        ("[^dense]:", 'class="sidenote"'),
        ("[x] measured", 'type="checkbox" disabled checked'),
        ("Ridge\n: ", "<dt>Ridge</dt>"),
        (
            "Before you *buy*",
            '<details class="admonition warning"><summary>Before you <em>buy</em></summary>',
        ),
        ("(eq:roof)", 'id="eq:roof"'),
        ("{#loop}\n```python\nfor tile in tiles", 'class="language-python"'),
        ("{.lead #first}", '<p class="lead">'),
        ("<kbd>", "<strong>Markdown</strong>"),
        ("**带宽", "<strong>带宽决定一切。</strong>"),
        ("**带宽", "事，下一行"),
        ("{lang=zh-Hans}", '<span lang="zh-Hans">脉动阵列</span>'),
        (":dtype: int8", ">Figure 2</a>"),
        (":dtype: int8", ">Table 1</a>"),
        (":dtype: int8", "“What follows”"),
        ("{#fig-package}", "<b>Figure 1</b>Two dies between HBM, not to scale</figcaption>"),
        ("{figure-script}", '">3.5</span>'),
        ("title: Where the roof bends", "busy from 206 operations"),
    ],
)
def test_an_example_becomes_what_the_text_says(built: tuple[Space, str], example: str, becomes: str) -> None:
    assert becomes in page_of(built, example)


def test_every_front_matter_key_is_explained() -> None:
    assert [code(row[0])[0] for row in rows(section(AUTHORING, "## Front matter"))] == list(KEYS)


def test_the_shared_keys_of_the_example_reach_both_halves(space: Space) -> None:
    (example,) = examples(section(AUTHORING, "## A pair and its files"), "yaml")
    for language in LANGUAGES:
        space.write(f"content/posts/pair/{language}.md", "---\n---\n\n.")
    space.write("content/posts/pair/meta.yaml", example.text.replace(", gpu", ""))
    assert told(space.build()) == ""
    assert "<h1>屋顶线</h1>" in space.page("zh/posts/pair")
    assert "<h1>Rooflines</h1>" in space.page("en/posts/pair")


def _site_keys() -> set[str]:
    grouped = {"editor": "preview"}
    return {grouped.get(field.name, field.name) for field in fields(Project)}


def test_every_site_key_is_explained() -> None:
    described = {code(row[0])[0] for row in rows(section(AUTHORING, "## site.yaml"))}
    assert described == _site_keys()


def test_the_site_example_has_every_key_and_loads() -> None:
    (example,) = examples(section(AUTHORING, "## site.yaml"), "yaml")
    load_project(example.text, "site/site.yaml")
    keys = re.findall(r"^(\w+):", example.text, re.MULTILINE)
    assert set(keys) == _site_keys()


def test_every_admonition_is_named() -> None:
    known = section(AUTHORING, "### Admonitions").partition("The kinds are ")[2].partition(".")[0]
    assert code(known) == list(LOOKS)


def test_the_table_of_diagnostics_is_the_code_s() -> None:
    described = [code(row[0])[0] for row in rows(section(AUTHORING, "## Diagnostics"))]
    assert len(described) == len(set(described))
    assert set(described) == rule_names()


def flags_of(capsys: pytest.CaptureFixture[str], *words: str) -> set[str]:
    """The flags that a command's help lists."""
    with pytest.raises(SystemExit):
        parse_arguments([*words, "--help", *([] if words else ["all"])])
    return set(re.findall(r"(?<![\w-])--?[A-Za-z][a-z-]*", capsys.readouterr().out.partition("\n\n")[2]))


def commands_of(capsys: pytest.CaptureFixture[str]) -> set[str]:
    """The commands that diglot's help lists."""
    with pytest.raises(SystemExit):
        parse_arguments(["--help"])
    return set(re.findall(r"^    ([a-z]+)  ", capsys.readouterr().out, re.MULTILINE))


def test_every_command_is_explained(capsys: pytest.CaptureFixture[str]) -> None:
    described = [code(row[0])[0] for row in rows(section(AUTHORING, "## Commands"))]
    commands = [words.removeprefix("diglot ") for words in described if words.startswith("diglot ")]
    assert {words.split()[0] for words in commands} == commands_of(capsys)
    assert {words for words in commands if words.startswith("figures")} == {"figures list", "figures export"}


@pytest.mark.parametrize(
    "command",
    [
        *("", "build", "serve", "check", "figures export", "figures list", "theme list", "theme copy"),
        *(
            "explain",
            "clean",
            "init",
            "new post",
            "new page",
            "new figure",
            "schema",
            "rename post",
            "deploy",
            "import",
            "status",
            "sync",
        ),
    ],
)
def test_the_flags_of_a_command_are_those_explained(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    explained = set()
    for row in rows(section(AUTHORING, "## Commands")):
        words = code(row[0])
        if words[0].startswith("-") and (row[1] == "all" or (command or "diglot") in code(row[1])):
            explained.update(words)
    assert explained == flags_of(capsys, *command.split())
