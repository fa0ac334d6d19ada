"""The questions of `diglot init --ask`; an empty answer keeps what is proposed."""

import sys
from collections.abc import Callable

import msgspec

from diglot.diagnostics import Refusal
from diglot.languages import LANGUAGES, Bilingual
from diglot.scaffold.sites import WORKFLOWS, NewSite, site_files


def ask(site: NewSite) -> NewSite:
    """The site as its author answers. Raises Refusal where there is nobody to ask."""
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise Refusal("--ask needs a terminal", "leave it out, and use --title, --base-url and the rest.")
    title = Bilingual(
        zh=_answer("Title in Chinese", site.title.zh), en=_answer("Title in English", site.title.en)
    )
    site = msgspec.structs.replace(site, title=title)
    site = _until_accepted(
        lambda: msgspec.structs.replace(site, base_url=_answer("Address when published", site.base_url))
    )
    first = _choice("First language", LANGUAGES, site.first_language or LANGUAGES[0])
    hosts = (*WORKFLOWS, "none")
    host = _choice("Publish with a workflow of", hosts, site.host or "none")
    example = _choice("Begin with an example article", ("yes", "no"), "no" if site.is_empty else "yes")
    return msgspec.structs.replace(
        site,
        first_language="en" if first == "en" else site.first_language,
        host=next((one for one in WORKFLOWS if one == host), None),
        is_empty=example == "no",
    )


def _until_accepted(answered: Callable[[], NewSite]) -> NewSite:
    while True:
        try:
            site = answered()
            site_files(site)
        except Refusal as refusal:
            print(f"  {refusal.message}: {refusal.fix}", file=sys.stderr)
        else:
            return site


def _choice(question: str, words: tuple[str, ...], proposed: str) -> str:
    while True:
        answer = _answer(f"{question} ({', '.join(words)})", proposed)
        found = [word for word in words if word.startswith(answer.casefold())]
        if len(found) == 1:
            return found[0]
        print(f'  "{answer}" is none of {", ".join(words)}', file=sys.stderr)


def _answer(question: str, proposed: str) -> str:
    print(f"{question} [{proposed}]: ", end="", file=sys.stderr, flush=True)
    line = sys.stdin.readline()
    if not line:  # the end of the input: nobody is there any more
        raise KeyboardInterrupt
    return " ".join(line.split()) or proposed
