"""Expressions whose values may differ between runs, machines or folders.

Those in `SAME` must be the same everywhere; `diglot check`, which makes figures twice, finds those in `TOLD`.
"""

# ruff: noqa: E501  (tables of expressions)

SAME: dict[str, str] = {
    "random.random": "random.random()",
    "random.Random": "random.Random().random()",
    "two generators": "[random.Random().random() for _ in range(3)]",
    "random.seed": "(random.seed(), random.random())[1]",
    "a class of one's own": "type('R', (random.Random,), {})().random()",
    "random.SystemRandom": "random.SystemRandom().random()",
    "SystemRandom.getrandbits": "random.SystemRandom().getrandbits(40)",
    "random.shuffle": "random.sample(range(100), 5)",
    "os.urandom": "os.urandom(8).hex()",
    "os.getrandom": "os.getrandom(8).hex()",
    "secrets": "[secrets.token_hex(4), secrets.randbelow(1000), secrets.choice('abcdef')]",
    "uuid.uuid4": "str(uuid.uuid4())",
    "np.random.rand": "np.random.rand()",
    "np.random.seed": "(np.random.seed(), np.random.rand())[1]",
    "RandomState": "np.random.RandomState().rand()",
    "default_rng": "np.random.default_rng().random()",
    "Generator of PCG64": "np.random.Generator(np.random.PCG64()).random()",
    "Generator of PCG64DXSM": "np.random.Generator(np.random.PCG64DXSM()).random()",
    "Generator of MT19937": "np.random.Generator(np.random.MT19937()).random()",
    "Generator of Philox": "np.random.Generator(np.random.Philox()).random()",
    "Generator of SFC64": "np.random.Generator(np.random.SFC64()).random()",
    "SeedSequence": "int(np.random.SeedSequence().generate_state(1)[0])",
    "SeedSequence entropy": "str(np.random.SeedSequence().entropy)",
    "spawned": "[g.random() for g in np.random.default_rng().spawn(2)]",
    "sets of words": "list({'a', 'b', 'c', 'd', 'e'})",
    "hash of a word": "str(hash('word'))",
    "__file__": "__file__",
    "__file__ of a module": "helper.__file__",
    "code's file": "(lambda: 0).__code__.co_filename",
    "a module's code's file": "helper.f.__code__.co_filename",
    "inspect": "inspect.getfile(helper.f)",
    "a traceback": "''.join(traceback.format_stack(limit=1))",
    "os.listdir": "os.listdir('content/many')",
    "os.scandir": "[one.name for one in os.scandir('content/many')]",
    "glob": "glob.glob('content/many/*')",
    "pathlib": "[str(one) for one in pathlib.Path('content/many').iterdir()]",
    "os.walk": "[names for _, _, names in os.walk('content/many')]",
    "times of a file": "[os.path.getmtime('content/many/a'), os.stat('content/many/a').st_ctime_ns]",
    "times of an open file": "os.fstat(os.open('content/many/a', 0)).st_mtime",
    "times of entries": "[one.stat().st_mtime for one in os.scandir('content/many')]",
    "times by pathlib": "pathlib.Path('content/many/a').stat().st_mtime_ns",
    "os.cpu_count": "os.cpu_count()",
    "processors allowed": "sorted(os.sched_getaffinity(0))",
    "multiprocessing.cpu_count": "multiprocessing.cpu_count()",
    "platform.node": "platform.node()",
    "platform.release": "[platform.release(), platform.version(), os.uname().nodename]",
    "getpass.getuser": "getpass.getuser()",
    "home": "[os.path.expanduser('~'), str(pathlib.Path.home())]",
    "os.environ": "sorted(k for k in os.environ if k not in ('TMPDIR', 'MPLCONFIGDIR'))",
    "posix.environ": "sorted(k.decode() for k in posix.environ)",
    "sys.argv": "sys.argv + sys.orig_argv",
    "time zone": "time.strftime('%Z', time.localtime(0)) + str(time.timezone)",
    "locale": "str(locale.setlocale(locale.LC_ALL, ''))",
    "size of the terminal": "list(shutil.get_terminal_size())",
    "BLAS threads": "int(np.dot(np.ones((64, 64)), np.ones((64, 64))).sum())",
    "temporary names": "os.path.basename(tempfile.mktemp())",
    "matplotlibrc": "matplotlib.rcParamsOrig['lines.linewidth']",
    "fonts of the system": "len([f for f in font_manager.fontManager.ttflist if f.fname.startswith('/usr/')])",
}

TOLD: dict[str, str] = {
    "time.time": "time.time()",
    "time.time_ns": "time.time_ns()",
    "time.monotonic": "time.monotonic()",
    "time.perf_counter": "time.perf_counter()",
    "time.process_time": "time.process_time_ns()",
    "time.localtime": "time.localtime().tm_yday",
    "time.gmtime": "time.gmtime().tm_year",
    "time.strftime": "time.strftime('%Y')",
    "time.ctime": "time.ctime()",
    "datetime.now": "str(datetime.datetime.now())",
    "the day": "str(datetime.datetime.now().date())",
    "the year": "datetime.datetime.now(datetime.UTC).year",
    "date.today": "str(datetime.date.today())",
    "datetime.today": "str(datetime.datetime.today())",
    "os.getcwd": "os.getcwd()",
    "Path.cwd": "str(pathlib.Path.cwd())",
    "abspath": "os.path.abspath('figures')",
    "resolve": "str(pathlib.Path(__file__).resolve())",
    "its length": "len(os.getcwd())",
    "os.getpid": "os.getpid()",
    "os.getppid": "os.getppid()",
    "addresses": "hex(id(object()))",
    "repr of an object": "repr(object())",
    "repr of a function": "repr(helper.f)",
    "hash of an object": "str(hash(helper.f))",
    "threading.get_ident": "threading.get_ident()",
    "threading.get_native_id": "threading.get_native_id()",
    "a temporary file": "tempfile.mkstemp()[1] + str(os.getpid())",
}

SCRIPT = """\
import datetime, getpass, glob, inspect, locale, multiprocessing, os, pathlib, platform, posix, random, secrets
import shutil, sys, tempfile, threading, time, traceback, uuid
import matplotlib
import numpy as np
from matplotlib import font_manager

import _helper as helper

TITLE = {{"zh": "同", "en": "Same"}}


def compute():
    return {{"x": {expression}}}
"""
HELPER = "def f(): pass\n"
