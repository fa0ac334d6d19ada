"""Ways in which compiled libraries read files without Python, each with an edit that must be noticed.

Like `tests/hostile/reads.py`. Those of `ssl`, Pillow and lxml are tried everywhere, the others where the library
is installed.
"""

# ruff: noqa: E501  (a table, whose lines are programs)

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.hostile.reads import Edit, Read


@dataclass(frozen=True)
class NativeRead(Read):
    """One way to read something with a library."""

    library: str = ""


def _text(name: str, text: str) -> Edit:
    def write(folder: Path) -> None:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)

    return write


def _font(name: str) -> Edit:
    def write(folder: Path) -> None:
        import matplotlib

        shutil.copy(Path(matplotlib.get_data_path()) / f"fonts/ttf/{name}.ttf", folder / "a.ttf")

    return write


def _parquet(value: int, name: str = "a.parquet") -> Edit:
    def write(folder: Path) -> None:
        import pyarrow as pa
        import pyarrow.feather
        import pyarrow.parquet

        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        table = pa.table({"a": [value]})
        if name.endswith("parquet"):
            pyarrow.parquet.write_table(table, folder / name)
        else:
            pyarrow.feather.write_feather(table, folder / name, compression="uncompressed")

    return write


def _hdf5(value: int, name: str = "a.h5", link: str = "") -> Edit:
    def write(folder: Path) -> None:
        import h5py

        with h5py.File(folder / name, "w") as file:
            file["x"] = [value]
            if link:
                file["far"] = h5py.ExternalLink(link, "/x")

    return write


def _duckdb(value: int) -> Edit:
    def write(folder: Path) -> None:
        import duckdb

        (folder / "a.duckdb").unlink(missing_ok=True)
        with duckdb.connect(str(folder / "a.duckdb")) as connection:
            connection.execute(f"CREATE TABLE t AS SELECT {value} AS a")

    return write


def _both(*edits: Edit) -> Edit:
    return lambda folder: [edit(folder) for edit in edits]


_ONE, _TWO = _text("c.csv", "a\n1\n"), _text("c.csv", "a\n22\n")
_NEW = _text("d.csv", "a\n22\n")


