"""Ways to damage a cache file, and the kinds of files in a cache."""

import os
import random
import shutil
import stat
from collections.abc import Callable
from pathlib import Path

Damage = Callable[[Path, str, random.Random], None]

PLACES = ("header", "middle", "end")


def _at(size: int, place: str, chance: random.Random) -> int:
    """A random position in a file of `size` bytes."""
    if size == 0:
        return 0
    near = min(size, 100)
    match place:
        case "header":
            return chance.randrange(near)
        case "end":
            return size - 1 - chance.randrange(near)
        case _:
            return chance.randrange(size)


def _write(path: Path, content: bytes) -> None:
    """Overwrite a file in place, as a failing disk would."""
    with path.open("r+b") as file:
        file.write(content)
        file.truncate()


def flip_a_bit(path: Path, place: str, chance: random.Random) -> None:
    content = bytearray(path.read_bytes())
    if content:
        content[_at(len(content), place, chance)] ^= 1 << chance.randrange(8)
    _write(path, content)


def flip_many_bits(path: Path, place: str, chance: random.Random) -> None:
    for _ in range(20):
        flip_a_bit(path, place, chance)


def change_a_letter(path: Path, place: str, chance: random.Random) -> None:
    """Replace a letter by another one, so that the format stays valid."""
    content = bytearray(path.read_bytes())
    letters = [n for n, byte in enumerate(content) if chr(byte).isalnum() and byte < 128]
    if letters:
        at = letters[_at(len(letters), place, chance)]
        content[at] = ord("a") if content[at] != ord("a") else ord("b")
    _write(path, content)


def zero_a_block(path: Path, place: str, chance: random.Random) -> None:
    content = bytearray(path.read_bytes())
    size = chance.choice([16, 512, 4096])
    start = _at(len(content), place, chance) // size * size
    zeros = len(content[start : start + size])
    content[start : start + size] = bytes(zeros)
    _write(path, content)


def fill_a_block_with_noise(path: Path, place: str, chance: random.Random) -> None:
    content = bytearray(path.read_bytes())
    start = _at(len(content), place, chance)
    noise = chance.randbytes(len(content[start : start + 64]))
    content[start : start + 64] = noise
    _write(path, content)


def exchange_two_blocks(path: Path, place: str, chance: random.Random) -> None:
    """Exchange two pages of a database."""
    content = bytearray(path.read_bytes())
    pages = len(content) // 4096
    if pages > 2:
        one, other = (4096 * n for n in chance.sample(range(1, pages), 2))
        first, second = content[one : one + 4096], content[other : other + 4096]
        content[one : one + 4096], content[other : other + 4096] = second, first
    _write(path, content)


def cut_off(path: Path, place: str, chance: random.Random) -> None:
    content = path.read_bytes()
    _write(path, content[: _at(len(content), place, chance)])


def empty(path: Path, place: str, chance: random.Random) -> None:
    _write(path, b"")


def zero_all(path: Path, place: str, chance: random.Random) -> None:
    _write(path, bytes(path.stat().st_size))


def replace_by_noise(path: Path, place: str, chance: random.Random) -> None:
    _write(path, chance.randbytes(path.stat().st_size or 100))


def append_noise(path: Path, place: str, chance: random.Random) -> None:
    _write(path, path.read_bytes() + chance.randbytes(chance.choice([1, 100, 5000])))


def append_itself(path: Path, place: str, chance: random.Random) -> None:
    _write(path, path.read_bytes() * 2)


def take_away(path: Path, place: str, chance: random.Random) -> None:
    path.unlink()


def put_a_folder(path: Path, place: str, chance: random.Random) -> None:
    path.unlink()
    (path / "in it").mkdir(parents=True)
    (path / "file").write_text("in the way")


def put_a_link_to_sources(path: Path, place: str, chance: random.Random) -> None:
    """Replace the file by a link to an article, so that writing to it would change the article."""
    root = next(one for one in path.parents if (one / "content").is_dir())
    path.unlink()
    path.symlink_to(root / "content/posts/other/en.md")


