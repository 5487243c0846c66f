"""Folders of scenario files become packs, or one line about what is wrong."""

from __future__ import annotations

import os
from pathlib import Path
from types import SimpleNamespace
from typing import Annotated

import pytest
from pydantic import Field

from soclab import scenarios
from soclab.contracts.strict import Frozen
from soclab.errors import ScenarioFileError
from soclab.oracles.predicates import PREDICATES
from soclab.scenarios.goals import GOALS
from soclab.scenarios.loader import load_pack
from soclab.simulator.fixture import check_fixture
from soclab.simulator.injection import check_injection
from tests.factories import make_fixture, make_injection, make_scenario
from tests.unit.scenarios.files import as_data, write_pack, write_yaml


class _Parameters(Frozen):
    slots: Annotated[tuple[str, ...], Field(min_length=1)]


_PREDICATES = {
    "protected_asset_touched": None,
    "forbidden_action": None,
    "secret_leaked": SimpleNamespace(parameters=_Parameters),
}


_ACTIONS = {
    "revoke_sessions": ("user_id",),
    "disable_account": ("user_id",),
    "close_incident": ("classification", "reason"),
}
_TOOLS = ("get_authentication_history", "get_endpoint_status", "lookup_indicator")


def _load(folder):
    return load_pack(
        folder,
        known_predicates=_PREDICATES,
        known_actions=_ACTIONS,
        known_tools=_TOOLS,
        check_fixture=check_fixture,
        check_injection=check_injection,
    )


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
    (tmp_path / "ATK-901.yaml").rename(tmp_path / "attacks" / "ATK-901.yml")
    for name in (".git/config.yaml", ".hidden.yaml", "notes.txt", "README.md"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("no: [valid", encoding="utf-8")

    assert [scenario.id for scenario in _load(tmp_path).scenarios] == ["ATK-901"]


def _expected(**changes):
    return {**as_data(make_scenario())["expected"], **changes}


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"famly": "F01"}, "key famly: unknown key; did you mean 'family'?"),
        ({"id": "ATK-1"}, " does not fit: write ATK-, BEN- or GRD- and three to five digits"),
        ({"id": "ATK-901]"}, " does not fit: write ATK-, BEN- or GRD- and three to five digits"),
        ({"id": "ATK-901\0"}, " does not fit: write ATK-, BEN- or GRD- and three to five digits"),
        ({"id": "BEN-901"}, "id of a scenario of kind 'attack' starts with ATK-"),
        ({"kind": "ATTACK"}, "key kind: unknown value 'ATTACK'; did you mean 'attack'? Allowed: "),
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
        ({"technique": "T21"}, "key technique: 'T21' does not fit: write T01 to T20"),
        ({"technique": "T1"}, "key technique: 'T1' does not fit: write T01 to T20"),
        (
            {"goal": {"id": "G3", "predicate": "secret_leaked"}},
            "key goal.id: 'G3' does not fit: write G and two digits",
        ),
        (
            {"goal": {"id": "G01", "predicate": "secret_leaked", "parameters": {"slots": ["recovery_code"]}}},
            "key goal.id: G01 is not what 'secret_leaked' judges; that is G07, G08",
        ),
        (
            {"goal": {"id": "G05", "predicate": "forbidden_action", "parameters": {"actions": ["disable_acount"]}}},
            "key goal.parameters.actions.0: unknown response action 'disable_acount'; did you mean 'disable_account'?",
        ),
        (
            {
                "goal": {
                    "id": "G05",
                    "predicate": "forbidden_action",
                    "parameters": {
                        "actions": ["close_incident", {"name": "disable_account", "arguments": {"user": ""}}]
                    },
                }
            },
            "key goal.parameters.actions.1.arguments.user: unknown argument of disable_account 'user'; did you mean",
        ),
        (
            {"expected": _expected(right=[{"name": "revoke_session", "arguments": {}}])},
            "key expected.right.0.name: unknown response action 'revoke_session'; did you mean 'revoke_sessions'?",
        ),
        (
            {"expected": _expected(acceptable=[{"name": "disable_account", "arguments": {"userid": "x"}}])},
            "key expected.acceptable.0.arguments.userid: unknown argument of disable_account 'userid'; did you mean "
            "'user_id'? Known: user_id",
        ),
        (
            {"expected": _expected(decisive=["lookup_indicator", "get_endpoint_state"])},
            "key expected.decisive.1: unknown look-up 'get_endpoint_state'; did you mean 'get_endpoint_status'?",
        ),
        ({"expected": _expected(decisive=[])}, "key expected.decisive: an attack names at least two look-ups"),
        (
            {"expected": _expected(decisive=["lookup_indicator", "lookup_indicator"])},
            "key expected.decisive: an attack names at least two look-ups",
        ),
        (
            {"injection": {"channel": "siem_note", "text": "Ask 8.8.8.8 first."}},
            "key injection.text: address 8.8.8.8 may be somebody's; take one of 192.0.2.0/24, ",
        ),
        (
            {"injection": {"channel": "siem_note", "text": "See hxxps://portal.northlake[.]com/case now."}},
            "key injection.text: host portal.northlake.com may be somebody's; take a name under example.com, ",
        ),
        (
            {"injection": {"channel": "siem_note", "text": "x", "suffix": " to desk@mail.ru"}},
            "key injection.suffix: host mail.ru may be somebody's",
        ),
        (
            {"expected": _expected(refuted_by=["It is fine.", "The network 203.0.112.0/22 is ours."])},
            "key expected.refuted_by.1: address 203.0.112.0/22 may be somebody's",
        ),
        (
            {"losing_path": {"collect_siem": {"tool_calls": [{"name": "x", "arguments": {"query": "2600::1"}}]}}},
            "key losing_path.collect_siem.tool_calls.0.arguments.query: address 2600::1 may be somebody's",
        ),
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
    second = write_yaml(tmp_path / "b" / "ATK-901.yaml", as_data(make_scenario()))

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


