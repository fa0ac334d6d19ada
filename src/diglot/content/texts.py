"""Plain texts of an author: titles, descriptions and what else has values, but no other Markdown."""

import re
from collections.abc import Iterable, Iterator

from markdown_it.token import Token

from diglot.content.citations import ROLES as CITATIONS
from diglot.content.citations import citations_in
from diglot.content.mistakes import Mistakes
from diglot.content.records import Parts, Placeholder
from diglot.content.roles import CITE_NUMBER, OPENING, closing_ticks, fix_of_role, role_placeholder
from diglot.diagnostics import shortened

_LOOKS_BROKEN = re.compile(
    r"\{(?:eval|assert|control|ref|cite-number)\}|｛ ?(?:eval|assert|control|ref|cite-number) ?｝"
)
_NOT_IN_TEXTS = {
    **dict.fromkeys((*CITATIONS, CITE_NUMBER), "a citation"),
    **{"ref": "a reference", "control": "a control"},
}


def _looks_like_a_broken_role(text: str) -> bool:
    """Whether text contains what was probably meant as a role: a space before its code, full-width braces."""
    return ("{" in text or "｛" in text) and _LOOKS_BROKEN.search(text) is not None


def text_with_values(text: str, line: int, mistakes: Mistakes) -> Parts:
    """Plain text, such as a title, with its values as placeholders; no other Markdown is parsed."""
    parts: list[str | Placeholder] = []
    position = 0
    for found in OPENING.finditer(text):
        if found.start() < position:
            continue
        closing = closing_ticks(text, found.group(2), found.end(), len(text))
        if closing < 0:
            continue
        if (what := _NOT_IN_TEXTS.get(found.group(1))) is not None:
            mistakes.error("role-misplaced", f"{what} cannot be used here", line, "use {eval} or plain text.")
            position = closing + len(found.group(2))
            continue
        content = text[found.end() : closing].strip()
        placeholder = role_placeholder(found.group(1), content, line, "text", mistakes)
        if placeholder is not None:
            before = text[position : found.start()]
            parts += [before.rstrip(" ") if placeholder.kind == "assert" else before, placeholder]
            position = closing + len(found.group(2))
    if "[" in text and any(text[start] == "[" for start, _, _ in citations_in(text)):
        mistakes.error("role-misplaced", "a citation cannot be used here", line, "cite it in the text.")
    warn_of_markup(text, line, mistakes)
    rest = text[position:]
    if _looks_like_a_broken_role(rest):
        mistakes.warn(
            "role-broken", "this looks like a value, but is shown literally", line, fix_of_role("eval")
        )
    return tuple(part for part in (*parts, rest) if part != "")


_SIGN = re.compile(r"[`｀$\\&<*＊~]|\][ \u3000]*[(（]|\]\[|!\[|［")
"""What Markdown in a text, or what was meant as such, has at least one of."""
_NOISE = re.compile(r"\.\d{14}")
"""What digits of a computer's rounding have."""
_OF_MARKDOWN = (
    "link-left-over",
    "full-width-link",
    "full-width-mark",
    "emphasis-left-over",
    "code-left-over",
)
_TAGS = frozenset(re.findall(r"\w+", "a b br code em i img kbd mark s small span strong sub sup u"))
_TAG = re.compile(r"</?([A-Za-z][A-Za-z0-9]*)")
_LONGEST_SHOWN = 200
_FACTOR = re.compile(r"(?<=[0-9A-Za-z)])\*(?=[0-9A-Za-z(])")
"""A star of a product, as in `2*3*4`, which CommonMark takes for emphasis."""
_KEPT_STAR = "\ufdd0"


def warn_of_markup(text: str, line: int, mistakes: Mistakes) -> None:
    """Warn of Markdown and HTML in a text that is plain, spoilt or not: readers see its marks."""
    if (found := markup_in(text)) is not None:
        marks, plain = found
        message = f'"{marks}" is shown with its marks, because this text is plain'
        mistakes.warn("markup-in-text", message, line, f"write {plain}")
    if _NOISE.search(text) is not None:
        _warn_of_noise(text, line, mistakes)


def _warn_of_noise(text: str, line: int, mistakes: Mistakes) -> None:
    from diglot.content.leftovers.search import leftovers  # noqa: PLC0415  (few titles have such digits)
    from diglot.content.parser import markdown_parser  # noqa: PLC0415  (few titles have such digits)

    for finding in leftovers(text, "inline", markdown_parser(), {}):
        if finding.rule == "number-noise":
            mistakes.warn(finding.rule, f'"{finding.shown}": {finding.why}', line, finding.fix)


def markup_in(text: str) -> tuple[str, str] | None:
    """The first Markdown or HTML in a text, and the text without any; None if there is none."""
    if _SIGN.search(text) is None:
        return None
    from diglot.content.inline_tokens import unjoined_inlines  # noqa: PLC0415  (few titles look like Markdown)
    from diglot.content.leftovers.search import leftovers  # noqa: PLC0415  (few titles look like Markdown)
    from diglot.content.parser import markdown_parser  # noqa: PLC0415  (few titles look like Markdown)

    text = _FACTOR.sub(_KEPT_STAR, text)
    marks: list[str] = []
    for finding in leftovers(text, "inline", markdown_parser(), {}):
        if finding.rule in _OF_MARKDOWN and finding.mends:
            marks.append(finding.shown)
            for mend in finding.mends:
                text = text.replace(mend.old, mend.new, 1)
    plain = "".join(_plain(unjoined_inlines(markdown_parser(), text, {}), marks))
    return (_shown(marks[0]), _shown(plain)) if marks else None


def _shown(text: str) -> str:
    return shortened(text.replace(_KEPT_STAR, "*"), _LONGEST_SHOWN)


def _plain(tokens: Iterable[Token], marks: list[str]) -> Iterator[str]:
    """What the tokens say without Markdown; adds to `marks` what is shown otherwise."""
    for token in tokens:
        if token.type == "role":
            yield f"{{{token.info}}}`{token.content}`"
        elif token.type == "code_inline":
            marks.append(f"{token.markup}{token.content}{token.markup}")
            yield token.content
        elif token.type == "formula":
            marks.append(f"{token.markup}{token.content}{token.markup}")
            yield _formula(token.content)
        elif token.type == "text_special" and token.content != token.markup:
            marks.append(token.markup)
            yield token.content
        elif token.type == "image":
            marks.append(f"![{token.content}]")
            yield token.content
        elif token.type == "html_inline":
            tag = _TAG.match(token.content)
            if tag is None or tag[1].lower() not in _TAGS:
                yield token.content  # `Vec<T>`
            else:
                marks.append(token.content)
        elif token.type in ("link_open", "span_open") or token.markup in ("*", "**", "~~"):
            if token.nesting == 1:
                marks.append("[…](…)" if token.type == "link_open" else token.markup or "[…]{…}")
        elif token.markup in ("_", "__"):
            yield token.markup  # part of a name, as in `__init__`
        else:
            yield token.content


def _formula(latex: str) -> str:
    """A formula in one line; its LaTeX if it is not valid."""
    from diglot.content.formulas import formula_html  # noqa: PLC0415  (few titles have formulas)
    from diglot.content.latex import FormulaError  # noqa: PLC0415  (few titles have formulas)
    from diglot.content.plain_formulas import formula_in_one_line  # noqa: PLC0415  (few titles have formulas)

    try:
        return formula_in_one_line(formula_html(latex, display=False))
    except FormulaError:
        return latex
