"""Warns of plain text that was probably meant as Markdown: spoilt by a space or a full-width character."""

import re

from markdown_it.token import Token

from diglot.content.cjk import is_cjk
from diglot.content.mistakes import Mistakes
from diglot.content.roles import ROLE_FIX, looks_like_a_broken_role

_BARE_LINK = re.compile(r"https?://[^\s<>）。，；]+")
_FULL_WIDTH_LINK = re.compile(r"!?\[[^\[\]]*\]（[^（）]*）")
_FULL_WIDTH_START = re.compile(r"＃+[ 　]|＞[ 　]|：：：|｀｀｀|[０-９]+．|！\[|－[ 　]")


def warn_of_text(
    text: str, line: int, mistakes: Mistakes, *, before: Token | None, inside_link: bool
) -> None:
    """Warn of text that looks like Markdown, but will be shown unchanged.

    `before` is the previous token in the paragraph, None at its beginning. Each check starts with a cheap
    `in`, because this runs for every piece of text.
    """
    if "://" in text and not inside_link and (found := _BARE_LINK.search(text)):
        mistakes.warn(
            "link-bare",
            f"{found.group()} is shown as text, not as a link",
            line,
            f"write <{found.group()}>, or `code` if it should not be a link.",
        )
    if looks_like_a_broken_role(text):
        mistakes.warn(
            "role-broken", "this is shown literally, because it is not a valid role", line, ROLE_FIX
        )
    if "（" in text and "]" in text and (found := _FULL_WIDTH_LINK.search(text)):
        fix = "use ASCII parentheses: [text](address)."
        mistakes.warn("full-width-link", f"{found.group()} is not a link", line, fix)
    if before is None and text[:1] >= "！" and (found := _FULL_WIDTH_START.match(text)):
        message = f'"{found.group().strip()}" begins an ordinary paragraph here'
        mistakes.warn("full-width-mark", message, line, "use the ASCII character if you meant Markdown.")
    if text[:1] == "{" and before is not None and before.type in ("image", "link_close", "code_inline"):
        fix = 'write {#id .class key="value"}, with ASCII quotes and no colon.'
        mistakes.warn("attributes-broken", "these are not valid attributes", line, fix)
    if "**" in text and _is_left_over(text, line, mistakes):
        fix = "remove spaces just inside **, and keep both in one paragraph."
        mistakes.warn("emphasis-left-over", "** is shown literally", line, fix)


def _is_left_over(text: str, line: int, mistakes: Mistakes) -> bool:
    """Whether a `**` beside Chinese was meant as emphasis, unlike escaped ones and 2**10."""
    if not 0 < line <= len(mistakes.lines) or "\\*" in mistakes.lines[line - 1]:
        return False
    at = text.find("**")
    around = text[max(0, at - 1) : at].strip() + text[at + 2 : at + 4].strip()
    return any(is_cjk(character) for character in around)
