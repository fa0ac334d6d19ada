"""Ways in which a figure script can read something outside itself, each with an edit that must be noticed.

`{d}` is a folder of the case's own, in which `a.csv` contains `1`. The code stores what it found in `x`.
Unless the case names another edit, the edit writes `22` into `a.csv`.
"""

# ruff: noqa: E501  (a table, whose lines are programs)

import os
import shutil
import sqlite3
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

Edit = Callable[[Path], object]


def _rewrite(folder: Path) -> None:
    (folder / "a.csv").write_text("22\n")


def _nothing(_folder: Path) -> None:
    return None


@dataclass(frozen=True)
class Read:
    """One way to read something."""

    name: str
    code: str
    edit: Edit = _rewrite
    before: Edit = _nothing
    """Creates what the case needs besides `a.csv`."""


def _create(name: str = "b.csv", text: str = "3\n") -> Edit:
    def create(folder: Path) -> None:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)

    return create


def _remove(name: str = "a.csv") -> Edit:
    return lambda folder: (folder / name).unlink()


def _database(name: str, value: int, *, wal: bool = False) -> Edit:
    def write(folder: Path) -> None:
        connection = sqlite3.connect(folder / name)
        if wal:
            connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("CREATE TABLE IF NOT EXISTS t (x)")
        connection.execute("DELETE FROM t")
        connection.execute("INSERT INTO t VALUES (?)", (value,))
        connection.commit()
        connection.close()

    return write


def _link(target: str, name: str = "link") -> Edit:
    def link(folder: Path) -> None:
        (folder / name).unlink(missing_ok=True)
        (folder / name).symlink_to(target)

    return link


def _both(*edits: Edit) -> Edit:
    return lambda folder: [edit(folder) for edit in edits]


def _become_folder(folder: Path) -> None:
    (folder / "a.csv").unlink()
    (folder / "a.csv").mkdir()


def _archive(text: str) -> Edit:
    def write(folder: Path) -> None:
        with zipfile.ZipFile(folder / "code.zip", "w") as archive:
            archive.writestr("zipped_module.py", text)

    return write


def _packed(opener: str, value: int) -> Edit:
    def write(folder: Path) -> None:
        import bz2
        import gzip
        import lzma

        with {"gzip": gzip.open, "bz2": bz2.open, "lzma": lzma.open}[opener](folder / "a.z", "wb") as file:
            file.write(str(value).encode())

    return write


def _numbers(value: int, name: str = "a.npy") -> Edit:
    def write(folder: Path) -> None:
        import numpy as np

        np.save(folder / name, np.array([value, 2]))

    return write


def _picture(value: int) -> Edit:
    def write(folder: Path) -> None:
        from PIL import Image

        Image.new("L", (2, 2), value).save(folder / "a.png")

    return write


