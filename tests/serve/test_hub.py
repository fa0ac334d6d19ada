"""What listening browsers learn, and when."""

import asyncio
import json
import threading
from collections.abc import AsyncIterator
from typing import Any

from diglot.serve.hub import Hub


async def _next(events: AsyncIterator[str]) -> dict[str, Any]:
    text = await asyncio.wait_for(anext(events), 5)
    assert text.startswith("data: ")
    assert text.endswith("\n\n")
    found: dict[str, Any] = json.loads(text.removeprefix("data: "))
    return found


def test_a_listener_learns_the_state_at_once_and_after_every_change() -> None:
    async def listen() -> None:
        hub = Hub()
        hub.attach()
        events = hub.events()
        first = await _next(events)
        assert first["errors"] == ""
        hub.tell_errors("broken:\nline 2")
        assert await _next(events) == {**first, "errors": "broken:\nline 2"}
        hub.tell_built(changed=False)
        assert await _next(events) == first
        hub.tell_built(changed=True)
        assert await _next(events) == {"build": first["build"] + 1, "errors": ""}

    asyncio.run(listen())


def test_a_change_is_told_from_another_thread() -> None:
    async def listen() -> None:
        hub = Hub()
        hub.attach()
        events = hub.events()
        await _next(events)
        threading.Thread(target=hub.tell_errors, args=("broken",)).start()
        assert (await _next(events))["errors"] == "broken"

    asyncio.run(listen())


def test_who_was_busy_gets_the_latest_state_alone() -> None:
    async def listen() -> None:
        hub = Hub()
        hub.attach()
        events = hub.events()
        await _next(events)
        for number in range(5):
            hub.tell_errors(str(number))
        await asyncio.sleep(0)
        assert (await _next(events))["errors"] == "4"

    asyncio.run(listen())


def test_a_change_between_two_looks_is_not_missed() -> None:
    async def listen() -> None:
        hub = Hub()
        hub.attach()
        events = hub.events()
        await _next(events)  # suspended behind its yield: it does not wait yet
        hub.tell_errors("broken")
        await asyncio.sleep(0.01)
        assert (await _next(events))["errors"] == "broken"

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
    hub.tell_built(changed=True)
    assert hub.state.build == before + 1


def test_a_new_preview_counts_on_from_a_higher_number() -> None:
    async def wait() -> Hub:
        await asyncio.sleep(0.002)
        return Hub()

    first = Hub()
    assert asyncio.run(wait()).state.build > first.state.build
