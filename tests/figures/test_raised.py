"""Whatever a script raises, prints or warns of is reported at its line, briefly, and ends no other figure."""

# ruff: noqa: E501  (a table, whose lines are programs)

from typing import NamedTuple

import pytest

from .conftest import Workshop, only


class Case(NamedTuple):
    name: str
    body: str
    """Lines of `compute`, which begin on line 3 of the script."""
    line: int | None
    says: str
    """Part of the message, after the name of the figure."""
    fix: str = ""


CASES = (
    Case("surrogate", "raise ValueError('\\ud800')", 3, "ValueError: \\ud800"),
    Case("surrogate_in_a_note", "e = ValueError('a'); e.add_note('\\udfff'); raise e", 3, "ValueError: a \\udfff"),
    Case("surrogate_in_a_key", "return {'a': {}['\\ud800']}", 3, "KeyError: '\\ud800'"),
    Case("failing_str", "class E(Exception):\n        def __str__(self): raise ValueError('x')\n    raise E()", 5,
         "E, whose text cannot be shown: ValueError in"),
    Case("failing_str_and_repr",
         "class E(Exception):\n        def __str__(self): raise KeyError\n        __repr__ = __str__\n    raise E()", 6,
         "E, whose text cannot be shown: KeyError in"),
    Case("exiting_str", "class E(Exception):\n        def __str__(self): raise SystemExit\n    raise E()", 5, "E, whose text"),
    Case("str_of_no_text", "class E(Exception):\n        def __str__(self): return 5\n    raise E()", 5, "E, whose text"),
    Case("notes_of_no_list", "e = ValueError('a'); e.__notes__ = 5; raise e", 3, "ValueError: a"),
    Case("notes_that_fail", "class N(list):\n        def __iter__(self): raise OSError\n    e = ValueError('a'); e.__notes__ = N(); raise e",
         5, "ValueError"),
    Case("odd_module", "class E(Exception): __module__ = 5\n    raise E('a')", 4, "<unknown>"),
    Case("odd_name", "raise type('a b\\n', (Exception,), {})('x')", 3, "a b"),
    Case("generator_exit", "raise GeneratorExit('x')", 3, "GeneratorExit: x"),
    Case("keyboard_interrupt", "raise KeyboardInterrupt", 3, "KeyboardInterrupt"),
    Case("own_base_exception", "class B(BaseException): pass\n    raise B('x')", 4, "B: x"),
    Case("exit", "raise SystemExit(3)", 3, "the script called sys.exit(3)"),
    Case("exit_with_a_surrogate", "raise SystemExit('\\ud800')", 3, "the script called sys.exit(\\ud800)"),
    Case("stop_iteration", "raise StopIteration(1)", 3, "StopIteration: 1"),
    Case("cancelled", "import asyncio; raise asyncio.CancelledError", 3, "asyncio.exceptions.CancelledError"),
    Case("group", "raise ExceptionGroup('g', [ValueError('a'), KeyError('b')])", 3, "ExceptionGroup: ValueError: a; KeyError: 'b'"),
    Case("nested_group", "raise ExceptionGroup('g', [ExceptionGroup('h', [ValueError('a')]), TypeError('c')])", 3,
         "ExceptionGroup: ValueError: a; TypeError: c"),
    Case("group_of_many", "raise ExceptionGroup('g', [ValueError(str(i)) for i in range(1000)])", 3, "and 997 more"),
    Case("group_of_raised",
         "import asyncio\n    async def f(): 1 / 0\n    async def g():\n        async with asyncio.TaskGroup() as t: t.create_task(f())\n    asyncio.run(g())",
         4, "ExceptionGroup: ZeroDivisionError"),
    Case("group_of_interrupts", "raise BaseExceptionGroup('g', [KeyboardInterrupt('k')])", 3, "BaseExceptionGroup: KeyboardInterrupt: k"),
    Case("group_with_failing_str", "class E(Exception):\n        def __str__(self): raise OSError\n    raise ExceptionGroup('g', [E()])", 5,
         "ExceptionGroup: E, whose text"),
    Case("cause_of_itself", "e = ValueError('a'); e.__cause__ = e; raise e", 3, "ValueError: a"),
    Case("context_of_itself", "e = ValueError('a'); e.__context__ = e; raise e", 3, "ValueError: a"),
    Case("circle_of_causes",
         "e, f, g = ValueError('a'), KeyError('b'), OSError('c'); e.__cause__ = f; f.__cause__ = g; g.__context__ = f; raise e",
         3, "ValueError: a"),
    Case("circle_through_a_group",
         "e = ValueError('a'); g = ExceptionGroup('g', [e]); e.__cause__ = g; raise g", 3, "ExceptionGroup: ValueError: a"),
    Case("long_chain_of_causes",
         "e = None\n    for i in range(50_000):\n        f = ValueError('a'); f.__cause__ = e; e = f\n    raise e", 6, "ValueError: a"),
    Case("name_of_no_text", "raise NameError('a', name=5)", 3, "NameError: a"),
    Case("file_of_no_text", "raise SyntaxError('a', (5, 'x', 'y', 'z'))", 3, "SyntaxError"),
    Case("import_of_no_text", "raise ImportError('a', name=object(), path=7)", 3, "ImportError: a"),
    Case("owner_that_fails", "class O:\n        def __dir__(self): raise OSError\n    O().x", 5, "AttributeError"),
    Case("without_source", "exec(compile('\\n\\n1/0', '<made>', 'exec'))", 3, "ZeroDivisionError"),
    Case("with_another_source", "exec(compile('\\n\\n1/0', 'pandas/_libs/parsers.pyx', 'exec'))", 3, "ZeroDivisionError",
         "divide by another number"),
    Case("own", "raise ValueError('too few rows')", 3, "ValueError: too few rows", "correct the value that the script refuses here"),
    Case("unknown_name", "return {'a': zzz}", 3, "NameError", "define `zzz` before this line, or import it."),
    Case("unknown_module", "return {'a': math.pi}", 3, "NameError", "is `import math` missing?"),
    Case("unbound", "if False: x = 1\n    return {'a': x}", 4, "UnboundLocalError", "give `x` a value on every path to this line."),
    Case("network", "import socket; socket.create_connection(('127.0.0.1', 9))", 3, "a figure script may not use the network",
         "download the data yourself and put it into the project."),
    Case("network_in_other_words", "from urllib.request import urlopen; urlopen('http://127.0.0.1')", 3, "urllib.error.URLError: <urlopen error a figure script may not use the network",
         "download the data yourself and put it into the project."),
    Case("program", "import subprocess; subprocess.run(['true'])", 3, "a figure script may not start a program", "run it yourself and put its output"),
    Case("compiled", "import ctypes; ctypes.CDLL('libm.so.6')", 3, "a figure script may not call compiled code through ctypes, because what it reads cannot be tracked",
         "use a package with a Python interface."),
    Case("host", "import socket; socket.gethostname()", 3, "a figure script may not ask about this machine", "write the value into the script"),
    Case("moment", "open('/proc/cpuinfo')", 3, "a figure script may not read /proc/cpuinfo", "write the value into the script."),
    Case("database", "import sqlite3; sqlite3.connect(':memory:').execute('select zzz')", 3, "sqlite3.OperationalError: no such column: zzz",
         "change what this line asks of sqlite3: the message is from there."),
    Case("library", "import yaml; yaml.safe_load('a: [')", 3, "yaml.parser.ParserError", "change what this line asks of yaml"),
    Case("statistics", "import statistics; statistics.mean([])", 3, "statistics.StatisticsError: mean requires at least one data point", "asks of statistics"),
    Case("folder", "open('figures')", 3, "IsADirectoryError", "name a file in this folder."),
    Case("next", "next(iter(()))", 3, "StopIteration", "next(…, None)"),
    Case("unknown_kind", "return {'a': 'b'.foo}", 3, "AttributeError", "print the values that this line uses"),
    Case("index", "return {'a': [1, 2][5]}", 3, "IndexError", "count from 0"),
    Case("no_number", "return {'a': float('12 GB')}", 3, "ValueError", "leave out cells that are not numbers"),
    Case("none", "f = lambda: None\n    return {'a': f()['b']}", 4, "TypeError", "does the function that it comes from `return` it?"),
    Case("text_and_number", "return {'a': 1 + 'b'}", 3, "TypeError", "convert the text first"),
    Case("shapes", "import numpy as np\n    return {'a': np.ones(3) + np.ones(4)}", 4, "ValueError", "compare the shapes"),
    Case("key", "table = {'value': 1, 'name': 2}\n    return {'a': table['zzz']}", 4, "KeyError", "known are: name, value."),
    Case("key_of_nothing", "table = {}\n    return {'a': table['zzz']}", 4, "KeyError", "the mapping may be empty"),
    Case("column", "class Frame:\n        columns = ['value', 'name']\n        def __getitem__(self, key): raise KeyError(key)\n"
         "    frame = Frame()\n    return {'a': frame['zzz']}", 5, "KeyError", "known are: name, value."),
    Case("column_of_numpy", "import numpy as np\n    t = np.array([(1, 2)], dtype=[('value', float), ('name', float)])\n    return {'a': t['vlaue']}",
         5, "ValueError: no field", 'did you mean "value"?'),
    Case("argument_left_out", "from diglot.figures import charts\n    return charts.lines(None, x='x', y='y')", 4, "`charts.lines`",
         'write it as in charts.lines(figure, data["rows"]'),
    Case("no_chart", "from diglot.figures import charts\n    return charts.nope()", 4, "AttributeError", "known are: "),
    Case("method", "class Canvas:\n        def axes_px(self, left, top): pass\n    return Canvas().axes_px()", 5, "TypeError", "print the values"),
    Case("method_of_variable", "class Canvas:\n        def axes_px(self, left, top): pass\n    c = Canvas()\n    return c.axes_px()", 6,
         "TypeError", "write axes_px(left, top)."),
    Case("no_module", "import pandaz", 3, "ModuleNotFoundError", 'there is no module "pandaz"'),
    Case("long", "raise ValueError('x' * 10**7)", 3, "ValueError: xxx"),
    Case("prints_half_a_character", "print('\\ud800')", 3, "UnicodeEncodeError", "take half characters out"),
    Case("closed_output", "import sys; sys.stdout.close(); sys.stderr.close(); raise ValueError('a')", 3, "ValueError: a"),
    Case("closed_descriptors", "import os; os.closerange(3, 500); return {}", None, "the script closed files", "close only files"),
    Case("closed_descriptors_and_raised", "import os; os.closerange(0, 500); raise ValueError('a')", None, "the script closed files",
         "close only files"),
    Case("no_memory", "raise OSError(28, 'No space left on device')", 3, "OSError: [Errno 28]"),
    Case("too_many_files", "x = [open(__file__) for _ in range(10**6)]", 3, "OSError: [Errno 24]", "with open(path)"),
    Case("generator", "raise GeneratorExit", 3, "GeneratorExit", "end the generator with `return`"),
)  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_what_a_script_raises_is_reported_at_its_line(workshop: Workshop, case: Case):
    script = workshop.script(f"raises_{case.name}", f"def compute():\n    {case.body}\n")
    found = workshop.failure(script).diagnostics[0]
    assert found.location is not None
    assert (found.location.path, found.location.line) == (script.path, case.line)
    assert found.message.startswith(
        f'figure "raises_{case.name}": {case.says.partition(", whose")[0].partition("and 9")[0][:6]}'
    )
    assert case.says in found.message
    assert len(found.message) < 500
    assert found.fix
    assert case.fix in found.fix
    assert ".pyx" not in str(found.fix)
    str(found).encode()


