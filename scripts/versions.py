"""Try other versions of the libraries that diglot uses, each time in a fresh virtual environment.

    python scripts/versions.py lowest [PYTEST ARGUMENTS]   test with the lowest that pyproject.toml allows
    python scripts/versions.py newest [PYTEST ARGUMENTS]   test with the newest that it allows
    python scripts/versions.py lock                        write the newest into .ci/locked.txt

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


def main(arguments: list[str]) -> int:
    """Run one of the three commands, and return its exit status."""
    summary, _, rest = (__doc__ or "").partition("\n\n")
    parser = argparse.ArgumentParser(
        description=summary, epilog=rest, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("command", choices=("lowest", "newest", "lock"))
    parser.add_argument("--environment", type=Path, metavar="FOLDER", help="keep the environment there")
    chosen, pytest_arguments = parser.parse_known_args(arguments)
    variables = {name: value for name, value in os.environ.items() if name != "PIP_CONSTRAINT"}
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
            LOCKED.write_text(f"# Made by scripts/versions.py lock.\n{versions}")
            return 0
        print(versions)
        testing = [python, "-m", "pytest", *pytest_arguments]
        return subprocess.run(testing, cwd=ROOT, env=variables, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
