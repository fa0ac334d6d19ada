"""Edits of the project's own templates, interface strings and style sheets."""

import random
from pathlib import Path

from diglot.render.theme import built_in_theme
from tests.hostile.edits.project import Project
from tests.hostile.edits.start import picture

OWN = "templates"
TEMPLATES = tuple(sorted(path.name for path in built_in_theme().glob("*.html")))
WORDS = ("strings/zh.yaml", "strings/en.yaml")
ASSETS = ("static/style.css", "static/diglot.js", "static/favicon.svg")


def _theirs(name: str) -> str:
    return (built_in_theme() / name).read_text("utf-8")


def _with(template: str, text: str) -> str:
    """Add a text to a template where it is shown: in its main block if it has one, else at its end."""
    block = "{% block main %}\n"
    return template.replace(block, block + text, 1) if block in template else template + text


def _own(project: Project) -> list[str]:
    return project.files(OWN)


def override_a_template(project: Project, rng: random.Random) -> str | None:
    """Overrides a template by a copy with a comment in it."""
    name = rng.choice(TEMPLATES)
    project.write(f"{OWN}/{name}", _with(_theirs(name), f"<!-- mine {rng.randrange(10)} -->\n"))
    return name


def override_a_template_with_itself(project: Project, rng: random.Random) -> str | None:
    """Overrides a file of the theme by an exact copy, which changes no page."""
    name = rng.choice([*TEMPLATES, *WORDS, *ASSETS])
    project.write(f"{OWN}/{name}", _theirs(name))
    return name


def stop_overriding(project: Project, rng: random.Random) -> str | None:
    """Removes a file of the project's theme, so that the built-in one is used again."""
    paths = [path for path in _own(project) if Path(path).name not in ("own.css", "dots.svg")]
    if not paths:
        return None
    project.remove(path := rng.choice(paths))
    return path


def remove_the_theme(project: Project, rng: random.Random) -> str | None:
    """Removes all files of the project's theme."""
    if not project.exists(OWN):
        return None
    project.remove(OWN)
    return OWN


def include_a_template_of_its_own(project: Project, rng: random.Random) -> str | None:
    """Includes a new template in an overridden one."""
    project.write(f"{OWN}/mine.html", f"<p>Mine, {rng.randrange(100)}.</p>\n")
    project.write(f"{OWN}/not_found.html", _with(_theirs("not_found.html"), '{% include "mine.html" %}\n'))
    return "mine.html"


def change_an_included_template(project: Project, rng: random.Random) -> str | None:
    """Changes that new template, whether or not it is included."""
    project.write(f"{OWN}/mine.html", f"<p>Mine, {rng.randrange(1000)}.</p>\n")
    return "mine.html"


def remove_an_included_template(project: Project, rng: random.Random) -> str | None:
    """Removes that new template, even if it is included."""
    if not project.is_file(f"{OWN}/mine.html"):
        return None
    project.remove(f"{OWN}/mine.html")
    return "mine.html"


def include_a_template_in_every_page(project: Project, rng: random.Random) -> str | None:
    """Includes a template in the one that all others extend."""
    project.write(f"{OWN}/mine.html", f"<!-- everywhere {rng.randrange(10)} -->\n")
    project.write(f"{OWN}/base.html", _theirs("base.html") + '{% include "mine.html" %}\n')
    return "base.html"


def break_a_template(project: Project, rng: random.Random) -> str | None:
    """Adds a syntax error, an undefined name, a missing include or a division by zero to a template."""
    name = rng.choice(TEMPLATES)
    fault = rng.choice(["{% if %}", "{{ nothing.at.all }}", '{% include "nowhere.html" %}', "{{ 1 / 0 }}"])
    project.write(f"{OWN}/{name}", _theirs(name) + fault)
    return f"{name} {fault}"


def empty_a_template(project: Project, rng: random.Random) -> str | None:
    """Overrides a template by an empty file."""
    project.write(f"{OWN}/{(name := rng.choice(['redirect.html', 'not_found.html', 'terms.html']))}", "")
    return name


def change_a_word_of_the_interface(project: Project, rng: random.Random) -> str | None:
    """Changes an interface string of one language."""
    name = rng.choice(WORDS)
    lines = _theirs(name).splitlines()
    at = rng.choice(
        [n for n, line in enumerate(lines) if line.endswith('"') and not line.startswith("#")] or [0]
    )
    lines[at] = lines[at].removesuffix('"') + '!"' if lines[at].endswith('"') else lines[at]
    project.write(f"{OWN}/{name}", "\n".join(lines) + f"\n# {rng.randrange(10)}\n")
    return f"{name}:{at + 1}"


def add_a_word_of_the_interface(project: Project, rng: random.Random) -> str | None:
    """Adds an interface string to one language only, or one that is a number."""
    name = rng.choice(WORDS)
    text = _theirs(name).rstrip("\n") + "\n"
    project.write(
        f"{OWN}/{name}", text + rng.choice(["only_here: A word\n", "and_here: Another\n", "number: 5\n"])
    )
    return name


def replace_a_word(project: Project, rng: random.Random) -> str | None:
    """Replaces one interface string, in a file that has no other."""
    name = rng.choice(WORDS)
    project.write(
        f"{OWN}/{name}", rng.choice(["home: Start\n", "skip: Over\n", "hoem: Start\n", "home: ''\n"])
    )
    return name


def override_a_block(project: Project, rng: random.Random) -> str | None:
    """Overrides one block of a built-in template, which need not exist."""
    block = rng.choice(["footer", "head", "before_article", "after_article", "foter"])
    name = "article.html" if "article" in block else "base.html"
    project.write(
        f"{OWN}/{name}",
        f'{{% extends "diglot/{name}" %}}\n'
        f"{{% block {block} %}}{{{{ super() }}}}<i>{rng.randrange(9)}</i>{{% endblock %}}\n",
    )
    return f"{name} {block}"