def test_what_is_raised_while_loading_and_drawing_is_reported(workshop: Workshop):
    loading = workshop.script("raises_loading", "raise GeneratorExit('x')\ndef compute(): return {}\n")
    assert only(workshop.failure(loading)).message.endswith("GeneratorExit: x")
    drawing = workshop.drawing("raises_drawing", "raise KeyboardInterrupt('\\ud800')")
    assert only(workshop.drawing_failure(drawing)).message.endswith("KeyboardInterrupt: \\ud800")


def test_a_flood_of_warnings_is_counted(workshop: Workshop):
    text = "def compute():\n    import warnings\n    for i in range(50000): warnings.warn(f'w{i}')\n    return {'v': 1}\n"
    warnings = workshop.report(workshop.script("warns_often", text)).warnings
    assert [one.message for one in warnings[:20]] == [f'figure "warns_often": w{i}' for i in range(20)]
    assert [one.message for one in warnings[20:]] == [
        'figure "warns_often": and 49,980 more warnings like these'
    ]
    assert len({one.location and one.location.line for one in warnings}) == 1  # so that it comes last


def test_a_warning_with_half_a_surrogate_pair_is_a_warning(workshop: Workshop):
    text = "import warnings\ndef compute():\n    warnings.warn('\\ud800')\n    return {}\n"
    shown = [one.message for one in workshop.report(workshop.script("warns_oddly", text)).warnings]
    assert shown == ['figure "warns_oddly": \\ud800']


def test_a_script_that_prints_without_end_is_told_so(workshop: Workshop):
    text = "def compute():\n    for _ in range(10**5): print('x' * 1000)\n    return {}\n"
    shown = "\n".join(map(str, workshop.failure(workshop.script("prints_much", text)).diagnostics))
    assert "figures/prints_much.py:3" in shown
    assert "16 MB" in shown
    assert len(shown) < 20_000
