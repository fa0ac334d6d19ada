"""The README is true: its commands run, what it names is there, CI runs exactly its first two."""

import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.space import Space, bring_own_cache, errors, told
from tests.waiting import HANG_S

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text("utf-8")
BLOCKS = re.findall(r"^```sh\n(.*?)^```", README, re.MULTILINE | re.DOTALL)
INSTALLING = BLOCKS[:2]
COMMANDS = [line.partition("#")[0].strip() for block in BLOCKS[2:] for line in block.splitlines()]
SOURCES = ("content", "figures", "site", "src", "templates")


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of this project's sources as the only commit of a repository, without its output."""
    folder = tmp_path_factory.mktemp("checkout")
    bring_own_cache(folder / ".diglot")
    for name in SOURCES:
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / ".gitignore", folder)
    author = ("-c", "user.name=An author", "-c", "user.email=author@diglot.example")
    for words in (("init",), ("add", "--all"), (*author, "commit", "--message=The site")):
        subprocess.run(["git", *words], cwd=folder, check=True, capture_output=True)
    return folder


def run(words: list[str], folder: Path) -> "subprocess.Popen[str]":
    """A command of the README. The copy has diglot's sources, too, which its figures are made from."""
    assert words[0] == "diglot"
    return subprocess.Popen(
        [sys.executable, "-m", *words],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


@pytest.mark.parametrize("command", [command for command in COMMANDS if command != "diglot serve"])
def test_every_command_runs(command: str, checkout: Path) -> None:
    process = run(command.split(), checkout)
    output, _ = process.communicate(timeout=HANG_S)
    assert process.returncode == 0, output
    if not (checkout / ".diglot").exists():  # after `diglot clean`: the next would draw all figures anew
        bring_own_cache(checkout / ".diglot")


def test_serve_serves_and_ends(checkout: Path) -> None:
    assert "diglot serve" in COMMANDS
    process = run(["diglot", "serve"], checkout)
    assert process.stdout is not None
    for line in process.stdout:
        if "http://127.0.0.1:" in line:
            break
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=HANG_S)
    assert process.returncode == 0


def test_ci_runs_exactly_the_first_two_commands() -> None:
    script = (ROOT / ".ci/run").read_text("utf-8").splitlines()
    told = [command for block in INSTALLING for command in block.strip().split(" && ")]
    starts = ("pip ", "python build.py", "python -m pytest")
    assert [line.removesuffix(" || status=$?") for line in script if line.startswith(starts)] == told


def test_its_article_builds(space: Space, checkout: Path) -> None:
    shutil.copytree(checkout / "figures", space.root / "figures")
    article = re.search(r"^````markdown\n(.*?)^````", README, re.MULTILINE | re.DOTALL)
    assert article is not None
    for language in ("zh", "en"):
        space.write(f"content/posts/ridge/{language}.md", article[1])
    result = space.build()
    assert not errors(result), told(result)
    assert "206" in space.page("en/posts/ridge")


def test_what_it_links_to_and_names_is_there() -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", README):
        assert (ROOT / target).exists(), target
    for name in ("content/posts", "figures", "site", "templates", "src/diglot", "tests", "docs", "build.py"):
        assert (ROOT / name).exists(), name
