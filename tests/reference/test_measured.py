"""Whole systems that others measured, and the program that judges files of them."""

from diglot.hardware.__main__ import main

ROW = """\
- id: {id}
  category: gemm
  source: {{title: A test}}
  inputs: {{chip: {chip}, m: 8192, n: 8192, k: 8192, dtype: bf16}}
  expected: [{{name: rate, value: {value}, unit: FLOP/s}}, {{name: mfu, value: 0.5, unit: "1"}}]
  compare: bound
"""


def test_each_value_is_answered_and_counted_once(tmp_path, capsys):
    rows = (("near", "h100-sxm", 7e14), ("far", "h100-sxm", 3e14), ("unknown", "h999", 1e14))
    path = tmp_path / "rows.yaml"
    path.write_text(
        "schema: worked-cases/1\ncases:\n"
        + "".join(ROW.format(id=id_, chip=chip, value=value) for id_, chip, value in rows)
    )
    assert main(["validate", str(path)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[-1].startswith("1 of 3 within 25 %, ")
    assert lines[-1].endswith(" of 3 inside their 90 % interval, 1 unsupported")
    assert "h999" in lines[2]


def test_a_measurement_that_beats_the_bound_fails(tmp_path, capsys):
    path = tmp_path / "rows.yaml"
    path.write_text("cases:\n" + ROW.format(id="impossible", chip="h100-sxm", value=2e15))
    assert main(["validate", str(path)]) == 1
    assert "better than the bound" in capsys.readouterr().out


def test_a_mistake_of_the_file_is_reported_with_its_line(tmp_path, capsys):
    path = tmp_path / "rows.yaml"
    path.write_text("cases:\n- id: nameless\n")
    assert main(["validate", str(path)]) == 2
    assert f"{path}:2: " in capsys.readouterr().err
