"""Services of others in `site.yaml`: their keys, and the messages for wrong ones."""

import pytest

from diglot.diagnostics import DiagnosticError
from diglot.project import Project, load_project
from diglot.services import Analytics, Giscus, GoatCounter, Plausible, Umami

LEAST = "title: {zh: 站, en: Site}\nbase_url: https://example.org/\n"


def load(more: str) -> Project:
    return load_project(LEAST + more, "site/site.yaml")


def test_a_site_uses_no_service_unless_it_says_so() -> None:
    project = load("comments:\nanalytics: {}\n")
    assert (project.comments, project.analytics) == (None, None)


def test_every_key_of_giscus_is_read() -> None:
    project = load(
        "comments:\n  giscus:\n    repo: ada/b.log\n    repo_id: R_1\n"
        "    category: Posts\n    category_id: C_1\n"
        "    mapping: pathname\n    strict: true\n    reactions: false\n    input: top\n"
    )
    assert project.comments == Giscus(
        repo="ada/b.log",
        repo_id="R_1",
        category="Posts",
        category_id="C_1",
        mapping="pathname",
        strict=True,
        reactions=False,
        input="top",
    )


def test_every_service_that_counts_visits_is_read() -> None:
    project = load(
        "analytics:\n  plausible: {domain: 'example.org,other.org', src: https://p.example/x.js}\n"
        "  goatcounter: {endpoint: https://g.example/count, src: https://g.example/count.js}\n"
        "  umami: {website_id: 1-2}\n"
    )
    assert project.analytics == Analytics(
        plausible=Plausible(domain="example.org,other.org", src="https://p.example/x.js"),
        goatcounter=GoatCounter(endpoint="https://g.example/count", src="https://g.example/count.js"),
        umami=Umami(website_id="1-2", src="https://cloud.umami.is/script.js"),
    )


G = "comments: {giscus: {repo: a/b, repo_id: R, category: P, category_id: C"


@pytest.mark.parametrize(
    ("more", "message", "fix"),
    [
        ("comments: {giscos: {}}", 'unknown key "comments.giscos"', 'did you mean "giscus"?'),
        (
            G.replace("a/b", "b") + "}}",
            'comments.giscus.repo: "b" is not a repository',
            "write its owner and its name, as in ada/blog.",
        ),
        (
            G.replace("a/b", "https://github.com/a/b") + "}}",
            'comments.giscus.repo: "https://github.com/a/b" is not a repository',
            "write its owner and its name, as in ada/blog.",
        ),
        (G.replace(", repo_id: R", "") + "}}", "comments.giscus.repo_id is missing", "add `repo_id: …`."),
        (
            G + ", mapping: path}}",
            "comments.giscus.mapping: expected one of article, half, pathname, url, title, og:title, found "
            'the text "path"',
            'did you mean "pathname"?',
        ),
        (
            "analytics: {plausible: {domain: https://example.org}}",
            'analytics.plausible.domain: "https://example.org" is not a domain',
            "write it as in your account, without https:// and without a path: example.org.",
        ),
        ("analytics: {goatcounter: {}}", "analytics.goatcounter.code is missing", "add `code: …`."),
        (
            "analytics: {goatcounter: {code: ada.goatcounter.com}}",
            'analytics.goatcounter.code: "ada.goatcounter.com" is not a code',
            "write the first part of your address there: for example.goatcounter.com, it is example.",
        ),
        (
            "analytics: {umami: {website_id: x, src: //u.example}}",
            'analytics.umami.src: "//u.example" is not a complete address',
            "begin it with https://.",
        ),
        (
            "analytics: {google: {}}",
            'unknown key "analytics.google"',
            "known are: goatcounter, plausible, umami.",
        ),
    ],
)
def test_a_wrong_value_says_what_to_write(more: str, message: str, fix: str) -> None:
    with pytest.raises(DiagnosticError) as caught:
        load(more)
    (one,) = caught.value.diagnostics
    assert (one.message, one.fix) == (message, fix)