def _reads() -> Iterator[NativeRead]:
    def of(library: str, cases: dict[str, str], edit: Edit, before: Edit) -> Iterator[NativeRead]:
        for name, code in cases.items():
            yield NativeRead(f"{library}: {name}", code, edit, before, library)

    yield from of(
        "ssl",
        {
            "load_verify_locations of what is not there": "import ssl\ntry: ssl.create_default_context().load_verify_locations('{d}/b.pem')\nexcept OSError as error: x = type(error).__name__",
            "load_cert_chain of what is not there": "import ssl\ntry: ssl.create_default_context().load_cert_chain('{d}/b.pem')\nexcept OSError as error: x = type(error).__name__",
        },
        _text("b.pem", "no certificate"),
        _ONE,
    )
    yield from of(
        "PIL",
        {"truetype": "from PIL import ImageFont; x = ImageFont.truetype('{d}/a.ttf', 9).getname()"},
        _font("DejaVuSerif"),
        _font("DejaVuSans"),
    )
    yield from of(
        "lxml",
        {
            "parse": "import lxml.etree as e; x = e.parse('{d}/a.xml').getroot().text",
            "parse after chdir": "import os, lxml.etree as e; os.chdir('{d}'); x = e.parse('a.xml').getroot().text",
            "parse of a URL": "import os, lxml.etree as e; x = e.parse('file://' + os.path.abspath('{d}/a.xml')).getroot().text",
            "html": "import lxml.html as h; x = h.parse('{d}/a.xml').getroot().text_content()",
            "iterparse": "import lxml.etree as e; x = [n.text for _, n in e.iterparse('{d}/a.xml')]",
            "XInclude": 'import lxml.etree as e; r = e.fromstring(\'<r xmlns:i="http://www.w3.org/2001/XInclude"><i:include href="{d}/a.xml"/></r>\'); e.ElementTree(r).xinclude(); x = r[0].text',
            "document() of a style sheet": 'import os, lxml.etree as e; p = os.path.abspath(\'{d}/a.xml\'); s = e.XSLT(e.fromstring(\'<s:stylesheet version="1.0" xmlns:s="http://www.w3.org/1999/XSL/Transform"><s:output method="text"/><s:template match="/"><s:value-of select="document(&quot;file://\' + p + \'&quot;)"/></s:template></s:stylesheet>\')); x = str(s(e.fromstring(\'<q/>\')))',
        },
        _text("a.xml", "<a>22</a>"),
        _text("a.xml", "<a>1</a>"),
    )
    yield from of(
        "lxml",
        {
            "parse of what is not there": "import lxml.etree as e\ntry: e.parse('{d}/b.xml'); x = 1\nexcept OSError: x = 0"
        },
        _text("b.xml", "<a>22</a>"),
        _ONE,
    )
    yield from of(
        "polars",
        {
            "read_csv": "import polars as p; x = p.read_csv('{d}/c.csv')['a'][0]",
            "read_csv after chdir": "import os, polars as p; os.chdir('{d}'); x = p.read_csv('c.csv')['a'][0]",
            "read_csv of a path object": "import pathlib, polars as p; x = p.read_csv(pathlib.Path('{d}') / 'c.csv')['a'][0]",
            "read_csv through ..": "import polars as p; x = p.read_csv('{d}/../{folder}/c.csv')['a'][0]",
            "scan_csv": "import polars as p; x = p.scan_csv('{d}/c.csv').select(p.col('a').sum()).collect()['a'][0]",
            "scan_csv in a thread": "import polars as p, threading; found = []\nt = threading.Thread(target=lambda: found.append(p.scan_csv('{d}/c.csv').collect()['a'][0])); t.start(); t.join(); x = found",
            "the streaming engine": "import polars as p; x = p.scan_csv('{d}/c.csv').collect(engine='streaming')['a'][0]",
            "SQL": "import polars as p; x = p.sql(\"SELECT a FROM read_csv('{d}/c.csv')\").collect()['a'][0]",
            "after it was loaded and used": "import polars as p; y = p.DataFrame({'a': [1]}).lazy().select(p.col('a').sum()).collect(); x = p.read_csv('{d}/c.csv')['a'][0]",
        },
        _TWO,
        _ONE,
    )
    yield from of(
        "polars",
        {
            "read_csv of a pattern": "import polars as p; x = p.read_csv('{d}/*.csv', glob=True)['a'].sum()",
            "scan_csv of a folder": "import polars as p; x = p.scan_csv('{d}/').collect()['a'].sum()",
            "scan_csv of what is not there": "import polars as p\ntry: x = p.scan_csv('{d}/d.csv').collect()['a'][0]\nexcept OSError: x = 0",
        },
        _NEW,
        _both(_ONE, lambda folder: (folder / "a.csv").unlink()),
    )
    yield from of(
        "pyarrow",
        {
            "csv": "import pyarrow.csv as c; x = c.read_csv('{d}/c.csv')['a'].to_pylist()",
            "open_csv": "import pyarrow.csv as c; x = c.open_csv('{d}/c.csv').read_all()['a'].to_pylist()",
            "memory_map": "import pyarrow as pa; x = pa.memory_map('{d}/c.csv').read().decode()",
            "OSFile": "import pyarrow as pa; x = pa.OSFile('{d}/c.csv').read().decode()",
            "a file system's stream": "from pyarrow import fs; x = fs.LocalFileSystem().open_input_stream('{d}/c.csv').read().decode()",
            "a file's size": "from pyarrow import fs; x = fs.LocalFileSystem().get_file_info('{d}/c.csv').size",
        },
        _TWO,
        _ONE,
    )
    yield from of(
        "pyarrow",
        {
            "whether there is a file": "from pyarrow import fs; x = str(fs.LocalFileSystem().get_file_info('{d}/d.csv').type)",
            "the files in a folder": "from pyarrow import fs; x = sorted(i.path for i in fs.LocalFileSystem().get_file_info(fs.FileSelector('{d}')))",
            "a dataset": "import pyarrow.dataset as s; x = sorted(s.dataset('{d}', format='csv').to_table()['a'].to_pylist())",
        },
        _NEW,
        _both(_ONE, lambda folder: (folder / "a.csv").unlink()),
    )
    yield from of(
        "pyarrow",
        {
            "parquet": "import pyarrow.parquet as q; x = q.read_table('{d}/a.parquet')['a'].to_pylist()",
            "ParquetFile, mapped": "import pyarrow.parquet as q; x = q.ParquetFile('{d}/a.parquet', memory_map=True).read()['a'].to_pylist()",
            "parquet's schema and size": "import pyarrow.parquet as q; x = q.read_metadata('{d}/a.parquet').row_group(0).column(0).statistics.max",
            "pandas.read_parquet": "import pandas as pd; x = pd.read_parquet('{d}/a.parquet')['a'].tolist()",
        },
        _parquet(22),
        _parquet(1),
    )
    yield from of(
        "pyarrow",
        {
            "feather": "import pyarrow.feather as f; x = f.read_table('{d}/a.feather')['a'].to_pylist()",
            "feather, mapped": "import pyarrow.feather as f; x = f.read_table('{d}/a.feather', memory_map=True)['a'].to_pylist()",
            "pandas.read_feather": "import pandas as pd; x = pd.read_feather('{d}/a.feather')['a'].tolist()",
        },
        _parquet(22, "a.feather"),
        _parquet(1, "a.feather"),
    )
    yield from of(
        "polars",
        {"read_parquet": "import polars as p; x = p.read_parquet('{d}/a.parquet')['a'][0]"},
        _parquet(22),
        _parquet(1),
    )
    yield from of(
        "duckdb",
        {
            "a file's name as a table": "import duckdb as q; x = q.sql(\"SELECT a FROM '{d}/c.csv'\").fetchall()",
            "read_csv": "import duckdb as q; x = q.read_csv('{d}/c.csv').fetchall()",
            "read_csv_auto in SQL": "import duckdb as q; x = q.sql(\"SELECT sum(a) FROM read_csv_auto('{d}/c.csv')\").fetchall()[0][0] + 0",
            "read_text": "import duckdb as q; x = q.sql(\"SELECT content FROM read_text('{d}/c.csv')\").fetchall()",
            "a cursor in a thread": "import duckdb as q, threading; found = []\nt = threading.Thread(target=lambda: found.append(q.connect().sql(\"SELECT a FROM '{d}/c.csv'\").fetchall())); t.start(); t.join(); x = found[0]",
        },
        _TWO,
        _ONE,
    )
    yield from of(
        "duckdb",
        {
            "a pattern": "import duckdb as q; x = int(q.sql(\"SELECT sum(a) FROM '{d}/*.csv'\").fetchall()[0][0])",
            "glob()": "import duckdb as q; x = sorted(q.sql(\"SELECT file FROM glob('{d}/*.csv')\").fetchall())",
        },
        _NEW,
        _both(_ONE, lambda folder: (folder / "a.csv").unlink()),
    )
    yield from of(
        "duckdb",
        {
            "a database to read": "import duckdb as q; x = q.connect('{d}/a.duckdb', read_only=True).sql('SELECT a FROM t').fetchall()",
            "a database to read and write": "import duckdb as q; x = q.connect('{d}/a.duckdb').sql('SELECT a FROM t').fetchall()",
            "ATTACH": "import duckdb as q; q.sql(\"ATTACH '{d}/a.duckdb' AS b (READ_ONLY)\"); x = q.sql('SELECT a FROM b.t').fetchall()",
        },
        _duckdb(22),
        _duckdb(1),
    )
    yield from of(
        "h5py",
        {
            "File": "import h5py; x = h5py.File('{d}/a.h5')['x'][:].tolist()",
            "File to read and write": "import h5py; x = h5py.File('{d}/a.h5', 'r+')['x'][:].tolist()",
            "the core driver": "import h5py; x = h5py.File('{d}/a.h5', driver='core')['x'][:].tolist()",
            "a link to another file": "import h5py; x = h5py.File('{d}/b.h5')['far'][:].tolist()",
        },
        _hdf5(22),
        _both(_hdf5(1), _hdf5(0, "b.h5", link="a.h5")),
    )
    yield from of(
        "h5py",
        {"is_hdf5": "import h5py; x = [bool(h5py.is_hdf5('{d}/n.h5'))]"},
        _hdf5(22, "n.h5"),
        _ONE,
    )


NATIVE_READS: tuple[NativeRead, ...] = tuple(_reads())
