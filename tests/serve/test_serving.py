"""`diglot serve` as a person runs it: a process, its address, saves, errors, and its end."""

import json
import os
import re
import resource
import shutil
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from queue import Empty, Queue

import httpx2
import pytest

from tests.cli.sites import CONFIG, LINE, LOOPING, article, pair, processes_below, start, write, write_site
from tests.waiting import HANG_S, wait_until

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc")


_CLIENT = httpx2.Client(timeout=HANG_S, limits=httpx2.Limits(max_keepalive_connections=0))
"""Shared, because creating a client takes longer than a request. It keeps no connection."""


class Serving:
    """A running preview, and its output."""

    def __init__(self, root: Path, *flags: str, **environment: str) -> None:
        self.root = root
        self.process = start("serve", *flags, root=root, **environment)
        self.said: list[str] = []
        self._lines: Queue[str | None] = Queue()
        threading.Thread(target=self._listen, daemon=True).start()
        self.address = self.wait_for(r"serving (\S+)")[1]

    def _listen(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self._lines.put(line)
        self._lines.put(None)

    def wait_for(self, pattern: str, seconds: float = HANG_S) -> "re.Match[str]":
        """Wait for the next line of output that matches. Returns the match."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            try:
                line = self._lines.get(timeout=max(0.01, end - time.monotonic()))
            except Empty:
                break
            assert line is not None, f"it ended, having said {''.join(self.said)}"
            self.said.append(line)
            if found := re.search(pattern, line):
                return found
        raise AssertionError(f"nothing said matches {pattern!r}: {''.join(self.said)}")

    def until(self, path: str, words: str) -> None:
        """Wait until a page has some words."""
        wait_until(lambda: words in self.get(path).text, told=lambda: (words, path, self.builds(), self.said))

    def until_gone(self, path: str) -> None:
        """Wait until there is no such page."""
        wait_until(lambda: self.get(path).status_code == 404, told=lambda: (path, self.said))

    def builds(self, quiet_s: float = 1.0) -> int:
        """The number of builds reported since the last call, once none follows and no figure is computed."""
        count = 0
        while True:
            at_work = bool(self.said) and "still being computed" in self.said[-1]
            try:
                line = self._lines.get(timeout=HANG_S if at_work else quiet_s)
            except Empty:
                return count
            assert line is not None, "it ended"
            self.said.append(line)
            count += "built in" in line or "not published" in line

    def rest(self) -> None:
        """Read its output to the end."""
        while (line := self._lines.get(timeout=HANG_S)) is not None:
            self.said.append(line)

    def get(self, path: str = "", **headers: str) -> httpx2.Response:
        return _CLIENT.get(self.address + path, headers=headers)

    def sheet(self, page: str) -> str:
        """The style sheet that a page names."""
        found = re.search(r'href="([^"]*style[^"]*[.]css)"', self.get(page).text)
        assert found is not None
        return self.get(found[1].removeprefix("/")).text

    def end(self, number: signal.Signals = signal.SIGINT) -> int:
        """Send a signal. Returns the exit code; waiting for listeners or figures would exceed the limit."""
        self.process.send_signal(number)
        return self.process.wait(30)


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Callable[..., Serving]]:
    running: list[Serving] = []

    def begin(root: Path, *flags: str, **environment: str) -> Serving:
        running.append(Serving(root, *(flags or ("--port", "0")), **environment))
        return running[-1]

    yield begin
    for one in running:
        if one.process.poll() is None:
            one.process.kill()
            one.process.wait()


@pytest.fixture
def site(tmp_path: Path) -> Path:
    return write_site(tmp_path / "site")


def _events(serving: Serving, heard: list[dict[str, object]]) -> threading.Thread:
    """Collect the events of a listening browser in a thread, until the stream ends."""

    def listen() -> None:
        with httpx2.stream("GET", f"{serving.address}__diglot/events", timeout=HANG_S) as stream:
            heard.extend(
                json.loads(line.removeprefix("data: "))
                for line in stream.iter_lines()
                if line.startswith("data")
            )

    thread = threading.Thread(target=listen, daemon=True)
    thread.start()
    wait_until(lambda: heard)  # a listener learns the state at once
    return thread


def test_a_save_is_built_served_and_told(site: Path, serve: Callable[..., Serving]) -> None:
    serving = serve(site)
    serving.wait_for(r"built in .* files changed")
    assert "A paragraph." in serving.get("zh/posts/hello/").text
    heard: list[dict[str, object]] = []
    listening = _events(serving, heard)
    write(site, {"content/posts/hello/zh.md": article("Another paragraph.")})
    serving.wait_for(r"built in .* files? changed")
    assert "Another paragraph." in serving.get("zh/posts/hello/").text
    assert serving.end() == 0
    listening.join(5)
    builds = [one["build"] for one in heard]
    assert len(set(builds)) == 3  # at first, the page that was asked for, the others that changed
    assert builds == sorted(builds)  # type: ignore[type-var]  (numbers, from JSON)


def test_errors_are_told_the_last_good_site_stays_and_mending_it_clears_them(
    site: Path, serve: Callable[..., Serving]
) -> None:
    serving = serve(site)
    serving.wait_for("built in")
    write(site, {"content/posts/hello/zh.md": article("Changed.", more="datte: 1\n")})
    serving.wait_for(r'content/posts/hello/zh.md:5:1: error\[field-unknown\]: unknown key "datte"')
    serving.wait_for("the last good site is still served")
    assert "A paragraph." in serving.get("zh/posts/hello/").text
    heard: list[dict[str, object]] = []
    _events(serving, heard)
    write(site, {"content/posts/hello/zh.md": article(title="hello zh")})
    serving.wait_for("built in .* nothing changed")
    serving.end()
    assert "datte" in str(heard[0]["problems"])
    assert heard[-1]["problems"] == []
    assert heard[0]["build"] == heard[-1]["build"]


def test_an_editor_that_is_not_known_is_told_and_the_preview_goes_on(
    site: Path, serve: Callable[..., Serving], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DIGLOT_EDITOR", "notepad")
    serving = serve(site)
    serving.wait_for('DIGLOT_EDITOR: "notepad" is not a known editor')
    serving.wait_for("built in")


def test_a_site_that_was_never_good_is_previewed_once_it_is(
    site: Path, serve: Callable[..., Serving]
) -> None:
    config = (site / "site/site.yaml").read_text()
    write(site, {"site/site.yaml": "title: ["})
    serving = serve(site)
    serving.wait_for("invalid YAML")
    assert serving.get().status_code == 404
    write(site, {"site/site.yaml": config.replace("example.org/", "example.org/blog/")})
    serving.wait_for("built in")
    assert httpx2.get(f"{serving.address}blog/zh/posts/hello/").status_code == 200


def test_a_theme_that_is_saved_again_is_shown_before_all_pages_have_been_made(
    site: Path, serve: Callable[..., Serving]
) -> None:
    write(site, {"templates/static/style.css": "body { color: teal }"})
    for number in range(60):
        write(site, pair(f"more-{number}", "\n\n".join(f"Paragraph {n}." for n in range(60))))
    serving = serve(site)
    serving.until("en/posts/more-7/", "Paragraph 59.")
    for colour in ("olive", "navy", "maroon"):
        write(site, {"templates/static/style.css": f"body {{ color: {colour} }}"})
        wait_until(
            lambda colour=colour: colour in serving.sheet("en/posts/more-7/"),  # type: ignore[misc]  (a default)
            told=lambda: serving.said,
        )
    serving.wait_for("starting again")
    wait_until(lambda: "maroon" in serving.sheet("zh/posts/more-59/both/"), told=lambda: serving.said)


def test_drafts_and_future_articles_are_previewed(site: Path, serve: Callable[..., Serving]) -> None:
    write(site, pair("draft", more="draft: true\n"))
    serving = serve(site)
    serving.wait_for("built in")
    assert serving.get("zh/posts/draft/").status_code == 200


def test_what_is_published_is_not_touched_by_a_preview(site: Path, serve: Callable[..., Serving]) -> None:
    write(site, {**pair("draft", more="draft: true\n"), "public/kept.html": "published"})
    serving = serve(site)
    serving.wait_for("built in")
    assert serving.get("zh/posts/draft/").status_code == 200
    assert [path.name for path in (site / "public").iterdir()] == ["kept.html"]


def test_a_folder_that_is_named_takes_the_preview(site: Path, serve: Callable[..., Serving]) -> None:
    serving = serve(site, "--port", "0", "--output", "elsewhere")
    serving.wait_for("built in")
    assert (site / "elsewhere/zh/posts/hello/index.html").is_file()
    assert not (site / ".diglot/preview").exists()


def test_without_reload_pages_are_those_that_will_be_published(
    site: Path, serve: Callable[..., Serving]
) -> None:
    serving = serve(site, "--port", "0", "--no-reload")
    serving.wait_for("built in")
    assert (
        serving.get("zh/posts/hello/").content
        == (site / ".diglot/preview/zh/posts/hello/index.html").read_bytes()
    )
    assert b"__diglot" not in serving.get("nope").content


def test_a_preview_survives_the_death_of_its_fork_server(site: Path, serve: Callable[..., Serving]) -> None:
    serving = serve(site)
    serving.wait_for("built in")
    write(site, {"figures/looping.py": LOOPING, **pair("slow", "```{figure} looping\nA caption.\n```")})
    wait_until((site / "looping").exists)
    _kill_the_fork_server(site)
    assert serving.get("zh/posts/hello/").status_code == 200
    write(site, {"content/posts/hello/zh.md": article("After the kill.")})
    serving.until("zh/posts/hello/", "After the kill.")
    write(site, {"figures/looping.py": LINE})
    serving.until("zh/posts/slow/", "<svg")


def _kill_the_fork_server(site: Path) -> None:
    """Kill the fork server, then the processes it leaves behind."""
    found = {}
    for process in Path("/proc").glob("[0-9]*"):
        try:
            below = Path(os.readlink(process / "cwd")).is_relative_to(site)
            if below and b"fork_server" in (process / "cmdline").read_bytes():
                parent = int((process / "stat").read_text().rpartition(")")[2].split()[1])
                found[int(process.name)] = parent
        except OSError:
            continue
    for pid in sorted(found, key=lambda pid: found[pid] in found):
        os.kill(pid, signal.SIGKILL)


def test_what_the_machine_refuses_is_told_and_tried_again(site: Path, serve: Callable[..., Serving]) -> None:
    serving = serve(site, "--port", "0", "--output", "public")
    serving.wait_for("built in")
    (site / ".diglot").rename(site / ".away")
    (site / ".diglot").write_text("a file in place of the cache")
    write(site, {"content/posts/hello/zh.md": article("Changed.")})
    serving.wait_for("the site cannot be built: File exists: .*/.diglot")
    assert "A paragraph." in serving.get("zh/posts/hello/").text
    (site / ".diglot").unlink()
    write(site, {"content/posts/hello/zh.md": article("Changed again.")})
    serving.wait_for("built in")
    assert "Changed again." in serving.get("zh/posts/hello/").text


def test_a_full_disk_is_told_and_the_last_good_site_stays_whole(
    site: Path, serve: Callable[..., Serving]
) -> None:
    serving = serve(site)
    serving.wait_for("built in")
    before = serving.get("zh/posts/hello/").text
    unlimited = resource.prlimit(serving.process.pid, resource.RLIMIT_FSIZE)
    resource.prlimit(serving.process.pid, resource.RLIMIT_FSIZE, (2000, unlimited[1]))  # no file beyond 2 kB
    write(site, {"content/posts/hello/zh.md": article("Does not fit.")})
    serving.wait_for("fix: check .*permissions and .*disk")
    assert serving.get("zh/posts/hello/").text == before
    resource.prlimit(serving.process.pid, resource.RLIMIT_FSIZE, unlimited)
    write(site, {"content/posts/hello/zh.md": article("Fits.")})
    serving.until("zh/posts/hello/", "Fits.")


def test_a_file_that_cannot_be_read_is_told_and_seen_when_it_can(
    site: Path, serve: Callable[..., Serving]
) -> None:
    serving = serve(site)
    serving.wait_for("built in")
    half = site / "content/posts/hello/meta.yaml"
    half.symlink_to(half)  # a link to itself cannot be opened, even by root
    serving.wait_for(r"content/posts/hello/meta.yaml: .*cannot be read")
    half.unlink()
    serving.wait_for("built in")
    assert serving.get("zh/posts/hello/").status_code == 200


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_it_ends_at_once_even_with_a_listener_and_in_the_middle_of_a_figure(
    site: Path, serve: Callable[..., Serving], number: signal.Signals
) -> None:
    if signal.getsignal(number) is signal.SIG_IGN:
        pytest.skip(f"{number.name} is ignored here, as under nohup, and so by the preview")
    write(site, {"figures/looping.py": LOOPING, **pair("slow", "```{figure} looping\nA caption.\n```")})
    serving = serve(site)
    heard: list[dict[str, object]] = []
    listening = _events(serving, heard)
    wait_until((site / "looping").exists)
    assert serving.end(number) == 0
    listening.join(5)
    assert not listening.is_alive()
    wait_until(lambda: not processes_below(site))
    assert "failed" not in "".join(serving.said)


def test_what_is_drawn_for_the_sheet_of_figures_makes_way_for_saves_and_ends_with_the_preview(
    site: Path, serve: Callable[..., Serving]
) -> None:
    write(site, {"figures/idle.py": LOOPING})
    serving = serve(site)
    serving.wait_for("built in")
    assert "being drawn: idle" in serving.get("__diglot/figures/").text
    wait_until((site / "looping").exists)
    write(site, {"content/posts/hello/zh.md": article("Another paragraph.")})
    serving.wait_for("built in")
    # The sheet is not open any more.
    wait_until(lambda: not any("fork_server" in line for line in processes_below(site)))
    (site / "looping").unlink()
    serving.get("__diglot/figures/")
    wait_until((site / "looping").exists)
    _ends_at_once_with_no_child_left(serving, site)


def test_a_preview_goes_on_after_its_cache_was_cleaned(site: Path, serve: Callable[..., Serving]) -> None:
    serving = serve(site)
    serving.wait_for("built in")
    for words in ("Once.", "Twice."):
        cleaning = start("clean", root=site)
        assert cleaning.wait(30) == 0
        assert not (site / ".diglot-removed").exists()
        write(site, {"content/posts/hello/zh.md": article(words)})
        serving.until("zh/posts/hello/", words)
        serving.until("en/posts/hello/", "A paragraph.")
    assert not any("cannot be" in line for line in serving.said)


@pytest.mark.parametrize("output", [".diglot/preview", "shown"])
def test_a_preview_builds_at_once_after_clean_and_after_rm(
    site: Path, serve: Callable[..., Serving], output: str
) -> None:
    flags = () if output.startswith(".") else ("--port", "0", "--output", output)
    serving = serve(site, *flags)
    serving.until("zh/posts/hello/", "A paragraph.")

    def is_back() -> None:
        serving.until("zh/posts/hello/", "A paragraph.")
        wait_until((site / ".diglot/store.sqlite").exists, told=lambda: serving.said)
        wait_until((site / output / ".diglot-site").exists, told=lambda: serving.said)

    assert start("clean", *flags[2:], root=site).wait(30) == 0
    is_back()
    for lost in (".diglot", output, f"{output}/zh"):
        serving.builds(1.0)
        shutil.rmtree(site / lost, ignore_errors=True)  # a build may begin before all is gone
        is_back()
    write(site, {"content/posts/hello/zh.md": article("After all that.")})
    serving.until("zh/posts/hello/", "After all that.")
    assert not any("cannot be" in line or "failed" in line for line in serving.said), serving.said


def test_a_cache_that_goes_while_a_build_is_at_work_is_made_again(
    site: Path, serve: Callable[..., Serving]
) -> None:
    _many_pairs(site)
    serving = serve(site)
    wait_until((site / ".diglot/store.sqlite").exists)
    for _ in range(3):
        shutil.rmtree(site / ".diglot", ignore_errors=True)
        time.sleep(0.05)  # at different moments of the build
    serving.until("zh/posts/long-59/", "Paragraph 59")
    wait_until((site / ".diglot/store.sqlite").exists, told=lambda: serving.said)
    assert serving.get("en/posts/long-0/both/").status_code == 200


def test_a_save_through_another_name_outside_of_the_project_is_seen(
    site: Path, tmp_path: Path, serve: Callable[..., Serving]
) -> None:
    outside = tmp_path / "elsewhere.md"
    outside.hardlink_to(site / "content/posts/hello/zh.md")
    serving = serve(site)
    serving.wait_for("built in")
    with outside.open("a") as file:
        file.write("\nThrough another name.\n")
    serving.until("zh/posts/hello/", "Through another name.")
    assert serving.builds(4.0) <= 1


_WRITING = """
    path = pathlib.Path("content/notes.txt")
    path.write_text((path.read_text() if path.exists() else "") + "more")
    return {"y\""""


def test_a_figure_that_writes_what_it_reads_is_let_be_and_saves_go_on(
    site: Path, serve: Callable[..., Serving]
) -> None:
    script = LINE.replace("from typing", "import pathlib\nfrom typing").replace('\n    return {"y"', _WRITING)
    write(site, {"figures/line.py": script, **pair("drawn", "```{figure} line\nA caption.\n```")})
    serving = serve(site)
    serving.wait_for('the script writes "content/notes.txt"')
    serving.builds(4.0)
    assert sum("built in" in line for line in serving.said) < 20
    assert serving.builds(4.0) == 0
    write(site, {"content/posts/hello/zh.md": article("In spite of it.")})
    serving.until("zh/posts/hello/", "In spite of it.")
    write(site, {"figures/line.py": LINE})
    serving.until("zh/posts/drawn/", "<svg")


def test_who_saves_ten_times_a_second_gets_each_save_also_while_figures_are_made(
    site: Path, serve: Callable[..., Serving]
) -> None:
    slow = LINE.replace("from typing", "import time\nfrom typing").replace(
        '\n    return {"y"', '\n    time.sleep(1)\n    return {"y"'
    )
    write(site, {"figures/line.py": slow, **pair("drawn", "```{figure} line\nA caption.\n```")})
    serving = serve(site)
    serving.wait_for("built in")
    for number in range(30):
        write(site, {"figures/line.py": slow.replace("A line", f"Line {number}.")})
        write(site, {"content/posts/hello/zh.md": article(f"Save {number}.")})
        time.sleep(0.1)  # the rhythm of the saves is the subject, and how long the figure takes
    serving.until("zh/posts/hello/", "Save 29.")
    serving.until("en/posts/drawn/", "Line 29.")
    assert not any("repeatedly" in line for line in serving.said)


def test_a_broken_configuration_leaves_the_site_where_it_stands(
    site: Path, serve: Callable[..., Serving]
) -> None:
    good = CONFIG.replace("example.org/", "example.org/blog/")
    write(site, {"site/site.yaml": good})
    serving = serve(site)
    assert serving.address.endswith("/blog/")
    serving.until("zh/posts/hello/", "A paragraph.")
    write(site, {"site/site.yaml": "title: [\n"})  # perhaps before the first build is reported
    serving.wait_for("invalid YAML")
    write(site, {"content/posts/hello/zh.md": article("Another paragraph.")})
    serving.until("zh/posts/hello/", "Another paragraph.")
    write(site, {"site/site.yaml": good})
    serving.wait_for("built in")


def test_it_ends_at_once_while_the_figure_workers_are_starting(
    site: Path, serve: Callable[..., Serving]
) -> None:
    write(site, {"figures/line.py": LINE, **pair("drawn", "```{figure} line\nA caption.\n```")})
    serving = serve(site)
    wait_until(lambda: any("fork_server" in line for line in processes_below(site)))
    _ends_at_once_with_no_child_left(serving, site)


def _ends_at_once_with_no_child_left(serving: Serving, site: Path) -> None:
    assert serving.end() == 0
    wait_until(lambda: not processes_below(site))


def _children(pid: int) -> set[int]:
    """The running processes that the main thread of a process has started."""
    return {int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()}


def _is_alive(pid: int) -> bool:
    try:
        return "\nState:\tZ" not in Path(f"/proc/{pid}/status").read_text()
    except FileNotFoundError:
        return False


def _helpers(serving: Serving) -> set[int]:
    """The two workers of the first build and the watchdog, which are begun after the address was printed."""
    wait_until(lambda: len(_children(serving.process.pid)) == 3, told=lambda: serving.said)
    return _children(serving.process.pid)


def _many_pairs(site: Path) -> None:
    words = "\n\n".join(f"Paragraph {number} with `code` and *words*." for number in range(60))
    for number in range(60):
        write(site, pair(f"long-{number}", words))


def test_the_first_build_is_shared_out_and_its_helpers_are_gone_after_it(
    site: Path, serve: Callable[..., Serving]
) -> None:
    _many_pairs(site)
    serving = serve(site, "--jobs", "2", "--port", "0")
    helpers = _helpers(serving)
    watchdog = min(helpers)  # begun first
    helpers.remove(watchdog)
    serving.wait_for("built in")
    wait_until(lambda: _children(serving.process.pid) == {watchdog})
    serving.process.terminate()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL])
