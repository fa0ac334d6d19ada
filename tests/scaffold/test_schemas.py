"""The JSON Schemas say what the readers say: of every key, type and required value."""

import copy
import datetime
import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from diglot.cli import schema
from diglot.content.front_matter import KEYS, parse_front_matter, split_front_matter
from diglot.content.records import SharedText
from diglot.diagnostics import DiagnosticError
from diglot.hardware.chips.catalogue import Catalogue
from diglot.hardware.chips.loading import CatalogueError, load_catalogue, parse_catalogue
from diglot.hardware.chips.rows import CATALOGUE_PATH
from diglot.project import load_project
from diglot.scaffold.schemas import KINDS, Kind, find_schema
from diglot.scaffold.schemas.notes import FRONT_MATTER, SITE
from tests.docs.pages import AUTHORING, FIGURES, ROOT, examples, section
from tests.scaffold.conftest import Run

jsonschema = pytest.importorskip("jsonschema", reason="jsonschema is not installed")


class Plain(yaml.SafeLoader):
    """Reads YAML as editors do: a date is a text."""


Plain.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if not tag.endswith("timestamp")]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}


@cache
def validator(kind: Kind) -> Any:
    return jsonschema.Draft7Validator(find_schema(kind), format_checker=jsonschema.FormatChecker())


def mistakes(kind: Kind, value: object) -> list[str]:
    """What a schema finds wrong with a value."""
    return [f"{error.json_path}: {error.message[:200]}" for error in validator(kind).iter_errors(value)]


def read(text: str) -> Any:
    return yaml.load(text, Loader=Plain)


def written(value: object) -> str:
    """A value as YAML, by the C library where there is one: thousands of documents are written."""
    return yaml.dump(
        value, Dumper=getattr(yaml, "CSafeDumper", yaml.SafeDumper), allow_unicode=True, sort_keys=False
    )


SITE_EXAMPLE = read(examples(section(AUTHORING, "## site.yaml"), "yaml")[0].text)


@pytest.mark.parametrize("kind", KINDS)
def test_a_schema_is_one(kind: Kind, run: Run) -> None:
    jsonschema.Draft7Validator.check_schema(find_schema(kind))
    said = run("schema", kind)
    assert (said.code, said.err) == (0, "")
    assert json.loads(said.out) == find_schema(kind)


def test_the_kinds_of_the_command_are_those_there_are() -> None:
    assert schema.SCHEMAS == KINDS


def test_this_project_s_files_are_valid() -> None:
    assert mistakes("site", read((ROOT / "site/site.yaml").read_text("utf-8"))) == []
    posts = ROOT / "content/posts"
    assert list(posts.glob("*/meta.yaml"))
    for path in posts.glob("*/meta.yaml"):
        assert mistakes("meta", read(path.read_text("utf-8"))) == []
    for path in posts.glob("*/[ze][hn].md"):
        front = split_front_matter(path.read_text("utf-8"), "").yaml
        assert mistakes("front-matter", read(front or "") or {}) == []
    assert mistakes("chips", read(CATALOGUE_PATH.read_text("utf-8"))) == []


def test_the_examples_of_the_docs_are_valid() -> None:
    assert mistakes("site", SITE_EXAMPLE) == []
    (meta,) = examples(section(AUTHORING, "## A pair and its files"), "yaml")
    assert mistakes("meta", read(meta.text)) == []
    (chips,) = examples(section(FIGURES, "### Chips of your own"), "yaml")
    assert mistakes("chips", read(chips.text)) == []


def paths_in(schema: dict[str, Any], above: str = "") -> Iterator[str]:
    """The path of every key that a schema knows, as `authors.*.name`."""
    below = dict(schema.get("properties", {}))
    if isinstance(schema.get("additionalProperties"), dict):
        below["*"] = schema["additionalProperties"]
    for key, one in below.items():
        if key not in ("zh", "en"):
            yield f"{above}{key}"
        yield from paths_in(one, f"{above}{key}.")
        yield from paths_in(one.get("items", {}), f"{above}{key}[].")


