"""A shared cache on another machine, by the rsync program."""

import os
import re
import subprocess
import tempfile
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from diglot.shared_cache.places import FILE_NAME, WAIT_S, PlaceUnreachable

_LISTED = re.compile(r"-\S+ +(?P<size>[0-9][0-9,.]*) \S+ \S+ (?P<name>.+)")
_MISSING = (23, 24)
"""Exit codes of rsync where some files are not there."""


class RsyncPlace:
    """A folder that rsync reaches: `rsync://host/path` or `user@host:path`."""

    def __init__(self, address: str) -> None:
        self._address = address if address.endswith("/") else f"{address}/"

    def sizes_bytes(self) -> dict[str, int]:
        """The names of all files with their sizes."""
        done = self._run("--list-only", "--no-human-readable", "--", self._address, missing=True)
        lines = map(_LISTED.fullmatch, done.stdout.decode("utf-8", "replace").splitlines())
        return {
            line["name"]: int(re.sub(r"[,.]", "", line["size"]))
            for line in lines
            if line is not None and FILE_NAME.fullmatch(line["name"])
        }

    def fetch(self, names: Collection[str], folder: Path) -> None:
        """Copy files into a folder, in one call."""
        self._run("--files-from=-", "--", self._address, f"{folder}/", names=names, missing=True)

    def put(self, files: Mapping[str, bytes]) -> None:
        """Add files, in one call for each, because their order matters; rsync renames what is complete."""
        with tempfile.TemporaryDirectory() as folder:
            for name, content in files.items():
                Path(folder, name).write_bytes(content)
                self._run("--mkpath", "--", f"{folder}/{name}", self._address)

    def remove(self, names: Collection[str]) -> None:
        """Remove files: those that an empty folder lacks, of the ones that are not excluded."""
        if names:
            words = [f"--include=/{name}" for name in names]
            with tempfile.TemporaryDirectory() as folder:
                self._run("--recursive", "--delete", *words, "--exclude=*", "--", f"{folder}/", self._address)

    def _run(
        self, *words: str, names: Collection[str] = (), missing: bool = False
    ) -> subprocess.CompletedProcess[bytes]:
        command: Sequence[str] = (
            "rsync",
            f"--timeout={WAIT_S}",
            *([f"--contimeout={WAIT_S}"] if self._address.startswith("rsync://") else ()),
            *words,
        )
        ssh = f"ssh -o BatchMode=yes -o ConnectTimeout={WAIT_S}"  # nobody is there to type a password
        environment = {"RSYNC_RSH": ssh, **os.environ}
        try:
            done = subprocess.run(
                command,
                input="".join(f"{name}\n" for name in names).encode(),
                capture_output=True,
                check=False,
                env=environment,
            )
        except FileNotFoundError:
            raise PlaceUnreachable("rsync is not installed, or not on the path") from None
        if done.returncode != 0 and not (missing and done.returncode in _MISSING):
            said = done.stderr.decode("utf-8", "replace").strip().splitlines() or ["rsync gave no reason"]
            raise PlaceUnreachable(said[0])
        return done
