"""The commands on small sites: what they do, print and return."""

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from diglot.cli import main
from tests.cli.sites import CHECKOUT, LINE, article, environment, pair, write, write_site


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("NO_COLOR", "CI", "SOURCE_DATE_EPOCH"):
        monkeypatch.delenv(name, raising=False)
    root = write_site(tmp_path / "site")
    monkeypatch.chdir(root)
    return root


def test_a_build_publishes_and_says_so(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 0
    out, err = capsys.readouterr()
    assert out == ""
    built, hint = err.splitlines()
    assert re.fullmatch(r"built public: \d+ files written \(\d+ tasks ran, 0 up to date, .* s\)", built)
    assert hint.startswith("before you publish: `base_url` in site/site.yaml is still https://example.org/;")
    assert (site / "public/zh/posts/hello/index.html").is_file()


def test_a_site_with_an_address_of_its_own_is_not_reminded_of_it(
    site: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for arguments in (["--strict", "--base-url", "https://ada.dev/"], ["--strict", "--json"]):
        assert main(["build", *arguments]) == 0
        assert "before you publish" not in capsys.readouterr().err
    assert main(["build", "--base-url", "http://localhost:4000/"]) == 0
    assert "is still http://localhost:4000/;" in capsys.readouterr().err


def test_a_second_build_has_nothing_to_do(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main([])
    capsys.readouterr()
    assert main(["build"]) == 0
    assert re.match(r"nothing to do: \d+ files up to date \(0 tasks ran", capsys.readouterr().err)


def test_errors_end_with_1_and_leave_the_last_good_output(
    site: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main([])
    page = site / "public/zh/posts/hello/index.html"
    before = page.read_bytes()
    write(site, {"content/posts/hello/zh.md": article("Changed. {eval}`nope.x`")})
    write(site, {"content/posts/hello/en.md": article("Changed.", more="datte: 2026-01-01\n")})
    capsys.readouterr()
    assert main([]) == 1
    err = capsys.readouterr().err
    assert 'content/posts/hello/en.md:5:1: error[field-unknown]: unknown key "datte"' in err
    assert "not published: " in err
    assert "the last good output stays" in err
    assert page.read_bytes() == before


def test_a_first_build_that_fails_publishes_nothing(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (site / "content/posts/hello/en.md").unlink()
    assert main([]) == 1
    assert "last good" not in capsys.readouterr().err
    assert not (site / "public").exists()


def test_strict_makes_an_error_of_a_warning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    site = write_site(tmp_path / "site", figure=True)
    monkeypatch.chdir(site)
    write(site, {"figures/line.py": LINE.replace("    return {", '    print("hello")\n    return {')})
    assert main([]) == 0
    assert "warning" in capsys.readouterr().err
    assert main(["--strict"]) == 1
    assert main(["--strict", "-q"]) == 1
    assert "warning" in capsys.readouterr().err


def test_json_is_all_there_is_on_standard_output(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["build", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["ok"] is True
    assert report["diagnostics"] == []
    assert "zh/posts/hello/index.html" in report["written"]
    assert {"task", "reason", "outcome", "seconds"} == report["ran"][0].keys()
    write(site, {"content/posts/hello/zh.md": article(more="datte: 1\n")})
    assert main(["--json"]) == 1
    report = json.loads(capsys.readouterr().out)
    assert report["ok"] is False
    found = next(one for one in report["diagnostics"] if one["rule"] == "field-unknown")
    assert (found["path"], found["line"], found["source"]) == ("content/posts/hello/zh.md", 5, "datte: 1")
    assert found["fix"] == 'did you mean "date"?'


@pytest.mark.parametrize(
    "line", ["check", "figures list", "explain hello", "explain nope", "clean", "figures export no"]
)
def test_every_command_has_json(line: str, site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main([])
    capsys.readouterr()
    main([*line.split(), "--json"])
    assert json.loads(capsys.readouterr().out)


def test_quiet_says_nothing_of_a_good_build(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["-q"]) == 0
    assert capsys.readouterr() == ("", "")


def test_verbose_names_every_task_that_ran_and_why(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main([])
    write(site, {"content/posts/hello/zh.md": article("Changed.")})
    capsys.readouterr()
    main(["-v"])
    lines = capsys.readouterr().err.splitlines()
    assert any("document hello:zh" in line and "content/posts/hello/zh.md" in line for line in lines)


def test_drafts_and_future_articles_are_shown_on_demand(site: Path) -> None:
    write(site, pair("draft", more="draft: true\n"))
    write(site, {path: text.replace("2026-01-02", "9000-01-01") for path, text in pair("future").items()})

    def shown(*flags: str) -> set[str]:
        assert main(["-q", *flags]) == 0
        return {path.name for path in (site / "public/zh/posts").iterdir()}

    assert shown() == {"hello"}
    assert shown("-D") == {"hello", "draft"}
    assert shown("-F") == {"hello", "future"}
    assert shown("--drafts", "--future") == {"hello", "draft", "future"}
    assert shown() == {"hello"}


def test_source_date_epoch_is_the_day_of_the_build(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1767225600")  # 2026-01-01, a day before the article
    assert main(["-q"]) == 0
    assert not (site / "public/zh/posts").exists()
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1767398399")  # the last second of 2026-01-02
    assert main(["-q"]) == 0
    assert (site / "public/zh/posts/hello").is_dir()


@pytest.mark.parametrize("epoch", ["yesterday", "-1", "1.5", "²", "99999999999999"])
def test_a_source_date_epoch_that_is_no_time_is_refused(
    epoch: str, site: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", epoch)
    assert main([]) == 2
    assert f'SOURCE_DATE_EPOCH is "{epoch}"' in capsys.readouterr().err


def test_a_folder_inside_of_the_project_finds_its_root(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(site / "content/posts/hello")
    assert main(["-q"]) == 0
    assert (site / "public/index.html").is_file()


def test_root_names_a_project_elsewhere(site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["-q", "-C", "site"]) == 0
    assert (site / "public/index.html").is_file()


def test_without_a_project_the_way_to_one_is_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main([]) == 2
    assert capsys.readouterr().err.startswith(
        "diglot: there is no site/site.yaml in this folder or any folder above"
    )
    assert main(["-C", "nowhere"]) == 2
    assert 'there is no site/site.yaml in "nowhere"' in capsys.readouterr().err


@pytest.mark.parametrize(
    "name", ["site/site.yml", "site/Site.yaml", "site/site.yaml.txt", "site/config.yaml", "site.yaml"]
)
def test_a_configuration_with_nearly_the_right_name_is_named(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for folder in ("site", "content/posts"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / name).write_text("title: Site\nbase_url: https://example.org/\n")
    monkeypatch.chdir(tmp_path / "content/posts")
    assert main([]) == 2
    assert capsys.readouterr().err.endswith(f"\n  fix: rename {name} to site/site.yaml.\n")
    assert main(["-C", str(tmp_path / "content")]) == 2
    assert "rename" not in capsys.readouterr().err


@pytest.mark.parametrize(
    ("files", "generator"),
    [
        ({"hugo.toml": 'title = "Site"\n', "content/posts/a.md": article("Text.")}, "hugo"),
        ({"_config.yml": "title: Site\n", "_posts/2026-01-02-a.md": article("Text.")}, "jekyll"),
        ({"_config.yml": "title: Site\n", "source/_posts/a.md": article("Text.")}, "hexo"),
    ],
)
def test_in_the_site_of_another_generator_the_command_that_imports_it_is_named(
    files: dict[str, str],
    generator: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    old = tmp_path / "my old"
    write(old, files)
    monkeypatch.chdir(old)
    assert main([]) == 2
    command = capsys.readouterr().err.split("`")[1]
    program, *arguments = shlex.split(command)
    assert (program, *arguments[:2]) == ("diglot", "import", generator)
    main(arguments)
    assert (tmp_path / "my old-diglot/site/site.yaml").is_file()


def test_a_configuration_that_is_a_link_to_nothing_is_not_said_to_be_missing(
    site: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (site / "site/site.yaml").rename(site / "site/kept.yaml")
    (site / "site/site.yaml").symlink_to("gone")
    assert main([]) == 2
    assert (
        'nothing can read "site.yaml": it is a link to "gone", which is not there' in capsys.readouterr().err
    )


def test_another_configuration_can_be_named(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = (site / "site/site.yaml").read_text().replace("Site", "Other")
    write(site, {"conf/other.yaml": text})
    assert main(["-q", "--config", "conf/other.yaml"]) == 0
    assert "Other" in (site / "public/en/index.html").read_text()


def test_a_configuration_outside_of_the_project_is_refused(
    site: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path, {"other.yaml": (site / "site/site.yaml").read_text()})
    assert main(["--config", "../other.yaml"]) == 2
    assert "is not in the project" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("output", "said"),
    [
        (".", "contains the project itself"),
        ("..", "contains the project itself"),
        ("content", "is inside content/, which"),
        ("content/posts/hello/public", "is inside content/, which"),
        ("figures", "which is not a place for output"),
        ("templates/x", "which is not a place for output"),
        ("site/static", "which is not a place for output"),
        (".git/x", "which is not a place for output"),
        (".diglot/x", "which is not a place for output"),
        ("notes", "contains files that diglot did not make"),
        ("notes/mine.txt", "is a file"),
        ("notes/mine.txt/x", "cannot be written"),
    ],
)
def test_an_output_folder_that_would_cost_the_author_files_is_refused(
    output: str, said: str, site: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(site, {"notes/mine.txt": "mine"})
    before = sorted(path for path in site.rglob("*") if ".diglot" not in path.parts)
    assert main(["-o", output]) == 2
    assert said in capsys.readouterr().err
    assert sorted(path for path in site.rglob("*") if ".diglot" not in path.parts) == before


def test_the_output_may_go_anywhere_else(site: Path, tmp_path: Path) -> None:
    assert main(["-q", "-o", str(tmp_path / "a/b")]) == 0
    assert main(["-q", "-o", "dist"]) == 0
    assert (tmp_path / "a/b/index.html").read_bytes() == (site / "dist/index.html").read_bytes()
    assert not (site / "public").exists()


def test_check_publishes_nothing_and_finds_what_only_finished_pages_show(
    site: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check"]) == 0
    assert capsys.readouterr().err == "checked: no errors\n"
    assert not (site / "public").exists()
    words = 'Text.\n\n<p id="a">x</p>\n\n<p id="a"><img src="https://example.org/favicon.svg"></p>'
    write(site, {"content/posts/hello/zh.md": article(words)})
    assert main(["build", "-q"]) == 0
    capsys.readouterr()
    assert main(["check"]) == 1
    err = capsys.readouterr().err
    assert 'content/posts/hello/zh.md:10:8: error[id-twice]: the id "a" is used twice' in err
    assert 'zh.md:10:21: error[image-text]: the image "https://example.org/favicon.svg" has no' in err


def test_explain_suggests_what_was_probably_meant(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "hello"]) == 2
    assert "fix: there is no build yet: run `diglot build` first." in capsys.readouterr().err
    main(["-q"])
    assert main(["explain", "helo"]) == 2
    assert 'fix: did you mean "hello"?' in capsys.readouterr().err
    assert main(["explain", "/zh/posts/helo/"]) == 2
    assert 'fix: did you mean "/zh/posts/hello/"?' in capsys.readouterr().err


@pytest.mark.parametrize(
    "target",
    [
        *("/zh/posts/hello/", "zh/posts/hello/index.html", "https://example.org/zh/posts/hello/"),
        *("hello", "content/posts/hello/zh.md"),
    ],
)
def test_explain_knows_pages_by_address_file_and_name(
    target: str, site: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["-q"])
    assert main(["explain", target]) == 0
    assert capsys.readouterr().out.startswith("article-page hello:")


def test_explain_names_the_file_that_would_rebuild_a_page(
    site: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["-q"])
    write(site, {"content/posts/hello/zh.md": article("Changed.")})
    main(["explain", "/zh/posts/hello/"])
    assert "content/posts/hello/zh.md" in capsys.readouterr().out


def test_explain_suggests_what_was_meant(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["-q"])
    assert main(["explain", "helo"]) == 2
    assert 'did you mean "hello"?' in capsys.readouterr().err


def test_clean_removes_output_and_cache_and_nothing_else(
    site: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = sorted(site.rglob("*"))
    main(["-q"])
    assert main(["clean"]) == 0
    assert capsys.readouterr().err == "removed .diglot and public\n"
    assert sorted(site.rglob("*")) == before
    assert main(["clean"]) == 0
    assert capsys.readouterr().err == "nothing to remove\n"


def test_clean_cache_keeps_the_output(site: Path) -> None:
    main(["-q"])
    times = {path: path.stat().st_mtime_ns for path in (site / "public").rglob("*")}
    assert main(["-q", "clean", "--cache"]) == 0
    assert not (site / ".diglot").exists()
    assert main(["-q"]) == 0
    assert {path: path.stat().st_mtime_ns for path in (site / "public").rglob("*")} == times


def test_clean_leaves_a_folder_that_diglot_did_not_make(site: Path) -> None:
    write(site, {"public/thesis.txt": "years of work"})
    assert main(["-q", "clean"]) == 0
    assert (site / "public/thesis.txt").exists()


def test_what_the_system_refuses_is_said_without_a_traceback(
    site: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(site, {".diglot": "a file in place of the cache"})
    assert main([]) == 2
    err = capsys.readouterr().err
    assert err.startswith("diglot: ")
    assert "/.diglot is there already" in err
    assert "Traceback" not in err


def _run(*words: str, cwd: Path, **more: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, *words],
        cwd=cwd,
        env=environment(**more),
        capture_output=True,
        text=True,
        check=False,
    )


def test_build_py_is_the_same_door(site: Path) -> None:
    door = str(CHECKOUT / "build.py")
    assert _run(door, "--version", cwd=site).stdout.startswith("diglot ")
    assert _run(door, "biuld", cwd=site).returncode == 2
    assert _run(door, cwd=site).returncode == 0
    assert (site / "public/index.html").is_file()


def test_build_py_without_diglot_installed_says_which_one_command_to_run(tmp_path: Path) -> None:
    ran = _run("-I", "-S", str(CHECKOUT / "build.py"), cwd=tmp_path)
    assert ran.returncode == 1
    assert ran.stderr.startswith(
        "diglot is not installed. Run this once, in this folder:\n\n    pip install -e .\n"
    )


def test_a_reader_that_leaves_early_causes_no_traceback(site: Path) -> None:
    main(["-q"])
    command = f"{sys.executable} -m diglot explain /zh/ | true"
    ran = subprocess.run(
        command, shell=True, cwd=site, env=environment(), capture_output=True, text=True, check=False
    )
    assert "Traceback" not in ran.stderr


def test_a_build_without_changes_loads_no_library_that_only_work_needs(site: Path) -> None:
    main(["-q"])
    script = "import sys; from diglot.cli import main; main(['-q']); print(*sys.modules)"
    loaded = {name.partition(".")[0] for name in _run("-c", script, cwd=site).stdout.split()}
    assert "msgspec" in loaded, "what was run did import diglot"
    parsers = {"yaml", "markdown_it", "mdit_py_plugins", "math_core", "pygments", "jinja2"}
    numbers, network = {"numpy", "matplotlib", "PIL"}, {"starlette", "uvicorn", "watchdog", "asyncio"}
    assert not loaded & (parsers | numbers | network | {"typing_extensions"})


def test_help_loads_no_engine(site: Path) -> None:
    script = "import atexit, sys; from diglot.cli import main\n"
    script += "atexit.register(lambda: print(*sys.modules)); main(['--help'])"
    loaded = _run("-c", script, cwd=site).stdout.split()
    assert "diglot.cli.parsing" in loaded
    assert not {"diglot.engine", "sqlite3", "typing_extensions"} & set(loaded)


def test_progress_is_shown_on_a_terminal(site: Path) -> None:
    master, slave = os.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "diglot"],
        cwd=site,
        env=environment(TERM="xterm", DIGLOT_PROGRESS="1"),
        stderr=slave,
        stdout=slave,
    )
    os.close(slave)
    shown = b""
    while True:
        try:
            piece = os.read(master, 4096)
        except OSError:  # the other end is closed
            break
        if not piece:
            break
        shown += piece
    os.close(master)
    assert process.wait() == 0
    assert re.search(rb"\r\x1b\[2K\x1b\[2m\d+/\d+  ", shown)
    assert b"built public" in shown


def test_explain_writes_the_graph(site: Path) -> None:
    main(["-q"])
    assert main(["explain", "/zh/posts/hello/", "--graph", "graph.dot"]) == 0
    assert '"article-page hello:zh" -> "document hello:zh";' in (site / "graph.dot").read_text("utf-8")
    assert main(["explain", "/zh/posts/hello/", "--graph", "graph.json"]) == 0
    graph = json.loads((site / "graph.json").read_text("utf-8"))
    assert ["document hello:zh", "file content/posts/hello/zh.md"] in graph["edges"]


def test_clean_older_than_forgets_what_the_last_build_did_not_need(
    site: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(site, {"site/static/gone.txt": "gone"})
    main(["-q"])
    (site / "site/static/gone.txt").unlink()
    main(["-q"])
    assert main(["clean", "--older-than", "1h"]) == 0
    assert capsys.readouterr().err.startswith("removed 0 tasks")
    assert main(["clean", "--older-than", "0d", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["forgotten"] == 1
    assert main(["build"]) == 0
    assert "0 tasks ran" in capsys.readouterr().err


@pytest.mark.parametrize("age", ["30", "d", "-1d", "1.5d"])
def test_an_age_without_a_unit_is_refused(site: Path, age: str) -> None:
    with pytest.raises(SystemExit):
        main(["clean", f"--older-than={age}"])


@pytest.mark.parametrize(
    ("config", "fix"),
    [
        ("site/site.yml", "write `--config site/site.yaml`."),
        ("site/site.json", "write `--config site/site.yaml`."),
        ("site/site", "write `--config site/site.yaml`."),
        ("sites/site.yaml", "write `--config site/site.yaml`."),
        ("site/site.prd.yaml", "write `--config site/site"),
        ("site/prod.toml", "give the path of a configuration, a file whose name ends in .yaml."),
        ("site/no", "give the path of a configuration, a file whose name ends in .yaml."),
    ],
)
def test_a_configuration_that_is_not_there(
    site: Path, config: str, fix: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["build", "--config", config]) == 2
    assert f"there is no {config}" in (said := capsys.readouterr().err)
    assert fix in said
