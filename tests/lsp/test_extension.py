"""The extension of VS Code asks for what the server has."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from diglot.lsp.server import PAGE, TWIN

FOLDER = Path(__file__).parents[2] / "editors/vscode"
SCRIPT = (FOLDER / "extension.js").read_text("utf-8")
PACKAGE = json.loads((FOLDER / "package.json").read_text("utf-8"))


def test_it_sends_requests_that_the_server_answers() -> None:
    assert set(re.findall(r'ask\("([^"]+)"', SCRIPT)) == {TWIN, PAGE}


def test_its_commands_and_settings_are_those_that_it_declares() -> None:
    declared = {one["command"] for one in PACKAGE["contributes"]["commands"]}
    assert set(re.findall(r'registerCommand\("([^"]+)"', SCRIPT)) == declared
    settings = {name.partition(".")[2] for name in PACKAGE["contributes"]["configuration"]["properties"]}
    assert set(re.findall(r'getConfiguration\("diglot"\)\.get\("(\w+)"', SCRIPT)) == settings
    assert (FOLDER / PACKAGE["main"]).is_file()


@pytest.mark.skipif(shutil.which("node") is None, reason="Node.js is not installed")
def test_it_is_javascript() -> None:
    subprocess.run(["node", "--check", str(FOLDER / "extension.js")], check=True)
