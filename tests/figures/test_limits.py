"""The limits of figures: memory, and files that they write."""

from pathlib import Path

import pytest

from diglot.figure_request import FigureRequest
from diglot.figures.execution.workers import FigureWorkers
from diglot.figures.scripts.failures import FigureFailed

from .conftest import TITLE, Workshop, only, seen

GREEDY = {
    "a list": "x = []\n    while True: x.append(bytes(1_000_000))",
    "numbers": "import numpy as np; x = [np.ones(10**7) for _ in range(100)]",
    "all at once": "import numpy as np; x = np.ones(10**12)",
    "shared": "import mmap; x = mmap.mmap(-1, 2 * 10**9)",
    "text": "x = 'a' * 10**10",
    "deep": "x = None\n    while True: x = [x, bytes(10_000)]",
    "matplotlib": "import matplotlib.pyplot as p; x = p.figure(figsize=(300, 300), dpi=300).canvas.draw()",
}


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory):
    root = tmp_path_factory.mktemp("small")
    with FigureWorkers(root=root, cache=root / ".diglot", jobs=2, timeout_s=60, memory_mb=400) as workers:
        yield Workshop(root, workers)


@pytest.mark.parametrize("how", GREEDY)
def test_a_figure_that_takes_too_much_memory_is_told_the_limit_and_its_name(small: Workshop, how: str):
    name = how.replace(" ", "_")
    failed = small.failure(
        small.script(f"takes_{name}", f"def compute():\n    {GREEDY[how]}\n    return {{}}")
    )
    told = str(only(failed))
    assert f'figure "takes_{name}"' in told
    assert "400 MB" in told
    assert "figure_memory_mb" in told
    assert failed.retry, "the limit may be raised"


def test_others_go_on_while_one_runs_out_of_memory(small: Workshop):
    greedy = small.script("greedy", f"def compute():\n    {GREEDY['a list']}")
    modest = small.script(
        "modest",
        """
        import pathlib, time
        def compute():
            while not pathlib.Path("greedy_has_ended").exists():
                time.sleep(0.01)
            return {"a": 1}
        """,
    )
    calls = [small.workers.compute(one, FigureRequest.of(one.figure_id)) for one in (modest, greedy, modest)]
    with pytest.raises(FigureFailed, match="400 MB"):
        calls[1].result()
    (small.root / "greedy_has_ended").touch()
    assert [b'"a":1' in call.result().result for call in (calls[0], calls[2])] == [True, True]


def test_a_figure_may_take_what_it_was_given(small: Workshop):
    script = small.script(
        "fits", "import numpy as np\ndef compute():\n    return {'n': len(np.ones(3 * 10**7))}"
    )
    assert small.compute(script).data == b'{"n":30000000}'


WRITES = {
    "open": ("open('content/new.txt', 'w').write('x')", {"content/new.txt"}),
    "append": ("open('content/there.txt', 'a').write('x')", {"content/there.txt"}),
    "read and write": ("open('content/there.txt', 'r+').write('y')", {"content/there.txt"}),
    "os.open": ("os.write(os.open('content/o.txt', os.O_CREAT | os.O_WRONLY), b'x')", {"content/o.txt"}),
    "pathlib": ("pathlib.Path('figures/p.txt').write_text('x')", {"figures/p.txt"}),
    "rename": ("os.rename('content/old.txt', 'content/moved.txt')", {"content/old.txt", "content/moved.txt"}),
    "remove": ("os.remove('content/doomed.txt')", {"content/doomed.txt"}),
    "folder": ("os.makedirs('content/made/deep')", {"content/made", "content/made/deep"}),
    "link": ("os.symlink('there.txt', 'content/link')", {"content/link"}),
    "from a folder": (
        "os.write(os.open('f.txt', os.O_CREAT | os.O_WRONLY, dir_fd=os.open('content', 0)), b'x')",
        {"content/f.txt"},
    ),
    "copy": ("shutil.copy('content/there.txt', 'content/copy.txt')", {"content/copy.txt"}),
    "sqlite3": (
        "c = sqlite3.connect('content/a.db'); c.execute('CREATE TABLE t (x)'); c.commit(); c.close()",
        {"content/a.db"},
    ),
    "numpy": ("np.save('content/a.npy', np.ones(2))", {"content/a.npy"}),
    "memmap": ("np.memmap('content/there.txt', 'u1')[0] = 65", {"content/there.txt"}),
}


@pytest.mark.parametrize("how", WRITES)
def test_a_script_that_writes_is_told_so_with_the_file(workshop: Workshop, how: str):
    for name in ("there", "old", "doomed"):
        workshop.write(f"content/{name}.txt", "there")
    code, files = WRITES[how]
    name = f"writes_{how.replace(' ', '_').replace('.', '_')}"
    modules = "import os, pathlib, shutil, sqlite3\nimport numpy as np\n"
    report = workshop.report(workshop.script(name, f"{modules}def compute():\n    {code}\n    return {{}}"))
    assert set(report.wrote) == files
    (warning,) = report.warnings
    assert warning.rule == "figure-writes"
    assert all(f'"{file}"' in warning.message for file in files)
    assert f'figure "{name}"' in warning.message


def test_temporary_files_and_what_is_only_read_are_not_told(workshop: Workshop):
    workshop.write("content/there.txt", "there")
    script = workshop.script(
        "leaves_nothing",
        """
        import tempfile, os
        import numpy as np
        def compute():
            with tempfile.TemporaryDirectory() as folder:
                open(os.path.join(folder, "x"), "w").write("x")
                x = open(os.path.join(folder, "x")).read()
            np.memmap("content/there.txt", "u1")
            open("content/there.txt", "r+").read()
            return {"x": x}
        """,
    )
    report = workshop.report(script)
    assert report.wrote == ()
    assert report.warnings == ()
    assert not [one.name for one in report.observed if one.name.startswith("/tmp/tmp")]


def test_what_a_script_wrote_itself_is_noted_as_it_left_it(workshop: Workshop):
    path = workshop.write("content/counter.txt", "1")
    script = workshop.script(
        "counts",
        """
        import pathlib
        def compute():
            file = pathlib.Path("content/counter.txt")
            file.write_text(str(int(file.read_text()) + 1))
            return {}
        """,
    )
    report = workshop.report(script)
    from diglot.digests import digest_of

    assert path.read_text() == "2"
    assert seen(report.observed)["file", "content/counter.txt"] == digest_of(b"2")


def test_a_script_without_a_title_line_keeps_its_own_path(tmp_path: Path):
    """What a script knows of itself does not depend on the project's folder."""
    found = []
    for folder in (tmp_path / "a", tmp_path / "another/place"):
        (folder / "figures").mkdir(parents=True)
        (folder / "figures/says.py").write_text(TITLE + "def compute(): return {'x': __file__}")
        with FigureWorkers(root=folder, cache=folder / ".diglot", jobs=1) as workers:
            found.append(Workshop(folder, workers).compute(_script("says")).data)
    assert found == [b'{"x":"figures/says.py"}'] * 2


def _script(name: str):
    from diglot.figures.records import Script

    return Script(figure_id=name, path=f"figures/{name}.py")
