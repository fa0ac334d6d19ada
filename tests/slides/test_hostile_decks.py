"""Decks that are damaged, protected, or made to do harm: a clear message each."""

import io
import re
import zipfile
from pathlib import Path

import pytest

from diglot.diagnostics import DiagnosticError
from diglot.slides.decks import find_decks, read_deck
from tests.slides.making import deck, odp, png, rewritten

OLE = bytes.fromhex("d0cf11e0a1b11ae1")


def refused(path: Path) -> tuple[str, str]:
    with pytest.raises(DiagnosticError) as caught:
        read_deck(path, path.parent)
    (one,) = caught.value.diagnostics
    assert one.fix
    return one.rule, one.message.replace(f"{path.parent}/", "")


def test_a_slide_that_stands_in_a_deck_twice_is_damaged(tmp_path: Path) -> None:
    path = deck(tmp_path / "talk.pptx", [png()])
    with zipfile.ZipFile(path) as archive:
        text = archive.read("ppt/presentation.xml").decode()
    (slide,) = re.findall("<p:sldId [^>]*>", text)
    many = {"ppt/presentation.xml": text.replace(slide, slide * 100_000).encode()}
    assert refused(rewritten(path, many)) == (
        "slides-damaged",
        '"talk.pptx" is damaged: the slide "ppt/slides/slide1.xml" is in it twice',
    )


def test_parts_that_are_referred_to_without_end_are_too_large(tmp_path: Path) -> None:
    path = deck(tmp_path / "talk.pptx", [png()])
    name = "ppt/slides/_rels/slide1.xml.rels"
    with zipfile.ZipFile(path) as archive:
        text = archive.read(name).decode()
    kind = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/diagramData"
    extra = "".join(
        f'<Relationship Id="x{number}" Type="{kind}" Target="../presentation.xml"/>'
        for number in range(100_000)
    )
    many = {name: text.replace("</Relationships>", f"{extra}</Relationships>").encode()}
    assert refused(rewritten(path, many)) == (
        "slides-too-large",
        '"talk.pptx" has more than 128 MB of text to be looked through',
    )