_TEXT_READS = {
    "open": "x = open('{d}/a.csv').read()",
    "open a binary file": "x = len(open('{d}/a.csv', 'rb').read())",
    "open to read and write": "x = open('{d}/a.csv', 'r+').read()",
    "open to append and read": "f = open('{d}/a.csv', 'a+'); f.seek(0); x = f.read()",
    "open with an opener": "import os; x = open('{d}/a.csv', opener=lambda p, f: os.open(p, f)).read()",
    "open a path of bytes": "x = open(b'{d}/a.csv').read()",
    "open an object with a path": (
        "class P:\n    def __fspath__(self): return '{d}/a.csv'\nx = open(P()).read()"
    ),
    "open after chdir": "import os; os.chdir('{d}'); x = open('a.csv').read()",
    "open an absolute path": "import os; x = open(os.path.abspath('{d}/a.csv')).read()",
    "open by /proc/self/cwd": "x = open('/proc/self/cwd/{d}/a.csv').read()",
    "open by /dev/fd": "import os; n = os.open('{d}/a.csv', os.O_RDONLY); x = open(f'/dev/fd/{n}').read()",
    "io.FileIO": "import io; x = io.FileIO('{d}/a.csv').read().decode()",
    "io.FileIO of a path": "import io, pathlib; x = io.FileIO(pathlib.Path('{d}/a.csv')).read().decode()",
    "io.open_code": "import io, os; x = io.open_code(os.path.abspath('{d}/a.csv')).read().decode()",
    "codecs.open": "import codecs; x = codecs.open('{d}/a.csv', encoding='utf-8').read()",
    "os.open": "import os; x = os.read(os.open('{d}/a.csv', os.O_RDONLY), 9).decode()",
    "os.open to read and write": "import os; x = os.read(os.open('{d}/a.csv', os.O_RDWR), 9).decode()",
    "os.open from a folder": (
        "import os; d = os.open('{d}', os.O_RDONLY); x = os.read(os.open('a.csv', os.O_RDONLY, dir_fd=d), 9).decode()"
    ),
    "posix.open from a folder": (
        "import os, posix; d = os.open('{d}', os.O_RDONLY)\n"
        "x = os.read(posix.open('a.csv', os.O_RDONLY, dir_fd=d), 9).decode()"
    ),
    "mmap": "import mmap; f = open('{d}/a.csv', 'r+b'); x = mmap.mmap(f.fileno(), 0)[:].decode()",
    "pathlib read_text": "from pathlib import Path; x = Path('{d}/a.csv').read_text()",
    "pathlib open": "from pathlib import Path; x = Path('{d}/a.csv').open('r+').read()",
    "fileinput": "import fileinput; x = list(fileinput.input('{d}/a.csv'))",
    "linecache": "import linecache; x = linecache.getline('{d}/a.csv', 1)",
    "csv": "import csv; x = list(csv.reader(open('{d}/a.csv')))",
    "json": "import json; x = json.load(open('{d}/a.csv'))",
    "configparser": (
        "import configparser; c = configparser.ConfigParser(allow_no_value=True, default_section='q')\n"
        "try: c.read('{d}/a.csv')\nexcept Exception as error: x = str(error)"
    ),
    "shutil.copy to a temporary file": (
        "import shutil, tempfile; t = tempfile.mkdtemp(); shutil.copy('{d}/a.csv', t); x = open(t + '/a.csv').read()"
    ),
    "shutil.copy2 and copytree": (
        "import shutil, tempfile; t = tempfile.mkdtemp(); shutil.copytree('{d}', t + '/d'); x = open(t + '/d/a.csv').read()"
    ),
    "hard link to a temporary name": (
        "import os; os.link('{d}/a.csv', '{d}/hard.tmp'); x = open('{d}/hard.tmp').read(); os.unlink('{d}/hard.tmp')"
    ),
    "urlopen of a file": (
        "import os, urllib.request; x = urllib.request.urlopen('file://' + os.path.abspath('{d}/a.csv')).read().decode()"
    ),
    "zipfile that is none": "import zipfile, os; x = [zipfile.is_zipfile('{d}/a.csv'), os.path.getsize('{d}/a.csv')]",
    "filecmp": "import filecmp, shutil; x = [filecmp.cmp('{d}/a.csv', '{d}/b.txt', shallow=False)]",
    "hashlib.file_digest": "import hashlib; x = hashlib.file_digest(open('{d}/a.csv', 'rb'), 'sha1').hexdigest()",
    "asyncio thread": (
        "import asyncio; x = asyncio.run(asyncio.to_thread(lambda: open('{d}/a.csv').read()))"
    ),
    "a thread": (
        "import threading; found = []\n"
        "t = threading.Thread(target=lambda: found.append(open('{d}/a.csv').read())); t.start(); t.join(); x = found"
    ),
    "np.loadtxt": "import numpy as np; x = np.atleast_1d(np.loadtxt('{d}/a.csv'))",
    "np.genfromtxt": "import numpy as np; x = np.atleast_1d(np.genfromtxt('{d}/a.csv'))",
    "np.fromfile": "import numpy as np; x = np.fromfile('{d}/a.csv', sep=' ')",
    "np.memmap": "import numpy as np; x = np.memmap('{d}/a.csv', dtype='u1')[:1] + 0",
    "np.memmap to read": "import numpy as np; x = np.memmap('{d}/a.csv', dtype='u1', mode='r').tolist()",
    "exec of a file": "y = 0; exec('y = ' + open('{d}/a.csv').read(), globals()); x = y",
    "os.stat": "import os; x = os.stat('{d}/a.csv').st_size",
    "os.lstat": "import os; x = os.lstat('{d}/a.csv').st_size",
    "posix.stat": "import posix; x = posix.stat('{d}/a.csv').st_size",
    "os.stat from a folder": "import os; d = os.open('{d}', os.O_RDONLY); x = os.stat('a.csv', dir_fd=d).st_size",
    "os.fstat": "import os; x = os.fstat(os.open('{d}/a.csv', os.O_RDONLY)).st_size",
    "os.path.getsize": "import os; x = os.path.getsize('{d}/a.csv')",
    "pathlib stat": "from pathlib import Path; x = Path('{d}/a.csv').stat().st_size",
    "stat of entries": "import os; x = [e.stat().st_size for e in os.scandir('{d}')]",
    "stat of entries of an open folder": (
        "import os; x = [e.stat().st_size for e in os.scandir(os.open('{d}', os.O_RDONLY))]"
    ),
    "os.fwalk": (
        "import os; x = [os.stat(n, dir_fd=f).st_size for _, _, names, f in os.fwalk('{d}') for n in names]"
    ),
    "a file behind a link": "x = open('{d}/../{folder}/a.csv').read()",
    "runpy": "import runpy; x = runpy.run_path('{d}/m.py')['X']",
    "plt.imread of a picture": "import matplotlib.image as i; x = i.imread('{d}/a.png').ravel()",
}


