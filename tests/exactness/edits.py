"""A small site of every kind of source, and the texts that its files may be changed to."""

import itertools
from pathlib import Path

import diglot
from tests.space import BARS, SITE_YAML

THEME = Path(__file__).parents[2] / "templates"

HARDWARE = Path(diglot.__file__).parent / "hardware"
LIBRARY = "../lib/diglot/hardware"
"""Where the copy of the hardware library lies that workers import, from the project's folder."""

NUMBERS = '''\
"""Numbers out of everything a script may look at."""

import os
from pathlib import Path

from diglot.figures import env
from diglot.hardware.catalogue import load_catalogue

TITLE = {"zh": "数", "en": "Numbers"}


def compute():
    from box.inner import FACTOR

    try:
        import _optional
    except ImportError:
        _optional = None
    try:
        from diglot.hardware.added import ADDED
    except ImportError:
        ADDED = 0
    extra = Path("figures/data/extra.csv")
    catalogue = load_catalogue()
    return {
        "a": FACTOR * float(Path("figures/data/numbers.csv").read_text()),
        "b": len(extra.read_text()) if extra.exists() else -1,
        "c": int(env("DIGLOT_TEST_SCALE", "1")),
        "d": (_optional.VALUE if _optional else 0) + 10 * ADDED,
        "e": sorted(os.listdir("figures/data")),
        "f": catalogue["one"].peak_flops_per_s("bf16") if "one" in catalogue else 0.0,
    }
'''

PEAKS = '''\
"""One chip of the catalogue, and one by its short name."""

from diglot.hardware.catalogue import load_catalogue

TITLE = {"zh": "峰", "en": "Peaks"}


def compute():
    catalogue = load_catalogue()
    two = catalogue.find("Two")
    return {
        "a": catalogue["h200-sxm"].peak_flops_per_s("bf16"),
        "b": two.memory_bandwidth_bytes_per_s,
        "c": catalogue.source_of(two.quantity("memory.bandwidth")).title,
    }
'''

CHIP = """\
schema: accelerators/1
sources:
  {id}-sheet: {{title: 'Data {title}', url: 'https://example.org/', as_of: '2026', tier: official}}
chips:
- id: {id}
  vendor: Somebody
  name: Chip {short}
  short_name: {short}
  year: 2024
  kind: gpu
  memory: {{type: HBM, capacity: {{value: 80, unit: GB, source: {id}-sheet, as_of: '2026'}},
    bandwidth: {{value: {rate}, unit: GB/s, source: {id}-sheet, as_of: '2026'}}}}
  peak_dense: {{bf16: {{value: {peak}, unit: TFLOP/s, source: {id}-sheet, as_of: '2026'}}}}
  interconnect: {{kind: none, topology: none}}
"""


def chip(name: str, *, rate: int = 4800, peak: int = 989, title: str = "sheet") -> str:
    """A file of the catalogue's schema with one chip."""
    return CHIP.format(id=name, short=name.capitalize(), rate=rate, peak=peak, title=title)


def half(title: str, body: str, more: str = "") -> str:
    """One half of an article."""
    return f"---\ntitle: {title}\ndate: 2026-11-01\n{more}---\n\n{body}\n"


QUOTES = (
    "d = {eval}`numbers.d`, a = {eval}`numbers.a | number(1)`, c = {eval}`numbers.c`, f = {eval}`numbers.f`"
)
EMBED = "```{figure} bars\n:name: fig-bars\nBars, {eval}`bars.values[0]`\n```"
BODIES = (
    "A paragraph.\n\n## A section {#s}\n\nMore.",
    "Another first paragraph.\n\n## A section {#s}\n\nMore, $x^2$.[^1]\n\n[^1]: A note.",
    f"{QUOTES}.",
    f"Quoting {{eval}}`peaks.a`, {{eval}}`peaks.b`, {{eval}}`peaks.c`.\n\n{EMBED}\n\nSee {{ref}}`fig-bars`.",
    f"{EMBED}\n\n```python\nprint(1)\n```",
    "To [a](../a/zh.md) and [static](/note.txt).\n\n![dot](../a/dot.svg)",
)
POSTS = ("a", "b", "c", "d")
FRONTS = ("", "tags: [roofline]\n", "draft: true\n", "description: Words of its own.\n")

