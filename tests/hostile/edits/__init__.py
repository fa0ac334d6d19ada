"""All kinds of edits: the public functions of these modules. Each does what a person or a tool may do."""

from collections.abc import Iterator
from inspect import isfunction
from types import ModuleType

from tests.hostile.edits import (
    articles,
    bodies,
    configuration,
    figures,
    front,
    misnamed,
    pictures,
    sections,
    shown,
    static,
    surroundings,
    theme,
    tools,
    turned,
)
from tests.hostile.edits.project import Kind


def kinds_of(*modules: ModuleType) -> Iterator[tuple[str, Kind]]:
    """Yield the kinds of edits in some modules, by names such as `front: set_a_slug`."""
    for module in modules:
        for name, value in vars(module).items():
            if isfunction(value) and value.__module__ == module.__name__ and not name.startswith("_"):
                yield f"{module.__name__.rpartition('.')[2]}: {name}", value


OF_FILES = (
    *(bodies, pictures, shown, front, articles, sections, figures, misnamed),
    *(configuration, static, theme, tools, turned),
)
"""Modules whose edits change only files, so that a preview may run meanwhile."""
KINDS = dict(kinds_of(*OF_FILES, surroundings))

AFTER = {
    "articles: edit_outside": "articles: link_an_article_to_a_folder_outside",
    "bodies: change_a_file_beside": "bodies: link_to_a_file_beside",
    "figures: change_what_a_library_reads": "figures: read_with_a_library",
    "figures: remove_data": "figures: add_data",
    "figures: remove_from_the_library": "figures: change_the_library",
    "figures: remove_the_optional_module": "figures: add_an_optional_module",
    "front: forget_an_update": "front: update_an_article",
    "front: remove_aliases": "front: add_an_alias",
    "front: take_a_description_out": "front: describe_an_article",
    "front: take_a_slug_out": "front: set_a_slug",
    "front: take_out_of_a_series": "front: put_into_a_series",
    "misnamed: remove_the_files_with_nearly_right_names": "misnamed: add_a_file_with_a_nearly_right_name",
    "sections: remove_a_page": "sections: write_a_page",
    "sections: remove_what_other_layouts_have": "sections: write_in_another_layout",
    "shown: break_the_script_in_the_post": "shown: write_a_script_in_the_post",
    "shown: change_the_script_in_the_post": "shown: write_a_script_in_the_post",
    "shown: move_the_script_from_the_post_into_a_file": "shown: write_a_script_in_the_post",
    "shown: move_the_script_in_the_post": "shown: write_a_script_in_the_post",
    "shown: take_the_script_out_of_the_post": "shown: write_a_script_in_the_post",
    "theme: change_an_included_template": "theme: include_a_template_of_its_own",
    "theme: mend_the_encoding": "theme: style_in_another_encoding",
    "theme: remove_an_asset": "theme: add_an_asset",
    "theme: remove_an_included_template": "theme: include_a_template_of_its_own",
    "theme: take_style_sheets_out_of_the_circle": "theme: import_style_sheets_in_a_circle",
    "tools: put_a_file_in_place_of_a_link": "tools: link_instead_of_a_file",
    "tools: remove_what_editors_left": "tools: leave_what_editors_leave",
    "tools: rename_a_file_back": "tools: rename_a_file_away",
    "turned: change_a_talk": "turned: write_a_talk",
    "turned: change_what_is_turned": "turned: let_readers_turn_a_figure",
    "turned: remove_a_talk": "turned: write_a_talk",
}
"""Kinds that change or undo the result of another kind, with that other kind."""
