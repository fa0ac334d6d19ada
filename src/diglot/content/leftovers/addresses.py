"""Where an address in running text ends, and what looks like one."""

import re

from diglot.content.cjk import is_cjk

_FIRST = re.compile(r"https?://(?:(?=[A-Za-z0-9\[])|(?=[^\x00-\x7f])[\w-]+(?:\.[\w-]+)+)")
_ENDS = frozenset('<>"`|\\^{}“”‘’«»…—–') | frozenset(" \t\n")
_LONGEST = 2_000
"""Characters of an address that are looked at."""
_TRAILING = ".,;:!?'*·"
_CLOSING = {")": "(", "]": "["}

PICTURE = re.compile(r"\.(?:png|jpe?g|gif|svg|webp|avif|bmp|tiff?|heic|ico)(?:[?#][^\s]*)?$", re.IGNORECASE)
_FILE = re.compile(r"\.[A-Za-z][A-Za-z0-9]{0,5}(?:[?#][^\s]*)?$")
_BEGINS = re.compile(r"(?:[A-Za-z][A-Za-z0-9+.-]*:|/|\./|\.\./|#|www\.|<)\S|\.\.$")


def bare_address(text: str, start: int = 0) -> tuple[int, int] | None:
    """Where the next address in running text begins and ends, as a reader sees it; None without one."""
    first = _FIRST.search(text, start)
    if first is None:
        return None
    end, open_brackets = first.end(), ""
    last = min(len(text), first.start() + _LONGEST)
    while end < last and not _ends_at(text[end]):
        if text[end] in "([":
            open_brackets += text[end]
        elif text[end] in _CLOSING:
            if open_brackets[-1:] != _CLOSING[text[end]]:
                break
            open_brackets = open_brackets[:-1]
        end += 1
    while open_brackets and (at := text.rfind(open_brackets[-1], first.end(), end)) >= 0:
        end, open_brackets = at, open_brackets[:-1]  # a bracket that is never closed belongs to the sentence
    while end > first.end() and text[end - 1] in _TRAILING:
        end -= 1
    return first.start(), end


def _ends_at(character: str) -> bool:
    if character.isascii():
        return character in _ENDS or not character.isprintable()
    return character in _ENDS or not character.isalnum() or is_cjk(character)


def looks_like_an_address(text: str) -> bool:
    """Whether a text in parentheses is an address and no remark: by its scheme, a slash, a file's ending."""
    text = text.strip()
    if not text or len(text) > _LONGEST:
        return False
    return (
        _BEGINS.match(text) is not None
        or _FILE.search(text) is not None
        or ("/" in text and " " not in text and text.isascii())
    )
