"""The message of a figure: its one sentence, in which values of the data are quoted in braces."""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from diglot.diagnostics import Diagnostic, Location, did_you_mean
from diglot.expressions.figure_values import reached
from diglot.expressions.mistakes import ValueMistake, no_such_value, shortened
from diglot.expressions.texts import text_of
from diglot.figures.records import Script
from diglot.figures.scripts.failures import FigureFailed, line_with
from diglot.languages import Bilingual, Language

_PART = re.compile(r"\{\{|\}\}|\{([^{}]*)\}|[{}]")
_SPACE = re.compile(r"[ \t\r\n]+")  # a no-break space stays
_SYNTAX = "write a path into the data and a format, as in {h200.share | percent}."


def message_with(message: Mapping[str, str], data: bytes, script: Script, root: Path) -> Bilingual:
    """A script's MESSAGE with the values of its data, the canonical JSON of what `compute` returned.

    A value is written as in prose, without the figure's name: `{h200.share | percent}`; a brace as `{{`.
    Raises FigureFailed with the line of each value that does not exist or cannot be shown.
    """
    filling = _Filling(json.loads(data), script, root)
    texts = Bilingual(zh=filling.filled(message["zh"], "zh"), en=filling.filled(message["en"], "en"))
    if filling.mistakes:
        raise FigureFailed(filling.mistakes)
    return texts


class _Filling:
    def __init__(self, data: Any, script: Script, root: Path) -> None:
        named = data if isinstance(data, dict) else {}
        self._values = {name: reached(value, name) for name, value in named.items()}
        self._script, self._root = script, root
        self.mistakes: list[Diagnostic] = []

    def filled(self, text: str, language: Language) -> str:
        return _SPACE.sub(" ", _PART.sub(lambda found: self._part(found, language), text)).strip()

    def _part(self, found: re.Match[str], language: Language) -> str:
        if found[0] in ("{{", "}}"):
            return found[0][0]
        if found[1] is None:
            fix = "write {{ or }} for a brace that is part of the text."
            self._wrong(f"a `{found[0]}` has no counterpart", fix, language, at="MESSAGE")
            return ""
        try:
            return text_of(found[1].strip(), self._values, language, unknown=self._unknown, syntax=_SYNTAX)
        except ValueMistake as problem:
            self._wrong(problem.message, problem.fix, language, at=found[0])
            return ""

    def _unknown(self, name: str) -> ValueMistake:
        return no_such_value(
            f'the data has no value named "{shortened(name)}"', did_you_mean(name, self._values)
        )

    def _wrong(self, message: str, fix: str, language: Language, *, at: str) -> None:
        place = ("MESSAGE", f'"{language}"')
        line, source = line_with(at, self._script, self._root, within=place)
        if line is None:  # the text is put together by the script
            line, source = line_with("MESSAGE", self._script, self._root)
        self.mistakes.append(
            Diagnostic(
                rule="figure-message",
                message=f'figure "{self._script.figure_id}": MESSAGE["{language}"]: {message}',
                location=Location(path=self._script.path, line=line),
                source_line=source,
                fix=fix,
            )
        )