def _listings() -> list[Read]:
    reads = {
        "os.listdir": "import os; x = os.listdir('{d}')",
        "os.listdir of bytes": "import os; x = [n.decode() for n in os.listdir(b'{d}')]",
        "os.listdir of an open folder": "import os; x = os.listdir(os.open('{d}', os.O_RDONLY))",
        "os.listdir after chdir": "import os; os.chdir('{d}'); x = os.listdir()",
        "os.listdir through a link": "import os; x = os.listdir('{d}')",
        "os.scandir": "import os; x = [e.name for e in os.scandir('{d}')]",
        "os.scandir of an open folder": "import os; x = [e.name for e in os.scandir(os.open('{d}', os.O_RDONLY))]",
        "os.walk": "import os; x = list(os.walk('{d}'))",
        "os.fwalk names": "import os; x = [names for _, _, names, _ in os.fwalk('{d}')]",
        "os.fwalk from a folder": (
            "import os; x = [n for _, _, n, _ in os.fwalk('.', dir_fd=os.open('{d}', os.O_RDONLY))]"
        ),
        "glob": "import glob; x = glob.glob('{d}/*.csv')",
        "glob from a folder": "import glob; x = glob.glob('*.csv', root_dir='{d}')",
        "glob from an open folder": "import glob, os; x = glob.glob('*', dir_fd=os.open('{d}', os.O_RDONLY))",
        "glob below": "import glob; x = glob.glob('{d}/**', recursive=True)",
        "pathlib iterdir": "from pathlib import Path; x = [p.name for p in Path('{d}').iterdir()]",
        "pathlib glob": "from pathlib import Path; x = [p.name for p in Path('{d}').glob('*.csv')]",
        "pathlib rglob": "from pathlib import Path; x = [p.name for p in Path('{d}').rglob('*')]",
        "pkgutil.iter_modules": (
            "import pkgutil; x = [m.name for m in pkgutil.iter_modules(['{d}'])] + [len(__import__('os').listdir('{d}'))]"
        ),
        "filecmp.dircmp": "import filecmp; x = filecmp.dircmp('{d}', '{d}/..').left_list",
    }
    asked = {
        "os.path.exists": "import os; x = [os.path.exists('{d}/b.csv')]",
        "os.path.lexists": "import os; x = [os.path.lexists('{d}/b.csv')]",
        "os.path.isfile": "import os; x = [os.path.isfile('{d}/b.csv')]",
        "os.path.isdir": "import os; x = [os.path.isdir('{d}/b.csv'), os.path.exists('{d}/b.csv')]",
        "os.access": "import os; x = [os.access('{d}/b.csv', os.R_OK)]",
        "os.access from a folder": (
            "import os; x = [os.access('b.csv', os.F_OK, dir_fd=os.open('{d}', os.O_RDONLY))]"
        ),
        "pathlib exists": "from pathlib import Path; x = [Path('{d}/b.csv').exists()]",
        "pathlib is_file": "from pathlib import Path; x = [Path('{d}/b.csv').is_file()]",
        "open in vain": "try: open('{d}/b.csv'); x = 1\nexcept OSError: x = 0",
        "open for a new file in vain": (
            "import os\ntry:\n    f = open('{d}/b.csv', 'x'); os.unlink('{d}/b.csv'); x = 0\nexcept OSError: x = 1"
        ),
        "os.stat in vain": "import os\ntry: os.stat('{d}/b.csv'); x = 1\nexcept OSError: x = 0",
        "os.readlink in vain": (
            "import os\ntry: os.readlink('{d}/b.csv'); x = 2\nexcept FileNotFoundError: x = 0\nexcept OSError: x = 1"
        ),
        "shutil.which": "import shutil; x = [shutil.which('b.csv', mode=__import__('os').F_OK, path='{d}')]",
    }
    created = _create()
    return [Read(name, code, created) for name, code in {**reads, **asked}.items()]