def test_every_key_is_explained_and_no_other() -> None:
    site = set(paths_in(find_schema("site")))
    assert site - SITE.keys() == {"authors.*"}
    assert SITE.keys() <= site
    assert tuple(FRONT_MATTER) == KEYS
    assert set(paths_in(find_schema("front-matter"))) == set(KEYS)
    assert set(paths_in(find_schema("meta"))) == set(KEYS) - {"only", "translation_key"}


LACKING = object()
"""Stands for no value: the key is left out."""
VALUES: tuple[Any, ...] = (
    LACKING,
    *("text", "a-b", "", "https://example.org/x/", "/tags/", "2026-11-20", "en", "vscode", "title"),
    *("ada/blog", 0, 1, 2.5, 20_000_000, -1, True, [], ["a"], ["a", 1], [{}], {}, {"zh": "一"}),
    *({"zh": "一", "en": "One"}, {"x": "y"}, {"zh": 1, "en": "One"}, [["a"]]),
)
"""Of every type, and of the forms that the readers look for."""
FULL_SITE = {
    **SITE_EXAMPLE,
    "languages": {"first": "en"},
    "comments": {"giscus": {"repo": "a/b", "repo_id": "1", "category": "c", "category_id": "2"}},
    "analytics": {
        "plausible": {"domain": "example.org"},
        "goatcounter": {"endpoint": "https://a.goatcounter.com/count"},
        "umami": {"website_id": "c8a1f3f4-59f4-4d43-ba52-c7b4d9a5f7c3"},
    },
    "fallback": True,
    "gallery": True,
    "hardware": True,
    "ignore": [{"rule": "link-bare", "path": "content/**"}],
    "html": "safe",
    "deploy": {"branch": "x", "remote": "y", "cname": "example.org"},
}


def changed(document: Any, value: Any) -> Iterator[tuple[str, Any]]:
    """A document with a value in every place of it in turn, and with a key too many in every mapping."""
    keys = list(document) if isinstance(document, dict) else range(len(document))
    for key in keys:
        other = copy.copy(document)
        other[key] = value
        if value is LACKING:
            del other[key]
        yield f"{key}", other
        if isinstance(document[key], dict | list):
            for path, below in changed(document[key], value):
                other = copy.copy(document)
                other[key] = below
                yield f"{key}.{path}", other
    if isinstance(document, dict) and value is LACKING:
        yield "one more", {**document, "zz-unknown": 1}


FINER = (
    "is not a domain",
    "is not a repository",
    "is not an id",
    "cannot be part of",
    "is not the address",
    "is not a time zone",
    "is no place for",
)
"""What only the readers see: forms that no editor needs to check."""


def agree(kind: Kind, name: str, value: Any, said: str) -> None:
    """Check that a schema and a reader, which said this, think the same of a value."""
    found = mistakes(kind, value)
    if any(finer in said for finer in FINER):
        return
    assert bool(found) == bool(said), f"{name}: the schema says {found}, the reader {said!r}"


NEEDED_SITE = tuple(find_schema("site")["required"])


def test_a_full_site_and_each_of_its_keys_alone_are_right() -> None:
    assert (mistakes("site", FULL_SITE), told_of_site(FULL_SITE)) == ([], "")
    for key in FULL_SITE:
        alone = with_what_is_needed(FULL_SITE, key)
        assert (mistakes("site", alone), told_of_site(alone)) == ([], ""), key


@pytest.mark.parametrize("number", range(len(VALUES)))
def test_the_schema_of_a_site_agrees_with_its_reader(number: int) -> None:
    for name, document in changed(FULL_SITE, VALUES[number]):
        few = with_what_is_needed(document, name.partition(".")[0])
        agree("site", name, few, told_of_site(few))


def with_what_is_needed(document: dict[str, Any], *keys: str) -> dict[str, Any]:
    """These keys of a site and the required ones: to write and read all others takes most of the time."""
    return {key: value for key, value in document.items() if key in (*keys, *NEEDED_SITE, "zz-unknown")}


def told_of_site(document: object) -> str:
    try:
        load_project(written(document), "site.yaml")
    except DiagnosticError as error:
        return str(error)
    return ""


