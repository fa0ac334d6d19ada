"""Whatever is done to a shared cache by those who have no key, no value changes."""

import random
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from diglot.digests import digest_of
from diglot.engine.others import OthersValue
from diglot.engine.traces import Trace
from diglot.shared_cache.bundles import TRACES, VALUES, Written, read_bundle, write_bundle
from diglot.shared_cache.places import PlaceUnreachable
from diglot.shared_cache.signatures import signer
from tests.engine.workshop import ran
from tests.shared_cache.sharing import NOW, OWN, PAGES, STRANGER, Machine, rules_of

DAMAGES = 500


def _change_bytes(files: dict[str, bytes], chance: random.Random) -> None:
    name = chance.choice(sorted(files))
    content = bytearray(files[name])
    for _ in range(chance.randint(1, 20)):
        content[chance.randrange(len(content))] = chance.randrange(256)
    files[name] = bytes(content)


def _cut(files: dict[str, bytes], chance: random.Random) -> None:
    name = chance.choice(sorted(files))
    files[name] = files[name][: chance.randrange(len(files[name]))]


def _lengthen(files: dict[str, bytes], chance: random.Random) -> None:
    files[chance.choice(sorted(files))] += chance.randbytes(chance.randint(1, 99))


def _remove(files: dict[str, bytes], chance: random.Random) -> None:
    del files[chance.choice(sorted(files))]


def _swap(files: dict[str, bytes], chance: random.Random) -> None:
    one, other = chance.sample(sorted(files), 2)
    files[one], files[other] = files[other], files[one]


def _move_within(files: dict[str, bytes], chance: random.Random) -> None:
    name = chance.choice(sorted(files))
    content = files[name]
    at = chance.randrange(len(content))
    files[name] = content[at:] + content[:at]


def _sign_anew(files: dict[str, bytes], chance: random.Random) -> None:
    """The attack of somebody who knows the format: other values under true dependencies, own signature."""
    name = chance.choice([name for name in sorted(files) if name.endswith(TRACES)])
    forged = _forged(name.removesuffix(TRACES), files[name], chance)
    if forged is not None:
        files[f"{forged.name}{TRACES}"], files[f"{forged.name}{VALUES}"] = forged.traces, forged.values


def _take_signature(files: dict[str, bytes], chance: random.Random) -> None:
    """Forged traces with the signature, and under the name, of a true bundle."""
    name = chance.choice([name for name in sorted(files) if name.endswith(TRACES)])
    forged = _forged(name.removesuffix(TRACES), files[name], chance)
    if forged is not None:
        files[name] = files[name][:80] + forged.traces[80:]
        files[name.replace(TRACES, VALUES)] = forged.values


def _forged(name: str, content: bytes, chance: random.Random) -> Written | None:
    bundle = read_bundle(name, content, (OWN.public,))
    if bundle is None:
        return None
    evil = chance.randbytes(30)
    traces = {key: trace._replace(digest=digest_of(evil)) for key, trace in bundle.traces.items()}
    values = {digest_of(evil): OthersValue(evil, False)}
    return write_bundle(traces, values, sign=signer(STRANGER.secret), now=NOW)


def _litter(files: dict[str, bytes], chance: random.Random) -> None:
    name = chance.choice(sorted(files))
    files[name.replace("-", chance.choice(["--", "_", "x-"]), 1)] = chance.randbytes(99)


