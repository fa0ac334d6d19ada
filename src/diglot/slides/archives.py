"""The ZIP files that decks are: read within limits, and written again with all other members as they were."""

import struct
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import BinaryIO, NamedTuple

from diglot.diagnostics import DiagnosticError
from diglot.slides.mistakes import damaged, encrypted, too_large, wrong_format

_MOST_MEMBERS = 20_000
_LARGEST_MEMBER = 256 * 2**20
_MOST_READ = 2 * 2**30
"""Bytes of all members that are read of one file. Members that are only copied do not count."""
_MOST_XML = 128 * 2**20
"""Bytes of parts that are parsed of one file, some ten seconds' work. A part counts each time: a few
kilobytes of a file can refer to the same one a hundred thousand times."""
_LEAST_OF_A_PART = 4096
"""What a small part counts: parsing it takes some time, too."""
_OLE = bytes.fromhex("d0cf11e0a1b11ae1")
_ENCRYPTED_PACKAGE = "EncryptedPackage".encode("utf-16-le")
_LOCAL = struct.Struct("<4s5H3L2H")
_CENTRAL = struct.Struct("<4s6H3L5H2L")
_END = struct.Struct("<4s4H2LH")
_END_MARK, _LARGEST_COMMENT = b"PK\x05\x06", 65_535
_HAS_ENCRYPTION, _HAS_DESCRIPTOR = 0x1, 0x8
_PIECE = 2**20


class Archive:
    """A deck's ZIP file, open for reading."""

    def __init__(self, path: Path, file: BinaryIO) -> None:
        """Raises DiagnosticError if the file is no ZIP file, damaged, encrypted, or a bomb."""
        self.path, self._file = path, file
        self._read = self._parsed = 0
        head = file.read(8)
        if head == _OLE:
            raise _of_ole(path, file)
        if not head.startswith(b"PK"):
            raise damaged(path, "it is not a ZIP file")
        try:
            self._zip = zipfile.ZipFile(file)
            members = self._zip.infolist()
        except (zipfile.BadZipFile, ValueError, NotImplementedError, EOFError, OSError) as error:
            raise damaged(path, f"its list of parts cannot be read ({error})") from error
        if len(members) > _MOST_MEMBERS:
            raise too_large(path, f"has {len(members):,} parts, more than any deck needs")
        if any(member.flag_bits & _HAS_ENCRYPTION for member in members):
            raise encrypted(path)
        self._members = {member.filename: member for member in members}

    def __contains__(self, name: object) -> bool:
        return name in self._members

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all members, in the order of the file's directory."""
        return tuple(self._members)

    def read(self, name: str, most: int | None = None) -> bytes:
        """The content of a member, or its first bytes.

        Raises DiagnosticError if it is missing, damaged or too large.
        """
        member = self._members.get(name)
        if member is None:
            raise damaged(self.path, f'the part "{name}" is missing')
        wanted = member.file_size if most is None else min(most, member.file_size)
        self._read += wanted
        if wanted > _LARGEST_MEMBER or self._read > _MOST_READ:
            size = f"{member.file_size / 1e6:,.0f} MB"
            raise too_large(self.path, f'has a part "{name}" of {size}, too large to be looked into')
        try:
            with self._zip.open(member) as file:
                return file.read(wanted)
        except (zipfile.BadZipFile, zlib.error, ValueError, NotImplementedError, EOFError, OSError) as error:
            raise damaged(self.path, f'the part "{name}" cannot be read') from error

    def read_xml(self, name: str) -> bytes:
        """The content of a member that is to be parsed. Raises DiagnosticError as `read` does."""
        content = self.read(name)
        self._parsed += max(len(content), _LEAST_OF_A_PART)
        if self._parsed > _MOST_XML:
            raise too_large(self.path, f"has more than {_MOST_XML >> 20} MB of text to be looked through")
        return content

    def copy_to(self, target: BinaryIO, changes: Mapping[str, bytes]) -> None:
        """Write the file with other content for some members. All others are copied byte for byte."""
        members, end = _directory(self.path, self._file)
        starts = sorted({member.start for member in members})
        ends = dict(zip(starts, [*starts[1:], end.start], strict=True))
        if len(starts) < len(members) or (starts and starts[0] != 0):
            raise damaged(self.path, "its parts overlap")
        moved: dict[int, int] = {}
        replaced: dict[int, _Replaced] = {}
        for member in sorted(members, key=lambda one: one.start):
            moved[member.start] = target.tell()
            if (content := changes.get(member.name)) is None:
                _copy(self._file, target, member.start, ends[member.start])
            else:
                replaced[member.start] = _write_member(target, member, content)
        directory_start = target.tell()
        for member in members:
            target.write(_central_record(member, moved[member.start], replaced.get(member.start)))
        directory_bytes = target.tell() - directory_start
        target.write(end.record[:12] + struct.pack("<2L", directory_bytes, directory_start) + end.record[20:])