def test_its_helpers_end_with_it_in_the_middle_of_the_first_build(
    site: Path, serve: Callable[..., Serving], number: signal.Signals
) -> None:
    if signal.getsignal(number) is signal.SIG_IGN:
        pytest.skip(f"{number.name} is ignored here, as under nohup, and so by the preview")
    _many_pairs(site)
    serving = serve(site, "--jobs", "2", "--port", "0")
    helpers = _helpers(serving)
    assert serving.get("nowhere/").status_code == 404, "it answers meanwhile"
    assert serving.end(number) == (-number if number == signal.SIGKILL else 0)
    wait_until(lambda: not any(map(_is_alive, helpers)))
    assert not any("built in" in line or "failed" in line for line in serving.said)


def test_a_killed_preview_leaves_no_process(site: Path, serve: Callable[..., Serving]) -> None:
    write(site, {"figures/line.py": LINE, **pair("drawn", "```{figure} line\nA caption.\n```")})
    serving = serve(site)
    serving.wait_for("built in")
    serving.end(signal.SIGKILL)
    wait_until(lambda: not processes_below(site))


def test_a_port_that_is_asked_for_and_busy_is_an_error(site: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        process = start("serve", "--port", str(other.getsockname()[1]), root=site)
        _, err = process.communicate(timeout=HANG_S)
    assert process.returncode == 2
    assert re.match(
        r"diglot: cannot listen on 127\.0\.0\.1:\d+: Address already in use\n  fix: choose another", err
    )


def test_without_a_port_the_next_free_one_is_taken(site: Path, serve: Callable[..., Serving]) -> None:
    first, second = serve(site, "-D"), serve(site, "-F")
    ports = [int(re.search(r":(\d+)/", one.address)[1]) for one in (first, second)]  # type: ignore[index]  (an address has one)
    assert ports[0] >= 8000
    assert ports[1] > ports[0]


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.0.1", "example.org"])
def test_other_machines_cannot_be_served(site: Path, host: str) -> None:
    process = start("serve", "--host", host, root=site)
    _, err = process.communicate(timeout=HANG_S)
    assert process.returncode == 2
    assert f'"{host}" is not a loopback address' in err


def _has_ipv6() -> bool:
    try:
        with socket.socket(socket.AF_INET6) as probe:
            probe.bind(("::1", 0))
    except OSError:
        return False
    return True


@pytest.mark.skipif(not _has_ipv6(), reason="this machine has no IPv6")
def test_it_can_listen_on_ipv6(site: Path, serve: Callable[..., Serving]) -> None:
    serving = serve(site, "--port", "0", "--host", "::1")
    serving.wait_for("built in")
    assert serving.address.startswith("http://[::1]:")
    assert serving.get("zh/").status_code == 200


def test_a_raw_request_cannot_climb_out(site: Path, serve: Callable[..., Serving]) -> None:
    serving = serve(site)
    serving.wait_for("built in")
    port = int(re.search(r":(\d+)/", serving.address)[1])  # type: ignore[index]  (an address has one)
    for path in ("/../site/site.yaml", "/%2e%2e/site/site.yaml", "/..%2fsite/site.yaml", "//etc/passwd"):
        with socket.create_connection(("127.0.0.1", port)) as raw:
            raw.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
            answer = b"".join(iter(lambda raw=raw: raw.recv(65536), b""))  # type: ignore[misc]  (a default)
        assert answer.startswith(b"HTTP/1.1 404")
        assert b"base_url" not in answer
        assert b"root:" not in answer
    assert serving.get("zh/", Host="evil.example").status_code == 400


def test_slow_readers_and_many_connections_do_not_stop_the_rest(
    site: Path, serve: Callable[..., Serving]
) -> None:
    (site / "site/static").mkdir()
    with (site / "site/static/large.bin").open("wb") as file:
        file.truncate(50_000_000)
    serving = serve(site)
    serving.wait_for("built in")
    port = int(re.search(r":(\d+)/", serving.address)[1])  # type: ignore[index]  (an address has one)
    asks = [
        b"GET /large.bin HTTP/1.1\r\nHost: localhost\r\n\r\n",  # and reads nothing of it
        b"GET /__diglot/events HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: loc",  # and never says the rest
        b"",
    ]
    with ExitStack() as stack:
        for number in range(200):
            one = stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=HANG_S))
            one.sendall(asks[number % len(asks)])
        write(site, {"content/posts/hello/zh.md": article("Among two hundred.")})
        serving.until("zh/posts/hello/", "Among two hundred.")
        assert serving.end() == 0


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_its_port_is_free_again_at_once(
    site: Path, serve: Callable[..., Serving], number: signal.Signals
) -> None:
    if signal.getsignal(number) is signal.SIG_IGN:
        pytest.skip(f"{number.name} is ignored here, as under nohup, and so by the preview")
    first = serve(site)
    first.get()
    port = re.search(r":(\d+)/", first.address)[1]  # type: ignore[index]  (an address has one)
    assert first.end(number) == 0
    assert serve(site, "--port", port).address == first.address


