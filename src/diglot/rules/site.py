"""The rules of all tasks: the modules that declare them, and the code whose change runs them again.

The modules are imported when the first task runs, so that a build with nothing to do imports none.
"""

from collections.abc import Mapping
from importlib import import_module

from diglot.engine import Key, LateRules, Rule
from diglot.rules.code import code_digest

SITE = Key("site")
"""The task of a whole build: `rules.outputs.list_outputs`."""

_BASE = (
    "diagnostics.py",
    "digests.py",
    "exploration.py",
    "figure_request.py",
    "languages.py",
    "rules",
    "strict_yaml",
)
_RENDERING = (
    "render",
    "expressions",
    "content/records.py",
    "figures/chip_marks.py",
    "figures/frames",
    "figures/palette.py",
    "figures/records.py",
    "listings.py",
    "project.py",
    "services.py",
    "site_map.py",
    "spelling/settings.py",
    "which_pages.py",
)
_OF_CHIPS = ("catalogue_sheets", "chip_marks", "chip_sheets", "chips", "custom_chips")
_CHIPS = (
    *(f"hardware/chips/{one}.py" for one in ("catalogue", "chip", "loading", "notes", "schema", "units")),
    *(f"hardware/data/{one}" for one in ("accelerators.yaml", "located_yaml.py", "tables.py")),
)
_CODE: Mapping[str, tuple[str, ...]] = {
    "sources": (),
    "file_names": ("content/front_matter.py",),
    "files": (),
    "pictures": ("project.py", "render/assets.py"),
    "halves": (
        "content",
        "expressions/parsing.py",
        "ignore_comments.py",
        "render/captions.py",
        "render/parts.py",
    ),
    "formulas": ("render/formula_font.py",),
    "articles": ("content",),
    "terms": ("content/terms.py",),
    "agreement": ("content", "quantities"),
    "figure_words": ("content", "figures/records.py", "quantities"),
    "typed_numbers": ("content", "expressions", "quantities", "render/values.py"),
    "guarding": (),
    "staleness": ("content/records.py", "content/sequences.py", "render/materials.py", "staleness"),
    "uses": (),
    "chips": (*(f"figures/{one}.py" for one in _OF_CHIPS), *_CHIPS),
    "figures": ("expressions", "figures"),
    "frames": _RENDERING,
    "projects": ("editors.py", "output_paths.py", "project.py", "services.py"),
    "summaries": _RENDERING,
    "keywords": ("content/keywords.py", "relatedness.py"),
    "neighbours": (*_RENDERING, "relatedness.py"),
    "theme": _RENDERING,
    "words": _RENDERING,
    "references": _RENDERING,
    "navigation": _RENDERING,
    "page_contexts": _RENDERING,
    "pages": (*_RENDERING, "content/first_uses.py", "content/terms.py"),
    "feeds": _RENDERING,
    "relative": ("project.py", "render/files.js", "render/relative_pages.py"),
    "compressing": (),
    "small_files": _RENDERING,
    "markdown_twins": (*_RENDERING, "content", "spelling", "traditional"),
    "cards": (*_RENDERING, "figures"),
    "hardware": (*_RENDERING, "figures"),
    "gallery": (*_RENDERING, "content"),
    "talk_lists": _RENDERING,
    "glossary": (*_RENDERING, "content"),
    "talks": (*_RENDERING, "content/slides.py"),
    "search": ("search",),
    "spelling": ("project.py", "spelling/settings.py", "traditional/exceptions.py"),
    "traditional": ("project.py", "site_map.py", "spelling", "traditional"),
    "traditional_pictures": (*_RENDERING, "figures", "spelling"),
    "values": (*_RENDERING, "comparing", "content"),
    "origins": ("figures/records.py", "figures/scripts/origins.py", "figures/scripts/value_parts.py"),
    "outputs": _RENDERING,
}
"""Modules of this package that declare tasks, each with the parts of diglot that make their values.
`_BASE` counts for all of them."""


def site_rules() -> LateRules:
    """The rules of every kind of task."""
    codes = {module: code_digest(*_BASE, *parts) for module, parts in _CODE.items()}
    return LateRules(codes, lambda: _load(codes))


def _load(codes: Mapping[str, str]) -> Mapping[str, Rule]:
    from diglot.rules.tasks import Task  # noqa: PLC0415  (imported only when the first task runs)

    return {
        one.kind: one.rule(code)
        for module, code in codes.items()
        for one in vars(import_module(f"diglot.rules.{module}")).values()
        if isinstance(one, Task) and one.module == f"diglot.rules.{module}"
    }
