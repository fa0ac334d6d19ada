"""Converts Hexo's tag plugins in a body. Those without a counterpart are reported."""

import re
import shlex
from collections.abc import Callable

from diglot.importing.text.body import Body
from diglot.importing.text.containers import (
    admonition,
    admonition_kind,
    embed_link,
    fence,
    picture,
    report_embed,
    report_unknown,
)
from diglot.importing.text.fences import code_info
from diglot.importing.text.jekyll_body import HIDDEN

_RAW = re.compile(r"\{%\s*raw\s*%\}(.*?)\{%\s*endraw\s*%\}", re.DOTALL)
_CODE = re.compile(
    r"^(?P<indent>[ \t]*)\{%\s*(?:codeblock|code)\b(?P<words>[^%]*)%\}[ \t]*\n?"
    r"(?P<code>.*?)\{%\s*end(?:codeblock|code)\s*%\}",
    re.DOTALL | re.MULTILINE,
)
_BOX = re.compile(
    r"^(?P<indent>[ \t]*)\{%\s*(?P<name>note|admonition|hint|alert|folding|details|fold|hideToggle)\b"
    r"(?P<words>[^%]*)%\}(?P<text>.*?)\{%\s*end(?P=name)\s*%\}",
    re.DOTALL | re.MULTILINE,
)
_QUOTE = re.compile(
    r"\{%\s*(?P<name>blockquote|quote|pullquote|centerquote|cq)\b(?P<words>[^%]*)%\}(?P<text>.*?)\{%\s*end(?P=name)\s*%\}",
    re.DOTALL,
)
_TAG = re.compile(r"\{%\s*([\w-]+)\s*([^%]*?)\s*%\}")
_SIZE = re.compile(r"[0-9]+(?:px|%)?")


def convert_hexo(body: Body, address_of: Callable[[str], str | None]) -> None:
    """Convert tag plugins; `address_of` returns the new address for the name of a post or file."""
    body.substitute(
        _RAW,
        lambda found: found[1].replace("{{", f"{{{HIDDEN}{{").replace("{%", f"{{{HIDDEN}%"),
        in_code=False,
    )
    body.substitute(_CODE, _code, in_code=True)
    for _ in range(4):
        before = body.text
        body.substitute(_BOX, _box)
        body.substitute(_QUOTE, _quote)
        if body.text == before:
            break
    body.substitute(_TAG, lambda found: _tag(body, found, address_of))
    for found in re.finditer(r"\{%\s*[\w-]+[^%]*%\}|\{\{[^{}]*\}\}", body.text):
        if not body.is_code(found.start()):
            what = " ".join(found[0].split())
            body.report(
                found.start(),
                f"{what[:100]} is a tag without a counterpart; it stays in the text",
                "write what it would have given, or delete it.",
            )


def _words(text: str) -> list[str]:
    try:
        return shlex.split(text)
    except ValueError:
        return text.split()


def _code(found: re.Match[str]) -> str:
    """Words of the tag are options, `mark:1,4-7`, an address of the code's source, or the title."""
    options, title, links = [], [], []
    language = ""
    for word in _words(found["words"]):
        name, colon, value = word.partition(":")
        if re.match("https?://", word):
            links.append(word)
        elif colon and name == "lang":
            language = value
        elif colon and re.fullmatch("[a-z_]+", name):
            options.append(f"{name}={value}")
        else:
            title.append(word)
    info, _ = code_info(language, " ".join(options), title=" ".join(title))
    block = found["indent"] + fence(info, found["code"], found["indent"])
    return f"{block}\n\n{found['indent']}<{links[0]}>" if links else block


def _box(found: re.Match[str]) -> str:
    words = _words(found["words"])
    kind = next((k for word in words if (k := admonition_kind(word))), "note")
    title = " ".join(
        word
        for word in words
        if admonition_kind(word) is None
        and word not in ("flat", "no-icon", "simple", "modern", "disabled")
        and not word.startswith(("fa", "'fa"))
    )
    return admonition(kind, title.replace(",", " "), found["text"], found["indent"])


def _quote(found: re.Match[str]) -> str:
    lines = [f"> {line}".rstrip() for line in found["text"].strip().split("\n")]
    source = " ".join(_words(found["words"]))
    return "\n".join([*lines, *((">", f"> — {source}") if source else ())])


def _tag(body: Body, found: re.Match[str], address_of: Callable[[str], str | None]) -> str | None:
    name, words = found[1], _words(found[2])
    if name in ("asset_img", "img", "image"):
        at = next((i for i, word in enumerate(words) if re.search(r"\.\w{2,5}$|^https?:|^/", word)), None)
        if at is None:
            return None
        rest = words[at + 1 :]
        sizes = [word for word in rest if _SIZE.fullmatch(word)]
        texts = [word for word in rest if not _SIZE.fullmatch(word)]
        if not re.search("['\"]", found[2]):
            texts = [" ".join(texts)]
        if len(texts) == 1 and (inner := re.fullmatch(r"(['\"]?)(.*?)\1\s+(['\"])(.*?)\3", texts[0])):
            texts = [inner[2], inner[4]]
        title = texts[0] if texts else ""
        return picture(
            words[at], alt=texts[1] if len(texts) > 1 else title, title=title, width=sizes[0] if sizes else ""
        )
    if name in ("post_link", "post_path", "asset_path", "asset_link") and words:
        address = address_of(words[0])
        if address is None:
            report_unknown(body, found)
            return None
        text = " ".join(word for word in words[1:] if word not in ("true", "false"))
        return address if name.endswith("_path") else f"[{text or words[0]}]({address})"
    if name in ("link", "url") and words:
        at = next((i for i, word in enumerate(words) if re.match(r"https?:|/", word)), None)
        if at is None:
            return None
        text = " ".join(words[:at])
        return f"[{text}]({words[at]})" if text else f"<{words[at]}>"
    if (link := embed_link(name, words)) is not None:
        report_embed(body, found)
        return link
    return None
