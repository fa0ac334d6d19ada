"""The contract of figure scripts: checked before any part is called, reporting all mistakes at once."""

import functools
import inspect
import linecache
import re
import types
import typing
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain
from types import ModuleType
from typing import Any

import msgspec

from diglot.characters import code_of, forbidden_in
from diglot.diagnostics import Diagnostic, DiagnosticError, Location, did_you_mean, nearest
from diglot.figures.records import PAGE_SIZES, Script, Size, Table
from diglot.figures.scripts.columns import DeclaredColumn, read_columns
from diglot.figures.scripts.forms import Form
from diglot.figures.scripts.kinds import kind_of
from diglot.figures.scripts.parameters import Parameter, Range, text_of
from diglot.languages import LANGUAGES

PARTS = {"compute": None, "draw": ("figure", "data", "t"), "describe": ("data", "t"), "table": ("data", "t")}
"""The functions of a script and their arguments; None for `compute`, which defines its own parameters."""

Labels = Mapping[str, Mapping[str, str]]
"""What readers call parameters and their values, in both languages."""
_LABELS = 'LABELS = {"dtype": {"zh": "精度", "en": "Precision"}, "dtype=fp8": {"zh": "8位", "en": "8-bit"}}'
"""What a mistake in them shows."""


class FigureScript(msgspec.Struct, frozen=True, kw_only=True):
    """The parts of a script that meets the contract, as far as can be checked without calling it."""

    title: Mapping[str, str]
    message: Mapping[str, str]
    """In both languages, with values in braces; empty if the script gives none."""
    compute: Callable[..., Any]
    draw: Callable[..., Any] | None
    describe: Callable[..., Any] | None
    table: Callable[..., Any] | None
    parameters: tuple[Parameter, ...]
    sizes: tuple[Size, ...]
    form: Form | None = None
    """What readers can ask for, and the function that answers."""
    answer: Callable[..., Any] | None = None
    labels: Labels = {}
    columns: Mapping[str, DeclaredColumn] = {}
    warnings: tuple[Diagnostic, ...] = ()
    not_drawable: tuple[Diagnostic, ...] = ()
    """Why it cannot be drawn, although it can be computed, so that mistakes in its data are found as well."""


def read_contract(module: ModuleType, script: Script) -> FigureScript:
    """The parts of a script, from its loaded module.

    Raises DiagnosticError with one diagnostic for each missing or invalid part, unless it can be computed.
    """
    if _is_sketch(module):
        return _read_sketch(module, script)
    reader = _Reader(module, script)
    reader.refuse_notebook()
    parameters = reader.parameters()
    answer = reader.answer(parameters)
    found = FigureScript(
        title=reader.title(),
        message=reader.message(),
        compute=reader.part("compute") or (lambda: None),
        draw=reader.part("draw"),
        describe=reader.part("describe"),
        table=reader.part("table"),
        parameters=parameters,
        sizes=reader.sizes(),
        form=getattr(module, "FORM", None) if answer is not None else None,
        answer=answer,
        labels=reader.labels(parameters),
        columns=reader.columns(),
    )
    can_be_computed = not reader.mistakes
    draw = getattr(module, "draw", None)
    if draw is not None and not hasattr(module, "describe"):
        reader.wrong(
            "figure-describe",
            "the script has `draw` but no `describe`, so readers who cannot see the figure get nothing",
            fix="add `def describe(data, t) -> str` that returns a sentence or two on what the figure shows.",
            at=draw,
        )
    if not can_be_computed:
        raise DiagnosticError(*reader.mistakes)
    return msgspec.structs.replace(found, not_drawable=tuple(reader.mistakes))


_SHOWS = re.compile(r"\b(?:plt|pyplot|fig|figure)\.(?:show|savefig)\(")
"""What code of a notebook ends with."""


def _is_sketch(module: ModuleType) -> bool:
    """Whether a script only draws: the first that people write."""
    functions = [name for name, value in vars(module).items() if inspect.isfunction(value)]
    has_parts = any(hasattr(module, name) for name in ("compute", "table", "FORM"))
    return "draw" in functions and not has_parts and nearest("compute", functions) is None


