"""Serves a file of the output: the whole, a range of it, or 304 if the browser has it already."""

import os
import re
import stat
from collections.abc import AsyncIterator
from io import FileIO
from pathlib import Path

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from diglot.serve.files import media_type

_PART = re.compile(r"bytes[ \t]*=[ \t]*([0-9]{0,18})-([0-9]{0,18})[ \t]*", re.ASCII | re.IGNORECASE)
"""A single range. A request for several ranges gets the whole file, as RFC 9110 allows."""
_CHUNK_BYTES = 256 * 1024


def file_response(request: Request, path: Path) -> Response:
    """The response to a request for a file.

    The file is opened once and checked when open, so that replacing it meanwhile has no effect. Raises
    OSError if it cannot be read, FileNotFoundError also if it is no ordinary file.
    """
    # O_NONBLOCK, so that a pipe in place of the file does not block.
    file = FileIO(os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)))
    try:
        status = os.fstat(file.fileno())
        if not stat.S_ISREG(status.st_mode):
            raise FileNotFoundError(path)
        return _answer(request, file, status, media_type(path))
    except BaseException:
        file.close()
        raise


def _answer(request: Request, file: FileIO, status: os.stat_result, kind: str) -> Response:
    size = status.st_size
    etag = f'"{status.st_mtime_ns:x}-{size:x}"'
    headers = {"ETag": etag, "Accept-Ranges": "bytes"}
    if _is_known(request.headers, etag):
        file.close()
        return Response(status_code=304, headers=headers)
    part = _part(request.headers, etag, size) if request.method == "GET" else None
    if part is not None:
        if part.start >= part.stop:
            file.close()
            return Response(status_code=416, headers={**headers, "Content-Range": f"bytes */{size}"})
        headers["Content-Range"] = f"bytes {part.start}-{part.stop - 1}/{size}"
    wanted = part or range(size)
    headers["Content-Length"] = str(len(wanted))
    code = 200 if part is None else 206
    if request.method == "HEAD":
        file.close()
        return Response(status_code=code, headers=headers, media_type=kind)
    file.seek(wanted.start)
    if len(wanted) <= _CHUNK_BYTES:
        with file:
            return Response(_read(file, len(wanted)), code, headers, media_type=kind)
    return StreamingResponse(_chunks(file, len(wanted)), code, headers, media_type=kind)


async def _chunks(file: FileIO, left: int) -> AsyncIterator[bytes]:
    with file:
        while left > 0:
            chunk = await run_in_threadpool(_read, file, min(_CHUNK_BYTES, left))
            if not chunk:  # the file was truncated, so the response is, too
                return
            left -= len(chunk)
            yield chunk


def _read(file: FileIO, size: int) -> bytes:
    """Up to `size` bytes, as many as the file has."""
    found = bytearray()
    while len(found) < size and (piece := file.read(size - len(found))):
        found += piece
    return bytes(found)


def _is_known(headers: Headers, etag: str) -> bool:
    """Whether the client has this version of the file already."""
    known = [
        tag.strip().removeprefix("W/") for one in headers.getlist("if-none-match") for tag in one.split(",")
    ]
    return etag in known or known == ["*"]


def _part(headers: Headers, etag: str, size: int) -> range | None:
    """The requested range, empty if it is outside of the file; None for the whole file.

    Malformed ranges, other units, several ranges, and an If-Range for another version also get the whole
    file.
    """
    asked = headers.getlist("range")
    if len(asked) != 1 or headers.get("if-range", etag) != etag:
        return None
    match = _PART.fullmatch(asked[0])
    if match is None or match.groups() == ("", ""):
        return None
    first, last = match.groups()
    if not first:
        return range(max(0, size - int(last)), size)
    if last and int(last) < int(first):
        return None
    return range(int(first), min(size, int(last) + 1) if last else size)
