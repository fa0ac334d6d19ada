"""Make what the page “What happens when a bandwidth changes” shows, with the commands themselves.

    python scripts/bandwidth_change.py

Copies an article and its talk out of this project, gives one row of the catalogue another bandwidth, and
keeps what `diff`, `build`, `slides check`, `status` and `check numbers` say. That takes minutes, too long for
each build of the site; so the outputs are kept next to the page, with a digest of what they were made from,
and a test says when they are stale. diglot's own wording is left out of the digest: it has tests.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from diglot.digests import digest_of

PROJECT = Path(__file__).parents[1]
PAGE = PROJECT / "content" / "pages" / "when-a-bandwidth-changes"
MADE_FROM = PAGE / "_made_from.json"
SLUG = "gpu-vs-tpu"
TEXTS = [f"content/{kind}/{SLUG}/{lang}.md" for kind in ("posts", "talks") for lang in ("zh", "en")]
CATALOGUE = "src/diglot/hardware/data/accelerators.yaml"
CHIP = "h200-sxm"
BANDWIDTH = ("bandwidth: {value: 4800, unit: GB/s", "bandwidth: {value: 4000, unit: GB/s")
THIRD = {
    "en": [("a third of the bandwidth", "two fifths of the bandwidth"), ("of=1/3", "of=2/5")],
    "zh": [("带宽只有三分之一", "带宽只有五分之二"), ("of=1/3", "of=2/5")],
}
TYPED = "{eval}`roofline.h200.ridge | number(0)`"
PROGRESS = re.compile(r"\d+/\d+ .*\n|the project as it .*\n")
TIMES = re.compile(r" \(\d+ tasks? ran.*\)")


def digest_inputs() -> str:
    """The digest of texts, of the scripts of their figures, and of the row that changes (not its prices)."""
    texts = [(PROJECT / path).read_text(encoding="utf-8") for path in TEXTS]
    names = set(re.findall(r"(?:\{(?:figure|table)\} |[`( ])([a-z][a-z0-9_]+)", " ".join(texts)))
    scripts = [PROJECT / "figures" / f"{name}.py" for name in sorted(names)]
    contents = [script.read_text(encoding="utf-8") for script in scripts if script.exists()]
    _, row, _ = split_at_row((PROJECT / CATALOGUE).read_text(encoding="utf-8"))
    specified, _, _ = row.partition("  prices:\n")
    return digest_of("\n".join([*texts, *contents, specified]).encode())


def split_at_row(catalogue: str) -> tuple[str, str, str]:
    """What is before the chip's row, the row, and what follows it."""
    before, start, rest = catalogue.partition(f"- id: {CHIP}\n")
    row, following, after = rest.partition("\n- id: ")
    return before, start + row, following + after


def make_outputs(project: Path) -> Iterator[tuple[str, str]]:
    """The name of each output, and what a command prints in this copy of the project."""

    def run(*arguments: str) -> str:
        command = [sys.executable, "-m", "diglot", *arguments]
        done = subprocess.run(
            command,
            cwd=project,
            env={**os.environ, "PYTHONPATH": str(project / "src")},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        return TIMES.sub("", PROGRESS.sub("", done.stdout)).replace(f"{project}/", "")

    def edit(path: str, *changes: tuple[str, str]) -> None:
        text = (project / path).read_text(encoding="utf-8")
        for old, new in changes:
            if old not in text:
                raise SystemExit(f"{path} has no {old!r} any more: adapt scripts/bandwidth_change.py")
            text = text.replace(old, new)
        (project / path).write_text(text, encoding="utf-8")

    run("build")
    run("slides", "build", SLUG, "--lang", "en", "-o", ".")
    before, row, after = split_at_row((project / CATALOGUE).read_text(encoding="utf-8"))
    edit(CATALOGUE, (before + row + after, before + row.replace(*BANDWIDTH) + after))
    yield "diff", run("diff")
    yield "build", run("build")
    yield "slides", run("slides", "check", f"{SLUG}.en.pptx")
    edit(f"content/talks/{SLUG}/en.md", *THIRD["en"])
    yield "status", run("status", "--explain")
    edit(f"content/talks/{SLUG}/zh.md", *THIRD["zh"])
    yield "numbers", run("check", "numbers")
    for lang in ("zh", "en"):
        edit(f"content/posts/{SLUG}/{lang}.md", (TYPED, "206"))
    yield "typed", run("check", "numbers")


def copy_project(project: Path) -> None:
    """One article, its talk, and what they need, as the first commit of a repository of its own."""
    for name in ("content", "figures", "site", "src", "templates"):
        shutil.copytree(PROJECT / name, project / name, ignore=shutil.ignore_patterns("__pycache__"))
    for kind in ("posts", "pages", "talks"):
        for folder in (project / "content" / kind).iterdir():
            if kind == "pages" or folder.name != SLUG:
                shutil.rmtree(folder)
    settings = project / "site" / "site.yaml"
    text = re.sub(r"^(gallery|hardware): true", r"\1: false", settings.read_text("utf-8"), flags=re.M)
    text = re.sub(r"  - label: .*\n    path: /(?!tags/|glossary/|talks/|\n).*\n", "", text)
    settings.write_text(text, encoding="utf-8")
    (project / ".gitignore").write_text("public/\n.diglot/\n__pycache__/\n*.pptx\n", encoding="utf-8")
    author = ["-c", "user.name=diglot", "-c", "user.email=diglot@diglot.example"]
    for arguments in (["init", "-q"], ["add", "-A"], [*author, "commit", "-qm", "Before"]):
        subprocess.run(["git", *arguments], cwd=project, check=True)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as temporary:
        copy_project(Path(temporary))
        for name, output in make_outputs(Path(temporary)):
            (PAGE / f"_{name}.txt").write_text(output, encoding="utf-8")
            print(f"wrote {PAGE.name}/_{name}.txt")
    MADE_FROM.write_text(json.dumps({"inputs": digest_inputs()}, indent=2) + "\n", encoding="utf-8")