def _read_sketch(module: ModuleType, script: Script) -> FigureScript:
    """The parts of a script that only draws; its title and description say no more than its name."""
    reader = _Reader(module, script)
    name = script.figure_id.replace("_", " ")
    has_title, has_description = hasattr(module, "TITLE"), hasattr(module, "describe")
    found = FigureScript(
        title=reader.title() if has_title else dict.fromkeys(LANGUAGES, f"{name[0].upper()}{name[1:]}"),
        message=reader.message(),
        compute=dict,
        draw=reader.drawing(),
        describe=reader.part("describe") if has_description else _describe_by_name(name),
        table=None,
        parameters=(),
        sizes=reader.sizes(),
        labels=reader.labels(()),
        columns=reader.columns(),
    )
    if reader.mistakes:
        raise DiagnosticError(*reader.mistakes)
    lacking = [] if has_title else [_in_both("TITLE")]
    lacking += [] if has_description else ["`def describe(data, t) -> str`, which tells what it shows"]
    reader.wrong(
        "figure-sketch",
        "the script only draws, so prose can take no numbers from it"
        + (", and readers who cannot see it learn only its name" if not has_description else ""),
        fix=f"add {', '.join([*lacking, '`def compute() -> dict`, which returns its numbers'])}.",
        at=found.draw,
    )
    warnings = (msgspec.structs.replace(one, severity="warning") for one in reader.mistakes)
    return msgspec.structs.replace(found, warnings=tuple(warnings))


def _describe_by_name(name: str) -> Callable[..., str]:
    def describe(_data: object, t: Callable[..., str]) -> str:
        return t(zh=f"图：{name}。", en=f"A drawing: {name}.")

    return describe


