"""Renders templates from given sources; mistakes in templates become diagnostics with file and line."""

import re
import sys
from collections.abc import Callable, Iterator, Mapping, MutableMapping, Sequence
from contextlib import contextmanager, suppress
from functools import cache, lru_cache, partial
from pathlib import Path
from types import TracebackType
from typing import Any

import jinja2
import msgspec
from jinja2 import (
    BaseLoader,
    BytecodeCache,
    Environment,
    StrictUndefined,
    TemplateNotFound,
    TemplateSyntaxError,
    Undefined,
    nodes,
    pass_context,
)
from jinja2.bccache import Bucket
from jinja2.compiler import CodeGenerator, Frame
from jinja2.exceptions import TemplateError, UndefinedError
from jinja2.nodes import Expr
from jinja2.runtime import Context, Macro
from jinja2.utils import Joiner
from jinja2.visitor import NodeTransformer
from markupsafe import Markup, escape
from msgspec.structs import replace

from diglot import DOCS_URL
from diglot.cache_files import make_folder, read_file, sealed, unsealed, write_file
from diglot.characters import code_of, forbidden_in
from diglot.diagnostics import Diagnostic, DiagnosticError, Location, did_you_mean
from diglot.digests import digest_of
from diglot.render.asset_addresses import AssetAddresses
from diglot.render.strings import Strings, WordMissing
from diglot.render.titles import title_html

THEMES_URL = f"{DOCS_URL}/themes.md"
"""The guide to themes, for messages about templates."""

BUILT_IN = "(built-in theme)/"
"""What the paths of the built-in theme's files begin with in diagnostics: a project has no such files."""

BUILT_IN_PREFIX = "diglot/"
"""What a template's name begins with to mean the built-in one, although a project has its own."""

MOST_STEPS = 10_000_000
"""Steps of loops, and calls of macros, for one page: some seconds."""
_STEPS_OF_A_MACRO, _STEPS_OF_AN_ITEM = 50, 10
"""How many steps a call of a macro takes, and an item that a filter makes, by the time that they take."""
_COUNTED, _TIMES, _POWER = "diglot_counted", "diglot_times", "diglot_power"
"""Names of the filters through which templates' loops, products and powers go."""
_ESCAPED = re.compile("[&<>\"']")


class TemplateSource(msgspec.Struct, frozen=True, kw_only=True):
    """The source of a template in a theme."""

    path: str
    """Path for diagnostics."""
    text: str


class _Sources(BaseLoader):
    """Gives each template its name as file name, so that tracebacks name the template."""

    def __init__(self, sources: Mapping[str, TemplateSource]) -> None:
        self._sources = sources

    def get_source(
        self, environment: Environment, template: str
    ) -> tuple[str, str | None, Callable[[], bool] | None]:
        if template not in self._sources:
            raise TemplateNotFound(template)
        return self._sources[template].text, template, lambda: True


class _Generator(CodeGenerator):
    """Compiles templates to escape values with `_Environment.escaped`."""

    def _output_child_pre(self, node: Expr, frame: Frame, finalize: Any) -> None:
        if frame.eval_ctx.autoescape and not frame.eval_ctx.volatile and finalize.src is None:
            self.write("environment.escaped(")
        else:
            super()._output_child_pre(node, frame, finalize)


class _ForbiddenText(TemplateSyntaxError):
    """A template would print a character that pages cannot have."""


class _TooManySteps(TemplateError):
    """A template hardly ends."""