def _others() -> list[Read]:
    one, two = _create("m.py", "X = 1\n"), _create("m.py", "X = 22\n")
    reads = [
        Read("a file that goes", "import os; x = [os.path.exists('{d}/a.csv')]", _remove()),
        Read("a file that becomes a folder", "import os; x = [os.path.isfile('{d}/a.csv')]", _become_folder),
        Read(
            "an entry that becomes a folder",
            "import os; x = [e.is_dir() for e in os.scandir('{d}')]",
            _become_folder,
        ),
        Read("is_file of entries", "import os; x = [e.is_file() for e in os.scandir('{d}')]", _become_folder),
        Read("walk of what becomes a folder", "import os; x = list(os.walk('{d}'))", _become_folder),
        Read(
            "a folder that comes", "import os; x = [os.path.isdir('{d}/sub')]", lambda f: (f / "sub").mkdir()
        ),
        Read(
            "a folder that goes",
            "import os; x = [os.path.isdir('{d}/sub')]",
            lambda f: (f / "sub").rmdir(),
            lambda f: (f / "sub").mkdir(),
        ),
        Read(
            "permissions", "import os; x = os.stat('{d}/a.csv').st_mode", lambda f: (f / "a.csv").chmod(0o600)
        ),
        Read(
            "permission to run",
            "import os; x = [os.access('{d}/a.csv', os.X_OK)]",
            lambda f: (f / "a.csv").chmod(0o755),
        ),
    ]
    linked = _both(_link("a.csv"), _create("b.csv"))
    for name, code in {
        "os.readlink": "import os; x = os.readlink('{d}/link')",
        "os.readlink from a folder": "import os; x = os.readlink('link', dir_fd=os.open('{d}', os.O_RDONLY))",
        "os.path.realpath": "import os; x = os.path.basename(os.path.realpath('{d}/link'))",
        "pathlib resolve": "from pathlib import Path; x = Path('{d}/link').resolve().name",
        "pathlib readlink": "from pathlib import Path; x = str(Path('{d}/link').readlink())",
        "pathlib samefile": "from pathlib import Path; x = [Path('{d}/link').samefile('{d}/a.csv')]",
        "a link that is read": "x = open('{d}/link').read()",
    }.items():
        reads.append(Read(name, code, _link("b.csv"), linked))
    reads += [
        Read("a link that breaks", "import os; x = [os.path.exists('{d}/link')]", _remove(), _link("a.csv")),
        Read("is_symlink of entries", "import os; x = [e.is_symlink() for e in os.scandir('{d}')]",
             _both(_remove("b.csv"), _link("a.csv", "b.csv")), _create()),
        Read("a folder through a link", "import os; x = os.listdir('{d}/link')", _create("to/new"),
             _both(_create("to/old"), _link("to"))),
        Read("a folder whose link turns", "import os; x = os.listdir('{d}/link')", _link("other"),
             _both(_create("to/old"), _create("other/new"), _link("to"))),
    ]  # fmt: skip
    module = {
        "import": "import sys; sys.path.append('{d}'); import m; x = m.X; del sys.modules['m']",
        "spec_from_file_location": (
            "import importlib.util as u; s = u.spec_from_file_location('mm', '{d}/m.py')\n"
            "o = u.module_from_spec(s); s.loader.exec_module(o); x = o.X"
        ),
        "site.addsitedir": "import site; site.addsitedir('{d}'); import m; x = m.X",
        "__path__": "import diglot.figures as p; p.__path__.append('{d}'); import diglot.figures.m as m; x = m.X",
        "inspect.getsource": (
            "import inspect, sys; sys.path.append('{d}'); import m; x = inspect.getsource(m)"
        ),
        "pkgutil.get_data": "import pkgutil, sys; sys.path.append('{d}'); import m; x = pkgutil.get_data('m', 'm.py').decode()",
        "runpy module": "import runpy, sys; sys.path.append('{d}'); x = runpy.run_module('m')['X']",
        "SourceFileLoader": "from importlib.machinery import SourceFileLoader as L; x = L('mm', '{d}/m.py').load_module().X",
    }
    reads += [Read(f"module: {name}", code, two, one) for name, code in module.items()]
    earlier = {
        "on sys.path": "import sys; sys.path[:0] = ['{d}/first', '{d}/second']; import late; x = late.X",
        "on sys.path, relative to another folder": (
            "import os, sys; os.chdir('{d}'); sys.path[:0] = ['first', 'second']; import late; x = late.X"
        ),
        "on __path__": (
            "import diglot.figures as p; p.__path__[:0] = ['{d}/first', '{d}/second']\n"
            "import diglot.figures.late as late; x = late.X"
        ),
        "by .pth": (
            "import site, os; open('{d}/x.pth').close(); site.addsitedir('{d}'); import sys\n"
            "sys.path[:0] = [p for p in sys.path if p.endswith(('first', 'second'))]; import late; x = late.X"
        ),
        "by find_spec": (
            "import sys, importlib.util as u; sys.path[:0] = ['{d}/first', '{d}/second']\n"
            "x = u.find_spec('late').origin.split('/')[-2]"
        ),
        "by importlib.resources": (
            "import sys; sys.path[:0] = ['{d}/first', '{d}/second']; import late\n"
            "from importlib import resources; x = late.X"
        ),
    }
    second = _both(
        _create("second/late.py", "X = 1\n"),
        _create("first/other.py", ""),
        _create("x.pth", "first\nsecond\n"),
    )
    reads += [
        Read(f"a module that comes first, {name}", code, _create("first/late.py", "X = 22\n"), second)
        for name, code in earlier.items()
    ]
    reads += [
        Read("a package that comes first", earlier["on sys.path"], _create("first/late/__init__.py", "X = 22\n"), second),
        Read("a module in a package", "import sys; sys.path.append('{d}'); from pack import m; x = m.X",
             _create("pack/m.py", "X = 22\n"), _both(_create("pack/__init__.py", ""), _create("pack/m.py", "X = 1\n"))),
        Read("importlib.resources", "import sys; sys.path.append('{d}'); import pack; from importlib import resources\n"
             "x = resources.files('pack').joinpath('data.txt').read_text()",
             _create("pack/data.txt", "22"), _both(_create("pack/__init__.py", ""), _create("pack/data.txt", "1"))),
        Read("zipimport", "import sys; sys.path.append('{d}/code.zip'); import zipped_module; x = zipped_module.X",
             _archive("X = 22\n"), _archive("X = 1\n")),
        Read("an archive that comes", "import sys; sys.path[:0] = ['{d}/code.zip', '{d}/second']\n"
             "import zipped_module; x = zipped_module.X", _archive("X = 22\n"), _create("second/zipped_module.py", "X = 1\n")),
    ]  # fmt: skip
    for name, code in {
        "sqlite3": "import sqlite3; x = sqlite3.connect('{d}/a.db').execute('SELECT x FROM t').fetchall()",
        "sqlite3 of a path": (
            "import sqlite3, pathlib; x = sqlite3.connect(pathlib.Path('{d}/a.db')).execute('SELECT x FROM t').fetchall()"
        ),
        "sqlite3 of bytes": "import sqlite3; x = sqlite3.connect(b'{d}/a.db').execute('SELECT x FROM t').fetchall()",
        "sqlite3 with a URI": (
            "import sqlite3; c = sqlite3.connect('file:{d}/a.db?mode=ro', uri=True); x = c.execute('SELECT x FROM t').fetchall()"
        ),
        "sqlite3 with a quoted URI": (
            "import sqlite3; c = sqlite3.connect('file:{d}/%61.db', uri=True); x = c.execute('SELECT x FROM t').fetchall()"
        ),
        "sqlite3 that attaches": (
            "import sqlite3; c = sqlite3.connect(':memory:'); c.execute(\"ATTACH '{d}/a.db' AS b\")\n"
            "x = c.execute('SELECT x FROM b.t').fetchall()"
        ),
        "sqlite3 that attaches a URI": (
            "import sqlite3; c = sqlite3.connect('file::memory:', uri=True)\n"
            "c.execute(\"ATTACH 'file:{d}/a.db' AS b\"); x = c.execute('SELECT x FROM b.t').fetchall()"
        ),
        "sqlite3.Connection": (
            "import sqlite3\nclass C(sqlite3.Connection): pass\nx = C('{d}/a.db').execute('SELECT x FROM t').fetchall()"
        ),
    }.items():
        reads.append(Read(name, code, _database("a.db", 22), _database("a.db", 1)))
    reads.append(
        Read(
            "sqlite3 in WAL mode",
            "import sqlite3; x = sqlite3.connect('{d}/a.db').execute('SELECT x FROM t').fetchall()",
            _database("a.db", 22, wal=True),
            _database("a.db", 1, wal=True),
        )
    )
    reads += [
        Read(
            kind,
            f"import {kind}; x = {kind}.open('{{d}}/a.z').read().decode()",
            _packed(kind, 22),
            _packed(kind, 1),
        )
        for kind in ("gzip", "bz2", "lzma")
    ]
    for name, code in {
        "np.load": "import numpy as np; x = np.load('{d}/a.npy')",
        "np.load mapped": "import numpy as np; x = np.array(np.load('{d}/a.npy', mmap_mode='r'))",
        "np.load mapped to write": "import numpy as np; x = np.array(np.load('{d}/a.npy', mmap_mode='r+'))",
        "np.lib.format.open_memmap": "import numpy as np; x = np.array(np.lib.format.open_memmap('{d}/a.npy'))",
    }.items():
        reads.append(Read(name, code, _numbers(22), _numbers(1)))
    reads += [
        Read("zipfile", "import zipfile; x = zipfile.ZipFile('{d}/code.zip').read('zipped_module.py').decode()",
             _archive("X = 22\n"), _archive("X = 1\n")),
        Read("plt.imread", "import matplotlib.image as i; x = i.imread('{d}/a.png').ravel()", _picture(200), _picture(9)),
        Read("PIL", "from PIL import Image; x = Image.open('{d}/a.png').getpixel((0, 0))", _picture(200), _picture(9)),
        Read("plt.style.use", "import matplotlib.pyplot as p; p.style.use('./{d}/a.mplstyle'); x = p.rcParams['lines.linewidth']",
             _create("a.mplstyle", "lines.linewidth: 22\n"), _create("a.mplstyle", "lines.linewidth: 1\n")),
        Read("shelve", "import shelve; x = shelve.open('{d}/a', 'r')['x'] if __import__('os').path.exists('{d}/a.dir') else 0",
             _shelf(22), _shelf(1)),
        Read("tomllib", "import tomllib; x = tomllib.load(open('{d}/a.toml', 'rb'))", _create("a.toml", "x = 22"),
             _create("a.toml", "x = 1")),
        Read("mimetypes", "import mimetypes; m = mimetypes.MimeTypes(['{d}/mime']); x = m.guess_type('a.zz')[0]",
             _create("mime", "text/b zz\n"), _create("mime", "text/a zz\n")),
        Read("logging.config", "import logging.config\ntry: logging.config.fileConfig('{d}/a.csv')\n"
             "except Exception as error: x = str(error)"),
        Read("compiled code without source",
             "import sys; sys.path.append('{d}'); import bare; x = bare.X", _compiled(22), _compiled(1)),
    ]  # fmt: skip
    return reads


