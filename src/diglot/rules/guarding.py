"""The task that asks one part of `diglot check` of every article: one target stands for all of them."""

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from diglot.engine import UpstreamFailed
from diglot.rules.agreement import compare_article
from diglot.rules.citations import report_unused_works
from diglot.rules.sources import find_posts
from diglot.rules.tasks import Fetch, Task, task
from diglot.rules.typed_numbers import find_typed_numbers

_GUARDS: Mapping[str, Task[str, Any]] = {"pairs": compare_article, "numbers": find_typed_numbers}


@task("guard")
async def guard_articles(fetch: Fetch, part: str) -> int:
    """The number of articles. What is wrong with them is reported by the task of each."""
    names = (await fetch(find_posts)).names
    with suppress(UpstreamFailed):
        await fetch.digests([_GUARDS[part].key(name) for name in names])
    if part == "pairs":
        with suppress(UpstreamFailed):
            await fetch(report_unused_works)
    return len(names)
