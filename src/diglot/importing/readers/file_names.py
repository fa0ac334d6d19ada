"""What the names of source files say: dates, languages, and the folders that they are in."""

import datetime
import posixpath
import re
from typing import NamedTuple

from diglot.importing.names import (
    is_other_language,
    language_of_code,
    language_of_text,
    split_language_suffix,
)
from diglot.importing.readers.reading import Reading
from diglot.importing.readers.source_files import NEVER_CLOSED, as_date
from diglot.importing.records import Matter
from diglot.languages import Language

DATED = re.compile(r"([0-9]{4}-[0-9]{1,2}-[0-9]{1,2})-(.+)")
_LANGUAGE_BEHIND = re.compile(r"(.+)[-_](zh|en|cn|zh-cn|zh_cn)", re.IGNORECASE)


class FileName(NamedTuple):
    """The path of a post or page of Jekyll or Hexo, taken apart."""

    stem: str
    """The file's name without its ending."""
    name: str
    """The stem without date and language."""
    date: datetime.date | None
    folders: list[str]
    """The folders that are part of the address."""
    rest: list[str]
    """These without the one that names the language."""
    code: str
    """What names the language, in the front matter or the path; empty if nothing does."""
    in_folder: str
    """The folder that names the language; empty if none does."""
    language: Language


def read_file_name(
    parts: list[str],
    matter: Matter,
    *,
    language_keys: tuple[str, ...],
    deepest_language_folder: int | None,
    special: tuple[str, ...] = (),
) -> FileName:
    """What a path and front matter say; only so many folders, or all for None, may name the language.

    The folders of posts, drafts and pages, and `special` ones, are no part of the address.
    """
    stem = posixpath.splitext(parts[-1])[0]
    dated = DATED.fullmatch(stem)
    name, suffix = split_language_suffix(dated[2] if dated else stem)
    folders = [part for part in parts[:-1] if part not in ("_posts", "_drafts", "_pages", *special)]
    in_folder = next(filter(names_language, folders[:deepest_language_folder]), "")
    code = matter.text(*language_keys) or suffix or in_folder
    language = language_of(code, matter)
    behind = _LANGUAGE_BEHIND.fullmatch(name)
    if behind is not None and language_of_code(behind[2]) == language:
        name = behind[1]
    return FileName(
        stem,
        name,
        as_date(dated[1]) if dated else None,
        folders,
        [part for part in folders if part != in_folder],
        code,
        in_folder,
        language,
    )


def names_language(folder: str) -> bool:
    """Whether a folder has the code of a language as its name."""
    return language_of_code(folder) is not None or is_other_language(folder)


def language_of(code: str, matter: Matter) -> Language:
    """The language that a code means, or else the one that the text is written in."""
    return language_of_code(code) or language_of_text(f"{matter.values.get('title', '')}\n{matter.body}")


def is_imported(path: str, code: str, matter: Matter, reading: Reading) -> bool:
    """Whether a file is in a language that diglot has. Reports other ones, and broken front matter."""
    if is_other_language(code):
        reading.leave(path, f'is in the language "{code}"', "diglot's languages are zh and en.")
        return False
    if matter.trouble == NEVER_CLOSED:
        message = "the front matter is never closed; the text is taken to begin at this line"
        fix = "write --- on a line below the last key, and import again, if the text begins elsewhere."
        reading.findings.tell(path, message, fix, line=matter.body_line)
    elif matter.trouble:
        message = f"the front matter is broken ({matter.trouble[:120]}); simple lines of it were read"
        reading.findings.tell(path, message, "look through the article's front matter.", line=1)
    return True
