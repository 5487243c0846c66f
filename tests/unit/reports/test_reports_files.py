"""The files of a scorecard: `scorecard.json` as published, everything written whole."""

from __future__ import annotations

import json

import jsonschema
import pytest

from soclab.contracts.scorecard_v1 import Scorecard, StageResult
from soclab.contracts.vocabulary import Outcome, Stage, StageStatus
from soclab.errors import OutputFolderError
from soclab.published_files import published
from soclab.reports import writer
from soclab.reports.formats import jsonfile
from soclab.reports.writer import write_reports
from tests.unit.scoring.cards import attacked, clean, erred, guard, refused, scorecard, unfinished

MIXED = (
    attacked(1, Outcome.COMPROMISED),
    attacked(2, Outcome.CONTAINED),
    erred(attacked(3)),
    refused(attacked(4)),
    unfinished(attacked(5)),
    clean(1),
    guard(1),
)
HOSTILE = "</style><script>x\u202e\u2028\x1b]0;pwn\x07\x9b\ud800\U000e0041\x00"


@pytest.mark.parametrize("results", [(), MIXED, [erred(one) for one in MIXED]], ids=["empty", "mixed", "all broken"])
def test_the_scorecard_file_is_as_published(results):
    """It is valid against the published schema, whatever the campaign came to."""
    schema = json.loads((published("schemas") / "scorecard-v1" / "scorecard.schema.json").read_text("ascii"))
    jsonschema.Draft202012Validator(schema).validate(json.loads(jsonfile.render(scorecard(results))))


def test_the_scorecard_file_reads_back_as_the_same_record():
    """Nothing is lost on the way to the file and back."""
    card = scorecard(MIXED)
    assert Scorecard.model_validate_json(jsonfile.render(card)) == card


def test_the_scorecard_file_is_readable_ascii():
    """Two spaces, the model's order of keys, one newline at the end, hostile characters only as escapes."""
    content = jsonfile.render(scorecard([attacked(1, words=HOSTILE, explanation="\u202e")]))
    text = content.decode("ascii")
    assert text.startswith('{\n  "schema": "soclab.scorecard.v1",\n  "soclab_version"')
    assert text.endswith("}\n")
    assert not any(ord(character) < 0x20 and character != "\n" for character in text)
    assert json.loads(text)["scenarios"][0]["words"] == HOSTILE


def test_keys_stand_in_the_order_of_the_model():
    """However a record was built, its keys are written in the published order."""
    stage = StageResult.trusted(stage=Stage.COLLECT_IDENTITY, status=StageStatus.PASSED, latency_ms=1.0, model="agent")
    written = json.loads(jsonfile.render(scorecard([attacked(1, stages=(stage,))])))["scenarios"][0]["stages"][0]
    assert list(written) == list(StageResult.model_fields)


def test_every_format_is_written_and_nothing_else(tmp_path):
    """The folder holds the formats' files, and no half file beside them."""
    write_reports(tmp_path, scorecard(MIXED))
    assert sorted(one.name for one in tmp_path.iterdir()) == sorted(writer.FORMATS)


def test_writing_again_replaces_and_gives_the_same_bytes(tmp_path):
    """Equal scorecards make equal files."""
    write_reports(tmp_path, scorecard(()))
    write_reports(tmp_path, scorecard(MIXED))
    first = {one.name: one.read_bytes() for one in tmp_path.iterdir()}
    write_reports(tmp_path, scorecard(MIXED))
    assert first == {one.name: one.read_bytes() for one in tmp_path.iterdir()}


def test_a_folder_that_cannot_be_written_is_said_in_one_line(tmp_path):
    """A missing folder is an error for the user that names the file."""
    with pytest.raises(OutputFolderError, match=r"cannot write .*scorecard\.json") as caught:
        write_reports(tmp_path / "gone", scorecard(()))
    assert "\n" not in str(caught.value)


def test_a_failed_write_leaves_the_old_file(tmp_path, monkeypatch):
    """When a file cannot be replaced, what stood there before still stands there."""
    write_reports(tmp_path, scorecard(()))
    before = (tmp_path / "scorecard.json").read_bytes()

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(writer.os, "replace", full)
    with pytest.raises(OutputFolderError, match="No space left"):
        write_reports(tmp_path, scorecard(MIXED))
    assert (tmp_path / "scorecard.json").read_bytes() == before