def test_a_site_with_a_path_is_served_under_it(site: Path, serve: Callable[..., Serving]) -> None:
    config = (site / "site/site.yaml").read_text()
    write(site, {"site/site.yaml": config.replace("example.org/", "example.org/my/blog/")})
    serving = serve(site)
    assert serving.address.endswith("/my/blog/")
    serving.wait_for("built in")
    assert serving.get("zh/posts/hello/").status_code == 200
    door = httpx2.get(serving.address.removesuffix("my/blog/"))
    assert (door.status_code, door.headers["location"]) == (307, "/my/blog/")


def test_the_address_that_is_told_can_be_opened_as_it_stands(
    site: Path, serve: Callable[..., Serving]
) -> None:
    config = (site / "site/site.yaml").read_text()
    write(site, {"site/site.yaml": config.replace("example.org/", "example.org/my%20blog/")})
    serving = serve(site)
    assert serving.address.endswith("/my%20blog/")
    serving.wait_for("built in")
    assert serving.get("zh/").status_code == 200


def test_nothing_is_said_to_the_result_stream(site: Path, serve: Callable[..., Serving]) -> None:
    serving = serve(site)
    serving.wait_for("built in")
    serving.end()
    assert serving.process.stdout is not None
    assert serving.process.stdout.read() == ""
