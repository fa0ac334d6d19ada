"""Edits of figure scripts, and of the files and data that they read."""

import random

from tests.exactness.chips import chip
from tests.hostile.edits import start
from tests.hostile.edits.project import LIBRARY, POSTS, Project

NEW = '''\
"""A figure of somebody."""

TITLE = {{"zh": "新图", "en": "New figure"}}


def compute():
    return {{"n": {n}}}
'''


def _change(project: Project, path: str, old: str, new: str) -> str | None:
    return path if project.change(path, old, new) else None


def _rewrite(project: Project, rng: random.Random, path: str, *texts: str) -> str | None:
    """Write one of the texts, but not the one that the file has."""
    now = project.read(path) if project.is_file(path) else None
    others = [text for text in texts if text != now]
    if not others:
        return None
    project.write(path, text := rng.choice(others))
    return f"{path}: {text.strip().splitlines()[0] if text.strip() else 'empty'}"


def change_the_numbers(project: Project, rng: random.Random) -> str | None:
    """Changes the numbers of a figure that is drawn and quoted."""
    return _rewrite(
        project,
        rng,
        "figures/bars.py",
        *(start.BARS.replace("[3, 5]", f"[{one}, {other}]") for one in (1, 2) for other in (4, 6)),
    )


def change_the_drawing(project: Project, rng: random.Random) -> str | None:
    """Changes the drawing and keeps the numbers."""
    return _change(project, "figures/bars.py", "set_height_px(1", f"set_height_px(1{rng.randrange(10)}")


def change_what_a_figure_says_of_itself(project: Project, rng: random.Random) -> str | None:
    """Changes the figure's alternative text."""
    return _change(project, "figures/bars.py", "the taller is", rng.choice(["the tallest is", "up to"]))


def change_the_title_of_a_figure(project: Project, rng: random.Random) -> str | None:
    """Changes the figure's English title."""
    return _change(project, "figures/bars.py", '"en": "', f'"en": "{rng.choice("XYZ")} ')


def give_a_figure_a_table(project: Project, rng: random.Random) -> str | None:
    """Adds a table to a figure, or changes its column name."""
    if not project.is_file("figures/bars.py"):
        return None
    text = project.read("figures/bars.py").partition("\n\ndef table")[0]
    project.write(
        "figures/bars.py",
        f"{text}\n\ndef table(data, t):\n    from diglot.figures import make_table\n\n"
        f'    return make_table(["n {rng.randrange(10)}"], [(value,) for value in data["values"]])\n',
    )
    return "figures/bars.py"


def take_the_drawing_out(project: Project, rng: random.Random) -> str | None:
    """Removes `draw` from a script that articles show as a figure."""
    return _rewrite(project, rng, "figures/bars.py", start.BARS.partition("\n\ndef draw")[0])


def draw_in_another_size(project: Project, rng: random.Random) -> str | None:
    """Adds a size that the figure is drawn in."""
    return _change(
        project, "figures/bars.py", "\n\ndef draw", '\nSIZES = ("narrow", "column", "wide")\n\n\ndef draw'
    )


def comment_a_script(project: Project, rng: random.Random) -> str | None:
    """Adds a comment, which changes no number."""
    paths = project.scripts()
    if not paths:
        return None
    path = rng.choice(paths)
    project.write(path, project.read(path) + f"# {rng.randrange(100)}\n")
    return path


def put_lines_above_a_script(project: Project, rng: random.Random) -> str | None:
    """Adds empty lines at the top, so that the line numbers of mistakes change."""
    paths = project.scripts()
    if not paths:
        return None
    path = rng.choice(paths)
    project.write(path, "\n\n" + project.read(path))
    return path


def break_a_script(project: Project, rng: random.Random) -> str | None:
    """Writes a mistake of any kind into a script."""
    paths = project.scripts()
    if not paths:
        return None
    path = rng.choice(paths)
    fault = rng.choice(
        [
            "def (:\n",
            "raise ValueError('broken')\n",
            "import not_there_at_all\n",
            project.read(path).replace("TITLE", "TITEL"),
            project.read(path).replace("return {", "return {'bad': float('nan'), "),
            project.read(path).replace("def compute(", "def compote("),
            "",
        ]
    )
    project.write(path, fault)
    return f"{path}: {fault[:20]!r}"


def print_something(project: Project, rng: random.Random) -> str | None:
    """Adds a forgotten print, which is a warning."""
    return _change(project, "figures/peaks.py", "    return", f"    print({rng.randrange(100)})\n    return")


