"""Files for translators in the format XLIFF 2.0, which their programs read.

Units hold Markdown. Digests of both texts are metadata of a unit; programs keep what they do not know.
"""

from collections.abc import Iterator
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

from diglot.diagnostics import Diagnostic, DiagnosticError, Location
from diglot.languages import HTML_LANG, LANGUAGES, Language
from diglot.plain_xml import XmlMistake, parse_xml
from diglot.staleness.translations import Translation, TranslationFile

_XLIFF = "urn:oasis:names:tc:xliff:document:2.0"
_MDA = "urn:oasis:names:tc:xliff:metadata:2.0"
_X, _M = f"{{{_XLIFF}}}", f"{{{_MDA}}}"
_SPACE = "{http://www.w3.org/XML/1998/namespace}space"
_CATEGORY = "diglot"
_DONE = frozenset(("translated", "reviewed", "final"))
_HINT = (
    "The texts are Markdown. Leave {…} with the code after it, keys after @, formulas between $ "
    "and addresses of links as they are; translate the words around them."
)


def write_xliff(file: TranslationFile) -> bytes:
    """The file."""
    ElementTree.register_namespace("", _XLIFF)
    ElementTree.register_namespace("mda", _MDA)
    root = Element(
        f"{_X}xliff",
        {
            "version": "2.0",
            "srcLang": HTML_LANG[file.source_language],
            "trgLang": HTML_LANG[file.target_language],
        },
    )
    body = SubElement(root, f"{_X}file", {"id": "f1", "original": file.source_path, _SPACE: "preserve"})
    _describe(body, article=file.article, source=file.source_path, target=file.target_path)
    SubElement(SubElement(body, f"{_X}notes"), f"{_X}note").text = _HINT
    for number, one in enumerate(file.translations, 1):
        unit = SubElement(body, f"{_X}unit", {"id": f"u{number}", "name": one.id, "canResegment": "no"})
        _describe(unit, source=one.source_digest, target=one.target_digest or "none")
        if one.note:
            note = SubElement(SubElement(unit, f"{_X}notes"), f"{_X}note", {"category": "changed"})
            note.text = one.note
        segment = SubElement(unit, f"{_X}segment", {"state": "initial"})
        SubElement(segment, f"{_X}source").text = one.source
        if one.target:
            SubElement(segment, f"{_X}target").text = one.target
    ElementTree.indent(root)
    text: bytes = ElementTree.tostring(root, encoding="utf-8", xml_declaration=True)
    return text + b"\n"


def _describe(element: Element, **values: str) -> None:
    group = SubElement(SubElement(element, f"{_M}metadata"), f"{_M}metaGroup", {"category": _CATEGORY})
    for name, value in values.items():
        SubElement(group, f"{_M}meta", {"type": name}).text = value


def read_xliff(content: bytes, path: str) -> TranslationFile:
    """A file that `write_xliff` wrote and a translator filled in. Raises DiagnosticError for any other."""
    try:
        root = parse_xml(content)
    except XmlMistake as error:
        raise _mistake(path, f"this is not XML ({error})") from error
    body = root.find(f"{_X}file")
    known = {} if body is None else _described(body)
    source: Language | None = next((one for one in LANGUAGES if HTML_LANG[one] == root.get("srcLang")), None)
    if body is None or source is None or not {"article", "source", "target"} <= known.keys():
        raise _mistake(path, "this is no file that `diglot status --export xliff` wrote")
    return TranslationFile(
        article=known["article"],
        source_language=source,
        source_path=known["source"],
        target_path=known["target"],
        translations=tuple(_translations(body, path)),
    )


def _translations(body: Element, path: str) -> Iterator[Translation]:
    for unit in body.iter(f"{_X}unit"):
        name, known = unit.get("name"), _described(unit)
        if not name or not {"source", "target"} <= known.keys():
            raise _mistake(path, f'the unit "{name or unit.get("id")}" has lost its metadata')
        segments = unit.findall(f"{_X}segment")
        yield Translation(
            id=name,
            source_digest=known["source"],
            target_digest=known["target"].removesuffix("none"),
            source=_text(unit, "source"),
            target=_text(unit, "target"),
            confirmed=bool(segments) and all(one.get("state") in _DONE for one in segments),
        )


def _text(unit: Element, name: str) -> str:
    """The texts of a unit's segments, and of what is between them."""
    parts = (one.find(f"{_X}{name}") for one in unit if one.tag in (f"{_X}segment", f"{_X}ignorable"))
    return "".join("".join(part.itertext()) for part in parts if part is not None)


def _described(element: Element) -> dict[str, str]:
    groups = element.findall(f"{_M}metadata/{_M}metaGroup")
    return {
        meta.get("type", ""): (meta.text or "").strip()
        for group in groups
        if group.get("category") == _CATEGORY
        for meta in group
    }


def _mistake(path: str, message: str) -> DiagnosticError:
    fix = "export it again, and let the translator's program save it as XLIFF 2.0."
    return DiagnosticError(
        Diagnostic(rule="translation-form", message=message, location=Location(path=path), fix=fix)
    )