class _Steps:
    """Counts what templates do for one page: nobody could see where a loop is that does not end."""

    def __init__(self) -> None:
        self.left = MOST_STEPS

    def begin(self) -> None:
        """Count for another page."""
        self.left = MOST_STEPS

    def take(self, count: int) -> None:
        """Count some steps. Raises _TooManySteps."""
        self.left -= count
        if self.left < 0:
            raise _TooManySteps(
                f"for one page, this takes more than {MOST_STEPS:,} steps of loops, macros and products"
            )

    @pass_context  # otherwise Jinja2 would call it once, when it compiles a loop over constants
    def counted(self, _context: Context, items: Any) -> Any:
        """What a loop goes through, with its items counted: all at once if their number is known."""
        try:
            count = len(items)
        except TypeError:
            return self._one_by_one(items)
        self.take(count)
        return items

    def _one_by_one(self, items: Any) -> Iterator[Any]:
        for item in items:
            self.take(_STEPS_OF_AN_ITEM)
            yield item

    @pass_context
    def times(self, _context: Context, left: Any, right: Any) -> Any:
        """A product, with the items counted where a text or a list is repeated."""
        for repeated, count in ((left, right), (right, left)):
            if isinstance(count, int) and isinstance(repeated, str | list | tuple):
                self.take(min(len(repeated) * max(count, 0), MOST_STEPS + 1))
        return left * right

    @pass_context
    def power(self, _context: Context, left: Any, right: Any) -> Any:
        """A power, with the bits counted where it is a whole number."""
        if isinstance(left, int) and isinstance(right, int):
            self.take(min(left.bit_length() * max(right, 0), MOST_STEPS + 1))
        return left**right

    def range(self, *bounds: int) -> range:
        """`range`, with its numbers counted, because filters can go through them, too."""
        numbers = range(*bounds)
        self.take(min(len(numbers), MOST_STEPS + 1))
        return numbers


class _UnknownName(UndefinedError):
    """A template uses a value that does not exist; `owner` is what it should have been in, or None."""

    def __init__(self, message: str, *, name: str, owner: object) -> None:
        super().__init__(message)
        self.name = name
        self.owner = owner


class _Undefined(StrictUndefined):
    """A value that does not exist. Its use raises an error that knows its name."""

    def __init__(self, hint: str | None = None, **known: Any) -> None:
        if hint is None:
            unknown = partial(_UnknownName, name=str(known.get("name")), owner=known.get("obj"))
            known["exc"] = unknown
        super().__init__(hint, **known)


_ASKED = frozenset({Strings, AssetAddresses, Joiner})
"""Types of what is called as it is: with no context, and without StopIteration."""


class _Counting(NodeTransformer):
    """Has the products and powers of a template counted."""

    def __init__(self, environment: Environment) -> None:
        self._environment = environment

    def visit_Mul(self, node: nodes.Mul) -> nodes.Node:
        """Replace a product."""
        return self._counted(node, _TIMES)

    def visit_Pow(self, node: nodes.Pow) -> nodes.Node:
        """Replace a power."""
        return self._counted(node, _POWER)

    def _counted(self, node: nodes.BinExpr, name: str) -> nodes.Node:
        self.generic_visit(node)
        counted = nodes.Filter(node.left, name, [node.right], [], None, None, lineno=node.lineno)
        return counted.set_environment(self._environment)


class _Context(Context):
    """Calls what templates ask sixty times for each page, without the checks that Jinja2 makes each time."""

    def call(self, called: Any, /, *arguments: Any, **named: Any) -> Any:
        if type(called) not in _ASKED:
            if type(called) is Macro:
                self.environment.steps.take(_STEPS_OF_A_MACRO)  # type: ignore[attr-defined]  # it is an _Environment
            return super().call(called, *arguments, **named)
        named.pop("_block_vars", None)  # Jinja2 passes these to every call
        named.pop("_loop_vars", None)
        return called(*arguments, **named)


@lru_cache(1024)  # most texts are on several pages: words, class names, languages, ids, addresses
def _escaped_text(text: str) -> str:
    return text if _ESCAPED.search(text) is None else escape(text)


