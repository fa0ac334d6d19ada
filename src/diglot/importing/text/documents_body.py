"""Texts of MyST, Quarto and Obsidian as diglot reads them; most of their syntax it reads as it is."""

import posixpath
import re
from collections.abc import Callable

from diglot.content.admonitions.kinds import begins_block
from diglot.content.directives import FIXES
from diglot.content.foreign_names import fix_of_shortcode
from diglot.content.highlighting import known_language
from diglot.importing.text.body import Body
from diglot.importing.text.counting import substitute

_FENCE = re.compile(
    r"^(?P<indent>[ \t]*)(?P<marks>`{3,}|~{3,}|:{3,}(?=[ \t]*\{(?:figure|image|toctree|tableofcontents"
    r"|contents|bibliography|footbibliography|index|only|raw|epigraph|code-cell)\}))"
    r"[ \t]*\{(?P<name>[\w:-]+)\}(?P<rest>[^\n]*)\n"
    r"(?P<body>(?:(?!(?P=indent)(?P=marks)[ \t]*$)[^\n]*\n){0,2000})(?P=indent)(?P=marks)[ \t]*$\n?",
    re.MULTILINE,
)
_LISTS = ("toctree", "tableofcontents", "contents", "bibliography", "footbibliography", "include-toc")
"""What every page has anyway."""
_NOTHING = ("index", "only", "tabularcolumns")
"""What is for printed books."""
_GATED = re.compile(
    r"^[ \t]*(?P<marks>`{3,})\{(?P<kind>exercise|solution)-(?P<part>start|end)\}(?P<rest>[^\n]*)\n"
    r"(?P<options>(?:[ \t]*:[\w-]+:[^\n]*\n)*)[ \t]*(?P=marks)[ \t]*$",
    re.MULTILINE,
)
"""The beginning or the end of a block with others in it, each a directive of its own."""
_AROUND = ":" * 7
_COMMAND = re.compile(r"^([ \t]*)[!%](?:pip|conda|mamba|uv)\b[^\n]*\n", re.MULTILINE)
_OTHER_COMMAND = re.compile(
    r"^[ \t]*(?:!|%%?(?!time\b|matplotlib|config|load_ext|autoreload|reload_ext)[a-z])[^\n]*\n", re.MULTILINE
)
_RUN = ("python", "python3", "code-cell")
_OPTION = re.compile(r":([\w-]+):[ \t]*([^\n]*)\n")
_TARGET = re.compile(r"^[ \t]*\(([A-Za-z][\w.-]*)\)=[ \t]*\n(?:[ \t]*\n)*", re.MULTILINE)
_BREAK = re.compile(r"^\+{3}[^\n]*\n", re.MULTILINE)
_COMMENT = re.compile(r"^%(?!%)[^\n]*\n", re.MULTILINE)
_DOC = re.compile(r"\{(?:doc|download)\}`(?:([^`<>]*?)\s*<([^`<>]+)>|([^`<>]+))`")
_SHORTCODE = re.compile(r"\{\{<\s*([\w-]+)\s*([^\n]*?)\s*>\}\}")
_WIKILINK = re.compile(r"(!?)\[\[([^\[\]|\n]*)(?:\|([^\[\]\n]*))?\]\]")
_HIDDEN = re.compile(r"%%.*?%%\n?", re.DOTALL)
_BLOCK_ID = re.compile(r"[ \t]+\^[A-Za-z0-9-]{3,40}[ \t]*$", re.MULTILINE)
_PICTURES = (".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp", ".avif", ".bmp")


def convert_myst(body: Body) -> None:
    """MyST: pictures and links to documents as Markdown has them, targets as ids, no lists of pages."""
    substitute(body, _FENCE, lambda found: _fence(body, found), in_code=True)
    substitute(body, _GATED, _gate, in_code=True)
    substitute(body, _TARGET, lambda found: f"{{#{found[1]}}}\n")
    substitute(body, _BREAK, lambda found: "")
    substitute(body, _COMMENT, lambda found: "")
    substitute(body, _DOC, _document_link, in_code=True)


