"""Builds of articles with a given text, in processes with limits: `python -m tests.hostile.markdown_builds`.

What a build takes is counted from a process that has loaded what builds need and nothing else: it does not
depend on which tests ran before. That process reads a request a line, as JSON, and forks for each.
"""

import json
import os
import resource
import select
import signal
import subprocess
import sys
import tempfile
import traceback
from pathlib import Path
from typing import Any

from diglot.diagnostics import DiagnosticError
from tests.space import Space

_ROOT = Path(__file__).parents[2]
_STOPPED_S = 12
"""Seconds of processor time after which the system kills a build that is stuck in native code."""


class Builder:
    """The process that builds. Close it at the end."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.hostile.markdown_builds"],
            cwd=_ROOT,
            env={**os.environ, "PYTHONPATH": os.pathsep.join([str(_ROOT), str(_ROOT / "src")])},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def build(self, text: str, *, jobs: int = 1, articles: int = 1) -> dict[str, Any]:
        """Build articles with a text; return the time, the memory and the messages of the build."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps({"text": text, "jobs": jobs, "articles": articles}) + "\n")
        self._process.stdin.flush()
        answer: dict[str, Any] = json.loads(self._process.stdout.readline())
        return answer

    def close(self) -> None:
        """End the process."""
        self._process.communicate()


def main() -> None:
    """Answer requests until the input ends."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what a build prints is no answer
    _build(
        "甲 $a$ {eval}`a.b` [c](d)\n\n```python\na = 1\n```\n\n|a|\n|-|\n", 1, 1
    )  # imports what builds need
    for line in sys.stdin:
        request = json.loads(line)
        print(
            json.dumps(_in_a_fork(request["text"], request["jobs"], request["articles"])),
            file=answers,
            flush=True,
        )


def _in_a_fork(text: str, jobs: int, articles: int) -> dict[str, Any]:
    stopped_s = _STOPPED_S * -(-articles // 4)
    read_end, write_end = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            os.close(read_end)
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            resource.setrlimit(resource.RLIMIT_CPU, (stopped_s, stopped_s + 1))
            resource.setrlimit(resource.RLIMIT_AS, (3 << 30, 3 << 30))
            with os.fdopen(write_end, "w") as pipe:
                json.dump(_build(text, jobs, articles), pipe)
        finally:
            os._exit(0)
    os.close(write_end)
    content = b""
    with os.fdopen(read_end, "rb") as pipe:
        while select.select([pipe], [], [], 1200)[0] and (more := pipe.read1()):
            content += more
        if not content:
            os.kill(pid, signal.SIGKILL)
    _, status = os.waitpid(pid, 0)
    if os.WIFSIGNALED(status):
        return {"ended": signal.Signals(os.WTERMSIG(status)).name}
    return json.loads(content) if content else {"ended": "without a word"}


def _build(text: str, jobs: int, articles: int) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        space = Space(Path(folder))
        for number in range(articles):
            for language in ("zh", "en"):
                front = f"---\ntitle: A{number}\ndate: 2026-11-01\n---\n\n"
                space.write(f"content/posts/a{number}/{language}.md", front + text)
        before = resource.getrusage(resource.RUSAGE_SELF)
        answer: dict[str, Any] = {}
        try:
            build = space.build(jobs=jobs)
            answer["published"] = build.published is not None
            answer["errors"] = [
                str(diagnostic.location or "")
                for diagnostic in build.diagnostics
                if diagnostic.severity == "error"
            ][:20]
            answer["characters"] = sum(len(str(diagnostic)) for diagnostic in build.diagnostics)
        except DiagnosticError as error:
            answer["ended"] = f"outside of its tasks: {error}"
        except BaseException:
            answer["ended"] = traceback.format_exc()[-1500:]
        after = resource.getrusage(resource.RUSAGE_SELF)
        answer["took_s"] = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        answer["peak_bytes"] = after.ru_maxrss * 1024
        return answer


if __name__ == "__main__":
    main()
