"""Films of figures: a GIF, or with ffmpeg an MP4, of the states of one parameter."""

import io
import shutil
import subprocess
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Literal

from diglot.diagnostics import Diagnostic, DiagnosticError
from diglot.figures.jobs import Format

Film = Literal["gif", "mp4"]
FILMS: tuple[Film, ...] = ("gif", "mp4")
ExportFormat = Format | Film
_COLOURS = 128
"""Colours of a GIF: enough for a chart with smooth edges."""
_LAST_S = 2.0
"""Seconds for which the last picture of a GIF stays before it begins again."""


def check_programs(formats: Iterable[str]) -> None:
    """Raise DiagnosticError if a format needs a program that is not installed."""
    if "mp4" in formats and shutil.which("ffmpeg") is None:
        fix = "install ffmpeg, or use --format gif or png."
        raise DiagnosticError(
            Diagnostic(
                rule="figure-film", message="MP4 files are made with ffmpeg, which is not installed", fix=fix
            )
        )


def make_film(pictures: Sequence[bytes], film: Film, frames_per_s: float) -> bytes:
    """A film of PNG pictures of the same size. Raises DiagnosticError if ffmpeg fails."""
    return _gif(pictures, frames_per_s) if film == "gif" else _mp4(pictures, frames_per_s)


def _gif(pictures: Sequence[bytes], frames_per_s: float) -> bytes:
    from PIL import Image  # noqa: PLC0415  (only films need it)

    frames = [Image.open(io.BytesIO(one)).convert("RGB") for one in pictures]
    # One palette for all of them, from the first and the last: colours must not flicker.
    sample = Image.new("RGB", (frames[0].width, 2 * frames[0].height))
    sample.paste(frames[0], (0, 0))
    sample.paste(frames[-1], (0, frames[0].height))
    palette = sample.quantize(_COLOURS)
    first, *others = (one.quantize(palette=palette, dither=Image.Dither.NONE) for one in frames)
    each = round(1000 / frames_per_s)
    target = io.BytesIO()
    durations = [each] * len(others) + [max(each, round(1000 * _LAST_S))]
    first.save(target, "GIF", save_all=True, append_images=others, duration=durations, loop=0, optimize=False)
    return target.getvalue()


def _mp4(pictures: Sequence[bytes], frames_per_s: float) -> bytes:
    with tempfile.TemporaryDirectory(prefix="diglot-") as folder:
        path = Path(folder) / "film.mp4"
        command = ["ffmpeg", "-v", "error", "-f", "image2pipe", "-framerate", f"{frames_per_s:g}", "-i", "-"]
        # Players want an even number of pixels, this way of storing colours, and the index at the beginning.
        even = ["-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2:color=white", "-pix_fmt", "yuv420p"]
        done = subprocess.run(
            [*command, *even, "-movflags", "+faststart", "-fflags", "+bitexact", "-y", str(path)],
            input=b"".join(pictures),
            capture_output=True,
            check=False,
        )
        if done.returncode or not path.is_file():
            told = done.stderr.decode("utf-8", "replace").strip()
            raise DiagnosticError(
                Diagnostic(
                    rule="figure-film",
                    message="ffmpeg could not make the film",
                    detail=told or None,
                    fix="use --format gif or png, or another version of ffmpeg.",
                )
            )
        return path.read_bytes()
