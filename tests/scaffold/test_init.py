"""`diglot init`: a site that works at once, and nothing that was there is touched."""

import compileall
import json
import os
import pty
import re
import shutil
import subprocess
import sys
from importlib.resources import files
from pathlib import Path

import hypothesis
import pytest
import yaml

from diglot import __version__
from diglot.cli.parsing import parse_arguments
from diglot.cli.starting import running as starting
from diglot.project import load_project
from diglot.rules.options import CACHE
from diglot.scaffold import files as files_module
from diglot.scaffold import templates
from diglot.scaffold.files import NewFile, write_new
from diglot.scaffold.requirements import diglot_requirement
from tests.cli.sites import CHECKOUT, environment
from tests.scaffold.conftest import Run
from tests.space import outputs

SETTINGS = [
    *(f".vscode/diglot/{name}.json" for name in ("chips", "meta", "site")),
    *(".vscode/extensions.json", ".vscode/settings.json"),
]
EXAMPLE = [
    *(".gitignore", *SETTINGS, "README.md"),
    *("content/pages/about/en.md", "content/pages/about/zh.md"),
    *(f"content/posts/batch-size/{name}" for name in ("en.md", "meta.yaml", "zh.md")),
    *("figures/batch_size.py", "requirements.txt", "site/site.yaml"),
]
NEXT = """\

next:
  cd blog
  diglot serve --open                         # the site in your browser, updated on every save
  diglot new post "中文题目" "English title"  # your first article

before you publish: `base_url` in site/site.yaml is still https://example.org/; write the site's address
"""


def made(folder: Path) -> list[str]:
    return list(outputs(folder))


def test_a_new_site_is_told_with_the_next_commands(run: Run, tmp_path: Path) -> None:
    assert run("init", "blog") == (
        0,
        "",
        f"added {len(EXAMPLE)} files to blog:\n" + "".join(f"  {path}\n" for path in EXAMPLE) + NEXT,
    )
    assert made(tmp_path / "blog") == EXAMPLE


def test_the_commands_it_ends_with_are_commands() -> None:
    lines = [line.partition("#")[0] for line in starting.NEXT.splitlines()]
    for line in lines:
        program, *words = line.split()
        assert program == "diglot"
        assert parse_arguments(words).command == words[0]


