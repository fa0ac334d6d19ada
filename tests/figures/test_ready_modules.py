"""Hardware models that were loaded ahead are given only as they are now, with all that they import."""

import ast
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

PACKAGE = Path("src/diglot/hardware").resolve()

PROBE = """
import contextlib, json, sys
import numpy, yaml, diglot.digests
from diglot.figures.execution import ready_modules

opened, parse = [], ready_modules._read_files
def read_files():
    said = [path for path in opened if not path.endswith((".py", ".pyc"))]
    parse()
    opened[:] = said
ready_modules._read_files = read_files
sys.addaudithook(lambda event, args: opened.append(str(args[0])) if event == "open" else None)
ready_modules.load_ahead()
read = [*opened]
left = [name for name in sys.modules if name.startswith("diglot.hardware")]
noted = {name: ready.imports for name, ready in ready_modules._ready.items()}

class Observer:
    changed = ""

    def __init__(self):
        self.files = []

    def file(self, path):
        self.files.append(path)
        edit = b"#" if self.changed and path.endswith(self.changed) else b""
        return diglot.digests.digest_of(open(path, "rb").read() + edit)

    def folder(self, path):
        pass

    def unheard(self):
        return contextlib.nullcontext()

observer = Observer()
observer.changed = "/chips/units.py"
finder = ready_modules.ReadyModules(observer)
given = [name for name in noted if finder.find_spec(name) is not None]

observer = Observer()
sys.meta_path.insert(0, ready_modules.ReadyModules(observer))
import diglot.hardware.kernels.kernel as kernel
loaded = sorted(name for name in sys.modules if name.startswith("diglot.hardware"))
files = sorted(set(observer.files))
same = kernel is ready_modules._ready[kernel.__name__].module
spec = kernel.__spec__.loader.__class__.__name__
reached = hasattr(sys.modules["diglot.hardware"], "chips")
print(json.dumps([left, read, noted, given, loaded, files, same, spec, reached]))
"""


def imported_by(name: str, known: set[str]) -> Iterator[str]:
    """Modules of the package that a module imports when it is loaded, as its source says."""
    path = PACKAGE.joinpath(*name.split(".")[2:])
    source = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    for statement in ast.parse(source.read_bytes()).body:
        if isinstance(statement, ast.Import):
            yield from (alias.name for alias in statement.names if alias.name in known)
        elif isinstance(statement, ast.ImportFrom) and statement.module in known:
            yield str(statement.module)
            deeper = (f"{statement.module}.{alias.name}" for alias in statement.names)
            yield from (each for each in deeper if each in known)


def test_what_was_loaded_ahead_is_given_as_it_is_now() -> None:
    ran = subprocess.run([sys.executable, "-P", "-c", PROBE], capture_output=True, text=True, check=True)
    left, read, noted, given, loaded, files, same, spec, reached = json.loads(ran.stdout)
    assert left == []
    assert read == [], "what a module reads when it is loaded, no worker would observe"
    assert len(noted) > 100
    for name, imports in noted.items():
        assert set(imported_by(name, set(noted))) <= set(imports), name
    assert "diglot.hardware.chips.units" not in given
    assert "diglot.hardware.chips.loading" not in given, "it imports what has changed"
    assert "diglot.hardware.kernels.kernel" in given
    assert "diglot.hardware.kernels.kernel" in loaded
    assert not [name for name in loaded if name.startswith("diglot.hardware.chips")], "nobody asked for them"
    assert len(files) == len(loaded)
    assert same
    assert spec == "SourceFileLoader"
    assert not reached