def put_a_hard_link_to_sources(path: Path, place: str, chance: random.Random) -> None:
    root = next(one for one in path.parents if (one / "content").is_dir())
    path.unlink()
    path.hardlink_to(root / "content/posts/other/zh.md")


def put_a_link_to_nothing(path: Path, place: str, chance: random.Random) -> None:
    path.unlink()
    path.symlink_to(path.with_name("nothing of the kind"))


def put_a_link_to_itself(path: Path, place: str, chance: random.Random) -> None:
    path.unlink()
    path.symlink_to(path)


def put_a_pipe(path: Path, place: str, chance: random.Random) -> None:
    """Replace the file by a pipe, which blocks whoever opens it."""
    path.unlink()
    os.mkfifo(path)


def take_rights_away(path: Path, place: str, chance: random.Random) -> None:
    path.chmod(0)


def put_another_in_its_place(path: Path, place: str, chance: random.Random) -> None:
    """Replace the content by that of another cache file, of the same kind if there is one."""
    others = _files(path.parent) or _files(path.parent, "**/*")
    if others := [one for one in others if one != path]:
        _write(path, chance.choice(others).read_bytes())


def exchange_with_another(path: Path, place: str, chance: random.Random) -> None:
    if others := [one for one in _files(path.parent) if one != path]:
        other = chance.choice(others)
        content = path.read_bytes()
        _write(path, other.read_bytes())
        _write(other, content)


def make_its_folder_a_file(path: Path, place: str, chance: random.Random) -> None:
    folder = path.parent
    if folder.name in (".diglot", "public", "preview"):  # a file there would be the user's own
        take_away(path, place, chance)
        return
    shutil.rmtree(folder)
    folder.write_text("in the way")


DAMAGES: tuple[Damage, ...] = (
    flip_a_bit,
    flip_many_bits,
    change_a_letter,
    zero_a_block,
    fill_a_block_with_noise,
    exchange_two_blocks,
    cut_off,
    empty,
    zero_all,
    replace_by_noise,
    append_noise,
    append_itself,
    take_away,
    put_a_folder,
    put_a_link_to_sources,
    put_a_hard_link_to_sources,
    put_a_link_to_nothing,
    put_a_link_to_itself,
    put_a_pipe,
    take_rights_away,
    put_another_in_its_place,
    exchange_with_another,
    make_its_folder_a_file,
)


def _files(folder: Path, pattern: str = "*") -> list[Path]:
    """Regular files that match, without links and pipes from earlier damage, which lead out of the cache."""
    found = ((path, path.lstat()) for path in folder.glob(pattern))
    return sorted(path for path, status in found if stat.S_ISREG(status.st_mode) and status.st_nlink == 1)


KINDS: dict[str, Callable[[Path], list[Path]]] = {
    "store": lambda root: _files(root / ".diglot", "store.sqlite"),
    "log of the store": lambda root: _files(root / ".diglot", "store.sqlite-*"),
    "pack": lambda root: _files(root / ".diglot/objects"),
    "compiled template": lambda root: _files(root / ".diglot/templates"),
    "output index": lambda root: _files(root / ".diglot/published"),
    "points of sweeps": lambda root: _files(root / ".diglot", "points.db*"),
    "faces": lambda root: _files(root / ".diglot/matplotlib"),
    "lock": lambda root: _files(root / ".diglot", "*lock"),
    "page": lambda root: _files(root / "public", "*/posts/*/index.html"),
    "file of the output": lambda root: _files(root / "public", "[!.]*.*"),
    "preview": lambda root: _files(root / ".diglot/preview", "*.*"),
    "drawings nobody asked for": lambda root: [
        one for one in _files(root / ".diglot/unreferenced", "**/*") if one.suffix != ".lock"
    ],
}
"""The kinds of files that builds read back from cache and output, each with a function that finds them."""