def test_a_new_site_has_nothing_to_report(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run("init", "blog")
    monkeypatch.chdir(tmp_path / "blog")
    checked = run("check", "--strict", "--twice", "2")
    assert checked.code == 0, checked.err
    assert "checked: no errors\n" in checked.err
    built = run("build", "--strict", "--json")
    assert (built.code, json.loads(built.out)["diagnostics"]) == (0, [])
    for language, words in {"zh": "要做206次", "en": "needs 206 of them"}.items():
        page = (tmp_path / f"blog/public/{language}/posts/batch-size/index.html").read_text("utf-8")
        assert words in re.sub('<span class="num"[^>]*>|</span>', "", page)
        assert page.count("<svg") >= 2
        assert page.count('data-turns="batch"') == 1
        assert len(re.findall('data-figure="[^"]+" data-value="batch_size.v6e.share', page)) == 1
        assert f'<a href="/{language}/about/"' in page
        assert "content/pages/about/" in (tmp_path / f"blog/public/{language}/about/index.html").read_text(
            "utf-8"
        )
    assert "nothing to do" in run("build").err
    assert (tmp_path / "blog/.gitignore").read_text("utf-8").splitlines()[1:3] == ["/public/", f"/{CACHE}/"]


def test_an_empty_site_builds_without_a_word(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("init", "blog", "--empty")
    assert made(tmp_path / "blog") == [
        ".gitignore",
        *SETTINGS,
        "README.md",
        "requirements.txt",
        "site/site.yaml",
    ]
    monkeypatch.chdir(tmp_path / "blog")
    built = run("build", "--strict", "--json")
    assert (built.code, json.loads(built.out)["diagnostics"]) == (0, [])


@pytest.mark.parametrize(
    ("words", "title", "base_url"),
    [
        ([], ("工程笔记", "Engineering notes"), "https://example.org/"),
        (["--title", "Notes"], ("Notes", "Notes"), "https://example.org/"),
        (
            ["--title", "Both sides", "--title", "脊点两侧"],
            ("脊点两侧", "Both sides"),
            "https://example.org/",
        ),
        (
            ["--title", "a: b, {c} # d", "--title", '题"目'],
            ('题"目', "a: b, {c} # d"),
            "https://example.org/",
        ),
        (["--title", "C:\\x\nyes", "--title", "no"], ("C:\\x yes", "no"), "https://example.org/"),
        (["--base-url", "https://ada.github.io/blog"], None, "https://ada.github.io/blog/"),
    ],
)
@pytest.mark.parametrize("more", [[], ["--empty"]])
def test_what_is_chosen_is_in_the_configuration(
    words: list[str], title: tuple[str, str] | None, base_url: str, more: list[str], run: Run, tmp_path: Path
) -> None:
    assert run("init", *words, *more).code == 0
    project = load_project((tmp_path / "site/site.yaml").read_text("utf-8"), "site/site.yaml")
    assert title in (None, tuple(project.title))
    assert project.base_url == base_url
    assert project.first == "zh"


@pytest.mark.parametrize("more", [[], ["--empty"]])
def test_a_language_can_come_first(more: list[str], run: Run, tmp_path: Path) -> None:
    assert run("init", "--first-language", "en", *more).code == 0
    text = (tmp_path / "site/site.yaml").read_text("utf-8")
    assert "\nlanguages: {first: en}\n" in text
    assert load_project(text, "site/site.yaml").first == "en"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            ["--title", "a", "--title", "b", "--title", "c"],
            "diglot: 3 titles are given\n  fix: give one, or one in Chinese and one in English.\n",
        ),
        (
            ["--ask"],
            "diglot: --ask needs a terminal\n"
            "  fix: leave it out, and use --title, --base-url and the rest.\n",
        ),
        (["taken"], "diglot: taken is a file\n  fix: name a folder for the site.\n"),
    ],
)
def test_a_wrong_choice_makes_nothing(words: list[str], said: str, run: Run, tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("", "utf-8")
    assert run("init", *words) == (2, "", said)
    assert made(tmp_path) == ["taken"]


def test_what_is_there_stays(run: Run, tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text("mine", "utf-8")
    (tmp_path / ".gitignore").symlink_to("nowhere")
    said = run("init").err
    assert said.startswith(f"added {len(EXAMPLE) - 2} files to this folder:\n")
    assert "left alone, because they already exist:\n  .gitignore\n  README.md\n" in said
    assert "  cd " not in said
    assert (tmp_path / "README.md").read_text("utf-8") == "mine"
    assert not (tmp_path / "nowhere").exists()


def test_to_a_site_only_what_surrounds_it_is_added(run: Run, tmp_path: Path) -> None:
    run("init", "--empty")
    (tmp_path / "README.md").unlink()
    before = outputs(tmp_path)
    assert run("init", "--ci", "github") == (
        0,
        "",
        "this folder holds a site already: its configuration and content stay as they are\n"
        "added 2 files to this folder:\n  .github/workflows/site.yml\n  README.md\n"
        "left alone, because they already exist:\n"
        + "".join(f"  {path}\n" for path in [".gitignore", *SETTINGS, "requirements.txt"]),
    )
    assert before.items() < outputs(tmp_path).items()
    assert "nothing to add" in run("init", "--ci", "github").err


def test_json_says_what_was_added_and_left(run: Run, tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text("mine", "utf-8")
    said = run("init", "--json")
    report = json.loads(said.out)
    assert said.err == ""
    assert (report["ok"], report["left"]) == (True, ["README.md"])
    assert report["added"] == [path for path in EXAMPLE if path != "README.md"]


def test_a_folder_without_a_site_says_how_to_make_one(run: Run) -> None:
    assert run("build") == (
        2,
        "",
        "diglot: there is no site/site.yaml in this folder or any folder above it\n"
        "  fix: `diglot init` makes a new site here; or change to a site's folder, or name it with "
        "--root; --config names another configuration file.\n",
    )


def test_an_interruption_leaves_nothing_behind(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "blog/site").mkdir(parents=True)
    written = 0

    def interrupted(path: Path, content: bytes, begun: list[Path]) -> None:
        nonlocal written
        written += 1
        write(path, content[: len(content) // 2] if written == 5 else content, begun)
        if written == 5:
            raise KeyboardInterrupt

    write = files_module._write
    monkeypatch.setattr(files_module, "_write", interrupted)
    assert run("init", "blog").code == 130
    assert [path.name for path in (tmp_path / "blog").rglob("*")] == ["site"]


def test_a_file_that_appears_in_the_meantime_is_not_overwritten(tmp_path: Path) -> None:
    (tmp_path / "b").write_text("theirs", "utf-8")
    with pytest.raises(FileExistsError):
        write_new(tmp_path, [NewFile(path="x/a", text="ours"), NewFile(path="b", text="ours")])
    assert outputs(tmp_path) == {"b": b"theirs"}
    assert not (tmp_path / "x").exists()


@pytest.mark.parametrize(
    ("host", "path"), [("github", ".github/workflows/site.yml"), ("gitlab", ".gitlab-ci.yml")]
)
def test_a_workflow_is_where_its_host_looks_and_installs_what_is_required(
    host: str, path: str, run: Run, tmp_path: Path
) -> None:
    run("init", "--ci", host)
    text = (tmp_path / path).read_text("utf-8")
    assert text == (files("diglot.scaffold") / f"workflows/{host}.yml").read_text("utf-8")
    assert "pip install -r requirements.txt" in text
    assert (tmp_path / "requirements.txt").read_text("utf-8").endswith(f"{diglot_requirement()[0]}\n")


@pytest.mark.parametrize(
    ("origin", "line"),
    [
        (None, f"diglot[search]=={__version__}"),
        (
            {"url": "https://example.org/d.git", "vcs_info": {"vcs": "git", "commit_id": "ab12"}},
            "diglot[search] @ git+https://example.org/d.git@ab12",
        ),
        (
            {"url": "https://example.org/d.whl", "archive_info": {}},
            "diglot[search] @ https://example.org/d.whl",
        ),
        (
            {"url": "file:///home/me/diglot", "dir_info": {"editable": True}},
            "diglot[search] @ file:///home/me/diglot",
        ),
        ({"url": "file:///gone/d.whl", "archive_info": {}}, "diglot[search] @ file:///gone/d.whl"),
        ({"url": "file://HERE/my%20d.whl", "archive_info": {}}, "./vendor/my d.whl[search]"),
        ("no JSON", f"diglot[search]=={__version__}"),
    ],
)
def test_what_is_required_is_what_it_was_installed_from(
    origin: object, line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    metadata = tmp_path / "site-packages" / f"diglot-{__version__}.dist-info"
    metadata.mkdir(parents=True)
    (tmp_path / "my d.whl").write_bytes(b"a wheel")
    if origin is not None:
        text = origin if isinstance(origin, str) else json.dumps(origin).replace("HERE", str(tmp_path))
        (metadata / "direct_url.json").write_text(text, "utf-8")
    monkeypatch.setattr("diglot.installed.package_folders", lambda: (str(metadata.parent),))
    required, package = diglot_requirement(["search"])
    assert required.splitlines()[-1] == line
    assert ("Only this machine" in required) == (" @ file:" in line)
    if package is not None:
        write_new(tmp_path / "blog", [package])
    assert list(tmp_path.glob("blog/vendor/*")) == [
        tmp_path / "blog" / path for path in re.findall(r"vendor/.*\.whl", line)
    ]


def test_a_site_that_is_there_gets_its_extras_libraries_and_large_files(run: Run, tmp_path: Path) -> None:
    run("init", "--empty")
    (tmp_path / "requirements.txt").unlink()
    with open(tmp_path / "site/site.yaml", "a", encoding="utf-8") as settings:
        settings.write("search: true\n")
    (tmp_path / "figures").mkdir()
    (tmp_path / "figures/a.py").write_text("import numpy, hypothesis\n", "utf-8")
    (tmp_path / ".gitattributes").write_text("*.png filter=lfs diff=lfs merge=lfs -text\n", "utf-8")
    assert run("init", "--ci", "github").code == 0
    lines = (tmp_path / "requirements.txt").read_text("utf-8").splitlines()
    assert lines[-2:] == [
        diglot_requirement(["search"])[0].splitlines()[-1],
        f"hypothesis=={hypothesis.__version__}",
    ]
    workflow = yaml.safe_load((tmp_path / ".github/workflows/site.yml").read_text("utf-8"))
    assert workflow["jobs"]["build"]["steps"][0]["with"] == {"lfs": True}


def test_every_file_of_a_new_site_is_filled_in(run: Run, tmp_path: Path) -> None:
    for host in ("github", "gitlab"):
        run("init", host, "--ci", host)
    for path, data in outputs(tmp_path).items():
        assert b"@TITLE" not in data.replace(b"@v4", b""), path
        assert data.endswith(b"\n"), path


def test_compiled_scripts_among_the_templates_are_left_out(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(templates.FOLDER, tmp_path / "installed")
    assert compileall.compile_dir(tmp_path / "installed", quiet=1)
    monkeypatch.setattr(templates, "FOLDER", tmp_path / "installed")
    assert run("init", "blog").code == 0
    assert made(tmp_path / "blog") == EXAMPLE


def test_the_readme_of_a_new_site_names_commands_that_are_there(run: Run, tmp_path: Path) -> None:
    run("init")
    text = (tmp_path / "README.md").read_text("utf-8")
    lines = [line for line in text.splitlines() if line.startswith("diglot ")]
    assert len(lines) >= 4
    for line in lines:
        words = line.partition("#")[0].split()[1:]
        assert parse_arguments(words).command == words[0]


def answer(folder: Path, *answers: str) -> tuple[int, str]:
    """The exit code and output of `diglot init --ask` on a terminal where these lines are typed."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "diglot", "init", "--ask"],
        cwd=folder,
        env=environment(PYTHONPATH=str(CHECKOUT / "src"), TERM="dumb"),
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        start_new_session=True,
    )
    os.close(theirs)
    os.write(ours, "".join(f"{line}\n" for line in answers).encode())
    said = b""
    try:
        while chunk := os.read(ours, 4096):
            said += chunk
    except OSError:  # Linux says so when the other side is closed
        pass
    os.close(ours)
    return process.wait(), said.decode().replace("\r\n", "\n")


def test_questions_are_asked_until_they_are_answered(tmp_path: Path) -> None:
    code, said = answer(
        tmp_path, "脊点两侧", "", "ridge.example", "https://ridge.example", "e", "git", "gitl", "n"
    )
    assert code == 0, said
    assert "Title in English [Engineering notes]: " in said
    assert '  "ridge.example" is not the address of a site: write the complete address' in said
    assert '  "git" is not one of github, gitlab, none\n' in said
    project = load_project((tmp_path / "site/site.yaml").read_text("utf-8"), "site/site.yaml")
    assert tuple(project.title) == ("脊点两侧", "Engineering notes")
    assert project.base_url == "https://ridge.example/"
    assert project.first == "en"
    assert (tmp_path / ".gitlab-ci.yml").exists()
    assert not (tmp_path / "content").exists()


def test_an_end_of_the_answers_makes_nothing(tmp_path: Path) -> None:
    code, _ = answer(tmp_path, "脊点两侧", "\x04")
    assert code == 130
    assert made(tmp_path) == []
