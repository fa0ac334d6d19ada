"""Reads what a file is from its path: a half of an article, and of which, in every layout that people use.

    content/posts/roofline/zh.md            content/posts/roofline.zh.md
    content/posts/roofline/index.zh.md      content/zh/posts/roofline.md
    content/zh/posts/roofline/index.md      content/posts/roofline/index.md (in the site's first language)

A code may also be written as `zh-cn`, `zh_Hans` or `en-us`, in capitals or not. Layouts may be mixed in one
site. Everything here is computed from paths alone; nothing is read.
"""

import re
from collections.abc import Iterable
from functools import lru_cache

import msgspec
from msgspec.structs import replace

from diglot.diagnostics import Diagnostic, Location, differ_little
from diglot.languages import LANGUAGES, Language, twin_of
from diglot.rules.near_names import folded, is_backup, is_decorated, original_of, other_ending, word_of

CONTENT = "content"


class Section(msgspec.Struct, frozen=True):
    """A folder of articles, such as `content/posts/`, which may also be inside a language's folder."""

    name: str
    nested: bool = False
    """Whether an article's name may contain folders, as in `projects/talks`."""

    @property
    def folder(self) -> str:
        """The folder of an article whose halves are in one folder."""
        return f"{CONTENT}/{self.name}"

    def holds(self, path: str) -> bool:
        """Whether a file is in this folder, or in the one of the same name in a language's folder."""
        return path.startswith(f"{self.folder}/") or path.split("/", 3)[2:3] == [self.name]


class HalfFile(msgspec.Struct, frozen=True, kw_only=True):
    """A file that is one half of an article."""

    path: str
    name: str
    """The name of the article: that of its folder, or of the file without its ending and language."""
    language: Language
    code: str
    """The language as the path writes it, such as `zh-CN`; empty if the path leaves it out."""
    form: str
    """The path with `{code}` in place of the language, where the other half would have its own."""

    @property
    def folder(self) -> str:
        """The folder that contains the file."""
        return self.path.rpartition("/")[0]


class Misnamed(msgspec.Struct, frozen=True, kw_only=True):
    """A Markdown file that looks like a half of an article but is none."""

    name: str
    """The article that it was probably meant for."""
    message: str
    fix: str
    meant: str = ""
    """The path that it should have, if that is certain."""


_CHINESE = frozenset(("zh", "zh-cn", "zh-sg", "zh-hans", "zh-hans-cn", "zh-hans-sg"))
_ENGLISH = re.compile(r"en(?:-[a-z]{2})?")
_WORDS: dict[str, Language | None] = {
    **dict.fromkeys(("chi", "chinese", "chs", "cmn", "cn", "zho"), "zh"),
    **dict.fromkeys(("eng", "english"), "en"),
    "cht": None,
}
"""What people write for a language in place of its code."""
_CODE = re.compile(r"[a-z]{2}(?:[-_](?:[a-z]{2}|hans|hant|latn|cyrl|[0-9]{3}))*", re.IGNORECASE)


def language_of(code: str) -> Language | None:
    """The language of a code as people write it: `zh`, `zh-CN`, `zh_Hans`, `en-us`; None for any other."""
    plain = code.lower().replace("_", "-")
    if plain in _CHINESE:
        return "zh"
    return "en" if _ENGLISH.fullmatch(plain) else None


def _language_meant(word: str) -> Language | None:
    return language_of(word) or _WORDS.get(word.casefold())


def is_like_a_code(word: str) -> bool:
    """Whether a word looks like the code of some language, such as `fr` or `zh-TW`."""
    return _CODE.fullmatch(word) is not None or word.lower() in _WORDS


def is_note(path: str) -> bool:
    """Whether a file is an author's note, which is ignored whatever it contains."""
    name = path.rpartition("/")[2]
    return name.startswith("_") or name.casefold() in ("readme.md", "notes.md") or is_in_notes(path)


def is_in_notes(path: str) -> bool:
    """Whether a file is in a folder of an author's notes: `_draft/zh.md`."""
    return "/_" in f"/{path.rpartition('/')[0]}"


