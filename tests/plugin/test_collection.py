"""The campaign as items of pytest: their ids, their order, and what selects them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.plugin.lab import HONEST, STAGES, Lab, node, verdicts

TWO = ("--soclab-scenario", "ATK-001", "--soclab-scenario", "BEN-001")


def collected(result: pytest.RunResult) -> list[str]:
    """Ids printed by `--collect-only -q`."""
    return [line for line in result.outlines if "::" in line]


def ids(*scenarios: str) -> list[str]:
    return [node(scenario, stage) for scenario in scenarios for stage in STAGES]


def test_every_stage_of_every_scenario_is_an_item(lab: Lab) -> None:
    """Ids are the scenario and the stage, in order; collecting asks nobody and writes nothing."""
    result = lab.run(*HONEST, *TWO, "--collect-only", "-q")

    assert collected(result) == ids("ATK-001", "BEN-001")
    assert result.ret == pytest.ExitCode.OK
    assert lab.calls() == []
    assert lab.files() == set()


@pytest.mark.parametrize("mode", ["protected", "both"])
def test_items_stand_where_pytest_would_find_them(lab: Lab, mode: str) -> None:
    """What is remembered of one stage's place is true of the scenario's other stages, in either mode."""
    lab.pytester.makeconftest(
        """
        import pytest

        @pytest.hookimpl(wrapper=True)
        def pytest_runtest_protocol(item):
            ours = item.location
            assert ours == type(item).location.func(item)
            assert "location" in vars(item)
            print("same place")
            return (yield)
        """
    )
    result = lab.run(*HONEST, *TWO, "--soclab-mode", mode, "-s", "--soclab-twins", "off")

    assert result.stdout.str().count("same place") == len(STAGES) * (4 if mode == "both" else 2)
    assert result.ret == pytest.ExitCode.OK


def test_the_users_tests_come_first(lab: Lab) -> None:
    """Without arguments the campaign follows the tests of the folder."""
    lab.pytester.makepyfile(test_mine="def test_passes(): pass")
    result = lab.run(*HONEST, *TWO, "--collect-only", "-q")

    assert collected(result) == ["test_mine.py::test_passes", *ids("ATK-001", "BEN-001")]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("soclab",), ids("ATK-001", "BEN-001")),
        (("soclab::BEN-001",), ids("BEN-001")),
        (("soclab::BEN-001[collect_siem]",), [node("BEN-001", "collect_siem")]),
        (("soclab::BEN-001[collect_siem]", "soclab::ATK-001"), [*ids("ATK-001"), node("BEN-001", "collect_siem")]),
        (("soclab", "soclab::BEN-001[collect_siem]"), ids("ATK-001", "BEN-001")),
        (("soclab::gate",), ids("ATK-001", "BEN-001")),
        (("test_mine.py",), ["test_mine.py::test_passes"]),
        (("test_mine.py", "soclab::BEN-001"), ["test_mine.py::test_passes", *ids("BEN-001")]),
        ((".",), ["test_mine.py::test_passes", *ids("ATK-001", "BEN-001")]),
        (("-k", "siem and ATK"), [node("ATK-001", "collect_siem")]),
        (("-m", "soclab"), ids("ATK-001", "BEN-001")),
        (("-m", "not soclab"), ["test_mine.py::test_passes"]),
        (
            ("soclab::BEN-001", "--deselect", node("BEN-001", "collect_siem")),
            [one for one in ids("BEN-001") if "siem" not in one],
        ),
    ],
)
def test_arguments_select(lab: Lab, arguments: tuple[str, ...], expected: list[str]) -> None:
    """`soclab`, `soclab::ID` and `soclab::ID[stage]` name the campaign; a file names that file only."""
    lab.pytester.makepyfile(test_mine="def test_passes(): pass")
    result = lab.run(*HONEST, *TWO, "--collect-only", "-q", *arguments)

    assert collected(result) == expected


def test_a_folder_called_soclab_is_that_folder(lab: Lab) -> None:
    """The argument `soclab` means what stands there; an id still means the campaign."""
    lab.pytester.mkdir("soclab").joinpath("test_there.py").write_text("def test_there(): pass", encoding="utf-8")

    assert collected(lab.run(*HONEST, *TWO, "--collect-only", "-q", "soclab")) == ["soclab/test_there.py::test_there"]
    assert collected(lab.run(*HONEST, *TWO, "--collect-only", "-q", "soclab::BEN-001")) == ids("BEN-001")


def test_testpaths_do_not_hide_the_campaign(lab: Lab) -> None:
    """Folders named in the ini file are not folders that the user typed."""
    lab.pytester.makeini("[pytest]\ntestpaths = checks\n")
    lab.pytester.mkdir("checks").joinpath("test_there.py").write_text("def test_there(): pass", encoding="utf-8")
    result = lab.run(*HONEST, "--soclab-scenario", "BEN-001", "--collect-only", "-q")

    assert collected(result) == ["checks/test_there.py::test_there", *ids("BEN-001")]


def test_naming_conventions_of_the_user_do_not_matter(lab: Lab) -> None:
    """Neither `python_functions` nor `collect_imported_tests` hides a scenario."""
    lab.pytester.makeini(
        "[pytest]\npython_functions = check_*\npython_files = check_*.py\ncollect_imported_tests = false\n"
    )
    result = lab.run(*HONEST, "--soclab-scenario", "BEN-001", "--collect-only", "-q", "--import-mode=importlib")

    assert collected(result) == ids("BEN-001")


def test_items_are_functions_with_title_and_marker(lab: Lab) -> None:
    """The user's conftest hooks see ordinary functions, whose documentation is the scenario's title."""
    lab.pytester.makeconftest(
        """
        import pytest

        def pytest_collection_modifyitems(items):
            for item in items:
                assert type(item) is pytest.Function
                assert item.get_closest_marker("soclab")
                print(item.nodeid, "|", item.function.__doc__)
        """
    )
    result = lab.run(*HONEST, "--soclab-scenario", "BEN-001", "--collect-only", "-q", "-s")

    result.stdout.fnmatch_lines(["soclab::BEN-001[[]collect_identity[]] | ?*"])


SHUFFLE = """
    import random

    def pytest_collection_modifyitems(items):
        random.Random({seed}).shuffle(items)