def show_a_param(project: Project, rng: random.Random) -> str | None:
    """Shows a value of `params` in the footer, set or not."""
    values = "{{ site.params.motto }}{{ page.params.cover }}"
    project.write(
        f"{OWN}/base.html",
        f'{{% extends "diglot/base.html" %}}\n{{% block footer %}}{values}{{% endblock %}}\n',
    )
    return "base.html"


def style_by_a_custom_file(project: Project, rng: random.Random) -> str | None:
    """Writes or removes the style sheet that is linked on every page."""
    path = "site/static/custom.css"
    if project.is_file(path) and rng.random() < 0.3:
        project.remove(path)
        return f"removed {path}"
    project.write(path, f"p {{ color: var(--ink); order: {rng.randrange(99)} }}\n")
    return path


def style_otherwise(project: Project, rng: random.Random) -> str | None:
    """Overrides the built-in style sheet by a changed copy."""
    project.write(
        f"{OWN}/static/style.css", _theirs("static/style.css") + f"p {{ order: {rng.randrange(99)} }}\n"
    )
    return "style.css"


def style_with_an_image(project: Project, rng: random.Random) -> str | None:
    """Names an image in a style sheet, quoted or not, existing or not."""
    name = rng.choice(["dots.svg", "fonts/../dots.svg", "img/dots.png", "nowhere.png"])
    quote = rng.choice(["", '"', "'"])
    if name.startswith("img/"):
        project.write(f"{OWN}/static/{name}", picture(rng.randint(1, 9)))
    project.write(f"{OWN}/static/own.css", f"p {{ background: url({quote}{name}{quote}) }}\n")
    return name


def change_what_a_style_sheet_names(project: Project, rng: random.Random) -> str | None:
    """Changes an image whose published name, and thus the style sheet, depends on its content."""
    size = rng.randint(1, 99)
    project.write(
        f"{OWN}/static/dots.svg", f'<svg xmlns="http://www.w3.org/2000/svg" width="{size}" height="4"/>'
    )
    return "dots.svg"


def remove_what_a_style_sheet_names(project: Project, rng: random.Random) -> str | None:
    """Removes an image that a style sheet names."""
    if not project.is_file(f"{OWN}/static/dots.svg"):
        return None
    project.remove(f"{OWN}/static/dots.svg")
    return "dots.svg"


def import_a_style_sheet(project: Project, rng: random.Random) -> str | None:
    """Imports a style sheet that names an image."""
    project.write(
        f"{OWN}/static/sub/part.css", f"i {{ order: {rng.randrange(9)}; background: url(../dots.svg) }}\n"
    )
    project.write(f"{OWN}/static/own.css", "@import url(sub/part.css);\n")
    return "sub/part.css"


def import_style_sheets_in_a_circle(project: Project, rng: random.Random) -> str | None:
    """Makes two style sheets import each other."""
    project.write(f"{OWN}/static/a.css", "@import url(b.css);\n")
    project.write(f"{OWN}/static/b.css", "@import url(a.css);\n")
    return "a.css and b.css"


def take_style_sheets_out_of_the_circle(project: Project, rng: random.Random) -> str | None:
    """Removes one of the two style sheets, and its import."""
    if not project.is_file(f"{OWN}/static/a.css"):
        return None
    project.remove(f"{OWN}/static/a.css")
    project.write(f"{OWN}/static/b.css", "b { order: 1 }\n")
    return "a.css"


def add_an_asset(project: Project, rng: random.Random) -> str | None:
    """Adds a font, a script or some other asset."""
    name = rng.choice(["fonts/mine.woff2", "mine.js", "fonts/deep/other.ttf", "noending", "two.dots.js"])
    project.write(f"{OWN}/static/{name}", rng.randbytes(rng.randint(0, 40)))
    return name


def remove_an_asset(project: Project, rng: random.Random) -> str | None:
    """Removes an asset of the project's theme."""
    paths = [path for path in _own(project) if path.startswith(f"{OWN}/static/")]
    if not paths:
        return None
    project.remove(path := rng.choice(paths))
    return path


def change_the_script_of_pages(project: Project, rng: random.Random) -> str | None:
    """Changes the script, which every page refers to by its digest."""
    project.write(f"{OWN}/static/diglot.js", _theirs("static/diglot.js") + f"// {rng.randrange(100)}\n")
    return "diglot.js"


def override_a_font(project: Project, rng: random.Random) -> str | None:
    """Overrides a font that the built-in style sheet names."""
    fonts = sorted(path.name for path in (built_in_theme() / "static/fonts").iterdir())
    project.write(f"{OWN}/static/fonts/{(name := rng.choice(fonts))}", rng.randbytes(20))
    return name


def style_in_another_encoding(project: Project, rng: random.Random) -> str | None:
    """Adds a style sheet that is not UTF-8."""
    project.write(f"{OWN}/static/latin.css", "/* caf\u00e9 */ p { order: 1 }\n".encode("latin-1"))
    return "latin.css"


def mend_the_encoding(project: Project, rng: random.Random) -> str | None:
    """Saves that style sheet as UTF-8."""
    if not project.is_file(f"{OWN}/static/latin.css"):
        return None
    project.write(f"{OWN}/static/latin.css", "/* caf\u00e9 */ p { order: 1 }\n")
    return "latin.css"


def leave_templates_of_another_generator(project: Project, rng: random.Random) -> str | None:
    """Adds files to the theme that no page uses."""
    project.write(
        f"{OWN}/{(name := rng.choice(['unused.html', 'layouts/x.html', 'README']))}",
        f"{{% x {rng.randrange(9)}",
    )
    return name
