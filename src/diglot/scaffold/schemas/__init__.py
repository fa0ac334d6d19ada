"""JSON Schemas of the files that authors write, by which an editor completes keys and marks mistakes.

The keys, their types and which are required come from running the readers themselves (`asking`); `notes` adds
what an editor shows next to a key. The schema of chips comes from their own reader.
"""

from collections.abc import Callable, Mapping
from typing import Any, Literal, get_args

from diglot.content.front_matter import read_front_matter
from diglot.content.mistakes import Mistakes
from diglot.hardware.chips.json_schema import chips_schema
from diglot.project import read_project
from diglot.scaffold.schemas.asking import BILINGUAL, AskedFields, schema_of
from diglot.scaffold.schemas.notes import FRONT_MATTER, SITE

Kind = Literal["site", "front-matter", "meta", "chips"]
KINDS: tuple[Kind, ...] = get_args(Kind)

_DIALECT = "http://json-schema.org/draft-07/schema#"


def find_schema(kind: Kind) -> dict[str, Any]:
    """A schema as a JSON value."""
    make: Mapping[Kind, Callable[[], dict[str, Any]]] = {
        "site": _site,
        "front-matter": _front_matter,
        "meta": _meta,
        "chips": chips_schema,
    }
    return {"$schema": _DIALECT, **make[kind]()}


def _site() -> dict[str, Any]:
    fields = AskedFields()
    read_project(fields)
    return {"title": "site.yaml of a diglot site", **schema_of(fields, SITE)}


def _front_matter() -> dict[str, Any]:
    fields = AskedFields()
    read_front_matter(fields, None, "zh", Mistakes("", []))
    schema = schema_of(fields, FRONT_MATTER)
    del schema["required"]  # title and date may be in `meta.yaml`
    return {"title": "Front matter of one half of a diglot article", **schema}


def _meta() -> dict[str, Any]:
    own, shared = AskedFields(is_empty=True), AskedFields()
    read_front_matter(own, shared, "zh", Mistakes("", []))
    schema = schema_of(shared, FRONT_MATTER)
    del schema["required"]  # they may be in the halves
    for key in ("title", "description", "event"):
        schema["properties"][key] |= BILINGUAL
    return {"title": "meta.yaml of a diglot article: the front matter that both halves share", **schema}
