"""Which tasks run, and which do not, on a small site."""

import os
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, NamedTuple

import msgspec
import pytest

from diglot.digests import ABSENT, digest_of
from diglot.engine import (
    FILE,
    LISTING,
    Encoded,
    Given,
    Key,
    Packs,
    Store,
    StoredBlob,
    Target,
    Unfinished,
    UpstreamFailed,
)
from diglot.engine.values import DECODED_BYTES
from tests.engine.workshop import Clock, Workshop, mistake, ran, remark


async def document(fetch: Any, name: str) -> tuple[str, str]:
    """Title and body."""
    source = await fetch(FILE, name)
    if source is None:
        raise mistake(name, "is missing")
    title, _, body = source.decode().partition("\n")
    if title == "broken":
        raise mistake(name)
    if title == "odd":
        fetch.report(remark(name))
    return title, body


async def title(fetch: Any, name: str) -> str:
    return (await fetch(Target("document"), name))[0]


async def index(fetch: Any, name: str) -> str:
    paths = await fetch(LISTING, "posts/*.md")
    return " ".join(await fetch.all(Target("title"), paths))


async def page(fetch: Any, name: str) -> bytes:
    title, body = await fetch(Target("document"), name)
    return f"{await fetch(Given('name'))}: {title}, {body}, of {await fetch(Target('index'))}".encode()


@pytest.fixture
def site(workshop: Workshop) -> Workshop:
    workshop.write("posts/a.md", "A\nfirst")
    workshop.write("posts/b.md", "B\nsecond")
    workshop.rule(document, value_type=tuple[str, str])
    workshop.rule(title)
    workshop.rule(index)
    workshop.rule(page, value_type=bytes)
    workshop.given = {"name": "site"}
    return workshop


PAGES = ("page posts/a.md", "page posts/b.md")


def write(path: str, text: str) -> Callable[[Workshop], None]:
    return lambda site: site.write(path, text)


def delete(path: str) -> Callable[[Workshop], None]:
    return lambda site: site.delete(path)


def touch(path: str) -> Callable[[Workshop], None]:
    return lambda site: os.utime(site.root / path)


def give(name: str, value: object) -> Callable[[Workshop], None]:
    return lambda site: site.given.update({name: value})


def rewrite(rule: Callable[..., Any], value_type: Any = str) -> Callable[[Workshop], None]:
    return lambda site: site.rule(rule, value_type=value_type, code="2")


A, B = ({f"{kind} posts/{name}.md" for kind in ("document", "title", "page")} for name in "ab")

FACTS: list[tuple[str, Callable[[Workshop], None], set[str]]] = [
    ("nothing happened", lambda site: None, set()),
    ("a file was saved unchanged", touch("posts/a.md"), set()),
    ("a body was edited", write("posts/a.md", "A\nnew"), A),
    ("a title was edited", write("posts/a.md", "Z\nfirst"), A | {"index", "page posts/b.md"}),
    (
        "a post was added",
        write("posts/c.md", "C\nthird"),
        {"document posts/c.md", "title posts/c.md", "index", *PAGES},
    ),
    ("a picture was added", write("posts/c.png", "x"), set()),
    ("an editor's file was added", write("posts/.c.md.swp", "x"), set()),
    ("a given value changed", give("name", "Site"), set(PAGES)),
    ("a given value nobody asked for came", give("day", "Friday"), set()),
    ("the code of titles changed", rewrite(title), {"title posts/a.md", "title posts/b.md"}),
    ("the code of pages changed", rewrite(page, bytes), set(PAGES)),
]


@pytest.mark.parametrize(("edit", "expected"), [f[1:] for f in FACTS], ids=[f[0] for f in FACTS])
def test_what_runs_after_an_edit(
    site: Workshop, edit: Callable[[Workshop], None], expected: set[str]
) -> None:
    site.build(*PAGES)
    edit(site)
    assert set(ran(site.build(*PAGES))) == expected


