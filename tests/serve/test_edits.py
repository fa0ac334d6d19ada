"""Every kind of edit reaches what is served, and causes no more builds than it should."""

import os
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from tests.cli.sites import CHECKOUT, LINE, article, pair, write
from tests.serve.test_serving import Serving, serve, site

__all__ = ["serve", "site"]
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="figures are drawn in forked processes")

PAGE = "en/posts/hello/"
EMBED = "\n\n```{figure} line\nA caption.\n```"
SCALED = LINE.replace("from typing", "import scales\nfrom typing").replace("int(slope)", "scales.TIMES")
SCALED = SCALED.replace('en="A line"', "en=f\"A line to {data['y'][1]}\"")


@pytest.fixture
def drawn(site: Path) -> Path:
    write(
        site,
        {
            "figures/line.py": SCALED,
            "figures/scales.py": "TIMES = 2\n",
            **pair("hello", f"A paragraph.{EMBED}"),
        },
    )
    return site


def test_a_module_that_figures_import(drawn: Path, serve: Callable[..., Serving]) -> None:
    serving = serve(drawn)
    serving.until(PAGE, "A line to 2")
    write(drawn, {"figures/scales.py": "TIMES = 3\n"})
    serving.until(PAGE, "A line to 3")
    (drawn / "figures/scales.py").unlink()
    serving.wait_for("No module named 'scales'")
    write(drawn, {"figures/scales/__init__.py": "from scales.deep import TIMES\n"})
    write(drawn, {"figures/scales/deep.py": "TIMES = 4\n"})
    serving.until(PAGE, "A line to 4")
    write(drawn, {"figures/scales/deep.py": "TIMES = 5\n"})
    serving.until(PAGE, "A line to 5")


def test_a_library_outside_of_the_project(drawn: Path, tmp_path: Path, serve: Callable[..., Serving]) -> None:
    library, scratch = tmp_path / "library/src", tmp_path / "scratch"
    scratch.mkdir()
    (drawn / "figures/scales.py").unlink()
    write(library, {"scales/__init__.py": "from scales.deep.down import TIMES\n"})
    write(library, {"scales/deep/__init__.py": "", "scales/deep/down.py": "TIMES = 2\n"})
    path = f"{CHECKOUT / 'src'}{os.pathsep}{library}"
    serving = serve(
        drawn, "--port", "0", PYTHONPATH=path, TMPDIR=str(scratch)
    )  # temporary files are no inputs
    serving.until(PAGE, "A line to 2")
    serving.builds()
    write(library, {"scales/deep/down.py": "TIMES = 3\n"})
    serving.until(PAGE, "A line to 3")
    write(drawn, {"figures/scales.py": "TIMES = 7\n"})  # now sorts before the other
    serving.until(PAGE, "A line to 7")


def test_articles_that_come_go_and_are_renamed(drawn: Path, serve: Callable[..., Serving]) -> None:
    serving = serve(drawn)
    serving.until(PAGE, "A paragraph.")
    (drawn / "content/posts/hello").rename(drawn / "content/posts/renamed")
    serving.until("en/posts/renamed/", "A paragraph.")
    serving.until_gone(PAGE)
    (drawn / "content/posts/renamed/zh.md").unlink()
    write(drawn, {"content/posts/renamed/en.md": article("Alone.", more="only: en\n")})
    serving.until("en/posts/renamed/", "Alone.")
    serving.until_gone("zh/posts/renamed/")
    write(drawn, pair("second", "Another article."))
    serving.until("zh/posts/second/", "Another article.")
    (drawn / "content").rename(drawn / "away")
    serving.until_gone("zh/posts/second/")
    (drawn / "away").rename(drawn / "content")
    serving.until("zh/posts/second/", "Another article.")
    write(drawn, {"content/posts/second/zh.md": article("Seen below the folder that was put back.")})
    serving.until("zh/posts/second/", "Seen below")


def test_a_theme_of_the_projects_own_where_there_was_none(drawn: Path, serve: Callable[..., Serving]) -> None:
    serving = serve(drawn)
    serving.until(PAGE, "A paragraph.")
    write(drawn, {"templates/article.html": "<p>Mine</p>"})
    serving.until(PAGE, "Mine")
    write(drawn, {"templates/article.html": "<p>Still mine</p>"})
    serving.until(PAGE, "Still mine")
    (drawn / "templates/article.html").unlink()
    serving.until(PAGE, "A paragraph.")


def test_with_polling_it_is_the_same(drawn: Path, serve: Callable[..., Serving]) -> None:
    serving = serve(drawn, "--port", "0", "--poll")
    serving.until(PAGE, "A paragraph.")
    write(drawn, {"content/posts/hello/en.md": article(f"Polled.{EMBED}")})
    serving.until(PAGE, "Polled.")
    write(drawn, {"figures/scales.py": "TIMES = 9\n"})
    serving.until(PAGE, "A line to 9")
    write(drawn, pair("second", "Another article."))
    serving.until("zh/posts/second/", "Another article.")


def test_one_save_is_one_build_however_it_is_written(drawn: Path, serve: Callable[..., Serving]) -> None:
    serving = serve(drawn)
    serving.until(PAGE, "A paragraph.")
    serving.builds()
    half = drawn / "content/posts/hello/en.md"

    half.write_text(article(f"In place.{EMBED}"))
    assert serving.builds() == 1
    beside = half.with_name(".en.md.swp")
    beside.write_text(article(f"Beside.{EMBED}"))
    beside.replace(half)
    assert serving.builds() == 1
    half.rename(half.with_name("en.md~"))  # as an editor that keeps the old one
    half.write_text(article(f"Anew.{EMBED}"))
    assert serving.builds() == 1
    serving.process.send_signal(signal.SIGSTOP)  # on a busy machine, so many files are no single save
    for number in range(30):
        write(
            drawn,
            {
                f"content/posts/hello/{name}": article(f"{name} {number}.{EMBED}")
                for name in ("en.md", "zh.md")
            },
        )
    serving.process.send_signal(signal.SIGCONT)
    assert serving.builds() == 1
    assert "en.md 29" in serving.get(PAGE).text


def test_what_no_build_reads_causes_none(drawn: Path, serve: Callable[..., Serving]) -> None:
    serving = serve(drawn)
    serving.until(PAGE, "A paragraph.")
    serving.builds()
    write(
        drawn,
        {"notes.txt": "x", "tools/tool.py": "x", "content/posts/hello/.zh.md.swp": "x", "new/file": "x"},
    )
    write(drawn, {".diglot/x": "x", "public/x": "x"})
    for folder, _, names in os.walk(drawn):
        for name in names:
            with suppress(FileNotFoundError):  # those of the store come and go
                Path(folder, name).read_bytes()
    assert serving.builds() == 0, serving.said
    write(drawn, {"content/posts/hello/en.md": article(f"This is read.{EMBED}")})
    assert serving.builds() == 1


def test_what_others_do_to_the_output_is_put_right_after_the_next_save(
    drawn: Path, serve: Callable[..., Serving]
) -> None:
    serving = serve(drawn)
    serving.until(PAGE, "A paragraph.")
    write(drawn, {".diglot/preview/x.html": "x", ".diglot/preview/zh/posts/hello/index.html": "spoilt"})
    assert serving.builds() == 1
    write(drawn, {"content/posts/hello/en.md": article(f"This is read.{EMBED}")})
    serving.until(PAGE, "This is read.")
    serving.until_gone("x.html")
    assert "spoilt" not in serving.get("zh/posts/hello/").text
