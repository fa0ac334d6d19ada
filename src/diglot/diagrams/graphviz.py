"""Draws graphs with `dot` of Graphviz, which has the site's fonts, a limit of time, and no files to read."""

import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

from diglot.diagnostics import shortened
from diglot.diagrams.records import DiagramFailed, Drawing, Sketch, Slip
from diglot.diagrams.svg import page_svg
from diglot.figures.palette import LIGHT

_SECONDS = 20
_LONGEST = 100_000
_PROBLEM = re.compile(r"(Error|Warning): (?:<stdin>: )?(.*)")
_LINE = re.compile(r" in line (\d+)| on line (\d+)|^line (\d+)")
_SIZE = re.compile(r"\b(width|height)=\"([\d.]+)pt\"")
_COLOURS = {
    "G": {"bgcolor": "transparent", "fontcolor": LIGHT["mute"], "color": LIGHT["rule"]},
    "N": {"color": LIGHT["soft"], "fontcolor": LIGHT["ink"], "fillcolor": LIGHT["sunk"]},
    "E": {"color": LIGHT["soft"], "fontcolor": LIGHT["ink"]},
}
_BLACK_AND_WHITE = {"black": LIGHT["ink"], "white": LIGHT["paper"], "lightgrey": LIGHT["sunk"]}


def find_dot() -> str | None:
    """The path of the program; None where it is not installed."""
    return shutil.which("dot")


def dot_version() -> str:
    """Where the program is, and its version; empty where it is not installed."""
    if (program := find_dot()) is None:
        return ""
    try:
        done = subprocess.run([program, "-V"], capture_output=True, timeout=_SECONDS, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return f"{program} {done.stderr.decode('utf-8', 'replace').strip()}"


def draw_graph(sketch: Sketch) -> Drawing:
    """A graph in the language DOT as an SVG element."""
    try:
        drawn, warnings = _run(sketch)
        return Drawing(svg=page_svg(drawn, sketch), warnings=warnings)
    except DiagramFailed as failure:
        return Drawing(slip=failure.slip)


def _run(sketch: Sketch) -> tuple[str, tuple[Slip, ...]]:
    from diglot.figures.drawing.style import FACES, FONTS, TEXT_PX  # noqa: PLC0415  (loads matplotlib)

    if len(sketch.source) > _LONGEST:
        raise DiagramFailed(f"it has more than {_LONGEST:,} characters", "draw the parts that matter.")
    program = find_dot()
    if program is None:
        raise DiagramFailed("`dot` is not installed", "install Graphviz.")
    face, size = FACES[sketch.language][0], str(TEXT_PX[sketch.language][0])
    given = [
        f"-{of}{name}={value}"
        for of, colours in _COLOURS.items()
        for name, value in {**colours, "fontname": face, "fontsize": size}.items()
    ]
    with tempfile.TemporaryDirectory() as folder:
        fonts = Path(folder) / "fonts.conf"
        fonts.write_text(
            f'<?xml version="1.0"?><fontconfig><dir>{FONTS}</dir><cachedir>{folder}</cachedir></fontconfig>',
            "utf-8",
        )
        # With SERVER_NAME, Graphviz reads only files in GV_FILE_PATH: no picture or font of the machine.
        environment = {
            **{name: os.environ[name] for name in ("PATH", "LD_LIBRARY_PATH") if name in os.environ},
            **{"FONTCONFIG_FILE": str(fonts), "SERVER_NAME": "diglot", "GV_FILE_PATH": folder},
            **{"HOME": folder, "LC_ALL": "C.UTF-8"},
        }
        try:
            done = subprocess.run(
                [program, "-Tsvg", *given],
                input=sketch.source.encode("utf-8", "replace"),
                capture_output=True,
                timeout=_SECONDS,
                check=False,
                env=environment,
                cwd=folder,
            )
        except subprocess.TimeoutExpired as error:
            raise DiagramFailed(
                f"`dot` has not laid it out after {_SECONDS} seconds", "draw fewer nodes and edges."
            ) from error
        except OSError as error:
            raise DiagramFailed(f"`dot` could not be started: {error}", "install Graphviz again.") from error
    slips = tuple(_slips(done.stderr.decode("utf-8", "replace")))
    if done.returncode or b"<svg" not in done.stdout:
        first = next((slip for kind, slip in slips if kind == "Error"), None)
        what = first or Slip(message=f"`dot` ended with exit code {done.returncode}", fix=_FIX)
        raise DiagramFailed(what.message, what.fix, what.line)
    drawn = _SIZE.sub(r'\1="\2"', done.stdout.decode("utf-8", "replace"))
    drawn = _NAMED_COLOUR.sub(lambda found: f'{found[1]}="{_BLACK_AND_WHITE[found[2]]}"', drawn)
    return drawn, tuple(slip for _, slip in slips)


_NAMED_COLOUR = re.compile(r'\b(fill|stroke)="(black|white|lightgrey)"')
_FIX = "correct it as Graphviz says: graphviz.org/doc/info/lang.html."


def _slips(told: str) -> "list[tuple[str, Slip]]":
    found = []
    for line in told.splitlines():
        if (problem := _PROBLEM.match(line)) is None:
            continue
        place = _LINE.search(problem[2])
        number = int(next(filter(None, place.groups()))) if place else 1
        message = shortened(problem[2].strip().removesuffix("."), 200)
        found.append((problem[1], Slip(message=f'Graphviz says "{message}"', fix=_FIX, line=number)))
    return found