class _Member(NamedTuple):
    name: str
    start: int
    """Offset of its local header."""
    record: bytes
    """Its record in the directory."""


class _End(NamedTuple):
    start: int
    """Offset of the directory."""
    record: bytes


class _Replaced(NamedTuple):
    crc: int
    compressed_size: int
    size: int


def _directory(path: Path, file: BinaryIO) -> tuple[list[_Member], _End]:
    """The records of the directory, in its order, and the record at the end of the file."""
    size = file.seek(0, 2)
    tail_start = max(0, size - _END.size - _LARGEST_COMMENT)
    file.seek(tail_start)
    tail = file.read()
    at = tail.rfind(_END_MARK)
    if at < 0 or len(tail) - at < _END.size:
        raise damaged(path, "its end is missing")
    _, _, _, _, count, length, start, _ = _END.unpack_from(tail, at)
    if start + length != tail_start + at:  # large files have a second directory in between
        raise wrong_format(
            path,
            "is written in a way that diglot cannot change in place (ZIP64, or bytes before its first part)",
            "save it again in PowerPoint or LibreOffice, and update it then.",
        )
    file.seek(start)
    directory = file.read(length)
    members, offset = [], 0
    for _ in range(count):
        fields = _CENTRAL.unpack_from(directory, offset)
        name_length, extra_length, comment_length = fields[10:13]
        after = offset + _CENTRAL.size + name_length + extra_length + comment_length
        raw = directory[offset + _CENTRAL.size : offset + _CENTRAL.size + name_length]
        name = raw.decode("utf-8" if fields[3] & 0x800 else "cp437")
        members.append(_Member(name=name, start=fields[16], record=directory[offset:after]))
        offset = after
    return members, _End(start=start, record=tail[at:])


def _write_member(target: BinaryIO, member: _Member, content: bytes) -> _Replaced:
    """Write a local header and new content, compressed as the old content was."""
    _, _, needed, flags, method, time, day, _, _, _, name_length, *_ = _CENTRAL.unpack_from(member.record)
    packed = content
    if method != zipfile.ZIP_STORED:
        method = zipfile.ZIP_DEFLATED
        compressor = zlib.compressobj(6, zlib.DEFLATED, -zlib.MAX_WBITS)
        packed = compressor.compress(content) + compressor.flush()
    flags &= ~_HAS_DESCRIPTOR
    crc = zlib.crc32(content)
    name = member.record[_CENTRAL.size : _CENTRAL.size + name_length]
    target.write(
        _LOCAL.pack(
            b"PK\x03\x04", needed, flags, method, time, day, crc, len(packed), len(content), len(name), 0
        )
    )
    target.write(name + packed)
    return _Replaced(crc, len(packed), len(content))


def _central_record(member: _Member, start: int, replaced: _Replaced | None) -> bytes:
    fields = [*_CENTRAL.unpack_from(member.record)]
    fields[16] = start
    if replaced is not None:
        fields[3] &= ~_HAS_DESCRIPTOR
        fields[4] = zipfile.ZIP_STORED if fields[4] == zipfile.ZIP_STORED else zipfile.ZIP_DEFLATED
        fields[7:10] = replaced
    return _CENTRAL.pack(*fields) + member.record[_CENTRAL.size :]


def _copy(source: BinaryIO, target: BinaryIO, start: int, end: int) -> None:
    source.seek(start)
    while start < end:
        piece = source.read(min(_PIECE, end - start))
        if not piece:
            raise EOFError
        target.write(piece)
        start += len(piece)


def _of_ole(path: Path, file: BinaryIO) -> DiagnosticError:
    """Office encrypts a deck into the same kind of file in which it kept decks before 2007."""
    carried = b""
    while piece := file.read(_PIECE):
        if _ENCRYPTED_PACKAGE in carried + piece:
            return encrypted(path)
        carried = piece[-len(_ENCRYPTED_PACKAGE) :]
    return wrong_format(
        path, "is a presentation in the format of PowerPoint 97 to 2003", "save it as .pptx in PowerPoint."
    )