def warn_of_something(project: Project, rng: random.Random) -> str | None:
    """Makes a script issue a Python warning, as numpy does for a division by zero."""
    return _change(
        project,
        "figures/peaks.py",
        "    return",
        "    import warnings\n\n    warnings.warn('mind this', stacklevel=1)\n    return",
    )


def use_a_colour_of_its_own(project: Project, rng: random.Random) -> str | None:
    """Uses a colour outside the palette, which is a warning of the drawing."""
    return _change(project, "figures/bars.py", 'data["values"])\n', 'data["values"], color="#123456")\n')


def change_a_default(project: Project, rng: random.Random) -> str | None:
    """Changes the default of a parameter that articles leave out."""
    return _change(project, "figures/rates.py", "] = ", rng.choice(['] = "fp8" or ', "] = "])) and _rewrite(
        project,
        rng,
        "figures/rates.py",
        start.RATES.replace('= "bf16",', '= "fp8",'),
        start.RATES.replace("= 32", "= 16"),
        start.RATES,
    )


def change_the_values_of_a_parameter(project: Project, rng: random.Random) -> str | None:
    """Changes the values that a parameter accepts, perhaps removing one that an article uses."""
    return _rewrite(
        project,
        rng,
        "figures/rates.py",
        start.RATES.replace('"bf16", "fp8"]', '"bf16", "fp8", "int8"]').replace(
            '"fp8": 2}', '"fp8": 2, "int8": 2}'
        ),
        start.RATES.replace('"bf16", "fp8"]', '"bf16"]'),
        start.RATES.replace("Range(1, 64, 1)", "Range(1, 32, 1)"),
        start.RATES,
    )


def add_a_parameter(project: Project, rng: random.Random) -> str | None:
    """Adds a parameter that no article uses yet."""
    return _rewrite(
        project,
        rng,
        "figures/rates.py",
        start.RATES.replace("= 32)", '= 32, mode: Literal["a", "b"] = "a")'),
        start.RATES,
    )


def change_what_is_swept(project: Project, rng: random.Random) -> str | None:
    """Changes the points of a sweep; results of points that remain are reused."""
    sides = rng.choice(["[1, 2, 4, 8]", "[1, 2]", "[4, 2, 1]", "[1, 3]"])
    return _rewrite(
        project, rng, "figures/rates.py", start.RATES.replace("SIDES = [1, 2, 4]", f"SIDES = {sides}")
    )


def change_the_function_that_is_swept(project: Project, rng: random.Random) -> str | None:
    """Changes the swept function, so that all points are computed again."""
    return _rewrite(
        project,
        rng,
        "figures/rates.py",
        *(start.RATES.replace("side * side * times", f"side * side * times + {n}") for n in range(4)),
    )


def change_the_factor(project: Project, rng: random.Random) -> str | None:
    """Changes a module of a package that a script imports."""
    return _rewrite(
        project,
        rng,
        "figures/box/inner.py",
        "FACTOR = 2\n",
        "FACTOR = 3\n",
        "FACTOR = 1 + 1\n",
        "FACTOR = 2.5\n",
    )


def import_from_deeper(project: Project, rng: random.Random) -> str | None:
    """Makes the module import its number from another, which may not exist."""
    return _rewrite(project, rng, "figures/box/inner.py", "from .deeper import FACTOR\n", "FACTOR = 4\n")


def change_what_lies_deeper(project: Project, rng: random.Random) -> str | None:
    """Changes that other module, whether or not anything imports it."""
    return _rewrite(project, rng, "figures/box/deeper.py", "FACTOR = 5\n", "FACTOR = 6\n")


def change_the_package(project: Project, rng: random.Random) -> str | None:
    """Changes the package's `__init__.py`, which runs first."""
    return _rewrite(project, rng, "figures/box/__init__.py", "", "# a comment\n", "import sys\n")


def make_a_module_of_the_package(project: Project, rng: random.Random) -> str | None:
    """Writes `box.py.txt` and a private module, neither of which any script imports."""
    return _rewrite(project, rng, "figures/box.py.txt", "a", "b") and _rewrite(
        project, rng, "figures/_boxed.py", "A = 1\n", "A = 2\n"
    )


def remove_a_module(project: Project, rng: random.Random) -> str | None:
    """Removes a module that a script may import."""
    paths = [path for path in project.files("figures") if "/box/" in path or "/_" in path]
    if not paths:
        return None
    project.remove(path := rng.choice(paths))
    return path


def add_an_optional_module(project: Project, rng: random.Random) -> str | None:
    """Adds a module that a script imports if it exists."""
    return _rewrite(project, rng, "figures/_optional.py", "VALUE = 1\n", "VALUE = 2\n")