class _Environment(Environment):
    if getattr(jinja2, "__version__", "").startswith("3.1."):
        # Both use private names of Jinja2; without them the output is the same, but slower.
        code_generator_class = _Generator
        context_class = _Context

    steps: _Steps

    def _generate(
        self, source: nodes.Template, name: str | None, filename: str | None, defer_init: bool = False
    ) -> str:
        """The code of a template, which counts the steps of its loops. Jinja2 lets this be overridden."""
        for output in source.find_all(nodes.Output):
            for part in output.nodes:
                printed = str(part.value) if isinstance(part, nodes.Const) else ""
                if (character := forbidden_in(printed)) is not None:
                    message = f"this prints the character {code_of(character)}, which pages cannot have"
                    raise _ForbiddenText(message, part.lineno, name, filename)
        for loop in source.find_all(nodes.For):
            items = nodes.Filter(loop.iter, _COUNTED, [], [], None, None, lineno=loop.iter.lineno)
            loop.iter = items.set_environment(self)
        return super()._generate(_Counting(self).visit(source), name, filename, defer_init)

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        """The names that every template knows. Jinja2 chains two dictionaries, and goes through both for each
        page and each import."""
        return {**self.globals, **(d or {})}

    @staticmethod
    def escaped(value: object) -> str:
        """Like `markupsafe.escape`, but creates no object for HTML or for text without special characters."""
        if type(value) is str:
            if len(value) > MOST_STEPS:  # made by a filter, such as `center`
                raise _TooManySteps(f"this is a text of more than {MOST_STEPS:,} characters")
            return _escaped_text(value)
        if type(value) is Markup:
            return value
        if callable(value) and not isinstance(value, Undefined | type):  # its text has its place in memory
            name = getattr(value, "__name__", type(value).__name__)
            raise TypeError(f"{name} is a function, and has no text: call it, as in {name}(…)")
        return escape(value)


