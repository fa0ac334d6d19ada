"""Which pictures of figures decks show, and where."""

from pathlib import Path

import pytest

from diglot.slides.decks import find_decks, read_deck
from diglot.slides.findings import identify
from diglot.slides.kept import Kept, read_kept
from diglot.slides.records import Deck
from tests.slides.making import OLD, deck, deck_of_all_kinds, odp, png, rewritten, svg, with_svg

NOTHING_KEPT = Kept(keys={}, folders=())


def shown(found: Deck, kept: Kept = NOTHING_KEPT) -> list[tuple[str, str, str | None]]:
    keys = [identify(one, kept) for one in found.pictures]
    return [
        (str(one.place), one.name, str(key) if key else None)
        for one, key in zip(found.pictures, keys, strict=True)
    ]


def test_pictures_are_found_wherever_a_deck_has_them(tmp_path: Path) -> None:
    found = read_deck(deck_of_all_kinds(tmp_path / "talk.pptx"), tmp_path)
    assert found.slides_count == 6
    assert shown(found) == [
        ("slide 1", "The ridge", OLD),
        ("slide 2", "The ridge", OLD),
        ("slide 3", "Picture 1", OLD),
        ("slide 4", "Picture 1", OLD),
        ("slide 5, notes", "Picture 77", OLD),
        ("slide 6", "Picture 1", None),
        ('layout "Blank"', "Picture 77", OLD),
        ("master 1", "Picture 77", OLD),
    ]


def test_an_svg_with_a_png_for_older_programs_is_one_picture(tmp_path: Path) -> None:
    (picture,) = read_deck(with_svg(tmp_path / "a.pptx", png(""), svg()), tmp_path).pictures
    assert str(identify(picture, NOTHING_KEPT)) == OLD
    assert [one.metadata.format for one in picture.renditions] == ["png", "svg"]


def test_a_picture_without_metadata_is_known_from_a_manifest_or_from_its_shape(tmp_path: Path) -> None:
    import hashlib
    import json

    bare = png("")
    entry = {
        "file": "bars.en.light.png",
        "sha256": hashlib.sha256(bare).hexdigest(),
        "figure": "bars",
        "language": "en",
        "theme": "light",
        "format": "png",
        "size": "16:9",
        "dpi": 192,
        "data": "00000001",
    }
    talk = deck(tmp_path / "talk.pptx", [bare])
    assert shown(read_deck(talk, tmp_path)) == [("slide 1", "Picture 1", None)]
    (tmp_path / "pictures").mkdir()
    (tmp_path / "pictures/manifest.json").write_text(json.dumps({"pictures": [entry]}))
    kept = read_kept([talk], tmp_path / "exports")
    assert shown(read_deck(talk, tmp_path), kept) == [("slide 1", "Picture 1", OLD)]
    (tmp_path / "pictures/manifest.json").write_text('{"name": "another program\'s"}')
    assert read_kept([talk], tmp_path / "exports").keys == {}
    import zipfile

    slide = zipfile.ZipFile(talk).read("ppt/slides/slide1.xml")
    named = slide.replace(b'descr="image.png"', f'descr="Two bars.&#10;{OLD}"'.encode())
    assert named != slide
    rewritten(talk, {"ppt/slides/slide1.xml": named})
    assert shown(read_deck(talk, tmp_path)) == [("slide 1", "Picture 1", OLD)]


def test_presentations_of_libreoffice(tmp_path: Path) -> None:
    found = read_deck(odp(tmp_path / "talk.odp", png()), tmp_path)
    assert shown(found) == [("slide 1", "Ridge", OLD), ("slide 1, notes", "", OLD), ("slide 2", "", None)]
    assert found.pictures[2].link == "../beside.png"
    assert [(str(place), text) for place, text in found.texts] == [("slide 1", "At 206 FLOP")]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("talk.md", "# One\n\n![Bars](pictures/a%20b.png)\n"),
        ("talk.md", '# One\n\n![Bars](<pictures/a b.png> "Title")\n'),
        ("talk.html", '<body>\n\n<img src="pictures/a b.png?1">\n'),
        ("talk.typ", '= One\n\n#image("pictures/a b.png")\n'),
        ("talk.tex", "\\begin{frame}\n\n\\includegraphics[width=\\textwidth]{pictures/a b}\n"),
        ("talk.tex", "\\graphicspath{{x/}{pictures/}}\n\n\\includegraphics{a b.png}\n"),
        ("deep/talk.md", "# From the project's root\n\n![](/pictures/a%20b.png)\n"),
    ],
)
def test_texts_refer_to_pictures(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / "pictures").mkdir()
    (tmp_path / "pictures/a b.png").write_bytes(png())
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_text(f"{text}\nhttps://example.org/pictures/a.png\n")
    assert shown(read_deck(tmp_path / name, tmp_path)) == [("line 3", "a b.png", OLD)]


def test_folders_are_looked_through(tmp_path: Path) -> None:
    for name in ("b.pptx", "sub/a.svg", "~$b.pptx", ".hidden/c.pptx", "node_modules/d.md", "words.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(b"")
    assert find_decks([tmp_path]) == [tmp_path / "b.pptx", tmp_path / "sub/a.svg"]
