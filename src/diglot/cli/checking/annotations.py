"""Diagnostics for other programs: SARIF 2.1.0 for code scanning, annotations in GitHub's workflows."""

from collections.abc import Iterable
from urllib.parse import quote

from diglot import DOCS_URL, __version__
from diglot.diagnostics import Diagnostic

_HELP = f"{DOCS_URL}/authoring.md#diagnostics"
_OUTPUT = "(output)/"
"""How places on finished pages begin; there is no such file in the project."""


def sarif_report(diagnostics: Iterable[Diagnostic]) -> dict[str, object]:
    """The diagnostics as a log in the Static Analysis Results Interchange Format."""
    found = list(diagnostics)
    rules = sorted({one.rule for one in found})
    return {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "diglot",
                        "version": __version__,
                        "informationUri": DOCS_URL,
                        "rules": [{"id": rule, "helpUri": _HELP} for rule in rules],
                    }
                },
                "columnKind": "unicodeCodePoints",
                "originalUriBaseIds": {"PROJECT": {"description": {"text": "The project's folder"}}},
                "results": [_result(one, rules) for one in found],
            }
        ],
    }


def _result(one: Diagnostic, rules: list[str]) -> dict[str, object]:
    result: dict[str, object] = {
        "ruleId": one.rule,
        "ruleIndex": rules.index(one.rule),
        "level": one.severity,
        "message": {"text": _message(one)},
    }
    place = one.location
    if place is not None:
        physical: dict[str, object] = {"artifactLocation": {"uri": quote(place.path), "uriBaseId": "PROJECT"}}
        if place.line is not None:
            region: dict[str, object] = {"startLine": place.line}
            if place.column is not None:
                region["startColumn"] = place.column
            physical["region"] = region
        result["locations"] = [{"physicalLocation": physical}]
    return result


def github_annotations(diagnostics: Iterable[Diagnostic], folder: str = "") -> Iterable[str]:
    """The diagnostics as commands that GitHub shows next to the lines of a pull request.

    `folder` is the project's, from the root of the repository.
    """
    for one in diagnostics:
        place, at = one.location, ""
        if place is not None and not place.path.startswith(_OUTPUT):
            path = f"{folder}/{place.path}" if folder else place.path
            known = {"file": path, "line": place.line, "col": place.column}
            at = ",".join(
                f"{key}={_property(str(value))}" for key, value in known.items() if value is not None
            )
        title = f"title={_property(one.rule)}"
        yield f"::{one.severity} {at + ',' if at else ''}{title}::{_data(_message(one))}"


def _message(one: Diagnostic) -> str:
    place = one.location
    where = f"{place}: " if place is not None and place.path.startswith(_OUTPUT) else ""
    text = f"{where}{one.message}."
    return f"{text} Fix: {one.fix}" if one.fix else text


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