def make_a_package_of_the_optional_module(project: Project, rng: random.Random) -> str | None:
    """Replaces the optional module by a package of the same name."""
    if project.is_file("figures/_optional.py"):
        project.remove("figures/_optional.py")
    return _rewrite(project, rng, "figures/_optional/__init__.py", "VALUE = 7\n", "VALUE = 8\n")


def remove_the_optional_module(project: Project, rng: random.Random) -> str | None:
    """Removes the optional module or package."""
    for path in ("figures/_optional.py", "figures/_optional"):
        if project.exists(path):
            project.remove(path)
            return path
    return None


def shadow_a_module(project: Project, rng: random.Random) -> str | None:
    """Writes a module of the same name beside an article's script or in `figures/`."""
    path = rng.choice(["figures/_beside.py", f"{POSTS}/beta/figures/_beside.py"])
    return _rewrite(project, rng, path, "OFFSET = 2\n", "OFFSET = 3\n", "OFFSET = 4\n")


def change_data(project: Project, rng: random.Random) -> str | None:
    """Changes a data file that a script reads."""
    return _rewrite(project, rng, "figures/data/numbers.csv", "1.5", "2.5", "3", "3.0")


def break_data(project: Project, rng: random.Random) -> str | None:
    """Removes the data file or makes its content invalid, so that the script fails."""
    if not project.is_file("figures/data/numbers.csv"):
        return None
    if rng.random() < 0.5:
        project.remove("figures/data/numbers.csv")
        return "removed"
    return _rewrite(project, rng, "figures/data/numbers.csv", "not a number", "")


def add_data(project: Project, rng: random.Random) -> str | None:
    """Adds a file whose existence a script checks, or that it only lists."""
    name = rng.choice(["extra.csv", "extra.csv", "listed.csv", ".hidden", "deep/listed.csv"])
    return _rewrite(project, rng, f"figures/data/{name}", "x", "xx", "xxx")


def remove_data(project: Project, rng: random.Random) -> str | None:
    """Removes a data file that a script can do without."""
    paths = [path for path in project.files("figures/data") if not path.endswith("numbers.csv")]
    if not paths:
        return None
    project.remove(path := rng.choice(paths))
    return path


def empty_a_data_file(project: Project, rng: random.Random) -> str | None:
    """Empties a data file, which still exists then."""
    return _rewrite(project, rng, "figures/data/extra.csv", "")


def change_the_library(project: Project, rng: random.Random) -> str | None:
    """Adds or changes a module of the hardware library."""
    return _rewrite(project, rng, f"{LIBRARY}/added.py", "ADDED = 1\n", "ADDED = 2\n")


def remove_from_the_library(project: Project, rng: random.Random) -> str | None:
    """Removes the added module again."""
    if not project.is_file(f"{LIBRARY}/added.py"):
        return None
    project.remove(f"{LIBRARY}/added.py")
    return "added.py"


def edit_the_library(project: Project, rng: random.Random) -> str | None:
    """Changes a module that the catalogue's chips use."""
    path = f"{LIBRARY}/rooflines/roofline.py"
    project.write(path, project.read(path) + f"MORE = {rng.randrange(100)}\n")
    return path


def change_a_custom_chip(project: Project, rng: random.Random) -> str | None:
    """Changes a custom chip that a figure asks for."""
    texts = [chip("one", peak=peak, rate=rate) for peak in (989, 990) for rate in (4800, 5000)]
    return _rewrite(project, rng, "site/hardware/own.yaml", *texts)


def add_a_custom_chip(project: Project, rng: random.Random) -> str | None:
    """Adds a custom chip that no figure asks for."""
    return _rewrite(project, rng, "site/hardware/two.yaml", chip("two"), chip("two", peak=1))


def remove_custom_chips(project: Project, rng: random.Random) -> str | None:
    """Removes a file of custom chips, or the whole folder."""
    paths = [*project.files("site/hardware")]
    if not paths:
        return None
    project.remove(path := rng.choice([*paths, "site/hardware"]))
    return path


def break_a_custom_chip(project: Project, rng: random.Random) -> str | None:
    """Writes invalid YAML, an unsupported schema, or a chip that exists already."""
    return _rewrite(
        project, rng, "site/hardware/broken.yaml", "a: [\n", "schema: accelerators/1\n", chip("one")
    )