class _Reader:
    def __init__(self, module: ModuleType, script: Script) -> None:
        self._module = module
        self._script = script
        self.mistakes: list[Diagnostic] = []

    def wrong(self, rule: str, message: str, *, fix: str, at: object = None, name: str = "") -> None:
        """Report a mistake at a function, or at the line that gives a name its value."""
        line = self._line_of(name) if name else None
        if isinstance(at, types.FunctionType):
            line = at.__code__.co_firstlineno
        location = Location(path=self._script.path, line=line or self._script.first_line)
        source = linecache.getline(self._module.__file__ or "", line).rstrip() if line else None
        self.mistakes.append(
            Diagnostic(rule=rule, message=message, location=location, source_line=source or None, fix=fix)
        )

    def _line_of(self, name: str) -> int | None:
        lines = linecache.getlines(self._module.__file__ or "")
        after = range(self._script.first_line - 1, len(lines))
        return next((at + 1 for at in after if re.match(rf"{name}\s*[:=]", lines[at])), None)

    def refuse_notebook(self) -> None:
        """Raise DiagnosticError for code that was copied from a notebook: one mistake instead of several."""
        if any(hasattr(self._module, name) for name in ("TITLE", "compute", "draw")):
            return
        lines = enumerate(linecache.getlines(self._module.__file__ or ""), 1)
        own = (number for number, text in lines if number >= self._script.first_line and _SHOWS.search(text))
        line = next(own, None)
        if line is None:
            return
        source = linecache.getline(self._module.__file__ or "", line).rstrip()
        mistake = Diagnostic(
            rule="figure-compute",
            message="this is the code of a notebook, which shows its picture itself",
            location=Location(path=self._script.path, line=line),
            source_line=source,
            fix="put it into an article between ```{code-cell} python and ```, where it runs as it is; "
            "or write TITLE, `compute()` that returns numbers, `draw(figure, data, t)`, `describe(data, t)`.",
        )
        raise DiagnosticError(mistake)

    def title(self) -> Mapping[str, str]:
        if getattr(self._module, "TITLE", None) is None:
            self.wrong("figure-title", "the script has no TITLE", fix=f"write {_in_both('TITLE')}.")
            return {}
        return self._texts("TITLE", "figure-title")

    def message(self) -> Mapping[str, str]:
        if getattr(self._module, "MESSAGE", None) is None:
            return {}
        return self._texts("MESSAGE", "figure-message")

    def _texts(self, name: str, rule: str) -> Mapping[str, str]:
        """A mapping with a text in both languages."""
        texts = getattr(self._module, name)
        fix = f"write {_in_both(name)}."
        if not isinstance(texts, Mapping):
            self.wrong(rule, f"{name} is {kind_of(texts)}, not a mapping", fix=fix, name=name)
            return {}
        for language in LANGUAGES:
            text = texts.get(language)
            if not isinstance(text, str) or not text.strip():
                self.wrong(rule, f'{name} has no text in "{language}"', fix=fix, name=name)
            elif (character := forbidden_in(text)) is not None:
                message = f'{name}["{language}"] contains the character {code_of(character)}'
                self.wrong(
                    "character-forbidden", message, fix="delete it: it is not allowed on pages.", name=name
                )
        return texts

    def part(self, name: str) -> Callable[..., Any] | None:
        part: Callable[..., Any] | None = getattr(self._module, name, None)
        if part is None or getattr(part, "__module__", "").startswith("diglot."):
            if name == "compute":
                near = nearest(name, (k for k, v in vars(self._module).items() if inspect.isfunction(v)))
                fix = "write `def compute() -> dict` that returns the figure's numbers"
                self.wrong(
                    "figure-compute",
                    "the script has no `compute`",
                    fix=f"{fix}; is it `{near}`?" if near else f"{fix}.",
                )
            return None
        wanted = PARTS[name]
        call = f"{name}({', '.join(wanted)})" if wanted else "compute(…)"
        if not callable(part):
            self.wrong(
                f"figure-{name}",
                f"`{name}` is {kind_of(part)}, not a function",
                fix=f"write `def {call}`.",
            )
            return None
        if (kind := _kind_of_result(part)) is not None:
            what, fix = kind
            self.wrong(f"figure-{name}", f"`{name}` {what}", fix=f"write `def {call}` {fix}", at=part)
            return None
        if wanted is not None:
            try:
                inspect.signature(part).bind(*wanted)
            except (TypeError, ValueError):
                got = str(inspect.signature(part))
                self.wrong(
                    f"figure-{name}",
                    f"`{name}{got}` cannot be called as `{call}`",
                    fix=f"write `def {call}`.",
                    at=part,
                )
                return None
        return part

    def drawing(self) -> Callable[..., Any] | None:
        """`draw` of a script that only draws, which may take the figure alone."""
        draw = self._module.draw
        try:
            inspect.signature(draw).bind("figure")
        except TypeError:
            return self.part("draw")
        if (kind := _kind_of_result(draw)) is not None:
            what, fix = kind
            self.wrong("figure-draw", f"`draw` {what}", fix=f"write `def draw(figure)` {fix}", at=draw)
            return None

        @functools.wraps(draw)
        def draw_alone(figure: object, _data: object, _t: object) -> Any:
            return draw(figure)

        return draw_alone

    def answer(self, parameters: tuple[Parameter, ...]) -> Callable[..., Any] | None:
        """The function that answers a form, which takes its fields and any parameters of `compute`."""
        form, answer = getattr(self._module, "FORM", None), getattr(self._module, "answer", None)
        if form is None:
            return None
        fix = "write FORM = Form(fields=…, answers=…, presets=…) and `def answer(…)` that takes the fields."
        if not isinstance(form, Form):
            self.wrong("figure-form", f"FORM is {kind_of(form)}, not a Form", fix=fix, name="FORM")
            return None
        if not inspect.isfunction(answer):
            self.wrong("figure-form", "the script has a FORM but no `answer`", fix=fix, name="FORM")
            return None
        takes = set(inspect.signature(answer).parameters)
        known = {*form.fields, *(one.name for one in parameters)}
        if takes - known or set(form.fields) - takes:
            call = f"answer({', '.join(form.fields)})"
            self.wrong(
                "figure-form",
                f"`answer{inspect.signature(answer)}` cannot be called as `{call}`",
                fix=f"write `def {call}`; it may also take parameters of `compute`.",
                at=answer,
            )
            return None
        return answer

    def parameters(self) -> tuple[Parameter, ...]:
        compute = getattr(self._module, "compute", None)
        if not inspect.isfunction(compute):
            return ()
        try:
            hints = typing.get_type_hints(compute, include_extras=True)
        except Exception as error:
            self.wrong(
                "figure-parameter",
                f"the annotations of `compute` cannot be read: {error}",
                fix="import or correct the names in them.",
                at=compute,
            )
            return ()
        return tuple(
            read
            for name, parameter in inspect.signature(compute).parameters.items()
            if (read := self._parameter(name, parameter, hints.get(name), compute)) is not None
        )

    def _parameter(
        self, name: str, parameter: inspect.Parameter, hint: Any, compute: object
    ) -> Parameter | None:
        example = f'`{name}: Literal["a", "b"] = "a"` or `{name}: Annotated[int, Range(1, 8)] = 1`'
        if parameter.kind not in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY):
            message = f"`{parameter}` of `compute` is not a named parameter"
            self.wrong(
                "figure-parameter", message, fix=f"write each parameter by name, as in {example}.", at=compute
            )
            return None
        values: tuple[Any, ...] = ()
        range_: Range | None = None
        if hint is bool:
            values = (False, True)
        elif typing.get_origin(hint) is typing.Literal:
            values = typing.get_args(hint)
        elif typing.get_origin(hint) is typing.Annotated:
            range_ = next((one for one in hint.__metadata__ if isinstance(one, Range)), None)
            values = tuple(range_ or ())
        if any(isinstance(value, str) and forbidden_in(value) for value in values):
            message = (
                f"a value of the parameter `{name}` of `compute` contains a character that "
                "is not allowed on pages"
            )
            self.wrong("character-forbidden", message, fix="delete it: it is invisible.", at=compute)
            return None
        if not values:
            message = f"the parameter `{name}` of `compute` has no set of values to choose from"
            self.wrong("figure-parameter", message, fix=f"annotate it, as in {example}.", at=compute)
            return None
        if parameter.default is parameter.empty or parameter.default not in values:
            what = (
                "has no default"
                if parameter.default is parameter.empty
                else f"has the default {parameter.default!r}"
            )
            message = f"the parameter `{name}` of `compute` {what}, but the default must be one of its values"
            self.wrong(
                "figure-parameter",
                message,
                fix=f"choose one of {Parameter(name, values, None).known}.",
                at=compute,
            )
            return None
        return Parameter(name, values, parameter.default, range_)

    def labels(self, parameters: Sequence[Parameter]) -> Labels:
        labels = getattr(self._module, "LABELS", {})
        mistakes = [*_label_mistakes(labels, parameters)]
        for message, fix in mistakes:
            self.wrong("figure-label", message, fix=fix, name="LABELS")
        return {} if mistakes else labels

    def columns(self) -> Mapping[str, DeclaredColumn]:
        columns, mistakes = read_columns(getattr(self._module, "COLUMNS", {}))
        for message, fix in mistakes:
            self.wrong("figure-columns", message, fix=fix, name="COLUMNS")
        return columns

    def sizes(self) -> tuple[Size, ...]:
        sizes = getattr(self._module, "SIZES", ("narrow", "column"))
        known = ", ".join(PAGE_SIZES)
        if isinstance(sizes, str) or not isinstance(sizes, tuple | list):
            fix = f"write a tuple of some of {known}."
            self.wrong("figure-sizes", f"SIZES is {sizes!r}, not a tuple", fix=fix, name="SIZES")
            return ()
        if unknown := [size for size in sizes if size not in PAGE_SIZES]:
            for size in unknown:
                fix = did_you_mean(str(size), PAGE_SIZES)
                message = f'SIZES has "{size}", which is not a page size'
                self.wrong("figure-sizes", message, fix=fix, name="SIZES")
        elif not {"narrow", "column"} <= set(sizes):
            message = "SIZES must have both narrow (for phones) and column (for larger windows)"
            fix = 'write ("narrow", "column") or ("narrow", "column", "wide").'
            self.wrong("figure-sizes", message, fix=fix, name="SIZES")
        return tuple(size for size in PAGE_SIZES if size in sizes)