def convert_quarto(body: Body) -> None:
    """Quarto: code that is not in Python is shown, and shortcodes are named."""
    substitute(body, _FENCE, lambda found: _fence(body, found), in_code=True)
    substitute(body, _SHORTCODE, lambda found: _shortcode(body, found))


def convert_obsidian(body: Body, address_of: Callable[[str], str | None]) -> None:
    """Obsidian: links and pictures by their names, without comments and names of blocks."""
    substitute(body, _HIDDEN, lambda found: "")
    substitute(body, _BLOCK_ID, lambda found: "")
    substitute(body, _WIKILINK, lambda found: _wikilink(body, found, address_of))


def _gate(found: re.Match[str]) -> str:
    """A block between colons in place of a start and an end."""
    if found["part"] == "end":
        return _AROUND
    words = f" {found['rest'].strip()}" if found["kind"] == "exercise" and found["rest"].strip() else ""
    options = re.sub(r":(?:nonumber|class):[^\n]*\n", "", found["options"].replace(":label:", ":name:"))
    return f"{_AROUND}{{{found['kind']}}}{words}\n{options}".rstrip("\n")


def _fence(body: Body, found: re.Match[str], above: int = 0) -> str | None:
    """A directive as diglot has it, None for one that stays. `above` is where the text around it begins."""
    name, rest, text, at = found["name"], found["rest"].strip(), found["body"], above + found.start()
    if begins_block(name):
        text = _with_inner(body, text, above + found.start("body"))
    if name in _NOTHING:
        return ""
    if name == "raw":
        return _OPTION.sub("", text)  # HTML, for pages or notebooks
    if name == "epigraph":
        return "".join(f"{found['indent']}> {line.strip()}".rstrip() + "\n" for line in text.splitlines())
    if name in ("exercise", "solution") or name.startswith("prf:"):
        return _numbered(found, text)
    if name in _LISTS:
        body.report(at, f"{{{name}}} is left out", FIXES.get(name, "pages make such lists themselves."))
        return ""
    if name in ("figure", "image") and re.search(r"\.\w{2,5}$", rest):
        return _picture(found, rest, text)
    language = rest.split()[0] if name == "code-cell" and rest else name
    is_python = language.startswith(("python", "ipython")) or (name in _RUN and not rest)
    if is_python and name in _RUN:
        return _cell(body, found, at)
    if (name in _RUN or known_language(name)) and not is_python:
        body.report(at, f"this code in {language} is shown, and not run", "only Python runs.")
        return f"{found['indent']}{found['marks']}{language}\n{text}{found['indent']}{found['marks']}\n"
    if name in FIXES:
        body.report(at, f"{{{name}}} is a directive without a counterpart; it stays", FIXES[name])
    return None if text == found["body"] else found[0].replace(found["body"], text)


def _with_inner(body: Body, text: str, at: int) -> str:
    """The text of a directive with the directives in it converted; `at` is where it begins."""
    return _FENCE.sub(lambda found: _kept(_fence(body, found, at), found), text)


def _kept(new: str | None, found: re.Match[str]) -> str:
    return found[0] if new is None else new


def _cell(body: Body, found: re.Match[str], at: int) -> str | None:
    """A cell without commands that install something; one with other commands is shown and not run."""
    text = found["body"]
    if (command := _COMMAND.search(text)) is not None:
        message = f'"{command[0].strip()[:80]}" is left out of this cell, because builds install nothing'
        body.report(at, message, "install these packages where you build the site.")
        text = _COMMAND.sub(lambda line: f"{line[1]}pass\n" if line[1] else "", text)
    if (command := _OTHER_COMMAND.search(text)) is not None:
        message = f'this cell is not run, because of "{command[0].strip()[:80]}", which is not Python'
        body.report(at, message, "write it in Python, and remove `skip-execution`.")
        text = _not_run(text)
    return None if text == found["body"] else found[0].replace(found["body"], text)