HALVES = tuple(
    half(f"{title} {number}", body, front)
    for number, (body, front, title) in enumerate(itertools.product(BODIES, FRONTS, ("Title", "标题")))
)

SOURCES: dict[str, tuple[str, ...]] = {
    **{f"content/posts/{post}/{language}.md": HALVES for post in POSTS for language in ("zh", "en")},
    "content/posts/a/meta.yaml": ("tags: [roofline]\n", "authors: []\n"),
    "content/posts/a/dot.svg": tuple(
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{n}" height="9"/>' for n in (5, 6)
    ),
    "content/posts/b/figures/numbers_of_b.py": (NUMBERS, NUMBERS.replace('"a": FACTOR', '"a": 7 * FACTOR')),
    "figures/numbers.py": (NUMBERS, NUMBERS.replace('"a": FACTOR', '"a": 3 * FACTOR'), NUMBERS + "# end\n"),
    "figures/peaks.py": (PEAKS, PEAKS.replace("memory_bandwidth_bytes_per_s", "memory_bytes")),
    "figures/bars.py": (BARS, BARS.replace("[3, 5]", "[2, 5]"), BARS.replace("Two bars", "A pair of bars")),
    "figures/box/__init__.py": ("", "# a comment\n"),
    "figures/box/inner.py": (
        "FACTOR = 2\n",
        "FACTOR = 3\n",
        "from .deeper import FACTOR\n",
        "FACTOR = 1 + 1\n",
    ),
    "figures/box/deeper.py": ("FACTOR = 5\n", "FACTOR = 6\n"),
    "figures/_optional.py": ("VALUE = 1\n", "VALUE = 2\n"),
    "figures/data/numbers.csv": ("1.5", "2.5", "3"),
    "figures/data/extra.csv": ("x", "xx"),
    "site/site.yaml": (
        SITE_YAML,
        SITE_YAML.replace("Roofline", "Rooflines"),
        SITE_YAML.replace("example.org/", "example.org/blog/"),
        SITE_YAML.replace("试验站", "又一站"),
    ),
    "site/static/note.txt": ("one", "two"),
    "site/hardware/own.yaml": (chip("one"), chip("one", peak=990), chip("one", rate=5000)),
    "site/hardware/two.yaml": (chip("two"), chip("two", rate=5000), chip("two", title="paper")),
    f"{LIBRARY}/added.py": ("ADDED = 1\n", "ADDED = 2\n", "from diglot.hardware.roofline import ADDED\n"),
    f"{LIBRARY}/roofline.py": tuple(
        (HARDWARE / "roofline.py").read_text("utf-8") + more for more in ("", "ADDED = 3\n", "ADDED = 4\n")
    ),
    "templates/article.html": tuple(
        (THEME / "article.html").read_text("utf-8") + more for more in ("", "<!-- mine -->\n")
    ),
    "templates/base.html": ((THEME / "base.html").read_text("utf-8") + "<!-- base -->\n",),
    "templates/strings/en.yaml": (
        (THEME / "strings/en.yaml").read_text("utf-8"),
        (THEME / "strings/en.yaml").read_text("utf-8").replace("Figure {n}", "Fig. {n}"),
    ),
    "templates/static/style.css": ((THEME / "static/style.css").read_text("utf-8") + "/* mine */\n",),
}
"""What each file may say, the first text to begin with."""

BROKEN = {
    ".md": ("---\ntitle: [\n---\n", half("Title", "{eval}`numbers.nope` {ref}`nowhere`"), "no front matter"),
    ".py": ("raise ValueError('broken')\n", "def (:\n", "import not_there_at_all\n"),
    ".yaml": ("a: [\n", "unknown_key: 1\n", "- 1\n"),
    ".html": ("{% if %}", "{{ nothing.at.all }}"),
    ".csv": ("not a number", ""),
    ".css": ("a { background: url(nowhere.png) }",),
}
"""What breaks a file, by its ending: or does not, where nobody reads it."""

AT_FIRST = tuple(
    path
    for path in SOURCES
    if not path.startswith(("templates/", "content/posts/d/", "content/posts/b/figures"))
    and not path.endswith(("_optional.py", "extra.csv", "added.py"))
)