_DAMAGES: tuple[Callable[[dict[str, bytes], random.Random], None], ...] = (
    *(_change_bytes, _cut, _lengthen, _remove, _swap),
    *(_move_within, _sign_anew, _take_signature, _litter),
)


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A place with two bundles."""
    machine = Machine(tmp_path / "ci", tmp_path / "place")
    machine.make("page small", "page large")
    machine.share()
    machine.make()
    machine.share()
    return tmp_path / "place"


def test_damages_change_no_value(tmp_path: Path, place: Path) -> None:
    true = {path.name: path.read_bytes() for path in place.iterdir()}
    expected = Machine(tmp_path / "clean", tmp_path / "nowhere").make()[1]
    untouched = 0
    for seed in range(DAMAGES):
        chance = random.Random(seed)
        files = dict(true)
        for _ in range(chance.randint(1, 3)):
            if len(files) > 1:
                chance.choice(_DAMAGES)(files, chance)
        for path in place.iterdir():
            path.unlink()
        for name, content in files.items():
            (place / name).write_bytes(content)
        machine = Machine(tmp_path / f"clone-{seed}", place)
        report, values = machine.make()
        assert values == expected, f"seed {seed}"
        untouched += not ran(report)
        if seed % 10 == 0:
            again, values = machine.make()
            assert (ran(again), values) == ([], expected), f"seed {seed}"
    assert 0 < untouched < DAMAGES // 2  # most damages cost something, and some cost nothing


def test_without_the_key_a_well_formed_lie_is_not_believed(tmp_path: Path, place: Path) -> None:
    """The same lie with the key is believed: what writers can do is why the key is secret."""
    truth = [(path.stem, path.read_bytes()) for path in place.glob("*.traces")]
    for pair, believed in ((STRANGER, False), (OWN, True)):
        liar = Machine(tmp_path / f"liar-{believed}", tmp_path / f"place-{believed}")
        forged = [_lie(name, content) for name, content in truth]
        liar.place().put(
            {
                f"{one.name}{end}": part
                for traces, values in forged
                for one in [write_bundle(traces, values, sign=signer(pair.secret), now=NOW)]
                for end, part in ((VALUES, one.values), (TRACES, one.traces))
            }
        )
        victim = Machine(tmp_path / f"victim-{believed}", tmp_path / f"place-{believed}")
        _, values = victim.make()
        assert any(b"lie" in one for one in values.values()) is believed
        assert any("no trusted key signed" in one for one in rules_of(victim)) is not believed


def _lie(name: str, content: bytes) -> tuple[dict, dict[str, OthersValue]]:
    bundle = read_bundle(name, content, (OWN.public,))
    assert bundle is not None
    lies: dict = {
        key: Trace._make(one)._replace(digest=digest_of(b"lie")) for key, one in bundle.traces.items()
    }
    return lies, {digest_of(b"lie"): OthersValue(b"lie", False)}


def test_damage_is_told(tmp_path: Path, place: Path) -> None:
    for path in place.glob("*.values"):
        path.write_bytes(bytes(len(path.read_bytes())))
    machine = Machine(tmp_path / "clone", place)
    report, _ = machine.make()
    assert len(report.ran) == 6
    (message,) = rules_of(machine)
    assert "lost or differ from their digest" in message


def test_a_place_out_of_reach_is_told_once_and_the_build_goes_on(tmp_path: Path) -> None:
    asked = []

    def refuse() -> None:
        asked.append(1)
        raise PlaceUnreachable("no route to host")

    machine = Machine(tmp_path / "offline", refuse)  # type: ignore[arg-type]
    report, _ = machine.make()
    assert (len(report.ran), len(asked)) == (6, 1)
    assert rules_of(machine) == ["the shared cache the place could not be used: no route to host"]
    assert machine.share() == 0


def test_a_place_that_breaks_off_costs_only_its_values(tmp_path: Path, place: Path) -> None:
    machine = Machine(tmp_path / "clone", place)
    whole = machine.place()
    fetch = type(whole).fetch

    class Breaking(type(whole)):  # type: ignore[misc]
        def fetch(self, names: list[str], folder: Path) -> None:
            if any(name.endswith(VALUES) for name in names):
                raise PlaceUnreachable("connection reset")
            fetch(self, names, folder)

    machine.place = lambda: Breaking(place)
    report, values = machine.make()
    assert (len(report.ran), len(values)) == (6, len(PAGES))
    assert "connection reset" in rules_of(machine)[0]


def test_a_value_that_would_fill_the_memory_is_not_unpacked(tmp_path: Path) -> None:
    import zlib

    from diglot.shared_cache.bundles import ValuePlace, read_value

    bomb = zlib.compress(bytes(50_000_000))
    assert read_value(ValuePlace(digest_of(b"x"), 0, len(bomb), 1, False), bomb) is None


def test_a_bundle_has_no_objects_in_it_but_texts_numbers_and_bytes(place: Path) -> None:
    """Nothing that is fetched is ever run: it is msgpack of fixed types, as the store has it."""
    import zlib

    for path in place.glob("*.traces"):
        decoded = msgspec.msgpack.decode(zlib.decompress(path.read_bytes()[80:]))
        assert _types(decoded) <= {list, str, int, bool, type(None)}


def _types(value: object) -> set[type]:
    inner = set().union(*map(_types, value)) if isinstance(value, list) else set()
    return {type(value)} | inner
