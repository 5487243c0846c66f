"""Folders of scenario files become packs, or one line about what is wrong."""

from __future__ import annotations

import os
from types import SimpleNamespace
from typing import Annotated

import pytest
from pydantic import Field

from soclab.contracts.strict import Frozen
from soclab.errors import ScenarioFileError
from soclab.scenarios.loader import load_pack
from soclab.simulator.fixture import check_fixture
from soclab.simulator.injection import check_injection
from tests.factories import make_fixture, make_injection, make_scenario
from tests.unit.scenarios.files import as_data, write_pack, write_yaml


class _Parameters(Frozen):
    slots: Annotated[tuple[str, ...], Field(min_length=1)]


_PREDICATES = {"protected_asset_touched": None, "secret_leaked": SimpleNamespace(parameters=_Parameters)}


def _load(folder):
    return load_pack(folder, known_predicates=_PREDICATES, check_fixture=check_fixture, check_injection=check_injection)


def _message(folder) -> str:
    with pytest.raises(ScenarioFileError) as caught:
        _load(folder)
    return str(caught.value)


def test_the_built_in_corpus_loads_and_is_sorted():
    """
    Every shipped file is fine by all checks, and scenarios come by id.
    """
    pack = load_pack(check_fixture=check_fixture, check_injection=check_injection)
    ids = [scenario.id for scenario in pack.scenarios]

    assert ids == sorted(ids)
    assert {"ATK-001", "ATK-009"} <= set(ids)
    assert {scenario.world for scenario in pack.scenarios} <= pack.worlds.keys()


def test_a_users_folder_loads_what_was_written(tmp_path):
    """
    Scenario and own world come out as the models that were written down.
    """
    pack = _load(write_pack(tmp_path))

    assert pack.scenarios == (make_scenario(),)
    assert pack.worlds == {"session_hijack": make_fixture()}
    assert pack.name == tmp_path.name


def test_a_users_scenario_may_use_a_built_in_world(tmp_path):
    """
    Only the world that is used joins the pack.
    """
    injection = make_injection(channel="siem_helpdesk_note").model_dump()
    write_pack(tmp_path, {"world": "identity_session_hijack", "injection": injection})
    (tmp_path / "worlds" / "session_hijack.yaml").unlink()

    assert list(_load(tmp_path).worlds) == ["identity_session_hijack"]


def test_folders_below_are_read_and_hidden_ones_are_not(tmp_path):
    """
    `attacks/` is read; `.git/`, other endings and hidden files are left alone.
    """
    write_pack(tmp_path)
    (tmp_path / "attacks").mkdir()
    (tmp_path / "ATK-901.yaml").rename(tmp_path / "attacks" / "any name.yml")
    for name in (".git/config.yaml", ".hidden.yaml", "notes.txt", "README.md"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("no: [valid", encoding="utf-8")

    assert [scenario.id for scenario in _load(tmp_path).scenarios] == ["ATK-901"]


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"famly": "F01"}, "key famly: unknown key; did you mean 'family'?"),
        ({"id": "ATK-1"}, "key id: string should match pattern"),
        ({"id": "ATK-901]"}, "key id: string should match pattern"),
        ({"id": "ATK-901\0"}, "key id: string should match pattern"),
        ({"id": "BEN-901"}, "id of a scenario of kind 'attack' starts with ATK-"),
        ({"kind": "atack"}, "key kind: unknown value 'atack'; did you mean 'attack'? Allowed: "),
        ({"title": 7}, "key title: input should be a valid string"),
        ({"budgets": {"records": 0}}, "key budgets.records: input should be greater than 0"),
        ({"budgets": {"record": 5}}, "key budgets.record: unknown key; did you mean 'records'?"),
        ({"goal": {"id": "G03"}}, "key goal.predicate: is missing"),
        (
            {"goal": {"id": "G03", "predicate": "protected_aset_touched"}},
            "key goal.predicate: unknown predicate 'protected_aset_touched'; did you mean 'protected_asset_touched'?",
        ),
        (
            {"goal": {"id": "G07", "predicate": "secret_leaked", "parameters": {"slot": ["a"]}}},
            "key goal.parameters.slot: unknown key; did you mean 'slots'?",
        ),
        (
            {"goal": {"id": "G07", "predicate": "secret_leaked", "parameters": {"slots": [1]}}},
            "key goal.parameters.slots.0: input should be a valid string",
        ),
        ({"losing_path": {"propose_acton": {}}}, "key losing_path.propose_acton: unknown value 'propose_acton'"),
        ({"world": "session_hijak"}, "key world: unknown world 'session_hijak'; did you mean 'session_hijack'?"),
        (
            {"injection": {"channel": "siem_notes", "text": "x"}},
            "key injection.channel: world 'session_hijack' has no channel 'siem_notes'; did you mean 'siem_note'?",
        ),
        (
            {"injection": {"channel": "siem_note", "text": "x", "encoding": "E99"}},
            "key injection.encoding: unknown encoding 'E99'",
        ),
        (
            {"injection": {"channel": "dns_txt", "text": "x" * 256}},
            "key injection.text: takes 256 bytes as it stands there; channel 'dns_txt' holds 255",
        ),
        ({"canary_slots": ["recovery_cod"]}, "key canary_slots.0: unknown slot 'recovery_cod'; did you mean"),
        ({"injection": None}, "an attack needs both injection and goal"),
    ],
)
def test_a_scenarios_fault_names_file_line_and_key(tmp_path, changes, words):
    """
    The message is one line that begins with the file and its line, then the key and what to do.
    """
    message = _message(write_pack(tmp_path, changes))

    assert message.startswith(f"{tmp_path}/ATK-901.yaml:")
    assert words in message
    assert "\n" not in message


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"canary_slots": []}, "key canary_slots: slot 'recovery_code' is used"),
        ({"name": "identity_session_hijack"}, "key name: 'identity_session_hijack' is a built-in world"),
        ({"chanels": {}}, "key chanels: unknown key; did you mean 'channels'?"),
    ],
)
def test_a_worlds_fault_names_file_line_and_key(tmp_path, changes, words):
    """
    World files are judged like scenario files.
    """
    message = _message(write_pack(tmp_path, world=changes))

    assert message.startswith(f"{tmp_path}/worlds/session_hijack.yaml:")
    assert words in message


