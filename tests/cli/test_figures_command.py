"""`diglot figures list` and `diglot figures export`."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image, ImageSequence

from diglot.cli import main
from tests.cli.sites import LINE, write, write_site

TITLE = 'TITLE = {"zh": "数", "en": "Numbers"}'
MESSAGE = 'MESSAGE = {"zh": "是{x}", "en": "It is {x}"}'
FILM = ["figures", "export", "line", "--play", "slope", "--format", "mp4", "--lang", "en", "-o"]
NUMBERS = (
    f'"""Numbers for prose."""\n\n{TITLE}\n{MESSAGE}\n\n\ndef compute() -> dict:\n    return {{"x": 1}}\n'
)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = write_site(tmp_path_factory.mktemp("figures"), figure=True)
    write(root, {"figures/numbers_only.py": NUMBERS})
    return root


@pytest.fixture(autouse=True)
def _in_site(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(site)


def test_the_list_names_sizes_parameters_and_scripts(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["figures", "list"]) == 0
    assert capsys.readouterr().out == (
        "line          narrow,column  slope=1  figures/line.py\n"
        "numbers_only  numbers only  figures/numbers_only.py\n"
        "              It is 1\n"
    )


def test_the_list_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["figures", "list", "--json"]) == 0
    line, numbers = json.loads(capsys.readouterr().out)["figures"]
    assert (line["id"], line["parameters"], line["drawable"]) == ("line", {"slope": "1"}, True)
    assert (line["message"], numbers["message"]) == (None, {"zh": "是1", "en": "It is 1"})
    assert (numbers["id"], numbers["drawable"], numbers["sizes"]) == ("numbers_only", False, [])


def test_every_format_theme_and_language_becomes_a_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = "figures export line --theme light,dark --format svg,png,pdf --lang zh,en --size 300x200 --dpi 96"
    assert main([*words.split(), "-o", str(tmp_path)]) == 0
    expected = {
        f"line.{language}.{theme}.{ending}"
        for language in ("zh", "en")
        for theme in ("light", "dark")
        for ending in ("svg", "png", "pdf")
    }
    assert {path.name for path in tmp_path.iterdir()} == expected | {"manifest.json", "data"}
    kept = json.loads((tmp_path / "manifest.json").read_bytes())["pictures"]
    assert {one["file"] for one in kept} == expected
    assert len(list((tmp_path / "data").iterdir())) == 1
    assert {Path(line).name for line in capsys.readouterr().out.splitlines()} == expected
    assert (tmp_path / "line.zh.dark.pdf").read_bytes().startswith(b"%PDF-")
    assert (tmp_path / "line.zh.light.svg").read_bytes() != (tmp_path / "line.zh.dark.svg").read_bytes()


def _png_size(path: Path) -> tuple[int, int]:
    head = path.read_bytes()[:24]
    assert head.startswith(b"\x89PNG")
    return int.from_bytes(head[16:20], "big"), int.from_bytes(head[20:24], "big")


@pytest.mark.parametrize(
    ("size", "dpi", "pixels"),
    [("300x200", "96", (300, 200)), ("300x200", "192", (600, 400)), ("16:9", "96", (1280, 720))],
)
def test_size_and_dpi_make_the_pixels(tmp_path: Path, size: str, dpi: str, pixels: tuple[int, int]) -> None:
    words = f"-q figures export line --lang en --format png --size {size} --dpi {dpi}"
    assert main([*words.split(), "-o", str(tmp_path)]) == 0
    assert _png_size(tmp_path / "line.en.light.png") == pixels


def test_parameters_are_asked_for_as_in_an_address(tmp_path: Path) -> None:
    assert main(["-q", "figures", "export", "line?slope=2", "--lang", "en", "-o", str(tmp_path)]) == 0
    assert [path.name for path in tmp_path.glob("*.svg")] == ["line-slope-2.en.light.svg"]


def test_states_are_named_and_played(tmp_path: Path) -> None:
    words = "-q figures export line --lang en --format png,gif --size 200x200 --dpi 48 --background --fps 2"
    assert main([*words.split(), "--play", "slope", "-o", str(tmp_path)]) == 0
    pictures = ["line.en.light.001.png", "line-slope-2.en.light.002.png"]
    assert {path.name for path in tmp_path.glob("*.*g*")} == {*pictures, "line.en.light.gif"}
    with Image.open(tmp_path / "line.en.light.gif") as film:
        shown_ms = [frame.info["duration"] for frame in ImageSequence.Iterator(film)]
        assert (film.size, shown_ms) == ((100, 100), [500, 2000])
    assert main([*words.replace("png,gif", "svg").split(), "--state", "slope=2", "-o", str(tmp_path)]) == 0
    assert (tmp_path / "line-slope-2.en.light.svg").is_file()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("line --all", "ids and --all do not go together"),
        ("line --format gif", "gif is a film, which needs a parameter to play"),
        ("--play slope", "--play needs figures that have the parameter"),
        ("line --play slop", 'did you mean "slope"?'),
    ],
)
def test_options_that_do_not_go_together(words: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["figures", "export", *words.split()]) == 2
    assert said in capsys.readouterr().err


def test_films_need_ffmpeg(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert main([*FILM, str(tmp_path / "out")]) == 2
    assert "install ffmpeg, or use --format gif or png" in capsys.readouterr().err
    program = tmp_path / "ffmpeg"
    program.write_text(f"#!{sys.executable}\nimport sys\nsys.exit('no such encoder')\n")
    program.chmod(0o755)
    assert main([*FILM, str(tmp_path / "out")]) == 2
    told = capsys.readouterr().err
    assert "ffmpeg could not make the film" in told
    assert "no such encoder" in told


@pytest.mark.skipif(shutil.which("ffmpeg") is None, reason="no ffmpeg on this machine")
def test_a_film_can_be_played(tmp_path: Path) -> None:
    assert main([*FILM, str(tmp_path), "--size", "301x200", "--dpi", "96"]) == 0
    film = (tmp_path / "line.en.light.mp4").as_posix()
    command = ["ffmpeg", "-v", "error", "-i", film, "-f", "image2pipe", "-c:v", "ppm", "-"]
    shown = subprocess.run(command, capture_output=True, check=True).stdout
    frames = shown.split(b"P6\n302 200\n255\n")[1:]
    assert len(frames) == 2
    assert min(frames[0][:3]) > 240  # the corner has the colour of paper


def test_without_ids_every_figure_that_draws_goes_into_exports(
    site: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["figures", "export", "--json", "--lang", "en"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["ok"]
    assert report["files"] == [str(site / "exports/line.en.light.svg")]
    assert (site / "exports/line.en.light.svg").is_file()


@pytest.mark.parametrize(
    ("request_", "said"),
    [
        ("lin", 'did you mean "line"?'),
        ("line?slop=2", 'did you mean "slope"?'),
        ("line?slope=3", "slope"),
    ],
)
def test_what_is_not_there_gets_a_suggestion_and_no_file(
    request_: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["figures", "export", request_, "-o", str(tmp_path / "out")]) == 2
    assert said in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_a_warning_is_told_once_for_all_files_of_a_figure(
    site: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    chatty = LINE.replace("    heights = ", '    print("drawing")\n    heights = ')
    write(site, {"figures/chatty.py": chatty})
    try:
        words = "figures export chatty --theme light,dark --format svg,pdf -o"
        assert main([*words.split(), str(tmp_path)]) == 0
        assert capsys.readouterr().err.count("the script printed something") == 1
        assert main([*words.split(), str(tmp_path), "--strict"]) == 1
    finally:
        (site / "figures/chatty.py").unlink()


def test_explain_knows_figures(capsys: pytest.CaptureFixture[str]) -> None:
    main(["-q"])
    assert main(["explain", "line"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("data line is up to date")
    assert "file figures/line.py" in out


def test_a_folder_that_cannot_be_written_is_said_without_a_traceback(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_bytes(b"")
    assert main(["figures", "export", "line", "-o", str(tmp_path / "file/x")]) == 2
    err = capsys.readouterr().err
    assert "is below a file" in err
    assert "Traceback" not in err


def test_a_script_that_fails_is_an_error_of_the_site(
    site: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(site, {"figures/broken.py": NUMBERS.replace("1}", "1 / 0}")})
    try:
        assert main(["figures", "export", "broken", "-o", str(tmp_path)]) == 1
        assert "figures/broken.py:8" in capsys.readouterr().err
        assert main(["figures", "list"]) == 1
        assert "broken        fails  figures/broken.py" in capsys.readouterr().out
    finally:
        (site / "figures/broken.py").unlink()


def test_a_figure_that_draws_nothing_cannot_be_exported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["figures", "export", "numbers_only", "-o", str(tmp_path)]) == 2
    assert '"numbers_only" computes numbers but draws nothing' in capsys.readouterr().err