FRONT = {
    "title": "A",
    "date": "2026-11-20",
    "description": "B",
    "updated": "2026-11-21",
    "expires": "2027-01-01",
    "draft": True,
    "tags": ["a"],
    "categories": ["b"],
    "authors": ["c"],
    "aliases": ["/old/"],
    "only": "en",
    "slug": "d",
    "fallback": True,
    "translation_key": "e",
    "comments": False,
    "contents": False,
    "execute": "never",
    "series": "f",
    "part": 2,
    "params": {"x": 1},
}
OF_TALK = {"event": "A seminar", "article": "roofline"}


def as_front_matter(document: dict[str, Any]) -> str:
    dates = {
        key: datetime.date.fromisoformat(value) if value == FRONT.get(key) and key in DATES else value
        for key, value in document.items()
    }
    return written(dates)


DATES = ("date", "updated", "expires")


@pytest.mark.parametrize("number", range(len(VALUES)))
def test_the_schema_of_front_matter_agrees_with_its_reader(number: int) -> None:
    assert (*FRONT, *OF_TALK) == KEYS
    for name, document in changed({"title": "A", **OF_TALK}, VALUES[number]):
        if VALUES[number] is LACKING and name == "title":
            continue
        said = ""
        try:
            parse_front_matter(f"---\n{written(document)}---\n", "en.md", "en", is_talk=True)
        except DiagnosticError as error:
            said = "" if "is empty" in str(error) else str(error)
        agree("front-matter", name, document, said)
    for name, document in changed(FRONT, VALUES[number]):
        if name in DATES and VALUES[number] == "2026-11-20":
            continue  # in quotes it is a text for the reader; an editor does not see quotes
        if VALUES[number] is LACKING and name in ("title", "date"):
            continue  # they may be in meta.yaml
        said = ""
        try:
            parse_front_matter(f"---\n{as_front_matter(document)}---\n", "en.md", "en")
        except DiagnosticError as error:
            said = str(error)
        if "in a series can" in said:
            continue  # which one may be in meta.yaml
        if "cannot be an id" in said or "the alias" in said or "is empty" in said or "is repeated" in said:
            continue
        agree("front-matter", name, document, said)


def test_the_schema_of_shared_front_matter_wants_both_languages() -> None:
    for title in ("A", {"zh": "一"}, {"zh": "一", "en": "A"}):
        text = written({"title": title, "date": datetime.date(2026, 11, 20)})
        said = ""
        try:
            parse_front_matter("---\n---\n", "en.md", "en", SharedText(path="meta.yaml", text=text))
        except DiagnosticError as error:
            said = str(error)
        agree("meta", str(title), {"title": title, "date": "2026-11-20"}, said)
    assert mistakes("meta", {"only": "zh"})


CHIP = read(examples(section(FIGURES, "### Chips of your own"), "yaml")[0].text)
FULL_CHIP = copy.deepcopy(CHIP)
FULL_CHIP["chips"][0] |= {
    "architecture": "hopper",
    "clock": {"boost": {"value": 1.9, "unit": "GHz", "source": "sheet", "as_of": "2026"}},
    "tdp": {"value": 700, "unit": "W", "source": "sheet", "as_of": "2026"},
    "prices": [{"usd_per_chip_hour": 2, "source": "sheet", "region": "x", "sku": "y", "date": "2026-05-01"}],
    "mxu": {"total": 4, "rows": 128, "cols": 128, "source": "sheet"},
}


@pytest.mark.parametrize("value", [LACKING, "text", 0, 2.5, True, [], {}, [1]])
def test_the_schema_of_chips_agrees_with_its_reader(value: Any) -> None:
    base: Catalogue = load_catalogue(folder=None)
    for name, document in changed(FULL_CHIP, value):
        said = ""
        try:
            parse_catalogue(written(document), base=base)
        except CatalogueError as error:
            said = str(error)
        if "is not known; " in said or name == "sources" or "id" in name.split("."):
            continue  # which sources and ids there are is not in the schema
        agree("chips", name, document, said)


def test_the_settings_of_editors_name_files_that_are_there(run: Run, tmp_path: Path) -> None:
    run("init", "--empty")
    settings = json.loads((tmp_path / ".vscode/settings.json").read_text("utf-8"))
    for path in settings["yaml.schemas"]:
        kind = Path(path).stem
        assert json.loads((tmp_path / path).read_text("utf-8")) == find_schema(kind)  # type: ignore[arg-type]  # a file's name
