"""The files under `schemas/`: they are what the models say, and they are valid schemas."""

from __future__ import annotations

import json

import pytest

from soclab.contracts.publish import PUBLISHED, check, render, write
from tests.contract.agent_v1_judges import EcmaValidator, ecma_pattern
from tests.contract.published_file import ROOT, PublishedFile

_EACH = pytest.mark.parametrize("path", PUBLISHED)


def _parts(value):
    """The value and everything in it."""
    yield value
    for part in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _parts(part)


@_EACH
def test_the_published_file_is_what_the_model_says(path, snapshot):
    """
    The file is, byte for byte, what the model gives; `pytest --snapshot-update` writes it again.
    """
    assert render(PUBLISHED[path]()) == snapshot(name=path, extension_class=PublishedFile)


def test_nothing_else_is_published():
    """
    The files of this clone are the published ones, no less and no more.
    """
    assert check(ROOT) == []


@_EACH
def test_what_is_published_is_a_valid_schema(path):
    """
    It is a schema of draft 2020-12 with an identity and a title of its own.
    """
    schema = json.loads(render(PUBLISHED[path]()))

    EcmaValidator.check_schema(schema)
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert schema["$id"].startswith("urn:soclab:")
    assert schema["title"].startswith("soclab.")


def test_identities_and_titles_differ():
    """
    No two published schemas share an identity or a title.
    """
    schemas = [build() for build in PUBLISHED.values()]

    assert len(PUBLISHED) == len({schema["$id"] for schema in schemas}) == len({schema["title"] for schema in schemas})


@_EACH
def test_patterns_mean_the_same_everywhere(path):
    """
    Published patterns stay within what every regular expression dialect reads alike.
    """
    for part in _parts(PUBLISHED[path]()):
        if isinstance(part, dict) and isinstance(part.get("pattern"), str):
            assert ecma_pattern(part["pattern"])


@_EACH
def test_what_is_published_is_inert_text(path):
    """
    Its text is ASCII with sorted keys and one newline at its end.
    """
    text = render(PUBLISHED[path]())

    assert text.isascii()
    assert json.dumps(json.loads(text), indent=2, sort_keys=True) + "\n" == text


def test_members_are_forbidden_where_others_write_and_allowed_where_we_do():
    """
    A reply, a profile, a scenario and a world are closed; a request and a scorecard may grow.
    """
    closed = {path for path, build in PUBLISHED.items() if '"additionalProperties": false' in render(build())}

    assert {
        "schemas/agent-v1/response.schema.json",
        "schemas/profile-v1/profile.schema.json",
        "schemas/scenario-v1/scenario.schema.json",
        "schemas/scenario-v1/world.schema.json",
    } == closed


def test_a_scorecard_has_all_of_its_keys():
    """
    Every key of a scorecard is required, at every level.
    """
    schema = PUBLISHED["schemas/scorecard-v1/scorecard.schema.json"]()
    objects = [schema, *(part for part in schema["$defs"].values() if "properties" in part)]

    assert [sorted(part["properties"]) for part in objects] == [sorted(part["required"]) for part in objects]


def test_writing_makes_check_content(tmp_path):
    """
    Written into an empty folder, the files are complete and as they should be.
    """
    written = write(tmp_path)

    assert [tmp_path / path for path in PUBLISHED] == written
    assert check(tmp_path) == []


def test_writing_twice_changes_nothing(tmp_path):
    """
    The same models give the same bytes.
    """
    first = [file.read_bytes() for file in write(tmp_path)]

    assert first == [file.read_bytes() for file in write(tmp_path)]


def test_a_missing_folder_lacks_every_file(tmp_path):
    """
    Where there is nothing, each published file is missing.
    """
    assert [f"{path}: missing; write the schemas again" for path in sorted(PUBLISHED)] == check(tmp_path)


def _change(file):
    file.write_text(file.read_text("ascii").replace('"soclab.agent.v1"', '"soclab.agent.v2"'), "ascii")


def _cut(file):
    file.write_bytes(file.read_bytes()[:-1])


def _other_line_ends(file):
    file.write_bytes(file.read_bytes().replace(b"\n", b"\r\n"))


@pytest.mark.parametrize("harm", [_change, _cut, _other_line_ends])
def test_a_changed_file_is_found(tmp_path, harm):
    """
    A file that differs in any byte is named, with the line.
    """
    write(tmp_path)
    harm(tmp_path / "schemas/agent-v1/response.schema.json")

    (line,) = check(tmp_path)

    assert line.startswith("schemas/agent-v1/response.schema.json: differs from the model at line ")


def test_a_missing_file_is_found(tmp_path):
    """
    A published file that is not there is named.
    """
    write(tmp_path)
    (tmp_path / "schemas/scenario-v1/world.schema.json").unlink()

    assert check(tmp_path) == ["schemas/scenario-v1/world.schema.json: missing; write the schemas again"]


def test_an_extra_file_is_found(tmp_path):
    """
    A schema that no model stands behind is named.
    """
    write(tmp_path)
    (tmp_path / "schemas/agent-v2").mkdir()
    (tmp_path / "schemas/agent-v2/request.schema.json").write_text("{}")

    assert check(tmp_path) == ["schemas/agent-v2/request.schema.json: no model is published there; remove the file"]
