"""The hub: which events browsers get, and when."""

import asyncio
import json
import threading
from collections.abc import AsyncIterator
from typing import Any

from diglot.serve.hub import Hub
from diglot.serve.problems import Problem
from tests.waiting import HANG_S


def _broken(message: str = "broken") -> tuple[Problem, ...]:
    facts = {"place": "", "source": "", "detail": (), "fix": "", "link": ""}
    return (Problem(severity="error", rule="a-rule", message=message, **facts),)


async def _next(events: AsyncIterator[str]) -> dict[str, Any]:
    text = await asyncio.wait_for(anext(events), HANG_S)
    number, _retry, data = text.removesuffix("\n\n").split("\n")
    found: dict[str, Any] = json.loads(data.removeprefix("data: "))
    assert number == f"id: {found['build']}"
    return found


def _messages(found: dict[str, Any]) -> list[str]:
    return [problem["message"] for problem in found["problems"]]


def test_a_listener_learns_the_state_at_once_and_after_every_change() -> None:
    async def listen() -> None:
        hub = Hub()
        hub.attach()
        events = hub.events()
        first = await _next(events)
        assert first["problems"] == []
        hub.tell_failed(_broken("broken:\nline 2"))
        failed = await _next(events)
        assert (failed["build"], _messages(failed)) == (first["build"], ["broken:\nline 2"])
        hub.tell_built([])
        mended = await _next(events)
        assert (mended["build"], mended["problems"]) == (first["build"], [])
        hub.tell_built(["index.html"])
        assert (await _next(events))["build"] == first["build"] + 1

    asyncio.run(listen())


def test_a_build_may_change_some_pages_and_fail_on_others() -> None:
    async def listen() -> None:
        hub = Hub()
        hub.attach()
        events = hub.events(since=hub.state.build)
        await _next(events)
        hub.tell_built(["a.html"], _broken())
        heard = await _next(events)
        assert (heard["pages"], _messages(heard)) == (["a.html"], ["broken"])

    asyncio.run(listen())


def test_every_build_counts_whether_or_not_it_changed_anything() -> None:
    hub = Hub()
    first = hub.state.attempt
    hub.tell_failed(_broken())
    hub.tell_built([])
    hub.tell_built(["index.html"])
    assert hub.state.attempt == first + 3


def test_a_change_is_told_from_another_thread() -> None:
    async def listen() -> None:
        hub = Hub()
        hub.attach()
        events = hub.events()
        await _next(events)
        threading.Thread(target=hub.tell_failed, args=(_broken(),)).start()
        assert _messages(await _next(events)) == ["broken"]

    asyncio.run(listen())


def test_a_listener_learns_which_files_changed_since_it_last_heard() -> None:
    async def listen() -> None:
        hub = Hub()
        hub.attach()
        events = hub.events(since=hub.state.build)
        assert (await _next(events))["pages"] == []
        hub.tell_built(["a.html", "picture.png"])
        first = await _next(events)
        assert (first["pages"], first["files"]) == (["a.html"], ["picture.png"])
        hub.tell_built(["b.html"])
        second = await _next(events)
        assert (second["pages"], second["files"]) == (["b.html"], [])

    asyncio.run(listen())


def test_who_was_busy_gets_the_latest_state_alone_and_all_that_changed() -> None:
    async def listen() -> None:
        hub = Hub()
        hub.attach()
        events = hub.events(since=hub.state.build)
        await _next(events)
        for number in range(5):
            hub.tell_built([f"{number}.html"])
            hub.tell_failed(_broken(str(number)))
        await asyncio.sleep(0)
        heard = await _next(events)
        assert _messages(heard) == ["4"]
        assert heard["pages"] == [f"{number}.html" for number in range(5)]

    asyncio.run(listen())


def test_who_comes_back_learns_what_was_missed() -> None:
    async def listen() -> None:
        hub = Hub()
        hub.attach()
        seen = hub.state.build
        hub.tell_built(["a.html"])
        hub.tell_built(["b.html", "c.css"])
        assert (await _next(hub.events(since=seen)))["pages"] == ["a.html", "b.html"]
        assert (await _next(hub.events(since=seen + 1)))["pages"] == ["b.html"]

    asyncio.run(listen())


def test_who_comes_from_another_preview_or_from_nowhere_has_to_look_itself() -> None:
    async def listen() -> None:
        hub = Hub()
        hub.attach()
        for since in (None, hub.state.build - 1, hub.state.build + 1):
            heard = await _next(hub.events(since=since))
            assert (heard["pages"], heard["files"]) == (None, None)

    asyncio.run(listen())


def test_a_change_of_everything_is_not_spelled_out() -> None:
    async def listen() -> None:
        hub = Hub()
        hub.attach()
        seen = hub.state.build
        hub.tell_built([*(f"{number}.html" for number in range(5000)), "style.css"])
        heard = await _next(hub.events(since=seen))
        assert (heard["pages"], heard["files"]) == (None, ["style.css"])

    asyncio.run(listen())


def test_what_is_remembered_of_changes_does_not_grow_for_ever() -> None:
    async def listen() -> None:
        hub = Hub()
        hub.attach()
        seen = hub.state.build
        for number in range(6):
            hub.tell_built([f"{number}-{file}.html" for file in range(5000)])
        assert len(hub._changed_in) <= 25_000
        assert (await _next(hub.events(since=seen)))["files"] is None
        assert (await _next(hub.events(since=hub.state.build)))["pages"] == []

    asyncio.run(listen())


def test_a_change_between_two_looks_is_not_missed() -> None:
    async def listen() -> None:
        hub = Hub()
        hub.attach()
        events = hub.events()
        await _next(events)  # it is suspended after its yield, and does not wait yet
        hub.tell_failed(_broken())
        await asyncio.sleep(0.01)
        assert _messages(await _next(events)) == ["broken"]

    asyncio.run(listen())


def test_closing_ends_every_stream() -> None:
    async def listen() -> None:
        hub = Hub()
        hub.attach()
        streams = [hub.events() for _ in range(3)]
        for events in streams:
            await _next(events)
        hub.close()
        for events in streams:
            assert await asyncio.wait_for(anext(events, None), 5) is None

    asyncio.run(listen())


def test_builds_are_told_before_anyone_can_listen() -> None:
    hub = Hub()
    before = hub.state.build
    hub.tell_built(["index.html"])
    assert hub.state.build == before + 1


def test_a_new_preview_counts_on_from_a_higher_number() -> None:
    async def wait() -> Hub:
        await asyncio.sleep(0.002)
        return Hub()

    first = Hub()
    assert asyncio.run(wait()).state.build > first.state.build