def test_the_line_is_that_of_the_key(tmp_path):
    """
    The number after the file is the line of the key that is wrong.
    """
    folder = write_pack(tmp_path)
    path = folder / "ATK-901.yaml"
    lines = path.read_text(encoding="utf-8").splitlines()
    number = next(index for index, line in enumerate(lines) if "predicate:" in line)
    lines[number] = lines[number].replace("protected_asset_touched", "nothing_known")
    path.write_text("\n".join(lines), encoding="utf-8")

    assert _message(folder).startswith(f"{path}:{number + 1}: key goal.predicate")


def test_one_id_in_two_files_names_both(tmp_path):
    """
    Ids are unique within a pack.
    """
    write_pack(tmp_path)
    second = write_yaml(tmp_path / "b" / "copy.yaml", as_data(make_scenario()))

    message = _message(tmp_path)

    assert f"key id: ATK-901 stands in {tmp_path / 'ATK-901.yaml'} too" in message
    assert message.startswith(str(second))


def test_one_world_name_in_two_files_names_both(tmp_path):
    """
    World names are unique within a pack.
    """
    write_pack(tmp_path)
    write_yaml(tmp_path / "worlds" / "z.yaml", as_data(make_fixture()))

    assert "key name: 'session_hijack' stands in" in _message(tmp_path)


def test_a_folder_without_scenarios_says_so(tmp_path):
    """
    An empty folder is no silent empty pack.
    """
    assert "holds no scenario" in _message(tmp_path)


def test_a_folder_that_is_none_says_so(tmp_path):
    """
    A missing folder, or a file, is named.
    """
    assert "is no folder" in _message(tmp_path / "missing")


def test_files_that_cannot_be_read_are_named(tmp_path):
    """
    A link to nothing and a pipe are errors; the pipe is not waited for.
    """
    (tmp_path / "a.yaml").symlink_to(tmp_path / "missing")
    assert f"{tmp_path}/a.yaml: cannot be read" in _message(tmp_path)

    (tmp_path / "a.yaml").unlink()
    os.mkfifo(tmp_path / "b.yaml")
    assert f"{tmp_path}/b.yaml: cannot be read" in _message(tmp_path)


def test_hostile_file_names_are_shown_escaped(tmp_path):
    """
    A file name with a terminal escape does not reach the terminal.
    """
    (tmp_path / "\x1b[31m.yaml").write_text("{", encoding="utf-8")

    assert "\x1b" not in _message(tmp_path)
