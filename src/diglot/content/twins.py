"""Full-width twins of the ASCII characters that Markdown is written with, and spaces that are none to it."""

import re

_PAIRS = {
    **{chr(code): chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)},
    **dict.fromkeys("￥¥", "$"),
    **{"【": "[", "】": "]", "‘": "'", "’": "'", "“": '"', "”": '"', "„": '"'},
}
_TWINS = str.maketrans(_PAIRS)

ODD_SPACES = "\u00a0\u00ad\u1680\u2000-\u200d\u202f\u205f\u2060\u3000\ufeff"
"""What looks like a space, or like nothing, and is not Markdown's space. For a character class."""
SPACE = f"[ \t{ODD_SPACES}]"

_NAMES = {
    "\u00a0": "a no-break space",
    "\u3000": "a full-width space",
    "\u200b": "a zero-width space",
    "\ufeff": "an invisible byte-order mark",
}
_ODD = re.compile(f"[{ODD_SPACES}]")


def as_ascii(text: str) -> str:
    """The text with each full-width mark replaced by its ASCII twin: every character keeps its position."""
    return text if text.isascii() else text.translate(_TWINS)


def odd_space_in(text: str) -> str | None:
    """What the first odd space in a text is called; None if there is none."""
    found = _ODD.search(text)
    if found is None:
        return None
    name = _NAMES.get(found[0])
    code = f"U+{ord(found[0]):04X}"
    return f"{name} ({code})" if name else f"the space {code}"
