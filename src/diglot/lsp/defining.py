"""Where an editor goes from what is under the cursor."""

import posixpath
import re
from collections.abc import Iterable
from urllib.parse import unquote

from lsprotocol.types import Location

from diglot.diagnostics import DiagnosticError
from diglot.figure_request import FigureRequest
from diglot.figures.scripts.origins import read_origins
from diglot.lsp.asked import Asked
from diglot.lsp.hovering import chip_named
from diglot.lsp.labels import LabelAt, definition_of, label_at, linked_article
from diglot.lsp.marks import Mark
from diglot.lsp.places import Text, location
from diglot.lsp.value_paths import ValuePath, path_at
from diglot.lsp.yaml_keys import ITEM, place_at
from diglot.rules.chips import FOLDER as CHIPS
from diglot.strict_yaml import read_mapping

_COMPUTE = re.compile(r"(?m)^def compute\b")
_CHIP = re.compile(r"(?:^|/)hardware/(?P<slug>[\w-]+)")
_TERMS = ("tags", "categories", "series", "authors")


def define(asked: Asked) -> list[Location]:
    """The places that give what is under the cursor; none where they are not known."""
    if asked.is_yaml:
        return [*_of_term(asked)]
    mark = asked.mark
    if mark is None:
        return []
    if mark.kind == "value":
        at = path_at(mark.text, asked.offset - mark.start, asked.path)
        return [] if at is None else [*_of_value(asked, at)]
    if mark.kind == "figure":
        return [*_of_script(asked, mark.text)]
    if mark.kind == "control" and "." in mark.text:
        return [*_of_script(asked, mark.text.partition(".")[0])]
    if mark.kind == "citation":
        entry = asked.known.works.get(mark.text)
        return [location(asked.root, entry.path, entry.line)] if entry is not None and entry.path else []
    label = label_at(asked.known, asked.path, mark)
    if label is not None:
        return [*_of_label(asked, label)]
    return [*_of_link(asked, mark)]


def _of_script(asked: Asked, figure_id: str) -> Iterable[Location]:
    script = asked.known.scripts.get(figure_id)
    if script is not None:
        yield location(asked.root, script.path, script.first_line)


def _of_value(asked: Asked, at: ValuePath) -> Iterable[Location]:
    """The line of a script that gives a value, or that of the data file that the script reads it from."""
    if at.request.cells_path is not None:
        yield from _of_cell(asked, at)
        return
    script = asked.known.scripts.get(at.request.figure_id)
    if script is None:
        return
    source = script.source if script.source is not None else asked.read(script.path)
    if not at.keys:
        yield location(asked.root, script.path, script.first_line)
        return
    origin = read_origins(source, first_line=script.first_line).find(at.names)
    if origin is not None:
        yield location(asked.root, script.path, origin.line)
        return
    yield from _in_data(asked, at.request, at.names[-1])
    found = _COMPUTE.search(source)
    line = source.count("\n", 0, found.start()) if found is not None else 0
    yield location(asked.root, script.path, script.first_line + line)


def _in_data(asked: Asked, request: FigureRequest, name: str) -> Iterable[Location]:
    """Lines of the project's data files that have a name as a word."""
    computed = asked.known.figures.get(str(request))
    for path in computed.provenance if computed is not None else ():
        for number, line in enumerate(asked.read(path).split("\n"), start=1):
            if re.search(rf"(?<![\w]){re.escape(name)}(?![\w])", line):
                yield location(asked.root, path, number)
                break


def _of_cell(asked: Asked, at: ValuePath) -> Iterable[Location]:
    """The last line of the article's code cells that assigns a name."""
    document = asked.known.document_of(asked.half)
    if document is None or not at.keys:
        return
    assigned = re.compile(rf"\s*{re.escape(at.names[0])}\s*(?::[^=]+)?=(?!=)")
    lines = [
        cell.line + number
        for cell in document.cells
        for number, line in enumerate(cell.source.split("\n"))
        if assigned.match(line)
    ]
    if lines:
        yield location(asked.root, asked.path, lines[-1])


def _of_label(asked: Asked, label: LabelAt) -> Iterable[Location]:
    """Where a label is given in the half that is asked from, else in the other one."""
    places = []
    for use in definition_of(asked.known, label, asked.read):
        text = Text(asked.read(use.path), asked.text.encoding)
        start = text.position(use.start)
        place = location(asked.root, use.path, start.line + 1)
        place.range = text.range(use.start, use.end)
        half = asked.known.half_at(use.path)
        is_near = half is not None and asked.half is not None and half.language == asked.half.language
        places.append((is_near, place))
    near = [place for is_near, place in places if is_near]
    return near or [place for _, place in places]


def _of_link(asked: Asked, mark: Mark) -> Iterable[Location]:
    """The half of an article, the file of a chip, or another file of the project that a link leads to."""
    if mark.kind != "link" or asked.half is None:
        return
    target = unquote(mark.text.partition("#")[0])
    article = linked_article(asked.known, asked.path, asked.half, target)
    if article is not None:
        post = asked.known.posts.articles[article]
        path = post.half(asked.half.language) or post.half(post.languages[0])
        yield location(asked.root, path or asked.path)
        return
    chip = _CHIP.search(target)
    if chip is not None and (sheet := chip_named(asked.known.chips, chip["slug"])) is not None:
        for file in sorted((asked.root / CHIPS).glob("*.yaml")):
            if sheet.id in file.read_text("utf-8", "replace"):
                yield location(asked.root, file.relative_to(asked.root).as_posix())
        return
    inner = posixpath.normpath(posixpath.join(posixpath.dirname(asked.path), target))
    if "://" not in target and not inner.startswith("..") and (asked.root / inner).is_file():
        yield location(asked.root, inner)


def _of_term(asked: Asked) -> Iterable[Location]:
    """The entry of the configuration for a tag, category, series or author in front matter."""
    place = place_at(asked.lines, asked.position.line, asked.column)
    name = next((key for key in reversed(place.keys) if key and key != ITEM), "")
    words = (one for one in re.finditer(r"[\w-]+", asked.line) if one.start() <= asked.column <= one.end())
    word = next(words, None)
    if not place.in_value or name not in _TERMS or word is None:
        return
    try:
        lines = read_mapping(asked.read(asked.config), asked.config).lines
    except DiagnosticError:
        return
    if (line := lines.get((name, word[0]))) is not None:
        yield location(asked.root, asked.config, line)
