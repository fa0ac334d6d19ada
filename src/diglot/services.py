"""Services of others that a site may use: comments by giscus, and three that count visits without cookies."""

import re
from typing import Literal

import msgspec

from diglot.strict_yaml import Fields

Mapping = Literal["article", "half", "pathname", "url", "title", "og:title"]
_MAPPINGS: tuple[Mapping, ...] = ("article", "half", "pathname", "url", "title", "og:title")
Input = Literal["top", "bottom"]
_INPUTS: tuple[Input, ...] = ("top", "bottom")
_REPOSITORY = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?/[A-Za-z0-9._-]+")
_CODE = re.compile(r"[a-z0-9](?:[a-z0-9-]*[a-z0-9])?")
_DOMAINS = re.compile(r"[A-Za-z0-9.-]+(?:,[A-Za-z0-9.-]+)*")


class Giscus(msgspec.Struct, frozen=True, kw_only=True):
    """Comments that are kept in the discussions of a repository on GitHub, by https://giscus.app."""

    repo: str
    """The repository, as in `ada/blog`."""
    repo_id: str
    category: str
    category_id: str
    mapping: Mapping = "article"
    """Which pages share a discussion: those of an article, those of a half, or what giscus offers."""
    strict: bool = False
    """Whether titles of discussions are compared exactly."""
    reactions: bool = True
    """Whether readers can react to the article itself."""
    input: Input = "bottom"
    """Where the box to write in is."""


class Plausible(msgspec.Struct, frozen=True, kw_only=True):
    """Visits are counted by Plausible."""

    domain: str
    src: str = "https://plausible.io/js/script.js"
    """Address of its script."""


class GoatCounter(msgspec.Struct, frozen=True, kw_only=True):
    """Visits are counted by GoatCounter."""

    endpoint: str
    """Address that visits are sent to."""
    src: str = "https://gc.zgo.at/count.js"


class Umami(msgspec.Struct, frozen=True, kw_only=True):
    """Visits are counted by Umami."""

    website_id: str
    src: str = "https://cloud.umami.is/script.js"


class Analytics(msgspec.Struct, frozen=True, kw_only=True):
    """The services that count visits; None for those that the site does not use."""

    plausible: Plausible | None = None
    goatcounter: GoatCounter | None = None
    umami: Umami | None = None


def read_comments(comments: Fields | None) -> Giscus | None:
    """The comments of a configuration; mistakes are added to it."""
    giscus = None if comments is None else comments.nested("giscus")
    if giscus is None:
        return None
    giscus.require("repo", "repo_id", "category", "category_id")
    repo = giscus.text("repo", "")
    if repo and not _REPOSITORY.fullmatch(repo):
        giscus.report(
            "repo",
            f'comments.giscus.repo: "{repo}" is not a repository',
            "write its owner and its name, as in ada/blog.",
        )
    return Giscus(
        repo=repo,
        repo_id=giscus.text("repo_id", ""),
        category=giscus.text("category", ""),
        category_id=giscus.text("category_id", ""),
        mapping=giscus.choice("mapping", _MAPPINGS, "article"),
        strict=giscus.flag("strict"),
        reactions=giscus.flag("reactions", True),
        input=giscus.choice("input", _INPUTS, "bottom"),
    )


def read_analytics(analytics: Fields | None) -> Analytics | None:
    """The analytics of a configuration; mistakes are added to it."""
    if analytics is None:
        return None
    found = Analytics(
        plausible=_plausible(analytics.nested("plausible")),
        goatcounter=_goatcounter(analytics.nested("goatcounter")),
        umami=_umami(analytics.nested("umami")),
    )
    return None if found == Analytics() else found


def _plausible(fields: Fields | None) -> Plausible | None:
    if fields is None:
        return None
    fields.require("domain")
    domain = fields.text("domain", "")
    if domain and not _DOMAINS.fullmatch(domain):
        fields.report(
            "domain",
            f'analytics.plausible.domain: "{domain}" is not a domain',
            "write it as in your account, without https:// and without a path: example.org.",
        )
    return Plausible(domain=domain, src=fields.address("src", Plausible(domain="").src))


def _goatcounter(fields: Fields | None) -> GoatCounter | None:
    if fields is None:
        return None
    code = fields.text("code")
    if code is not None and not _CODE.fullmatch(code):
        fields.report(
            "code",
            f'analytics.goatcounter.code: "{code}" is not a code',
            "write the first part of your address there: for example.goatcounter.com, it is example.",
        )
    if code is None and "endpoint" not in fields:
        fields.require("code")
    endpoint = fields.address("endpoint", f"https://{code}.goatcounter.com/count")
    script = fields.address("src", GoatCounter(endpoint="").src)
    return GoatCounter(endpoint=endpoint, src=script)


def _umami(fields: Fields | None) -> Umami | None:
    if fields is None:
        return None
    fields.require("website_id")
    script = fields.address("src", Umami(website_id="").src)
    return Umami(website_id=fields.text("website_id", ""), src=script)
