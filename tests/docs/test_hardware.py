"""`docs/hardware.md` is what the docstrings say and the examples print, and has every public name."""

import diglot.hardware
from scripts.hardware_reference import PAGE, QUESTIONS, find_room, write_page


def test_the_page_is_up_to_date() -> None:
    assert write_page() == PAGE.read_text("utf-8"), "`python scripts/hardware_reference.py` writes it again"


def test_every_public_name_is_the_answer_to_one_question() -> None:
    rooms = [room for question in QUESTIONS for room in question.rooms]
    assert sorted(rooms) == sorted({find_room(name) for name in diglot.hardware.__all__})
