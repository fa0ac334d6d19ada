"""The claims of `data/outside_claims.yaml`: who makes them, what would have to hold, and what is reported.

No figure of a report enters a model. A claim is `computed` where models can judge it, which is done outside
of the library, and `reported` where only publications of others can.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Literal, cast, get_args

from diglot.hardware.chips.chip import Source
from diglot.hardware.chips.notes import LANGUAGES, Note, read_note
from diglot.hardware.chips.schema import read_source
from diglot.hardware.data import FOLDER, read_text
from diglot.hardware.data.located_yaml import Located, LocatedYamlError, read_located_yaml
from diglot.hardware.data.tables import Problems, Table, TableError, open_table

CLAIMS_PATH = FOLDER / "outside_claims.yaml"
SCHEMA = "outside-claims/1"

Status = Literal["computed", "reported"]
STATUSES: tuple[Status, ...] = get_args(Status)


class OutsideClaimsError(ValueError):
    """The file of claims breaks the schema; one line per problem."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Post:
    """A text of the debate. Its authors are not named, and its words are not quoted."""

    id: str
    title: Note
    date: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What a publication says about a claim."""

    source: Source
    date: str
    says: Note


@dataclass(frozen=True, slots=True, kw_only=True)
class OutsideClaim:
    """One claim of the debate, in our words, in both languages."""

    number_index: int
    """Its number in the debate, from 1."""
    claim: Note
    posts: tuple[Post, ...]
    status: Status
    needs: Note
    """What would have to hold, or to be known."""
    reports: tuple[Report, ...] = ()
    """At least one for a claim that is `reported`."""

    @property
    def date(self) -> str:
        """When it was first made, as precisely as it is known."""
        return min(post.date for post in self.posts)


def load_outside_claims() -> Mapping[int, OutsideClaim]:
    """All claims by number. Raises OutsideClaimsError where the file breaks the schema."""
    return _parse_once(read_text(CLAIMS_PATH))


@lru_cache(maxsize=1)
def _parse_once(text: str) -> Mapping[int, OutsideClaim]:
    return parse_outside_claims(text)


def parse_outside_claims(text: str) -> Mapping[int, OutsideClaim]:
    """The claims that `text` describes. Raises OutsideClaimsError with a line for every problem."""
    problems, claims = Problems(), {}
    try:
        claims = _read_claims(read_located_yaml(text), problems)
    except LocatedYamlError as error:
        raise OutsideClaimsError(f"{CLAIMS_PATH.name}:{error.line}: {error.problem}") from error
    except TableError as error:
        problems.found.append(error)
    if problems.found:
        found = sorted(problems.found, key=lambda problem: problem.line)
        raise OutsideClaimsError("\n".join(dict.fromkeys(f"{CLAIMS_PATH.name}:{one}" for one in found)))
    return MappingProxyType(claims)


def _read_claims(document: Located, problems: Problems) -> dict[int, OutsideClaim]:
    top = open_table(document, "")
    top.check_keys(("schema", "posts", "sources", "claims"))
    top.text("schema", among=(SCHEMA,))
    listed, known = top.table("sources"), top.table("posts")
    sources = {id_: found for id_ in listed.members if (found := problems.attempt(read_source, listed, id_))}
    posts = {id_: post for id_ in known.members if (post := problems.attempt(_read_post, known, id_))}
    claims: dict[int, OutsideClaim] = {}
    for table in top.tables("claims"):
        claim = problems.attempt(_read_claim, table, posts, sources)
        if claim is not None and claims.setdefault(claim.number_index, claim) is not claim:
            problems.found.append(table.error("number", f"{claim.number_index} is already there"))
    return claims


def _read_post(posts: Table, id_: str) -> Post:
    table = posts.table(id_)
    table.check_keys(("title", "date"))
    return Post(id=id_, title=_read_both(table, "title"), date=table.text("date"))


def _read_claim(table: Table, posts: Mapping[str, Post], sources: Mapping[str, Source]) -> OutsideClaim:
    table.check_keys(("number", "claim", "posts", "status", "needs", "reports"))
    number = table.number("number")
    if not isinstance(number, int):
        raise table.error("number", f"must be a whole number, not {number}")
    ids = table.texts("posts")
    if not ids or not set(ids) <= set(posts):
        raise table.error("posts", f"must name some of {', '.join(posts)}")
    status = cast(Status, table.text("status", among=STATUSES))
    reports = tuple(_read_report(each, sources) for each in table.tables("reports"))
    if status == "reported" and not reports:
        raise table.error("reports", "a reported claim needs a report")
    return OutsideClaim(
        number_index=number,
        claim=_read_both(table, "claim"),
        posts=tuple(posts[id_] for id_ in ids),
        status=status,
        needs=_read_both(table, "needs"),
        reports=reports,
    )


def _read_report(table: Table, sources: Mapping[str, Source]) -> Report:
    table.check_keys(("source", "date", "says"))
    source = sources[table.text("source", among=tuple(sources))]
    return Report(source=source, date=table.text("date"), says=_read_both(table, "says"))


def _read_both(table: Table, key: str) -> Note:
    """A text in Chinese and in English. Raises TableError where one is missing."""
    note = read_note(table, key)
    if not all(getattr(note, language) for language in LANGUAGES):
        raise table.error(key, "must have texts for zh and en")
    return note