def test_a_file_that_ends_early_is_damaged_wherever_it_was_cut(tmp_path: Path) -> None:
    path = deck(tmp_path / "talk.pptx", [png()])
    whole = path.read_bytes()
    for length in (0, 3, 100, len(whole) // 2, len(whole) - 30, len(whole) - 1):
        path.write_bytes(whole[:length])
        rule, message = refused(path)
        assert rule == "slides-damaged"
        assert message.startswith('"talk.pptx" is damaged: ')


def test_a_flipped_byte_in_a_part_is_found(tmp_path: Path) -> None:
    path = deck(tmp_path / "talk.pptx", [png()])
    with zipfile.ZipFile(path) as archive:
        at = archive.getinfo("ppt/slides/slide1.xml").header_offset + 100
    content = bytearray(path.read_bytes())
    content[at] ^= 0xFF
    path.write_bytes(content)
    assert refused(path) == (
        "slides-damaged",
        '"talk.pptx" is damaged: the part "ppt/slides/slide1.xml" cannot be read',
    )


@pytest.mark.parametrize(
    ("part", "content", "why"),
    [
        ("ppt/slides/slide1.xml", None, 'the part "ppt/slides/slide1.xml" is missing'),
        (
            "ppt/presentation.xml",
            b"<p",
            'the part "ppt/presentation.xml" is not XML (unclosed token: line 1, column 0)',
        ),
        ("_rels/.rels", None, "it has no presentation in it"),
        (
            "ppt/slides/slide1.xml",
            b'<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><x>&b;</x>',
            'the part "ppt/slides/slide1.xml" is not XML (it has a document type)',
        ),
    ],
)
def test_parts_that_are_missing_or_no_xml(tmp_path: Path, part: str, content: bytes | None, why: str) -> None:
    path = rewritten(deck(tmp_path / "talk.pptx", [png()]), {part: content})
    assert refused(path) == ("slides-damaged", f'"talk.pptx" is damaged: {why}')


def test_protected_files(tmp_path: Path) -> None:
    path = tmp_path / "talk.pptx"
    said = '"talk.pptx" is protected by a password'
    path.write_bytes(OLE + bytes(4000) + "EncryptedPackage".encode("utf-16-le") + bytes(100))
    assert refused(path) == ("slides-encrypted", said)
    path.write_bytes(OLE + bytes(4000))
    assert refused(path) == (
        "slides-format",
        '"talk.pptx" is a presentation in the format of PowerPoint 97 to 2003',
    )
    content = bytearray(deck(path, [png()]).read_bytes())
    content[content.rindex(b"PK\x01\x02") + 8] |= 1
    path.write_bytes(content)
    assert refused(path) == ("slides-encrypted", said)
    other = rewritten(
        odp(tmp_path / "talk.odp", png()), {"META-INF/manifest.xml": b"<x><manifest:encryption-data/></x>"}
    )
    assert refused(other) == ("slides-encrypted", '"talk.odp" is protected by a password')


def test_bombs_are_not_unpacked(tmp_path: Path) -> None:
    path = deck(tmp_path / "talk.pptx", [png()])
    with zipfile.ZipFile(path, "a", zipfile.ZIP_DEFLATED) as archive:
        slide = archive.getinfo("ppt/slides/slide1.xml")
    content = bytearray(path.read_bytes())
    at = content.rindex(b"ppt/slides/slide1.xml") - 46  # its record in the directory
    assert content[at : at + 4] == b"PK\x01\x02"
    content[at + 24 : at + 28] = (3_000_000_000).to_bytes(4, "little")
    path.write_bytes(content)
    assert slide.file_size < 10_000
    assert refused(path) == (
        "slides-too-large",
        '"talk.pptx" has a part "ppt/slides/slide1.xml" of 3,000 MB, too large to be looked into',
    )
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        for number in range(20_001):
            archive.writestr(f"{number}", b"")
    path.write_bytes(target.getvalue())
    assert refused(path) == ("slides-too-large", '"talk.pptx" has 20,001 parts, more than any deck needs')


def test_what_a_deck_links_to_is_never_opened(tmp_path: Path) -> None:
    path = deck(tmp_path / "talk.pptx", [png()])
    with zipfile.ZipFile(path) as archive:
        slide = archive.read("ppt/slides/slide1.xml")
        relationships = archive.read("ppt/slides/_rels/slide1.xml.rels")
    linked = relationships.replace(
        b'Target="../media/image1.png"', b'Target="file:///etc/passwd" TargetMode="External"'
    )
    assert linked != relationships
    for change in (b"r:embed", b"r:link"):
        rewritten(
            path,
            {
                "ppt/slides/slide1.xml": slide.replace(b"r:embed", change),
                "ppt/slides/_rels/slide1.xml.rels": linked,
            },
        )
        (picture,) = read_deck(path, tmp_path).pictures
        assert (picture.link, picture.renditions) == ("file:///etc/passwd", ())


def test_pictures_that_are_damaged_are_only_unknown(tmp_path: Path) -> None:
    path = deck(tmp_path / "talk.pptx", [png()])
    for content in (b"", b"\x89PNG\r\n\x1a\n\0", png()[:60], b"<svg", b"\xff\xd8\xff", b"%PDF-"):
        rewritten(path, {"ppt/media/image1.png": content})
        (picture,) = read_deck(path, tmp_path).pictures
        assert picture.renditions[0].metadata.key is None


@pytest.mark.parametrize(
    ("name", "said"),
    [
        (
            "nowhere.pptx",
            ("slides-missing", 'there is no file or folder "nowhere.pptx"', "correct the path."),
        ),
        (
            "old.ppt",
            ("slides-format", '"old.ppt" is no deck that diglot reads', "save it as .pptx in PowerPoint."),
        ),
        (
            "talk.key",
            ("slides-format", '"talk.key" is no deck that diglot reads', "export it as .pptx in Keynote."),
        ),
    ],
)
def test_paths_that_are_no_decks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, said: tuple
) -> None:
    monkeypatch.chdir(tmp_path)
    for other in ("old.ppt", "talk.key"):
        Path(other).write_bytes(b"")
    with pytest.raises(DiagnosticError) as caught:
        find_decks([Path(name)])
    (one,) = caught.value.diagnostics
    assert (one.rule, one.message, one.fix) == said
