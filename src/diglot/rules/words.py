"""The interface strings as tasks: the built-in ones, and those that a project replaces or adds."""

from functools import lru_cache

from diglot.engine import LISTING
from diglot.languages import LANGUAGES, Language
from diglot.render.strings import (
    Strings,
    compare_strings,
    is_shown,
    parse_strings,
    quoted_words,
    unknown_words,
)
from diglot.rules.reading import read_text, read_text_if_there
from diglot.rules.tasks import Fetch, task
from diglot.rules.theme import folders_of, shown_path


@task("words")
async def read_words(fetch: Fetch, language: Language) -> Strings:
    """The interface strings of one language."""
    built_in = await _read_built_in(fetch, language)
    own = _own_path(fetch, language)
    text = None if own is None else await read_text_if_there(fetch, own)
    if own is None or text is None:
        return built_in
    return parse_strings(text, own, language, built_in=built_in.words)


@task("same-words")
async def compare_words(fetch: Fetch, _name: None) -> None:
    """Warn of strings in only one language of the theme, and of a project's strings that nothing shows."""
    zh, en = await fetch.all(read_words, LANGUAGES)
    paths = {language: f"{folders_of(fetch)[0]}/{_file(language)}" for language in LANGUAGES}
    fetch.report(*compare_strings({"zh": zh, "en": en}, paths))
    if _own_path(fetch, "zh") is None:
        return
    for language, path in paths.items():
        if (text := await read_text_if_there(fetch, path)) is not None:
            built_in = await _read_built_in(fetch, language)
            unknown = unknown_words(text, path, built_in.words)
            quoted = await _quoted(fetch) if unknown else ()
            fetch.report(*(warning for key, warning in unknown.items() if not is_shown(key, quoted)))


async def _read_built_in(fetch: Fetch, language: Language) -> Strings:
    path = f"{folders_of(fetch)[-1]}/{_file(language)}"
    return _parse_built_in(await read_text(fetch, path), shown_path(fetch, path), language)


@lru_cache(4)  # two tasks need them, and each build of a preview
def _parse_built_in(text: str, path: str, language: Language) -> Strings:
    return parse_strings(text, path, language)


def _own_path(fetch: Fetch, language: Language) -> str | None:
    """The path of the project's own strings; None where its templates are the built-in theme."""
    folders = folders_of(fetch)
    return f"{folders[0]}/{_file(language)}" if len(folders) > 1 else None


def _file(language: Language) -> str:
    return f"strings/{language}.yaml"


async def _quoted(fetch: Fetch) -> set[str]:
    """The keys that the project's own templates may use."""
    paths = await fetch(LISTING, f"{folders_of(fetch)[0]}/**")
    templates = [await read_text(fetch, path) for path in paths if path.endswith(".html")]
    return {word for text in templates for word in quoted_words(text)}