@pytest.mark.parametrize("edit", [f[1] for f in FACTS], ids=[f[0] for f in FACTS])
def test_the_build_after_that_runs_nothing(site: Workshop, edit: Callable[[Workshop], None]) -> None:
    site.build(*PAGES)
    edit(site)
    before = site.build(*PAGES)
    report = site.build(*PAGES)
    assert ran(report) == []
    assert report.verified == before.verified + len(before.ran)


def test_a_first_build_runs_each_task_once_and_what_it_fetches_before_it(site: Workshop) -> None:
    order = ran(site.build(*PAGES))
    assert sorted(order) == sorted({*A, *B, "index"})
    assert order.index("document posts/a.md") < order.index("title posts/a.md") < order.index("index")


def test_a_value_is_what_the_task_made(site: Workshop) -> None:
    site.build(*PAGES)
    assert site.value("page posts/a.md") == b"site: A, first, of A B"


def test_bytes_are_stored_as_they_stand(site: Workshop) -> None:
    report = site.build(*PAGES)
    assert report.values[Key("page", "posts/a.md")] == digest_of(b"site: A, first, of A B")


def test_going_back_to_an_older_text_gives_the_older_value(site: Workshop) -> None:
    before = site.build(*PAGES).values
    site.write("posts/a.md", "Z\nother")
    assert site.build(*PAGES).values != before
    site.write("posts/a.md", "A\nfirst")
    assert site.build(*PAGES).values == before


def test_the_report_tells_a_changed_value_from_one_that_came_out_the_same(site: Workshop) -> None:
    site.build(*PAGES)
    site.write("posts/a.md", "A\nnew")
    outcomes = {str(run.key): run.outcome for run in site.build(*PAGES).ran}
    assert outcomes == {
        "document posts/a.md": "changed",
        "title posts/a.md": "unchanged",
        "page posts/a.md": "changed",
    }


def test_a_task_that_depends_on_a_digest_runs_when_the_value_changes(workshop: Workshop) -> None:
    async def provenance(fetch: Any, name: str) -> str:
        return str(await fetch.digest(FILE, "data"))

    workshop.rule(provenance)
    workshop.write("data", "1")
    workshop.build("provenance")
    assert ran(workshop.build("provenance")) == []
    workshop.write("data", "2")
    assert ran(workshop.build("provenance")) == ["provenance"]


def test_a_dependency_that_is_no_longer_asked_for_is_forgotten(workshop: Workshop) -> None:
    async def choice(fetch: Any, name: str) -> str:
        chosen = (await fetch(FILE, "which")).decode()
        return str(await fetch(FILE, chosen))

    workshop.rule(choice)
    for path, text in {"which": "left", "left": "l", "right": "r"}.items():
        workshop.write(path, text)
    workshop.build("choice")
    workshop.write("which", "right")
    workshop.build("choice")
    workshop.write("left", "changed")
    assert ran(workshop.build("choice")) == []
    workshop.write("right", "changed")
    assert ran(workshop.build("choice")) == ["choice"]


def test_a_task_is_not_brought_up_to_date_for_a_reason_that_is_gone(workshop: Workshop) -> None:
    """Traces are compared in order: the list no longer has `b`, so `b` is never fetched."""

    async def part(fetch: Any, name: str) -> str:
        content = await fetch(FILE, name)
        assert content is not None, "a task ran for a file that nobody wants"
        return str(content)

    async def whole(fetch: Any, name: str) -> str:
        parts = await fetch.all(Target("part"), await fetch(LISTING, "parts/*"))
        return " ".join(parts)

    workshop.rule(part)
    workshop.rule(whole)
    workshop.write("parts/a", "a")
    workshop.write("parts/b", "b")
    workshop.build("whole")
    workshop.delete("parts/b")
    assert ran(workshop.build("whole")) == ["whole"]


def observing(workshop: Workshop, *paths: str) -> None:
    async def figure(fetch: Any, name: str) -> str:
        seen = []
        for path in paths:
            file = workshop.root / path
            content = file.read_bytes() if file.exists() else None
            fetch.observed(Key("file", path), ABSENT if content is None else digest_of(content))
            seen.append(content)
        return str(seen)

    workshop.rule(figure)


