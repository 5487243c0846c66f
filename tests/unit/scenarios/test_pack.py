"""The hash of a pack, and choosing from it."""

from __future__ import annotations

import gc

import pytest
import yaml

from soclab import canonical_json
from soclab.contracts.vocabulary import Kind
from soclab.errors import UnknownNameError
from soclab.scenarios.loader import load_pack
from soclab.scenarios.pack import make_pack
from soclab.scenarios.selection import select
from soclab.scenarios.yaml_file import YamlFile
from tests.factories import make_fixture, make_scenario
from tests.unit.scenarios.files import write_pack

_IDS = ("ATK-901", "ATK-902", "ATK-911")


def _pack():
    fixture = make_fixture()
    return make_pack("mine", "1", [make_scenario(id=one) for one in reversed(_IDS)], {fixture.name: fixture})


def _ids(*patterns: str) -> list[str]:
    return [scenario.id for scenario in select(_pack(), patterns)]


def test_the_hash_is_of_the_canonical_json_of_all_scenarios_and_worlds():
    """
    Read in pieces, because as one it takes more memory than what it tells of.
    """
    for pack in (_pack(), load_pack()):
        content = {
            "scenarios": [one.model_dump(mode="json", by_alias=True) for one in pack.scenarios],
            "worlds": [one.model_dump(mode="json") for one in pack.worlds.values()],
        }
        assert pack.sha256 == canonical_json.sha256_hex(canonical_json.encode_bytes(content))


def test_a_pack_holds_what_its_files_say_and_not_the_files():
    """
    Scenarios and worlds as they would be read one by one, in little memory: no nodes of YAML, and what says nothing
    of its own is shared.
    """
    pack = load_pack()
    gc.collect()

    assert not [one for one in gc.get_objects() if isinstance(one, yaml.Node | YamlFile)]
    for one in (*pack.scenarios, *pack.worlds.values()):
        again = type(one).model_validate_json(one.model_dump_json(by_alias=True, exclude_unset=True))
        assert one == again
        assert one.model_fields_set == again.model_fields_set
        assert one.model_dump_json() == again.model_dump_json()
        assert again.to_keep() == again
    clean = [one for one in pack.scenarios if one.kind is Kind.BENIGN]
    assert len({id(one.model_fields_set) for one in clean}) < len(clean)
    assert len({id(one.losing_path) for one in clean}) == 1


def test_the_hash_does_not_depend_on_file_names_comments_or_key_order(tmp_path):
    """
    Content counts: renamed, commented and reordered files give the same hash.
    """
    before = load_pack(write_pack(tmp_path / "pack")).sha256
    path = tmp_path / "pack" / "ATK-901.yaml"
    lines = path.read_text(encoding="utf-8").splitlines()
    path.unlink()
    moved = [*lines[1:], "# a comment", lines[0]]
    (tmp_path / "pack" / "other").mkdir()
    (tmp_path / "pack" / "other" / "ATK-901.yml").write_text("\n".join(moved), encoding="utf-8")

    assert before == load_pack(tmp_path / "pack").sha256


@pytest.mark.parametrize(
    ("scenario", "world"), [({"title": "Another title"}, None), (None, {"summary": "Another summary"})]
)
def test_the_hash_changes_with_the_content(tmp_path, scenario, world):
    """
    A change in a scenario or in a world is another pack.
    """
    before = load_pack(write_pack(tmp_path / "one")).sha256

    assert before != load_pack(write_pack(tmp_path / "two", scenario, world)).sha256


def test_a_packs_scenarios_are_sorted_by_id():
    """
    The order of reading does not matter.
    """
    assert [scenario.id for scenario in _pack().scenarios] == list(_IDS)


@pytest.mark.parametrize(
    ("patterns", "ids"),
    [
        ((), list(_IDS)),
        (("ATK-902",), ["ATK-902"]),
        (("ATK-90*",), ["ATK-901", "ATK-902"]),
        (("ATK-9?1", "ATK-901"), ["ATK-901", "ATK-911"]),
        (("ATK-902", "ATK-901"), ["ATK-901", "ATK-902"]),
    ],
)
def test_ids_and_globs_select_each_scenario_once(patterns, ids):
    """
    The chosen scenarios come sorted by id, without repetition; no pattern means all.
    """
    assert _ids(*patterns) == ids


@pytest.mark.parametrize("pattern", ["ATK-903", "atk-901", "BEN-*", "", "\x1b[31m"])
def test_a_pattern_that_matches_nothing_is_an_error(pattern):
    """
    An unknown id, another case and an empty glob are never a silent empty selection.
    """
    with pytest.raises(UnknownNameError) as caught:
        _ids("ATK-901", pattern)

    assert "Allowed: ATK-901, ATK-902, ATK-911." in str(caught.value)
    assert "\x1b" not in str(caught.value)


def test_a_near_miss_is_suggested():
    """
    A mistyped id comes with the one that was meant.
    """
    with pytest.raises(UnknownNameError, match="did you mean 'ATK-901'"):
        _ids("ATK901")
