"""SOCLAB_EVIDENCE_KEY and `soclab verify --public-key`: who ran a campaign can be checked with a key."""

from __future__ import annotations

import base64
import hashlib
import io
import json
import shutil
import sys
from contextlib import redirect_stdout
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric import ed25519, rsa
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
)

from soclab.cli.doorway import Doorway
from soclab.cli.main import main
from tests.integration.command_line import Caller
from tests.integration.commands import pytest_campaign

AGENT = ("--provider", "gullible", "--scenario", "ATK-001", "--seed", "s")
NAME = "evidence.dsse.json"
PKCS8, SPKI = PrivateFormat.PKCS8, PublicFormat.SubjectPublicKeyInfo


def private_key(number: int = 1) -> ed25519.Ed25519PrivateKey:
    return ed25519.Ed25519PrivateKey.from_private_bytes(bytes([number]) * 31 + b"\xfb")


def pem(key: ed25519.Ed25519PrivateKey) -> str:
    return key.private_bytes(Encoding.PEM, PKCS8, NoEncryption()).decode("ascii")


def raw(key: ed25519.Ed25519PrivateKey) -> str:
    return base64.b64encode(key.private_bytes_raw()).decode("ascii")


def public_pem(key: ed25519.Ed25519PrivateKey) -> bytes:
    return key.public_key().public_bytes(Encoding.PEM, SPKI)


