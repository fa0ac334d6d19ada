"""A site on a machine that builds it: with nothing but an installed diglot, outside of its checkout."""

import os
import stat
import subprocess
import sys
from pathlib import Path

from tests.cli.sites import environment, write_site
from tests.waiting import HANG_S


def site_outside(tmp_path: Path) -> Path:
    """A site outside of diglot's checkout, with `diglot` on the path, and a `pip` that installs nothing."""
    root = write_site(tmp_path / "blog")
    (root / "requirements.txt").write_text("diglot\n", "utf-8")
    for name, text in (
        ("diglot", f'#!/bin/sh\nexec {sys.executable} -m diglot "$@"\n'),
        ("pip", '#!/bin/sh\n[ "$*" = "install -r requirements.txt" ] && [ -f requirements.txt ]\n'),
    ):
        program = tmp_path / "bin" / name
        program.parent.mkdir(exist_ok=True)
        program.write_text(text, "utf-8")
        program.chmod(program.stat().st_mode | stat.S_IXUSR)
    return root


def run(commands: list[str], project: Path, **variables: str) -> None:
    """Run shell commands one after another, as a host does."""
    path = f"{project.parent / 'bin'}{os.pathsep}{os.environ['PATH']}"
    for command in commands:
        done = subprocess.run(
            ["bash", "-e", "-c", command],
            cwd=project,
            env=environment(PATH=path, CI="true", **variables),
            capture_output=True,
            text=True,
            timeout=HANG_S,
            check=False,
        )
        assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
