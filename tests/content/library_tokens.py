"""What diglot's parser makes, in the tokens of the library."""

from collections.abc import Iterator, MutableMapping
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.token import Token

from diglot.content.dispatch import parse_inlines


def as_library_makes_them(
    tokens: list[Token], md: MarkdownIt, env: MutableMapping[str, Any]
) -> Iterator[dict[str, Any]]:
    """The tokens as dictionaries, each table written out."""
    for token in tokens:
        for one in _table(token, md, env) if token.type == "table" else [token]:
            yield one.as_dict()


def _table(table: Token, md: MarkdownIt, env: MutableMapping[str, Any]) -> Iterator[Token]:
    first, behind = table.map or (0, 0)
    level = table.level

    def token(kind: str, tag: str, nesting: int, **more: Any) -> Token:
        nonlocal level
        level -= nesting < 0
        made = Token(kind, tag, nesting, level=level, block=True, **more)  # type: ignore[arg-type]  (fields of a token)
        level += nesting > 0
        return made

    yield token("table_open", "table", 1, map=[first, behind], attrs=dict(table.attrs))
    for index, row in enumerate(table.meta["rows"]):
        head = index == 0
        part, tag = ("thead", "th") if head else ("tbody", "td")
        line = first if head else first + index + 1
        if index < 2:
            yield token(f"{part}_open", part, 1, map=[line, first + 1 if head else behind])
        yield token("tr_open", "tr", 1, map=[line, line + 1])
        for side, text in zip(table.meta["sides"], row, strict=True):
            style = {"style": f"text-align:{side}"} if side else {}
            yield token(f"{tag}_open", tag, 1, attrs=style)
            children = parse_inlines(md, text, env)
            yield token("inline", "", 0, map=[line, line + 1], content=text, children=children)
            yield token(f"{tag}_close", tag, -1)
        yield token("tr_close", "tr", -1)
        if head or index == len(table.meta["rows"]) - 1:
            yield token(f"{part}_close", part, -1)
    yield token("table_close", "table", -1)