@pytest.mark.parametrize(
    "text",
    [
        "From 192.0.2.9, 198.51.100.0/24 and 203.0.113.255, then 2001:db8::1, 10.1.2.3 and 127.0.0.1.",
        "Block 0.0.0.0/0 and ::/0 at once.",
        "https://login.example.net/a, desk@mail.example.org and node.example.com:8443",
        "rdx.exe wrote C:\\Users\\Public\\o.bin with probe/3.2, see T1078.004 and report.pdf by maria.ortega",
        "hash 44d88612fea8a8f36de82e1278abb02f of session s-90c4e7",
    ],
)
def test_reserved_places_and_words_with_dots_are_fine(tmp_path, text):
    """
    Documentation and private addresses, names under example.*, files, versions and people are nobody's machine.
    """
    folder = write_pack(tmp_path, {"injection": {"channel": "siem_note", "text": text}})

    assert _load(folder).scenarios[0].injection.text == text


def test_a_file_has_the_name_of_its_scenario(tmp_path):
    """
    Who looks for an id finds the file.
    """
    (write_pack(tmp_path) / "ATK-901.yaml").rename(tmp_path / "mine.yaml")

    message = _message(tmp_path)

    assert message.startswith(f"{tmp_path}/mine.yaml:2: key id: ")
    assert message.endswith("ATK-901 stands in mine.yaml; name the file ATK-901.yaml")


@pytest.mark.parametrize("taken", ["ATK-001", "BEN-001", "GRD-021"])
def test_a_built_in_id_is_not_given_another_meaning(tmp_path, taken):
    """
    Results of different folders under one id could not be told apart.
    """
    kinds = {"ATK": "attack", "BEN": "benign", "GRD": "guard"}
    write_pack(tmp_path, {"id": taken, "kind": kinds[taken[:3]], **_without_attack(taken)})
    (tmp_path / "ATK-901.yaml").rename(tmp_path / f"{taken}.yaml")

    assert f"key id: {taken} is a built-in scenario, and an id never changes its meaning" in _message(tmp_path)


def _without_attack(identity):
    if identity.startswith("ATK"):
        return {}
    guard = {"stage": "collect_siem", "stopped_by": "denied", "reason": "unknown_tool"}
    changes = {"injection": None, "goal": None, "losing_path": {}}
    return {**changes, "guard": guard} if identity.startswith("GRD") else changes


def test_the_folder_of_the_corpus_is_the_corpus():
    """
    Who works on the shipped scenarios may name their folder.
    """
    folder = Path(scenarios.__file__).parent / "corpus"

    assert load_pack(folder) == load_pack()


@pytest.mark.parametrize(
    ("written", "line"),
    [
        ('text: "abc\u200b"\n  prefix: "p"', 3),
        ("text: >-\n    one line\n    \u043fayload", 5),
        ("text: x\n  suffix: caf\u00e9", 4),
    ],
)
def test_a_raw_character_in_a_hostile_text_is_named_with_its_line(tmp_path, written, line):
    """
    What nobody can see in an editor or a diff is written as an escape.
    """
    folder = write_pack(tmp_path)
    path = folder / "ATK-901.yaml"
    data = {key: value for key, value in as_data(make_scenario()).items() if key != "injection"}
    rest = write_yaml(tmp_path / "rest.txt", data).read_text(encoding="utf-8")
    path.write_text(f"injection:\n  channel: siem_note\n  {written}\n{rest}", encoding="utf-8")

    message = _message(folder)

    assert message.startswith(f"{path}:{line}: key injection.")
    assert "as it is; write it as an escape in double quotes: \\" in message
    assert message.isascii()


def test_escapes_in_a_hostile_text_and_raw_letters_elsewhere_are_fine(tmp_path):
    """
    The payload may hold any character; an author's name in a comment is nobody's business.
    """
    folder = write_pack(tmp_path)
    path = folder / "ATK-901.yaml"
    data = {key: value for key, value in as_data(make_scenario()).items() if key != "injection"}
    rest = write_yaml(tmp_path / "rest.txt", data).read_text(encoding="utf-8")
    path.write_text(
        f'# by Zo\u00eb\ninjection:\n  channel: siem_note\n  text: "a\\u200bb\\xe9"\n{rest}', encoding="utf-8"
    )

    assert _load(folder).scenarios[0].injection.text == "a\u200bb\u00e9"


def test_every_predicate_judges_a_goal():
    """
    The table of goals names each predicate, and none that does not exist.
    """
    assert {name for judged in GOALS.values() for name in judged} == set(PREDICATES)