def test_what_was_observed_afterwards_is_a_dependency(workshop: Workshop) -> None:
    workshop.write("data.csv", "1")
    observing(workshop, "data.csv")
    workshop.build("figure")
    assert ran(workshop.build("figure")) == []
    workshop.write("data.csv", "2")
    assert ran(workshop.build("figure")) == ["figure"]


def test_a_file_that_was_looked_for_in_vain_is_a_dependency(workshop: Workshop) -> None:
    observing(workshop, "data.csv")
    workshop.build("figure")
    assert ran(workshop.build("figure")) == []
    workshop.write("data.csv", "1")
    report = workshop.build("figure")
    assert [str(run.reason) for run in report.ran] == ["file data.csv was created"]


def test_a_file_that_changed_after_it_was_observed_is_noticed_by_the_next_build(workshop: Workshop) -> None:
    async def figure(fetch: Any, name: str) -> str:
        fetch.observed(Key("file", "data.csv"), digest_of(b"as the worker saw it"))
        return "drawn"

    workshop.rule(figure)
    workshop.write("data.csv", "as it is now")
    workshop.build("figure")
    assert ran(workshop.build("figure")) == ["figure"]


def test_a_broken_file_breaks_what_rests_on_it_and_nothing_else(site: Workshop) -> None:
    site.write("posts/b.md", "broken")
    site.rule(lone_page, value_type=bytes)
    report = site.build("lone_page posts/a.md", "lone_page posts/b.md")
    assert report.values[Key("lone_page", "posts/a.md")] is not None
    assert report.values[Key("lone_page", "posts/b.md")] is None


async def lone_page(fetch: Any, name: str) -> bytes:
    return str(await fetch(Target("document"), name)).encode()


def test_one_mistake_is_one_diagnostic_however_many_pages_rest_on_it(site: Workshop) -> None:
    site.write("posts/b.md", "broken")
    report = site.build(*PAGES)
    assert list(map(str, report.diagnostics)) == ["posts/b.md:1: error[test]: is wrong"]
    assert {run.outcome for run in report.ran if run.key.kind == "page"} == {"upstream failed"}


def test_an_unchanged_mistake_is_told_again_without_running_anything(site: Workshop) -> None:
    site.write("posts/b.md", "broken")
    before = site.build(*PAGES)
    after = site.build(*PAGES)
    assert ran(after) == []
    assert after.diagnostics == before.diagnostics


def test_another_mistake_in_the_same_place_runs_nothing_above_it(site: Workshop) -> None:
    site.write("posts/b.md", "broken")
    site.build(*PAGES)
    site.write("posts/b.md", "broken\nstill")
    assert ran(site.build(*PAGES)) == ["document posts/b.md"]


def test_mending_a_mistake_builds_what_it_had_broken(site: Workshop) -> None:
    clean = site.build(*PAGES).values
    site.write("posts/b.md", "broken")
    site.build(*PAGES)
    site.write("posts/b.md", "B\nsecond")
    report = site.build(*PAGES)
    assert report.values == clean
    assert report.diagnostics == ()


def test_a_task_may_do_without_what_failed(site: Workshop) -> None:
    async def home(fetch: Any, name: str) -> str:
        try:
            return str(await fetch(Target("title"), "posts/b.md"))
        except UpstreamFailed as failure:
            return f"without {failure.keys[0]}"

    site.rule(home)
    site.write("posts/b.md", "broken")
    site.build("home")
    assert site.value("home") == b"\xb8without title posts/b.md"
    site.write("posts/b.md", "B\nsecond")
    site.build("home")
    assert site.value("home") == b"\xa1B"


def test_a_failure_that_may_pass_is_tried_again(workshop: Workshop) -> None:
    attempts = []

    async def download(fetch: Any, name: str) -> str:
        attempts.append(name)
        if len(attempts) == 1:
            trouble = mistake("download")
            trouble.retry = True
            raise trouble
        return "there"

    async def user(fetch: Any, name: str) -> str:
        return str(await fetch(Target("download")))

    workshop.rule(download)
    workshop.rule(user)
    assert workshop.build("user").values[Key("user")] is None
    report = workshop.build("user")
    assert ran(report) == ["download", "user"]
    assert report.ran[0].reason.kind == "tried again"
    assert report.diagnostics == ()