def _kind_of_result(part: Callable[..., Any]) -> tuple[str, str] | None:
    """Why calling a function does not give its result, and what to do; None if it does."""
    if inspect.iscoroutinefunction(part) or inspect.isasyncgenfunction(part):
        return (
            "is `async`, and nothing awaits it",
            "without `async`; for what it awaits, call asyncio.run(…).",
        )
    if inspect.isgeneratorfunction(part):
        return "has a `yield`, so that it returns no data", "with `return` instead of `yield`."
    return None


def _in_both(name: str) -> str:
    return f'{name} = {{"zh": "…", "en": "…"}}'


def check_described(described: object) -> str | None:
    """The error in the result of `describe`, as a message, or None if it is valid."""
    if not isinstance(described, str):
        return f"`describe` returned {kind_of(described)}, not text"
    if (character := forbidden_in(described)) is not None:
        return f"`describe` returned the character {code_of(character)}, which is not allowed on pages"
    return None if described.strip() else "`describe` returned an empty text"


def check_table(returned: object) -> str | None:
    """The error in the result of `table`, as a message, or None if it is valid."""
    if isinstance(returned, Table):
        for cell in chain(returned.columns, *returned.rows, *returned.raw):
            if (character := forbidden_in(cell)) is not None:
                return f"`table` contains the character {code_of(character)}, which is not allowed on pages"
        return None
    return f"`table` returned {kind_of(returned)}, not a Table"


def _label_mistakes(labels: Any, parameters: Sequence[Parameter]) -> Iterator[tuple[str, str]]:
    """Each mistake in `LABELS` as a message and how to mend it."""
    if not isinstance(labels, Mapping):
        yield f"LABELS is {kind_of(labels)}, not a mapping", f"write it as in {_LABELS}."
        return
    values = {parameter.name: [text_of(value) for value in parameter.values] for parameter in parameters}
    for key, texts in labels.items():
        name, is_of_value, value = str(key).partition("=")
        if name not in values:
            yield f'LABELS names "{name}", which is not a parameter of `compute`', did_you_mean(name, values)
        elif is_of_value and value not in values[name]:
            yield (
                f'LABELS names "{value}", which is not a value of `{name}`',
                did_you_mean(value, values[name]),
            )
        for language in LANGUAGES:
            text = texts.get(language) if isinstance(texts, Mapping) else None
            if not isinstance(text, str) or not text.strip():
                yield f'LABELS["{key}"] has no text in "{language}"', f"write it as in {_LABELS}."
            elif (character := forbidden_in(text)) is not None:
                message = f'LABELS["{key}"]["{language}"] contains the character {code_of(character)}'
                yield message, "delete it: it is not allowed on pages."