"""


def in_order(found: list[str]) -> bool:
    """Whether the stages of each scenario come in order."""
    places: dict[str, list[int]] = {}
    for one in found:
        scenario, _, stage = one.removesuffix("]").partition("[")
        if stage:
            places.setdefault(scenario, []).append(STAGES.index(stage))
    return bool(places) and all(stages == sorted(stages) for stages in places.values())


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_stages_stay_in_order_when_a_hook_shuffles_the_items(lab: Lab, seed: int) -> None:
    """Items of others stay where they were put; the stages of one scenario share their places in order."""
    lab.pytester.makeconftest(SHUFFLE.format(seed=seed))
    lab.pytester.makepyfile(test_mine="def test_passes(): pass")
    found = collected(lab.run(*HONEST, *TWO, "--collect-only", "-q"))

    assert sorted(found) == sorted(["test_mine.py::test_passes", *ids("ATK-001", "BEN-001")])
    assert found != ["test_mine.py::test_passes", *ids("ATK-001", "BEN-001")]
    assert in_order(found)


def test_stages_stay_in_order_under_pytest_randomly(lab: Lab) -> None:
    """Its shuffle changes the order of scenarios at most."""
    pytest.importorskip("pytest_randomly")
    options = (*HONEST, "--soclab-scenario", "ATK-04*", "--collect-only", "-q", "--randomly-seed=5")
    found = collected(lab.run(*options, plugins=("no:asyncio",)))

    assert len(found) > 5 * len(STAGES)
    assert in_order(found)


def test_scenarios_the_agent_cannot_run_are_counted_in_the_header(lab: Lab) -> None:
    """Forced replies are for the scripted agent; nobody wants hundreds of skips."""
    result = lab.run(*HONEST, "--soclab-scenario", "BEN-001", "--soclab-scenario", "GRD-*", "-v")

    assert set(verdicts(result)) == {*ids("BEN-001"), "soclab::gate"}
    result.stdout.fnmatch_lines(["soclab: left out *: forces its replies: provider 'scripted' only"])


def test_a_scenario_the_agent_cannot_run_is_one_skip_when_its_id_is_named(lab: Lab) -> None:
    """It says why, and it is no evidence: exit 1."""
    result = lab.run(*HONEST, "soclab::GRD-001", "-v", "-rs")

    assert verdicts(result) == {"soclab::GRD-001": "SKIPPED", "soclab::gate": "FAILED"}
    result.stdout.fnmatch_lines(["SKIPPED [[]1[]] soclab::GRD-001: cannot be run: forces its replies*"])
    result.stdout.fnmatch_lines(["gate failed: no evidence: 0 of 0 selected stages were executed"])
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    assert lab.files() == set()


def test_guards_run_with_the_scripted_agent(lab: Lab) -> None:
    """Every forced reply is met as its scenario says."""
    result = lab.run("--soclab-provider", "scripted", "--soclab-scenario", "GRD-00[1-5]", "-q")

    card = lab.scorecard()
    assert result.ret == pytest.ExitCode.OK
    assert {one["guard_passed"] for one in card["scenarios"]} == {True}
    assert result.parseoutcomes()["passed"] > len(card["scenarios"]) == 5


@pytest.mark.parametrize(
    ("argument", "says"),
    [
        ("soclab::ATK-999", "ERROR: unknown scenario 'ATK-999' (soclab::ATK-999)*"),
        ("soclab::ATK-001[collect_sien]", "ERROR: unknown stage 'collect_sien'*did you mean 'collect_siem'?*"),
        ("soclab::ATK-001::x", "ERROR: soclab::ATK-001::x: write soclab::ID or soclab::ID[[]stage[]]"),
        ("soclab::", "ERROR: soclab::: write soclab::ID or soclab::ID[[]stage[]]"),
    ],
)
def test_an_id_that_names_nothing_is_wrong_use(lab: Lab, argument: str, says: str) -> None:
    """One line, exit 4, nobody asked."""
    result = lab.run(*HONEST, argument)

    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([says])
    assert len([line for line in result.errlines if line.strip()]) == 1
    assert lab.calls() == []


def test_without_an_agent_the_argument_is_wrong_use(lab: Lab) -> None:
    """`pytest soclab` alone says what is missing."""
    result = lab.run("soclab")

    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["ERROR: no agent is named: give --soclab-provider (http, *) or --soclab-agent"])


def test_last_failed_finds_the_items_of_the_campaign(lab: Lab) -> None:
    """`--lf` runs the failed stage again and leaves the rest out; the gate is remembered nowhere."""
    lab.pytester.makepyfile(test_mine="def test_passes(): pass")
    options = ("--soclab-agent", "agents:mute_at_siem", "--soclab-scenario", "BEN-001", "-p", "cacheprovider")
    lab.run(*options)
    again = lab.run(*options, "--lf", "--collect-only", "-q")

    assert collected(again) == [node("BEN-001", "collect_siem")]


def test_ids_hold_nothing_that_changes(lab: Lab) -> None:
    """Two collections of one folder give the same ids."""
    options = (*HONEST, "--collect-only", "-q")

    assert collected(lab.run(*options)) == collected(lab.run(*options))


def test_items_do_not_depend_on_the_folder_pytest_starts_in(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    """Started in a subfolder of the rootdir, the ids are the same."""
    lab.pytester.makeini("[pytest]\n")
    below: Path = lab.pytester.mkdir("below")
    monkeypatch.chdir(below)
    result = lab.run(*HONEST, "--soclab-scenario", "BEN-001", "--collect-only", "-q")

    assert collected(result) == ids("BEN-001")


def test_items_say_that_they_stand_in_the_campaign(lab: Lab) -> None:
    """Not in a file of ours: no path of the installation stands behind an id."""
    result = lab.run(*HONEST, "--soclab-scenario", "BEN-001", "-v")
    assert " <- " not in result.stdout.str()
