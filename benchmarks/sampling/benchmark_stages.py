"""Assigns modules to stages of a build."""

STAGES = {
    "front matter": ("diglot.content.front_matter", "diglot.strict_yaml", "yaml"),
    "highlight": ("diglot.content.highlighting", "pygments"),
    "formulas": ("diglot.content.formulas", "math_core"),
    "pair": ("diglot.content.pairs",),
    "parse": ("diglot.content", "markdown_it", "mdit_py_plugins", "mdurl"),
    "render": ("diglot.render", "diglot.site_map", "jinja2", "markupsafe"),
    "figures": ("diglot.figures", "diglot.figure_request", "matplotlib", "numpy"),
    "write": ("diglot.publishing",),
    "store": ("diglot.engine.store", "diglot.engine.packs", "diglot.engine.values", "sqlite3", "msgspec"),
    "engine": ("diglot.engine", "diglot.digests"),
    "rules": ("diglot.rules", "diglot.project"),
    "command": ("diglot.cli", "diglot.diagnostics", "argparse"),
}
"""Modules of each stage; a package includes all its modules, and the longest matching name wins."""

START, IMPORTS, OTHER = "start", "imports", "other"
"""Before the first line of Python; while the bodies of modules run; in none of the modules above."""


def stage_of(module: str) -> str | None:
    """The stage of a module; None for a module whose time counts for its caller."""
    if module.startswith("importlib."):
        return IMPORTS
    while module:
        if stage := _STAGE_OF.get(module):
            return stage
        module = module.rpartition(".")[0]
    return None


_STAGE_OF = {module: stage for stage, modules in STAGES.items() for module in modules}