@pytest.fixture(scope="module")
def campaign(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a signed campaign."""
    folder = tmp_path_factory.mktemp("signed") / "out"
    with redirect_stdout(io.StringIO()):
        key = {"SOCLAB_EVIDENCE_KEY": pem(private_key())}
        assert main(("campaign", *AGENT, "--out", str(folder)), Doorway(environment=key, root=folder.parent)) == 1
    return folder


@pytest.fixture
def signed(soclab_command: Caller, campaign: Path) -> Caller:
    """A caller in whose folder stands a signed campaign, `out`, the right key, `pub`, and another one, `other`."""
    soclab_command.environment = {"SOCLAB_EVIDENCE_KEY": pem(private_key())}
    shutil.copytree(campaign, soclab_command.folder / "out")
    (soclab_command.folder / "pub").write_bytes(public_pem(private_key()))
    (soclab_command.folder / "other").write_bytes(public_pem(private_key(2)))
    return soclab_command


def verified(caller: Caller, key: str = "pub", folder: str = "out") -> tuple[int, str]:
    called = caller("verify", "--public-key", key, folder)
    assert called.err == ""
    return called.status, called.out


def test_the_right_key_says_good(signed: Caller) -> None:
    """And without a key nothing is said about the signature but that it is there."""
    status, said = verified(signed)
    assert status == 0
    assert said.endswith(", signature good\n")
    assert "signature not checked" in signed("verify", "out").out


def test_another_tool_can_check_it(signed: Caller) -> None:
    """A DSSE envelope over an in-toto statement that names the files and every root."""
    envelope = json.loads((signed.folder / "out" / NAME).read_bytes())
    payload, kind = base64.b64decode(envelope["payload"]), envelope["payloadType"]
    covered = f"DSSEv1 {len(kind)} {kind} {len(payload)} ".encode() + payload
    private_key().public_key().verify(base64.b64decode(envelope["signatures"][0]["sig"]), covered)

    said = json.loads(payload)
    card = json.loads((signed.folder / "out" / "scorecard.json").read_bytes())
    assert said["_type"] == "https://in-toto.io/Statement/v1"
    assert [one["name"] for one in said["subject"]] == ["journal.jsonl", "report.html", "scorecard.json"]
    assert said["predicate"]["roots"] == card["evidence"]["roots"]
    assert said["predicate"]["campaign_id"] == card["campaign_id"]
    assert said["predicate"]["pack_sha256"] == card["pack"]["sha256"]


def test_raw_keys_in_base64_are_the_same_keys(signed: Caller) -> None:
    """For variables and files that hold one line."""
    before = (signed.folder / "out" / NAME).read_bytes()
    signed.environment = {"SOCLAB_EVIDENCE_KEY": raw(private_key()) + "\n"}
    assert signed("scorecard", "--rebuild", "out").status == 0
    assert (signed.folder / "out" / NAME).read_bytes() == before
    (signed.folder / "pub").write_bytes(base64.b64encode(private_key().public_key().public_bytes_raw()) + b"\n")
    assert verified(signed)[0] == 0


def test_another_key_is_the_wrong_one(signed: Caller) -> None:
    """Whoever signed it was somebody else."""
    status, said = verified(signed, "other")
    assert status == 1
    assert said.startswith(f"out/{NAME}: wrong key: ")
    assert said.count("\n") == 1


def changed_payload(data: bytes) -> bytes:
    envelope = json.loads(data)
    said = base64.b64decode(envelope["payload"]).replace(b'"mode":"protected"', b'"mode":"protektet"')
    return json.dumps(envelope | {"payload": base64.b64encode(said).decode()}).encode()


def without_signatures(data: bytes) -> bytes:
    return json.dumps(json.loads(data) | {"signatures": []}).encode()


def of_another_type(data: bytes) -> bytes:
    return json.dumps(json.loads(data) | {"payloadType": "text/plain"}).encode()


@pytest.mark.parametrize(
    ("change", "word"),
    [
        (changed_payload, "changed"),
        (without_signatures, "wrong key"),
        (of_another_type, "malformed"),
        (lambda data: b"", "malformed"),
        (lambda data: b"[" * 100_000, "malformed"),
        (lambda data: b"[]", "malformed"),
        (lambda data: b'{"payload":"!","payloadType":"application/vnd.in-toto+json","signatures":[]}', "malformed"),
        (lambda data: data[:200], "malformed"),
        (lambda data: data.replace(b'"payload":"', b'"payload":"AAAA'), "malformed"),
        (lambda data: data.replace(b'"signatures":[', b'"signatures":[1,'), "malformed"),
        (lambda data: b"\xff\xfe", "malformed"),
    ],
)
def test_an_envelope_that_was_changed_is_not_good(signed: Caller, change, word) -> None:
    """One line that says what it is."""
    path = signed.folder / "out" / NAME
    path.write_bytes(change(path.read_bytes()))
    status, said = verified(signed)
    assert status == 1
    assert said.startswith(f"out/{NAME}: {word}: ")
    assert said.count("\n") == 1


def test_a_signature_of_other_files_is_not_good(signed: Caller) -> None:
    """A folder that verifies by itself, with the envelope of another campaign."""
    signed("campaign", *AGENT[:-1], "t", "--out", "two")
    (signed.folder / "two" / NAME).replace(signed.folder / "out" / NAME)
    status, said = verified(signed)
    assert status == 1
    assert said.startswith(f"out/{NAME}: changed: journal.jsonl is not the file that was signed")
    status, said = verified(signed, folder="two")
    assert status == 1
    assert said.startswith(f"two/{NAME}: missing: ")


def test_a_signature_that_is_gone_is_missed_without_a_key(signed: Caller) -> None:
    """The journal says that there was one, and of which key."""
    (signed.folder / "out" / NAME).unlink()
    called = signed("verify", "out")
    assert called.status == 1
    assert called.out.startswith(f"out/{NAME}: missing: the journal says that key ")


def test_every_file_of_the_campaign_is_signed(signed: Caller) -> None:
    """The page and a comparison, too."""
    signed("campaign", *AGENT, "--out", "later", "--compare", "out")
    payload = json.loads((signed.folder / "later" / NAME).read_bytes())["payload"]
    subjects = {one["name"]: one["digest"]["sha256"] for one in json.loads(base64.b64decode(payload))["subject"]}
    assert subjects.keys() == {"journal.jsonl", "scorecard.json", "report.html", "comparison.json"}
    written = {name: hashlib.sha256((signed.folder / "later" / name).read_bytes()).hexdigest() for name in subjects}
    assert subjects == written
    assert verified(signed, folder="later")[0] == 0


def test_a_campaign_that_goes_on_is_signed_anew(signed: Caller) -> None:
    """And without the key the old signature does not stay beside files that it is not of."""
    before = (signed.folder / "out" / NAME).read_bytes()
    signed("campaign", *AGENT, "--resume", "out")
    assert (signed.folder / "out" / NAME).read_bytes() != before
    assert verified(signed)[0] == 0

    signed.environment = {}
    signed("scorecard", "--rebuild", "out")
    assert verified(signed)[0] == 0
    signed("campaign", *AGENT, "--resume", "out")
    assert verified(signed)[1].startswith(f"out/{NAME}: missing: ")


def test_both_modes_are_signed(signed: Caller) -> None:
    """Each campaign by itself."""
    signed("compare", *AGENT, "--out", "both")
    status, said = verified(signed, folder="both")
    assert status == 0
    assert said.count("signature good") == 2


def test_a_signature_is_kept_with_its_campaign(signed: Caller) -> None:
    """When another one takes the folder."""
    signed("campaign", *AGENT, "--out", "out", "--overwrite")
    assert verified(signed, folder="out.previous")[0] == 0


SPY = """
import os
from soclab.providers.reference import brain_of

HONEST = brain_of("server")

def agent(request):
    if request["stage"] != "collect_siem":
        return HONEST(request)
    return {"contract": "soclab.agent.v1", "refusal": {"code": "policy", "reason": os.environ["SPIED"]}}
"""


@pytest.mark.parametrize("spelled", [pem, raw])
def test_the_private_key_is_in_no_artefact(spelled, soclab_command: Caller, monkeypatch) -> None:
    """Not even when an agent in the same process reads the variable and answers with it."""
    key = spelled(private_key())
    bare = private_key().private_bytes_raw()
    monkeypatch.setenv("SPIED", " ".join([key, bare.hex(), raw(private_key()), raw(private_key())[::-1]]))
    monkeypatch.syspath_prepend(str(soclab_command.folder))
    (soclab_command.folder / "spy.py").write_text(SPY)
    soclab_command.environment = {"SOCLAB_EVIDENCE_KEY": key}

    called = soclab_command("campaign", "--agent", "spy:agent", *AGENT[2:], "--out", "out")
    sys.modules.pop("spy")

    pieces = [line for line in key.split("\n") if line and "-----" not in line]
    pieces += [private_key().private_bytes_raw().hex(), raw(private_key())[:42], raw(private_key())[::-1][2:]]
    written = [path.read_text() for path in (soclab_command.folder / "out").iterdir()]
    assert len(written) == 4
    assert not any(piece in text for piece in pieces for text in (called.out, called.err, *written))


def rsa_pem() -> str:
    return rsa.generate_private_key(65537, 2048).private_bytes(Encoding.PEM, PKCS8, NoEncryption()).decode()


def locked_pem() -> str:
    return private_key().private_bytes(Encoding.PEM, PKCS8, BestAvailableEncryption(b"x")).decode()


BAD_KEYS = {
    "empty": lambda: "",
    "blank": lambda: " ",
    "too short": lambda: base64.b64encode(b"k" * 16).decode(),
    "too long": lambda: base64.b64encode(b"k" * 64).decode(),
    "hexadecimal": lambda: "ab" * 32,
    "not ASCII": lambda: "é" * 44,
    "half a PEM": lambda: pem(private_key())[:60],
    "a public PEM": lambda: public_pem(private_key()).decode(),
    "an RSA key": rsa_pem,
    "a locked key": locked_pem,
    "one byte over and over": lambda: base64.b64encode(bytes(32)).decode(),
    "a path": lambda: "/etc/keys/evidence.pem",
}


@pytest.mark.parametrize("case", BAD_KEYS)
def test_a_bad_key_is_wrong_use_before_anything_happens(case: str, soclab_command: Caller) -> None:
    """One line that does not show it; nothing is written."""
    key = BAD_KEYS[case]()
    soclab_command.environment = {"SOCLAB_EVIDENCE_KEY": key}
    called = soclab_command("campaign", *AGENT, "--out", "out")
    assert called.status == 2
    assert called.out == ""
    assert called.err.startswith("soclab: SOCLAB_EVIDENCE_KEY: ")
    assert called.err.count("\n") == 1
    assert len(key) < 9 or key[4:20] not in called.err
    assert soclab_command.files() == []


@pytest.mark.parametrize("content", [b"", b"x", b"\xff", b"-----BEGIN PUBLIC KEY-----", b"A" * 10_000, None])
def test_a_bad_public_key_is_wrong_use(content: bytes | None, signed: Caller) -> None:
    """A file that is none, or none at all, checks nothing."""
    if content is not None:
        (signed.folder / "bad").write_bytes(content)
    called = signed("verify", "--public-key", "bad", "out")
    assert called.status == 2
    assert called.err.startswith("soclab: --public-key bad: ")
    assert called.err.count("\n") == 1


def test_without_the_extra_a_key_is_wrong_use(signed: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    """Evidence that somebody wanted signed is not made unsigned; without a key nothing is missed."""
    monkeypatch.setitem(sys.modules, "cryptography.hazmat.primitives.asymmetric", None)
    called = signed("campaign", *AGENT, "--out", "two")
    assert called.status == 2
    assert called.err == (
        "soclab: SOCLAB_EVIDENCE_KEY: signatures need the extra `signing`; run `pip install 'soclab[signing]'`\n"
    )
    assert signed("verify", "--public-key", "pub", "out").status == 2
    signed.environment = {}
    assert signed("verify", "out").status == 0


def test_the_key_reaches_pytest_too(soclab_command: Caller, tmp_path: Path) -> None:
    """With workers of pytest-xdist the controller signs; a bad key ends the session with status 4."""
    options = ("-n", "2", "--soclab-provider", "reference", "--soclab-scenario", "BEN-001")
    done = pytest_campaign(tmp_path, *options, SOCLAB_EVIDENCE_KEY=raw(private_key()))
    assert (tmp_path / "out" / NAME).is_file(), done.output
    (tmp_path / "pub").write_bytes(public_pem(private_key()))
    folder = tmp_path / "out"
    assert verified(soclab_command, str(tmp_path / "pub"), str(folder))[1].endswith("signature good\n")

    done = pytest_campaign(tmp_path, "--soclab-overwrite", *options, SOCLAB_EVIDENCE_KEY="short")
    assert done.status == 4
    assert "SOCLAB_EVIDENCE_KEY: is neither" in done.output