def ask_for_another_row(project: Project, rng: random.Random) -> str | None:
    """Makes a script read another row of the catalogue."""
    row = rng.choice(["a100-sxm-80gb", "tpu-v6e", "h100-sxm"])
    return _rewrite(project, rng, "figures/peaks.py", start.PEAKS.replace("h200-sxm", row), start.PEAKS)


def list_the_catalogue(project: Project, rng: random.Random) -> str | None:
    """Makes a script list the catalogue, so that it depends on all of it."""
    return _rewrite(
        project,
        rng,
        "figures/peaks.py",
        start.PEAKS.replace('{"peak":', '{"count": len(list(catalogue)), "peak":'),
        start.PEAKS,
    )


def add_a_figure(project: Project, rng: random.Random) -> str | None:
    """Adds a figure that no article shows yet."""
    return _rewrite(project, rng, "figures/unshown.py", NEW.format(n=1), NEW.format(n=2))


def add_a_figure_and_quote_it(project: Project, rng: random.Random) -> str | None:
    """Adds a figure and quotes it in an article."""
    names = project.pairs()
    if not names:
        return None
    name = rng.choice(names)
    project.write("figures/quoted.py", NEW.format(n=rng.randrange(100)))
    for language, half in project.halves(name).items():
        half.blocks.append("It is {eval}`quoted.n`.")
        project.save(name, language, half)
    return name


def add_a_figure_to_an_article(project: Project, rng: random.Random) -> str | None:
    """Adds a figure to an article's folder, with an id that may be taken."""
    names = [name for name in project.articles() if project.folder(name)]
    if not names:
        return None
    name = rng.choice(names)
    own = rng.choice([f"of_{name.replace('-', '_')}", f"of_{name.replace('-', '_')}", "bars"])
    path = f"{POSTS}/{name}/figures/{own}.py"
    project.write(path, NEW.format(n=rng.randrange(100)))
    return path


def remove_a_figure(project: Project, rng: random.Random) -> str | None:
    """Removes a figure that articles may show or quote."""
    paths = project.scripts()
    if not paths:
        return None
    project.remove(path := rng.choice(paths))
    return path


def rename_a_figure(project: Project, rng: random.Random) -> str | None:
    """Renames a figure and its uses in all articles."""
    paths = [path for path in project.scripts() if path.startswith("figures/")]
    if not paths:
        return None
    path = rng.choice(paths)
    old = path.removeprefix("figures/").removesuffix(".py")
    new = f"{old}_{rng.randrange(10)}"
    if project.exists(f"figures/{new}.py"):
        return None
    project.move(path, f"figures/{new}.py")
    for name in project.articles():
        for language, half in project.halves(name).items():
            text = half.text
            for before, after in (
                (f"}} {old}\n", f"}} {new}\n"),
                (f"`{old}", f"`{new}"),
                (f" {old}.", f" {new}."),
            ):
                text = text.replace(before, after)
            if text != half.text:
                project.write(project.half_path(name, language) or "", text)
    return f"{old} to {new}"


def move_a_figure_to_an_article(project: Project, rng: random.Random) -> str | None:
    """Moves a figure from `figures/` into an article's folder: the same id, another path."""
    names = [name for name in project.articles() if project.folder(name)]
    paths = [path for path in project.scripts() if path.startswith("figures/")]
    if not names or not paths:
        return None
    path, name = rng.choice(paths), rng.choice(names)
    project.move(path, f"{POSTS}/{name}/{path}")
    return f"{path} to {name}"


def move_a_figure_from_an_article(project: Project, rng: random.Random) -> str | None:
    """Moves an article's figure into `figures/`, without the files beside it."""
    paths = [path for path in project.scripts() if path.startswith(POSTS)]
    if not paths:
        return None
    path = rng.choice(paths)
    project.move(path, f"figures/{path.rpartition('/')[2]}")
    return path


def have_two_figures_of_one_id(project: Project, rng: random.Random) -> str | None:
    """Adds a figure to an article with the id of one in `figures/`."""
    names = [name for name in project.articles() if project.folder(name)]
    if not names:
        return None
    project.write(path := f"{POSTS}/{rng.choice(names)}/figures/peaks.py", start.PEAKS)
    return path


def misname_a_figure(project: Project, rng: random.Random) -> str | None:
    """Adds a script whose name is not a valid id."""
    project.write(path := f"figures/{rng.choice(['Bad-Name', '2nd', 'a b'])}.py", NEW.format(n=1))
    return path


def swap_two_figures(project: Project, rng: random.Random) -> str | None:
    """Exchanges the texts of two scripts."""
    paths = project.scripts()
    if len(paths) < 2:
        return None
    one, other = rng.sample(paths, 2)
    here, there = project.read(one), project.read(other)
    project.write(one, there)
    project.write(other, here)
    return f"{one} and {other}"


