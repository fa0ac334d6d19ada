"""Try other versions of the libraries that diglot uses, each time in a fresh virtual environment.

    python scripts/versions.py lowest [PYTEST ARGUMENTS]   test with the lowest that pyproject.toml allows
    python scripts/versions.py newest [PYTEST ARGUMENTS]   test with the newest that it allows
    python scripts/versions.py lock                        write the newest into .ci/locked.txt
    python scripts/versions.py fetch FOLDER                download those in .ci/locked.txt, and verify them

The locked versions have the digests of their files beside them, in comments: pip takes a constraint with
digests for an order to verify everything, which no editable project can fulfil. `fetch` gives them to pip,
and what it downloads is all that `.ci/run` installs from.

With `--environment FOLDER` the environment is made in that folder and kept, or used if it is there already.

`.ci/run` runs all tests with the locked versions, and a quick part with the lowest. After you change a bound,
run `lowest` without further arguments. For newer libraries, run `newest`, then `lock`.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
import tomllib
import venv
from pathlib import Path

ROOT = Path(__file__).parents[1]
LOCKED = ROOT / ".ci/locked.txt"
_BUILDING = "editables~=0.3\n"
"""What Hatchling asks for to build an editable project, and no environment holds afterwards."""
_HASHES = "#   "
"""Before the digests of a locked version."""
_BOUND = re.compile(r"(?P<name>[\w.-]+)>=(?P<version>[\w.]+)")


def lowest_versions(pyproject: str) -> dict[str, str]:
    """The lower bound of every library that pyproject.toml names for `pip install .[test]`.

    Raises ValueError if a library has no lower bound.
    """
    project = tomllib.loads(pyproject)["project"]
    bounds = {}
    for requirement in (*project["dependencies"], *project["optional-dependencies"]["test"]):
        found = _BOUND.match(requirement)
        if found is None:
            raise ValueError(f"{requirement} has no lower bound")
        bounds[found["name"]] = found["version"]
    return bounds


def with_hashes(locked: str) -> str:
    """The locked versions as requirements whose files pip verifies.

    Raises ValueError for a version without digests.
    """
    found: list[tuple[str, list[str]]] = []
    for line in locked.splitlines():
        if line.startswith(_HASHES):
            found[-1][1].append(line.removeprefix(_HASHES).strip())
        elif line and not line.startswith("#"):
            found.append((line, []))
    if bare := [version for version, hashes in found if not hashes]:
        raise ValueError(f"without digests: {', '.join(bare)}")
    return "".join(" \\\n    ".join((version, *hashes)) + "\n" for version, hashes in found)


def locked_text(compiled: str) -> str:
    """The locked versions, with their digests as comments, from what `uv pip compile` writes."""
    lines = [line.removesuffix(" \\") for line in compiled.splitlines() if not line.startswith("#")]
    shown = [f"{_HASHES}{line.strip()}" if line.startswith(" ") else line for line in lines]
    return "\n".join(("# Made by scripts/versions.py lock.", *shown, ""))


def fetch(folder: Path) -> int:
    """Download the files of all locked versions for this machine; each has a digest that is known."""
    with tempfile.TemporaryDirectory() as scratch:
        requirements = Path(scratch) / "requirements.txt"
        requirements.write_text(with_hashes(LOCKED.read_text("utf-8")))
        options = ["--quiet", "--no-deps", "--only-binary", ":all:", "--require-hashes"]
        command = [sys.executable, "-m", "pip", "download", *options, "--dest", str(folder)]
        return subprocess.run([*command, "-r", str(requirements)], env=_variables(), check=False).returncode


def _variables() -> dict[str, str]:
    """The environment, without what confines pip to the locked versions."""
    confining = ("PIP_CONSTRAINT", "PIP_NO_INDEX", "PIP_FIND_LINKS")
    return {name: value for name, value in os.environ.items() if name not in confining}


def _with_uv(environment: Path, versions: str) -> str:
    """The same versions with the digests of all of their files, for every platform, by uv."""
    python = str(environment / "bin/python")
    subprocess.run([python, "-m", "pip", "install", "--quiet", "uv"], env=_variables(), check=True)
    options = ["--generate-hashes", "--no-deps", "--no-annotate", "--no-header", "--universal", "--quiet"]
    return subprocess.run(
        [str(environment / "bin/uv"), "pip", "compile", *options, "--python-version", "3.11", "-"],
        input=versions,
        env=_variables(),
        check=True,
        capture_output=True,
        text=True,
    ).stdout


def main(arguments: list[str]) -> int:
    """Run one of the commands, and return its exit status."""
    summary, _, rest = (__doc__ or "").partition("\n\n")
    parser = argparse.ArgumentParser(
        description=summary, epilog=rest, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("command", choices=("lowest", "newest", "lock", "fetch"))
    parser.add_argument("--environment", type=Path, metavar="FOLDER", help="keep the environment there")
    chosen, pytest_arguments = parser.parse_known_args(arguments)
    if chosen.command == "fetch":
        return fetch(Path(*pytest_arguments))
    variables = _variables()
    with tempfile.TemporaryDirectory() as folder:
        environment = (chosen.environment or Path(folder) / "environment").resolve()
        python = str(environment / "bin/python")
        if not environment.exists():
            constraints = Path(folder) / "constraints.txt"
            lowest = lowest_versions((ROOT / "pyproject.toml").read_text("utf-8"))
            bounds = lowest if chosen.command == "lowest" else {}
            constraints.write_text("".join(f"{name}=={version}\n" for name, version in bounds.items()))
            venv.create(environment, with_pip=True)
            installing = [python, "-m", "pip", "install", "--quiet", "-e", f"{ROOT}[test]"]
            subprocess.run(installing, env={**variables, "PIP_CONSTRAINT": str(constraints)}, check=True)
        frozen = [python, "-m", "pip", "freeze", "--exclude-editable"]
        versions = subprocess.run(frozen, env=variables, check=True, capture_output=True, text=True).stdout
        if chosen.command == "lock":
            LOCKED.write_text(locked_text(_with_uv(environment, versions + _BUILDING)))
            return 0
        print(versions)
        testing = [python, "-m", "pytest", *pytest_arguments]
        return subprocess.run(testing, cwd=ROOT, env=variables, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