def _shelf(value: int) -> Edit:
    def write(folder: Path) -> None:
        import dbm.dumb
        import pickle

        with dbm.dumb.open(str(folder / "a"), "n") as shelf:
            shelf["x"] = pickle.dumps(value)

    return write


def _compiled(value: int) -> Edit:
    def write(folder: Path) -> None:
        import py_compile

        source = folder.parent / f"{folder.name}_bare.py.txt"
        source.write_text(f"X = {value}\n")
        py_compile.compile(str(source), str(folder / "bare.pyc"), doraise=True)

    return write


_BEFORE: dict[str, Edit] = {
    "filecmp": _create("b.txt", "22\n"),
    "runpy": _create("m.py", "X = 1\n"),
    "plt.imread of a picture": _picture(9),
}
_EDITS: dict[str, Edit] = {"runpy": _create("m.py", "X = 22\n"), "plt.imread of a picture": _picture(200)}

READS: tuple[Read, ...] = (
    *(
        Read(name, code, _EDITS.get(name, _rewrite), _BEFORE.get(name, _nothing))
        for name, code in _TEXT_READS.items()
    ),
    *_listings(),
    *_others(),
)

REFUSED: dict[str, str] = {
    "ctypes.CDLL": "import ctypes; ctypes.CDLL('libc.so.6')",
    "ctypes of this process": "import ctypes; ctypes.CDLL(None)",
    "ctypes.pythonapi": "import ctypes; ctypes.pythonapi.Py_GetVersion",
    "a function of C": "import ctypes; ctypes.PyDLL(None, handle=ctypes.pythonapi._handle).open",
    "numpy.ctypeslib": "import numpy as np; np.ctypeslib.load_library(np.random.mtrand.__file__, '/').malloc",
    "writing its own script": "open(__file__, 'a').write('#')",
    "writing a module": "open('figures/_late.py', 'w').write('X = 1')",
    "changing a script in place": "import os; os.open(__file__, os.O_RDWR)",
    "replacing a script": "import os; open('content/new', 'w').close(); os.replace('content/new', __file__)",
    "removing a script": "import os; os.remove(__file__)",
    "subprocess": "import subprocess; subprocess.run(['cat', '/etc/hostname'])",
    "os.system": "import os; os.system('true')",
    "os.popen": "import os; os.popen('true').read()",
    "os.execv": "import os; os.execv('/bin/true', ['true'])",
    "os.spawnv": "import os; os.spawnv(os.P_WAIT, '/bin/true', ['true'])",
    "os.posix_spawn": "import os; os.posix_spawn('/bin/true', ['true'], {})",
    "os.posix_spawnp": "import os; os.posix_spawnp('true', ['true'], {})",
    "os.fork": "import os; os.fork() or os._exit(0)",
    "os.forkpty": "import os; os.forkpty()[0] or os._exit(0)",
    "pty.fork": "import pty; pty.fork()[0] or __import__('os')._exit(0)",
    "pty.spawn": "import pty; pty.spawn('true')",
    "posix.fork": "import posix; posix.fork() or posix._exit(0)",
    "fork_exec": (
        "import _posixsubprocess as p; p.fork_exec([b'/bin/true'], [b'/bin/true'], True, (), None, None, -1, -1, -1,"
        " -1, -1, -1, -1, -1, False, False, 0, None, None, None, -1, None, False)"
    ),
    "multiprocessing": (
        "import multiprocessing as m; p = m.get_context('fork').Process(target=print); p.start(); p.join()"
    ),
    "multiprocessing spawn": (
        "import multiprocessing as m; p = m.get_context('spawn').Process(target=print); p.start(); p.join()"
    ),
    "shared memory": "from multiprocessing import shared_memory as s; s.SharedMemory('x', create=True, size=8).unlink()",
    "another interpreter": "import _xxsubinterpreters as i; i.create()",
    "a signal to another process": "import os; os.kill(os.getppid(), 0)",
    "a signal by a descriptor": "import os, signal; signal.pidfd_send_signal(os.pidfd_open(os.getppid()), 0)",
    "limits of another process": "import os, resource as r; r.prlimit(os.getppid(), r.RLIMIT_NOFILE, (9, 9))",
    "TCP": "import socket; socket.create_connection(('127.0.0.1', 9))",
    "UDP": "import socket; socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', ('127.0.0.1', 9))",
    "UDP over IPv6": "import socket; socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)",
    "sendmsg": "import socket; socket.socket(type=socket.SOCK_DGRAM).sendmsg([b'x'], [], 0, ('127.0.0.1', 9))",
    "bind": "import socket; socket.socket().bind(('127.0.0.1', 0))",
    "listen": "import socket; socket.socket().listen()",
    "a server": "import socket; socket.create_server(('127.0.0.1', 0))",
    "a Unix socket": "import socket; socket.socket(socket.AF_UNIX).connect('/tmp/none')",
    "a Unix socket that is bound": "import socket; socket.socket(socket.AF_UNIX).bind('/tmp/diglot-none')",
    "netlink": "import socket; socket.socket(socket.AF_NETLINK, socket.SOCK_RAW).bind((0, 0))",
    "getaddrinfo": "import socket; socket.getaddrinfo('localhost', 80)",
    "gethostbyname": "import socket; socket.gethostbyname('localhost')",
    "gethostbyname_ex": "import socket; socket.gethostbyname_ex('localhost')",
    "gethostbyaddr": "import socket; socket.gethostbyaddr('127.0.0.1')",
    "getnameinfo": "import socket; socket.getnameinfo(('127.0.0.1', 80), 0)",
    "getservbyname": "import socket; socket.getservbyname('http')",
    "urlopen": "import urllib.request; urllib.request.urlopen('http://127.0.0.1:9/')",
    "asyncio": "import asyncio; asyncio.run(asyncio.open_connection('127.0.0.1', 9))",
    "gethostname": "import socket; socket.gethostname()",
    "uuid1": "import uuid; uuid.uuid1()",
    "getlogin": "import os; os.getlogin()",
    "statvfs": "import os; os.statvfs('.')",
    "disk_usage": "import shutil; shutil.disk_usage('.')",
    "getloadavg": "import os; os.getloadavg()",
    "/proc": "open('/proc/self/status').read()",
    "/proc by a path": "from pathlib import Path; Path('/proc/meminfo').read_text()",
    "/sys": "open('/sys/kernel/mm/transparent_hugepage/enabled').read()",
    "/dev/urandom": "open('/dev/urandom', 'rb').read(8)",
    "a pipe": "import os; os.mkfifo('a.pipe.tmp'); open('a.pipe.tmp', 'r+')",
    "extended attributes": "import os; os.getxattr('figures', 'user.x')",
    "an extension of SQLite": "import sqlite3; sqlite3.connect(':memory:').enable_load_extension(True)",
    "an attached parameter": "import sqlite3; sqlite3.connect(':memory:').execute('ATTACH ? AS b', ('a.db',))",
}
"""What scripts are never allowed to do."""
if not hasattr(os, "pidfd_open"):
    del REFUSED["a signal by a descriptor"], REFUSED["limits of another process"]
if not hasattr(sqlite3.Connection, "enable_load_extension"):
    del REFUSED["an extension of SQLite"]


def prepare(read: Read, folder: Path) -> None:
    """Create the files that exist before the script runs."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    (folder / "a.csv").write_text("1\n")
    os.chmod(folder / "a.csv", 0o644)
    read.before(folder)