NOTEBOOK = ".ipynb"
_CERTAINLY_OTHERS = (".png", ".jpg", ".svg", ".webp", ".yaml", ".py", ".csv", ".json", ".pdf", "/sync.txt")
"""Ends of the names of most files next to articles, for speed."""


def as_markdown(path: str) -> str | None:
    """The path that a Markdown file should have: `a/zh.md` for `a/zh.markdown`; None for other files."""
    if path.endswith(".md"):
        return path
    if path.endswith(_CERTAINLY_OTHERS):
        return None
    folder, slash, name = path.rpartition("/")
    meant = _markdown_name(name)
    return None if meant is None else f"{folder}{slash}{meant}"


@lru_cache(1024)  # files of the same names are next to many articles
def _markdown_name(name: str) -> str | None:
    if is_backup(name):
        return None
    stem = other_ending(name, "md")
    if stem is None:
        plain, _dot, ending = folded(name).rpartition(".")
        if (word := word_of(name).removesuffix("md")) in LANGUAGES:  # zh, zh_md
            stem = word
        elif differ_little(ending, "md") and (plain == "index" or language_of(plain.removeprefix("index."))):
            stem = plain
    return None if stem is None else f"{stem}.md"


def read_path(path: str, section: Section, first: Language) -> HalfFile | Misnamed | None:
    """What a file in a section is; None if it is neither a half nor meant to be one.

    `first` is the language of a half that does not name its own.
    """
    if path.endswith(NOTEBOOK):
        return _read_notebook(path, section, first)
    meant = as_markdown(path)
    if meant is None or is_note(meant):
        return None
    meant = original_of(meant) or meant
    half = _read_markdown(meant, section, first)
    if meant == path or not isinstance(half, HalfFile):
        return half
    why = "it is named as a copy" if original_of(path) else "halves of articles end in .md"
    return Misnamed(
        name=half.name,
        message=f'nothing reads "{path.rpartition("/")[2]}": {why}',
        fix=f"rename it to {meant}; a name that begins with _ is left alone.",
        meant=meant,
    )


def _read_notebook(path: str, section: Section, first: Language) -> HalfFile | None:
    """A half that is a notebook, and says of which language; other notebooks belong to nothing."""
    meant = f"{path.removesuffix(NOTEBOOK)}.md"
    half = None if is_note(meant) else _read_markdown(meant, section, first)
    return replace(half, path=path) if isinstance(half, HalfFile) and half.code else None


def _read_markdown(path: str, section: Section, first: Language) -> HalfFile | Misnamed | None:
    if path.startswith(f"{section.folder}/"):
        return _read_together(path, section, first)
    folder, _, rest = path.removeprefix(f"{CONTENT}/").partition("/")
    if not rest.startswith(f"{section.name}/") or not is_like_a_code(folder):
        return None
    language = language_of(folder)
    if language is None:
        other = path.removeprefix(f"{CONTENT}/{folder}/")
        name = rest.removeprefix(f"{section.name}/").removesuffix(".md").removesuffix("/index")
        return _no_language(name, folder, f"{CONTENT}/zh/{other}", f"{CONTENT}/en/{other}")
    return _read_apart(path, section, folder, language)


def _read_apart(path: str, section: Section, folder: str, language: Language) -> HalfFile | Misnamed:
    """A file in a language's folder: `roofline.md`, or `roofline/index.md`."""
    start = f"{CONTENT}/{folder}/{section.name}/"
    words = path.removeprefix(start).removesuffix(".md").split("/")
    own = "/".join(words[:-1]) if words[-1] == "index" else "/".join(words)
    stem = words[-1].rpartition(".")[2] if "." in words[-1] else ""
    known = own and (section.nested or "/" not in own) and not is_like_a_code(stem)
    if not known:
        slug = own.split("/")[0].partition(".")[0] or "<slug>"
        return Misnamed(
            name=slug,
            message="this file is not a half of an article",
            fix=f"name it {start}{slug}.md or {start}{slug}/index.md; the folder {folder} says its language.",
        )
    form = f"{CONTENT}/{{code}}/{section.name}/{path.removeprefix(start)}"
    return HalfFile(path=path, name=own, language=language, code=folder, form=form)