def test_a_warning_is_told_in_every_build(site: Workshop) -> None:
    site.write("posts/b.md", "odd")
    first = site.build(*PAGES)
    second = site.build(*PAGES)
    assert list(map(str, first.diagnostics)) == ["posts/b.md: warning[test]: is odd"]
    assert second.diagnostics == first.diagnostics
    assert ran(second) == []


def test_a_warning_is_gone_once_its_cause_is(site: Workshop) -> None:
    site.write("posts/b.md", "odd")
    site.build(*PAGES)
    site.write("posts/b.md", "even")
    assert site.build(*PAGES).diagnostics == ()


def test_what_a_task_warned_of_before_it_failed_is_kept(workshop: Workshop) -> None:
    async def both(fetch: Any, name: str) -> str:
        fetch.report(remark("x"))
        raise mistake("x")

    workshop.rule(both)
    assert len(workshop.build("both").diagnostics) == 2
    assert len(workshop.build("both").diagnostics) == 2


def test_an_unexpected_exception_ends_the_build_and_keeps_finished_values(workshop: Workshop) -> None:
    async def good(fetch: Any, name: str) -> str:
        return "good"

    async def bad(fetch: Any, name: str) -> str:
        await fetch(Target("good"))
        return str(1 // 0)

    workshop.rule(good)
    workshop.rule(bad)
    with pytest.raises(ZeroDivisionError) as caught:
        workshop.build("bad")
    assert caught.value.__notes__ == ["while running the task bad"]
    assert ran(workshop.build("good")) == []


def test_tasks_that_wait_when_the_build_ends_may_tidy_up(workshop: Workshop) -> None:
    tidied = []

    async def bad(fetch: Any, name: str) -> str:
        return str(1 // 0)

    async def tidy(fetch: Any, name: str) -> str:
        try:
            return str(await fetch(Target("bad")))
        finally:
            tidied.append(name)

    workshop.rule(bad)
    workshop.rule(tidy)
    with pytest.raises(ZeroDivisionError) as caught:
        workshop.build("tidy x")
    assert tidied == ["x"]
    assert caught.value.__notes__ == ["while running the task bad"]


def test_an_interrupt_keeps_what_is_finished(workshop: Workshop) -> None:
    async def good(fetch: Any, name: str) -> str:
        return "good"

    async def endless(fetch: Any, name: str) -> str:
        await fetch(Target("good"))
        raise KeyboardInterrupt

    workshop.rule(good)
    workshop.rule(endless)
    with pytest.raises(KeyboardInterrupt):
        workshop.build("endless")
    assert ran(workshop.build("good")) == []


@pytest.mark.parametrize("target", ["no-such-rule x", "asks"])
def test_a_rule_that_is_not_there_is_our_mistake(workshop: Workshop, target: str) -> None:
    async def asks(fetch: Any, name: str) -> str:
        return str(await fetch(Target("no-such-rule"), "x"))

    workshop.rule(asks)
    with pytest.raises(KeyError, match="there is no rule for no-such-rule x"):
        workshop.build(target)


def test_a_rule_that_is_no_longer_there_is_a_change(site: Workshop) -> None:
    async def shout(fetch: Any, name: str) -> str:
        return (await fetch(Target("title"), name)).upper()

    async def plain(fetch: Any, name: str) -> str:
        return str(await fetch(Target("document"), name))

    site.rule(shout)
    site.build("shout posts/a.md")
    del site.rules["title"]
    plain.__name__ = "shout"
    site.rule(plain)
    report = site.build("shout posts/a.md")
    assert ran(report) == ["shout posts/a.md"]
    assert str(report.ran[0].reason) == "title posts/a.md was deleted"


def test_dependents_get_the_same_type_from_a_fresh_value_as_from_the_store(workshop: Workshop) -> None:
    """A list comes back as the tuple that its type says, in the first build as in the second."""

    async def numbers(fetch: Any, name: str) -> Any:
        return [1, 2]

    async def kind_of(fetch: Any, name: str) -> str:
        return type(await fetch(Target("numbers"))).__name__

    workshop.rule(numbers, value_type=tuple[int, ...])
    workshop.rule(kind_of)
    workshop.build("kind_of")
    assert workshop.value("kind_of") == b"\xa5tuple"


def test_own_time_leaves_out_the_tasks_that_were_waited_for(workshop: Workshop) -> None:
    workshop.clock = clock = Clock()

    async def slow(fetch: Any, name: str) -> str:
        clock.now_s += 20
        return "done"

    async def quick(fetch: Any, name: str) -> str:
        clock.now_s += 1
        return str(await fetch(Target("slow")))

    workshop.rule(slow)
    workshop.rule(quick)
    assert {str(run.key): run.seconds for run in workshop.build("quick").ran} == {"slow": 20, "quick": 1}


def test_own_time_is_what_a_result_says_it_took(workshop: Workshop) -> None:
    class Report(NamedTuple):
        took_s: float

    workshop.clock = clock = Clock()
    queue: list[Future[Report]] = []

    def work() -> bool:
        clock.now_s += 30
        queue.pop().set_result(Report(took_s=10))
        return True

    async def queued(fetch: Any, name: str) -> str:
        queue.append(Future())
        await fetch.wait(queue[0])
        return "done"

    async def told_before(fetch: Any, name: str) -> str:
        future: Future[Report] = Future()
        future.set_result(Report(took_s=60))  # an earlier build began it and waited for it
        await fetch.wait(future)
        return "done"

    workshop.rule(queued)
    workshop.rule(told_before)
    workshop.work = work
    seconds = {run.key.kind: run.seconds for run in workshop.build("queued", "told_before").ran}
    assert seconds == {"queued": 10, "told_before": 0}


def test_progress_counts_tasks_and_names_the_one_at_work(site: Workshop) -> None:
    site.build(*PAGES)
    assert {str(p.running) for p in site.progress if p.running} == {*A, *B, "index"}
    last = site.progress[-1]
    assert (last.done, last.known) == (7, 7)
    assert all(p.done <= p.known for p in site.progress)


def test_the_last_value_stands_in_for_one_that_takes_too_long(workshop: Workshop) -> None:
    hurried = [False]

    async def slow(fetch: Any, name: str) -> str:
        text = (await fetch(FILE, "a.txt")).decode()
        if hurried[0]:
            raise Unfinished
        return text.upper()

    async def page(fetch: Any, name: str) -> str:
        return f"{await fetch(Target('slow'))}, {(await fetch(FILE, 'b.txt')).decode()}"

    workshop.rule(slow)
    workshop.rule(page)
    workshop.write("a.txt", "one")
    workshop.write("b.txt", "1")
    workshop.build("page")
    hurried[0] = True
    workshop.write("a.txt", "two")
    workshop.write("b.txt", "2")
    report = workshop.build("page")
    assert {str(run.key): run.outcome for run in report.ran} == {"slow": "unfinished", "page": "changed"}
    hurried[0] = False
    assert {str(run.key): run.outcome for run in workshop.build("page").ran} == {
        "slow": "changed",
        "page": "changed",
    }
    assert b"TWO, 2" in (workshop.value("page") or b"")


def test_an_unfinished_task_without_an_earlier_value_fails_its_dependents_silently(
    workshop: Workshop,
) -> None:
    hurried = [True]

    async def slow(fetch: Any, name: str) -> str:
        if hurried[0]:
            raise Unfinished
        return "done"

    async def page(fetch: Any, name: str) -> str:
        return f"{await fetch(Target('slow'))}"

    workshop.rule(slow)
    workshop.rule(page)
    report = workshop.build("page")
    assert report.values == {Key("page"): None}
    assert report.diagnostics == ()
    hurried[0] = False
    assert workshop.build("page").values != {Key("page"): None}


class Parted(msgspec.Struct):
    head: msgspec.Raw
    body: msgspec.Raw


@pytest.mark.parametrize("handed_on", [True, False], ids=["handed on", "cut out of what is stored"])
def test_a_part_of_a_large_value_is_what_is_stored_of_it(workshop: Workshop, handed_on: bool) -> None:
    packs = Packs.of(workshop.root / ".diglot")

    async def whole(fetch: Any, name: str) -> StoredBlob:
        text: bytes = await fetch(FILE, name)
        head, body = (msgspec.Raw(msgspec.msgpack.encode(part)) for part in text.decode().split("\n"))
        blob = packs.add(msgspec.msgpack.encode(Parted(head=head, body=body)))
        return StoredBlob(blob, {"head": bytes(head)} if handed_on else {})

    async def heading(fetch: Any, name: str) -> Encoded:
        return Encoded(await fetch.part(Target("whole"), name, "head"))

    async def shout(fetch: Any, name: str) -> str:
        return str(await fetch(Target("heading"), name)).upper()

    workshop.rule(whole, value_type=Parted)
    workshop.rule(heading)
    workshop.rule(shout)
    workshop.write("a", "one\nbody")
    workshop.build("shout a")
    assert workshop.value("shout a") == msgspec.msgpack.encode("ONE")

    workshop.write("a", "one\nanother body")
    assert ran(workshop.build("shout a")) == ["whole a", "heading a"]

    workshop.write("a", "two\nanother body")
    workshop.build("shout a")
    assert workshop.value("shout a") == msgspec.msgpack.encode("TWO")


def test_a_task_is_told_where_the_value_is_that_the_same_code_made_last(workshop: Workshop) -> None:
    packs = Packs.of(workshop.root / ".diglot")
    last: list[bytes | None] = []

    async def page(fetch: Any, name: str) -> StoredBlob:
        blob = fetch.last_blob()
        last.append(None if blob is None else msgspec.msgpack.decode(packs.read(blob), type=bytes))
        return StoredBlob(packs.add(msgspec.msgpack.encode(await fetch(FILE, name))), {})

    workshop.rule(page, value_type=bytes)
    for text in ("one", "two", "two", "three"):
        workshop.write("a", text)
        workshop.build("page a")
    workshop.rule(page, value_type=bytes, code="2")
    workshop.build("page a")
    assert last == [None, b"one", b"two", None]


def test_a_large_value_that_many_tasks_read_is_read_from_the_store_once(
    workshop: Workshop, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def map_(_fetch: Any, _name: str) -> str:
        return "m" * (DECODED_BYTES + 1)

    async def row(_fetch: Any, name: str) -> str:
        return name

    async def page(fetch: Any, name: str) -> str:
        return await fetch(Target("row"), name) + (await fetch(Target("map_"), "x"))[:1]

    for run in (map_, row, page):
        workshop.rule(run)
    read: list[str] = []
    from_store = Store.object

    def noted(store: Store, digest: str) -> bytes:
        read.append(digest)
        return from_store(store, digest)

    monkeypatch.setattr(Store, "object", noted)
    report = workshop.build("map_ x", *(f"page {number}" for number in range(20)))
    assert read.count(report.values[Key("map_", "x")]) == 1


def test_what_is_made_ahead_is_no_dependency_and_may_fail(workshop: Workshop) -> None:
    async def other(fetch: Any, name: str) -> str:
        text: bytes = await fetch(FILE, name)
        if text == b"broken":
            raise mistake(name)
        return text.decode()

    async def first(fetch: Any, name: str) -> str:
        await fetch.ahead([Key("other", "a"), Key("other", "b")])
        return "first"

    async def both(fetch: Any, name: str) -> str:
        return await fetch(Target("first")) + await fetch(Target("other"), "a")

    for rule in (other, first, both):
        workshop.rule(rule)
    workshop.write("a", "A")
    workshop.write("b", "broken")
    report = workshop.build("both")
    assert ran(report) == ["other a", "first", "both"]
    assert report.diagnostics == ()  # no task uses the broken value

    workshop.write("a", "B")
    assert ran(workshop.build("both")) == ["other a", "both"]
