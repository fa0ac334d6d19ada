"""Paths that lead out of the output folder, to names reserved for diglot or Git, or to other outputs."""

import random
from collections.abc import Callable

LONG = "n" * 256


def _climbing(chance: random.Random) -> str:
    up = chance.choice(
        ["..", ".", "%2e%2e", "%2E.", "..%2f..", "%252e%252e", "%2e%2e%2f", "....//..", ".%00."]
    )
    parts = [chance.choice(["a", "zh", "old", "posts"]) for _ in range(chance.randrange(3))]
    parts.insert(chance.randrange(len(parts) + 1), up)
    return "/" + "/".join(parts) + chance.choice(["", "/", "/x", "/x.html"])


def _empty(chance: random.Random) -> str:
    return chance.choice(["//", "///", "/a//", "/a//b/", "//a", "/a/b//c.html", "/ /", "/a/ /b", "/%20/"])


def _kept(chance: random.Random) -> str:
    name = chance.choice([".git", ".diglot-site", ".diglot-new", ".diglot-anything", "git~1"])
    name = "".join(chance.choice([one.upper(), one]) for one in name)
    hidden = f"{name[:2]}\u200c{name[2:]}"
    name = chance.choice([name, f"{name}.", f"{name} ", hidden, f"{name}:x", f"{name}%2e"])
    return chance.choice(["/", "/a/"]) + name + chance.choice(["", "/", "/config", "/hooks/pre-push.html"])


def _taken(chance: random.Random) -> str:
    return chance.choice(
        [
            *(
                "/",
                "/index.html",
                "/zh/",
                "/en/",
                "/zh",
                "/zh/index.html",
                "/404.html",
                "/zh/tags/",
                "/en/posts/a/",
            ),
            *(
                "/zh/posts/a/both/",
                "/zh/posts/b/",
                "/sitemap.xml",
                "/robots.txt",
                "/zh/feed.xml",
                "/.nojekyll",
            ),
            *(
                "/sitemap.xml/deep/x.html",
                "/robots.txt/",
                "/zh/posts/a/index.html/",
                "/file.txt",
                "/file.txt/x",
            ),
            *("/ZH/posts/a/", "/Zh/", "/zh/Posts/x/", "/INDEX.html", "/FILE.txt/x.html", "/zh/posts/A/"),
        ]
    )


def _odd(chance: random.Random) -> str:
    odd = chance.choice(
        ["\\", "\0", "\n", "\x1f", "\x7f", "\x85", "\ufffe", "%00", "%0a", "%5c", "%ff", "?", "#"]
    )
    return chance.choice([f"/a{odd}b/", f"/{odd}", f"/a/{odd}/b.html", f"/x/b{odd}"])


def _long(chance: random.Random) -> str:
    return chance.choice(
        [f"/{LONG}/", f"/a/{LONG}.html", f"/{'页' * 86}/", "/" + "deep/" * 400, f"/{'%E9' * 300}/"]
    )


KINDS: dict[str, Callable[[random.Random], str]] = {
    "climbs": _climbing,
    "has an empty part": _empty,
    "is kept": _kept,
    "is taken": _taken,
    "has an odd character": _odd,
    "is too long": _long,
}

STATIC = (
    *("zh/index.html", "index.html", "robots.txt", "sitemap.xml", "zh/posts/a/index.html", "404.html"),
    *(
        "ZH/index.html",
        "Robots.txt",
        "zh",
        "en/posts",
        "sitemap.xml/x.txt",
        "a\\b.txt",
        "a\x7fb.txt",
        "end.",
        "end ",
    ),
    *("a%2fb.txt", "%2e%2e", "git~1/x", "x/y%00.txt", "A.txt", "figures/bars/bars.zh.svg"),
)
"""Names of static files that cannot be published (`A.txt` beside `a.txt`)."""

SLUGS = (LONG, "..", ".", "a/b", "../x", "A", "a b", "a\\nb", "%2e%2e", "-a", "页", "a.html", "")