class _Compiled(BytecodeCache):
    """Compiled templates in a folder. Damaged files are not loaded: Python would run any bytecode."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def load_bytecode(self, bucket: Bucket) -> None:
        content = unsealed(read_file(self._file(bucket)), _purpose(bucket))
        if content is not None:
            bucket.bytecode_from_string(content)

    def dump_bytecode(self, bucket: Bucket) -> None:
        with suppress(OSError):  # another process writes it, or the folder is not writable
            write_file(self._file(bucket), sealed(bucket.bytecode_to_string(), _purpose(bucket)))

    def _file(self, bucket: Bucket) -> Path:
        return self._folder / f"diglot_{bucket.key}.cache"


def _purpose(bucket: Bucket) -> str:
    """Identifies a compiled template: its key, its source, and the compiler."""
    return f"template {bucket.key} {bucket.checksum} {_compiler()}"


@cache
def _compiler() -> str:
    return f"{sys.version} {jinja2.__version__} {digest_of(Path(__file__).read_bytes())}"


_OF_TEMPLATES = (
    *(TemplateError, TypeError, ValueError, LookupError, AttributeError),
    *(ArithmeticError, RecursionError, MemoryError),  # division by 0, endless includes, long repeats
)


class Templates:
    """A fixed set of templates, ready to be rendered."""

    def __init__(
        self,
        sources: Mapping[str, TemplateSource],
        *,
        compiled: Path | None = None,
        terms: Sequence[str] = (),
    ) -> None:
        """`compiled` is a folder that caches compiled templates; it is created where it does not exist.

        No title breaks inside one of the `terms`.
        """
        self._sources = dict(sources)
        if compiled is not None:
            make_folder(compiled)
        self._environment = _Environment(
            loader=_Sources(self._sources),
            autoescape=True,
            undefined=_Undefined,
            trim_blocks=True,
            lstrip_blocks=True,
            keep_trailing_newline=True,
            bytecode_cache=None if compiled is None else _Compiled(compiled),
        )
        self._steps = self._environment.steps = _Steps()
        counting = {_COUNTED: self._steps.counted, _TIMES: self._steps.times, _POWER: self._steps.power}
        self._environment.filters |= counting | {"titled": partial(title_html, terms=terms)}
        self._environment.globals["range"] = self._steps.range
        del self._environment.globals["lipsum"], self._environment.filters["random"]

    def render(self, name: str, **view: Any) -> str:
        """The text of a template with the values of a view.

        Raises DiagnosticError with file and line for a mistake in a template.
        """
        self._steps.begin()
        with self._placed(view):
            return self._environment.get_template(name).render(**view)

    def read(self, name: str) -> None:
        """Read a template without rendering it. Raises DiagnosticError for a mistake in its syntax."""
        with self._placed({}):
            self._environment.get_template(name)

    def show(self, name: str, macro: str, *arguments: object) -> Markup:
        """The output of a macro with some arguments. Raises DiagnosticError as `render` does."""
        self._steps.begin()
        with self._placed({}):
            shown: Markup = getattr(self._environment.get_template(name).module, macro)(*arguments)
            return shown

    @contextmanager
    def _placed(self, view: Mapping[str, Any]) -> Iterator[None]:
        """Convert exceptions of templates that are given a view to diagnostics with file and line."""
        try:
            yield
        except _ForbiddenText as forbidden:
            message = forbidden.message or ""
            wrong = self._at(forbidden.name, forbidden.lineno, "character-forbidden", message, "delete it.")
            raise DiagnosticError(wrong) from forbidden
        except _TooManySteps as endless:
            fix = "shorten this loop or what it goes through, or end the calls of macros by each other."
            raise DiagnosticError(self._raised(endless, endless.message or "", fix)) from endless
        except TemplateSyntaxError as broken:
            message, fix = self._of_jinja(broken.message or "cannot be read", _TAG_SYNTAX)
            raise DiagnosticError(
                self._at(broken.name, broken.lineno, "template-syntax", message, fix)
            ) from broken
        except TemplateNotFound as missing:
            fix = did_you_mean(str(missing.name), self._sources)
            message = f'there is no template named "{missing.name}"'
            raise DiagnosticError(self._raised(missing, message, fix)) from missing
        except WordMissing as missing:
            if not self._in_template(missing):
                raise
            (word,) = missing.diagnostics
            raise DiagnosticError(self._raised(missing, word.message, word.fix)) from missing
        except _UnknownName as unknown:
            found = self._raised(unknown, "", None)
            message, fix = _explained(unknown, view, found.source_line or "")
            raise DiagnosticError(replace(found, message=message, fix=fix)) from unknown
        except _OF_TEMPLATES as error:
            if not self._in_template(error):
                raise
            kind = "" if isinstance(error, TemplateError | LookupError) else f"{type(error).__name__}: "
            said = error.args[0] if error.args else ""  # str() of a KeyError adds quotes
            message, fix = self._of_jinja(f"{said}", _VALUES)
            raise DiagnosticError(self._raised(error, f"{kind}{message}", fix)) from error

    def _of_jinja(self, message: str, otherwise: str) -> tuple[str, str]:
        """A message of Jinja2 or Python in words for an author, and what to do."""
        if (found := _MISNESTED.match(message)) is not None and found["tag"] in _TAGS:
            what = f'"{found["tag"]}" comes before the end of "{found["open"]}"'
            return what, f"write {{% end{found['open']} %}} before it."
        if (found := _UNENDED.match(message)) is not None:
            return f'"{found["open"]}" never ends', f"write {{% end{found['open']} %}} where it ends."
        for pattern, what, known in (
            ("No filter named '(.+?)'", "filter", self._environment.filters),
            ("No test named '(.+?)'", "test", self._environment.tests),
            ("Encountered unknown tag '(.+?)'", "tag", _TAGS),
        ):
            if (found := re.match(pattern, message)) is not None:
                offered = [name for name in known if name not in (_COUNTED, _TIMES, _POWER)]
                fix = _OF_CHANCE_FIX if found[1] in _OF_CHANCE else did_you_mean(found[1], offered)
                return f'there is no {what} named "{found[1]}"', fix
        return message, next((fix for said, fix in _OF_PYTHON if said in message), otherwise)

    def _in_template(self, error: BaseException) -> bool:
        return self._place(error.__traceback__)[0] is not None

    def _raised(self, error: BaseException, message: str, fix: str | None) -> Diagnostic:
        name, line = self._place(error.__traceback__)
        return self._at(name, line, "template-error", message, fix)

    def _place(self, traceback: TracebackType | None) -> tuple[str | None, int | None]:
        """The innermost line of a traceback that is in a template, if possible in one of the project's own.

        An own template that gives a built-in one what it cannot use is the place of the mistake. One that
        only extends a built-in one is not.
        """
        place: tuple[str | None, int | None] = (None, None)
        own: tuple[str | None, int | None] = (None, None)
        while traceback is not None:
            code = traceback.tb_frame.f_code
            if (source := self._sources.get(code.co_filename)) is not None:
                place = (code.co_filename, traceback.tb_lineno)
                if not source.path.startswith(BUILT_IN):
                    own = place if code.co_name != _TOP_LEVEL else own
                    place_is_own = True
                else:
                    place_is_own = False
            traceback = traceback.tb_next
        if place[0] is None or place_is_own or own[0] is None:
            return place
        return own

    def _at(self, name: str | None, line: int | None, rule: str, message: str, fix: str | None) -> Diagnostic:
        source = self._sources.get(name or "")
        lines = source.text.splitlines() if source else []
        return Diagnostic(
            rule=rule,
            message=message,
            location=Location(path=source.path, line=line) if source else None,
            source_line=lines[line - 1] if line is not None and 0 < line <= len(lines) else None,
            fix=fix,
        )


_OF_CHANCE = frozenset(("lipsum", "random"))
"""What Jinja2 has and templates of a site have not: it would make every build another one."""
_OF_CHANCE_FIX = (
    "write what is to be shown: the same site has to give the same pages, and this would be left to chance."
)

_TOP_LEVEL = "top-level template code"
"""What Jinja2 calls the part of a template outside of blocks and macros in tracebacks."""

_TAG_SYNTAX = (
    "tags are written `{% name … %}` and closed by `{% endname %}`; values are written `{{ name }}`."
)
_VALUES = f"the values that templates receive are listed in {THEMES_URL}"
_OF_PYTHON = (
    ("is not callable", "delete the parentheses after it: it is a value, not a function."),
    ("can only concatenate", "join texts and numbers with ~ instead of +."),
    ("unsupported operand", "use numbers of one kind, or join texts with ~."),
    ("by zero", "divide only where the divisor is not 0: {% if n %}…{% endif %}."),
)
"""What messages of Python have in them, each with what to do."""
_MISNESTED = re.compile(
    r"Encountered unknown tag '(?P<tag>\w+)'.*needs to be closed is '(?P<open>\w+)'", re.DOTALL
)
_UNENDED = re.compile(r"Unexpected end of template.*needs to be closed is '(?P<open>\w+)'", re.DOTALL)
_TAGS = (
    *("autoescape", "block", "call", "elif", "else", "endautoescape", "endblock", "endcall", "endfilter"),
    *("endfor", "endif", "endmacro", "endraw", "endset", "endwith", "extends", "filter", "for", "from"),
    *("if", "import", "include", "macro", "raw", "set", "with"),
)


def _explained(unknown: _UnknownName, view: Mapping[str, Any], line: str) -> tuple[str, str]:
    """What a template asked for in vain on a line, and what to do about it."""
    owner, name = unknown.owner, unknown.name
    if owner is None and name in _OF_CHANCE and name not in view:
        return f'"{name}" is not there for templates', _OF_CHANCE_FIX
    if isinstance(owner, msgspec.Struct):
        message = f'{_written(owner, name, view, line)} has no "{name}"'
        return message, did_you_mean(name, owner.__struct_fields__)
    known = () if owner is not None else tuple(view)
    what = str(unknown) if owner is not None else f'nothing here is named "{name}"'
    return what, did_you_mean(name, known, otherwise=_VALUES) if known else _VALUES


def _written(owner: object, name: str, view: Mapping[str, Any], line: str) -> str:
    """How a template calls the value that has no part of this name."""
    asked = re.search(rf"([\w.]+)\.{re.escape(name)}\b", line)
    written = asked[1] if asked else next((key for key, value in view.items() if value is owner), None)
    return f"`{written}`" if written else "this value"