def _not_run(text: str) -> str:
    """A cell with the tag that it is not run, among the tags that it has."""
    tags = re.search(r"^:tags:[ \t]*\[([^\]\n]*)\][ \t]*$", text, re.MULTILINE)
    if tags is not None:
        return f"{text[: tags.start()]}:tags: [{tags[1]}, skip-execution]{text[tags.end() :]}"
    if (tags := re.search(r"^tags:[ \t]*\[([^\]\n]*)\][ \t]*$", text, re.MULTILINE)) is not None:
        return f"{text[: tags.start()]}tags: [{tags[1]}, skip-execution]{text[tags.end() :]}"
    if text.startswith("---\n"):
        return text.replace("---\n", "---\ntags: [skip-execution]\n", 1)
    return f"#| eval: false\n{text}" if text.startswith("#|") else f":tags: [skip-execution]\n{text}"


def _numbered(found: re.Match[str], text: str) -> str | None:
    """An exercise, a theorem and the like: its options as diglot has them."""
    name, rest = found["name"], found["rest"].strip()
    title = "" if name == "solution" else rest  # what it solves
    text = re.sub(
        r"^:(?:nonumber|class):[^\n]*\n", "", text.replace(":label:", ":name:", 1), flags=re.MULTILINE
    )
    head = f"{found['indent']}{found['marks']}{{{name.removeprefix('prf:')}}} {title}".rstrip()
    return f"{head}\n{text}{found['indent']}{found['marks']}\n"


def _picture(found: re.Match[str], path: str, text: str) -> str:
    """A picture as Markdown has it, so that its file comes along."""
    options = {name: value.strip() for name, value in _OPTION.findall(text)}
    caption = " ".join(_OPTION.sub("", text).split())
    words = options.get("alt") or caption
    quoted = caption.replace('"', "'")
    title = f' "{quoted}"' if caption else ""
    label = options.get("name") or options.get("label")
    given = [f"#{label}"] if label and caption else []
    given += [f"{side}={options[side]}" for side in ("width", "height") if side in options]
    braces = f"{{{' '.join(given)}}}" if given else ""
    address = f"<{path}>" if " " in path else path
    return f"{found['indent']}![{words}]({address}{title}){braces}\n"


def _document_link(found: re.Match[str]) -> str:
    target = (found[2] or found[3]).strip()
    text = (found[1] or "").strip() or posixpath.basename(target).replace("-", " ")
    return f"[{text}]({target})"


def _shortcode(body: Body, found: re.Match[str]) -> str | None:
    name, words = found[1], found[2].split()
    if name in ("pagebreak", "lipsum"):
        return ""
    if name in ("video", "embed") and words and "://" in words[0]:
        return f"<{words[0]}>"
    message = f"{found[0][:100]} is a shortcode without a counterpart; it stays in the text"
    body.report(found.start(), message, fix_of_shortcode(name))
    return None


def _wikilink(body: Body, found: re.Match[str], address_of: Callable[[str], str | None]) -> str | None:
    is_embedded, target, label = bool(found[1]), found[2].strip(), (found[3] or "").strip()
    name, _, heading = target.partition("#")
    if is_embedded and name.lower().endswith(_PICTURES):
        size = re.fullmatch(r"(\d+)(?:x\d+)?", label)
        words = "" if size else label
        address = f"<{name}>" if " " in name else name
        return f"![{words or posixpath.splitext(posixpath.basename(name))[0]}]({address})" + (
            f"{{width={size[1]}}}" if size else ""
        )
    if is_embedded:
        body.report(
            found.start(), f"{found[0]} is a link now: articles are not embedded", "quote it, if it is short."
        )
    text = label or (f"{name} › {heading}" if name and heading else name or heading)
    address_found = address_of(name) if name else ""
    if address_found is None:
        body.report(
            found.start(), f'there is no note "{name}"; its name stays', "write the note, and link to it."
        )
        return text
    fragment = (
        f"#{heading.lstrip('^').strip().lower().replace(' ', '-')}" if heading and "^" not in heading else ""
    )
    return f"[{text}]({address_found}{fragment})" if address_found or fragment else text