def read_an_article_in_a_figure(project: Project, rng: random.Random) -> str | None:
    """Makes a script read an article's text."""
    return _rewrite(
        project,
        rng,
        "figures/peaks.py",
        start.PEAKS.replace(
            "    return {",
            '    text = open("content/posts/alpha/en.md").read()\n    return {"length": len(text), ',
        ),
        start.PEAKS,
    )


def look_around_in_a_figure(project: Project, rng: random.Random) -> str | None:
    """Makes a script list folders and check for files, existing or not."""
    lines = rng.choice(
        [
            "    from pathlib import Path\n    n = len(sorted(Path('site').rglob('*')))\n",
            "    import glob\n    n = len(glob.glob('figures/data/*.csv'))\n",
            "    import os.path as p\n    n = p.isdir('figures/data/deep') + p.getsize('site/site.yaml')\n",
            "    import os\n    n = len(list(os.walk('figures/data')))\n",
            "    import json, pathlib\n    p = pathlib.Path('figures/data/none.json')\n"
            "    n = json.loads(p.read_text()) if p.is_file() else 0\n",
        ]
    )
    return _rewrite(
        project, rng, "figures/peaks.py", start.PEAKS.replace("    return {", f'{lines}    return {{"n": n, ')
    )


def answer_what_a_figure_looks_for(project: Project, rng: random.Random) -> str | None:
    """Writes files that such a script checks for."""
    path = rng.choice(["figures/data/none.json", "figures/data/deep/listed.csv", "site/more/x.txt"])
    return _rewrite(project, rng, path, "1", "2", "3")


def read_with_a_library(project: Project, rng: random.Random) -> str | None:
    """Makes a script read a file with a library that opens it without Python."""
    ways = ["import lxml.etree as e", "import os, lxml.etree as e; os.stat('figures/data')"]
    parse = "n = e.parse('figures/data/tree.xml').getroot().text"
    lines = f"    try:\n        {parse}\n    except OSError:\n        n = ''\n"
    reads = [f'    {way}\n{lines}    return {{"n": n, ' for way in ways]
    texts = [start.PEAKS.replace("    return {", read) for read in reads]
    return _rewrite(project, rng, "figures/peaks.py", *texts, start.PEAKS)


def change_what_a_library_reads(project: Project, rng: random.Random) -> str | None:
    """Writes or removes the file that such a script reads."""
    path = "figures/data/tree.xml"
    if project.is_file(path) and rng.random() < 0.25:
        project.remove(path)
        return f"{path} removed"
    return _rewrite(project, rng, path, "<a>1</a>", "<a>2</a>", "<a>3</a>")


def draw_from_chance(project: Project, rng: random.Random) -> str | None:
    """Makes a script use random numbers, which are seeded and so the same every time."""
    return _rewrite(
        project,
        rng,
        "figures/peaks.py",
        start.PEAKS.replace("    return {", "    import random\n    return {'r': random.random(), "),
        start.PEAKS,
    )


def ask_for_a_variable(project: Project, rng: random.Random) -> str | None:
    """Makes a script read another environment variable."""
    name = rng.choice(["DIGLOT_TEST_OTHER", "TZ", "HOME"])
    return _rewrite(
        project,
        rng,
        "figures/numbers.py",
        start.NUMBERS.replace('        "e":', f'        "v": env("{name}", "none"),\n        "e":'),
        start.NUMBERS,
    )


def remove_compiled_code(project: Project, rng: random.Random) -> str | None:
    """Removes compiled code, or adds some that is older than its source."""
    found = sorted(project.path("figures").rglob("__pycache__"))
    if not found:
        project.write("figures/__pycache__/peaks.cpython-312.pyc", b"stale")
        return "stale"
    project.remove(str(found[0].relative_to(project.root)))
    return "removed"


def make_a_folder_of_a_figure(project: Project, rng: random.Random) -> str | None:
    """Creates a folder whose name ends like a script's."""
    project.remove("figures/unshown.py")
    project.path("figures/unshown.py").mkdir(parents=True, exist_ok=True)
    return "figures/unshown.py"


def put_the_first_scripts_back(project: Project, rng: random.Random) -> str | None:
    """Restores the scripts and data in `figures/` that the project began with."""
    paths = [path for path in start.FILES if path.endswith((".py", ".csv")) and path.startswith("figures/")]
    for path in paths:
        if not project.path(path).is_dir():
            content = start.FILES[path]
            project.write(path, content)
    return "all"