def _read_together(path: str, section: Section, first: Language) -> HalfFile | Misnamed:
    """A file with its twin in the same folder."""
    start = f"{section.folder}/"
    *above, stem = path.removeprefix(start).removesuffix(".md").split("/")
    before, dot, code = stem.rpartition(".")
    in_folder = f"{start}{'/'.join(above)}/" if above else start
    if above and language_of(stem):  # roofline/zh.md
        name, code, form = "/".join(above), stem, f"{in_folder}{{code}}.md"
    elif above and stem == "index":  # roofline/index.md
        name, code, form = "/".join(above), "", f"{in_folder}index.{{code}}.md"
    elif above and before == "index" and is_like_a_code(code):  # roofline/index.zh.md
        name, form = "/".join(above), f"{in_folder}index.{{code}}.md"
    elif dot and is_like_a_code(code) and before != "index":  # roofline.zh.md
        name, form = "/".join((*above, before)), f"{in_folder}{before}.{{code}}.md"
    elif stem != "index" and not is_like_a_code(stem) and before != "index":  # roofline.md
        name, code, form = "/".join((*above, stem)), "", f"{in_folder}{stem}.{{code}}.md"
    else:
        return _not_a_half(section, above, before or stem)
    if "/" in name and not section.nested:
        return _not_a_half(section, above, before or stem)
    language = language_of(code) if code else first
    if language is None:
        return _no_language(name, code, form.replace("{code}", "zh"), form.replace("{code}", "en"))
    return HalfFile(path=path, name=name, language=language, code=code, form=form)


def _not_a_half(section: Section, above: list[str], stem: str) -> Misnamed:
    words = [word for word in (stem, *above) if word != "index" and not is_like_a_code(word)]
    slug = next((word for word in reversed(words) if not word.isdigit()), words[-1] if words else "")
    language = next(filter(None, map(_language_meant, (stem, *above))), None) or next(
        (one for one in LANGUAGES if is_decorated(stem, one)), None
    )
    message = "this file is not a half of an article"
    if len(above) > 1:
        message = f'articles are in folders directly below {section.folder}/, not in "{"/".join(above)}"'
    elif not slug and language:
        message = f'"{stem}" names the language of a half, but not its article'
    kept = "a name that begins with _ is left alone."
    if language and slug:
        meant = f"{section.folder}/{slug}/{language}.md"
        return Misnamed(name=slug, message=message, fix=f"rename it to {meant}; {kept}", meant=meant)
    start, half = f"{section.folder}/{slug or '<slug>'}", f"{language}.md" if language else "zh.md or en.md"
    fix = f"name it {start}/{half}, or {start}.{half.replace('or ', 'or .')}; {kept}"
    return Misnamed(name=slug or "<slug>", message=message, fix=fix)


def _no_language(name: str, code: str, zh: str, en: str) -> Misnamed:
    return Misnamed(
        name=name,
        message=f'"{code}" is not a language of this site',
        fix=f"name it {zh} or {en}; a name that begins with _ is left alone.",
    )


def misnamed(path: str, found: Misnamed) -> Diagnostic:
    """The error for a file that looks like a half but is none."""
    return Diagnostic(rule="pair-name", message=found.message, location=Location(path=path), fix=found.fix)


def twin_path(half: HalfFile, paths: Iterable[str]) -> str:
    """Where the other half belongs, given all files of its section: next to this one or in its own folder."""
    twin = twin_of(half.language)
    if not half.form.startswith(f"{CONTENT}/{{code}}/"):
        return half.form.replace("{code}", twin)
    folders = {path.split("/", 2)[1] for path in paths}
    codes = sorted(folder for folder in folders if language_of(folder) == twin)
    return half.form.replace("{code}", twin if twin in codes or not codes else codes[0])


def with_code(path: str, code: str) -> str:
    """The path of a file in one language: `stack.zh.png` for `stack.png`."""
    folder, slash, name = path.rpartition("/")
    stem, _dot, ending = name.rpartition(".")
    return f"{folder}{slash}{stem}.{code}.{ending}" if stem else f"{path}.{code}"
