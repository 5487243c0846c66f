"""How results are weighed: the profile that ships with the lab, or the user's own file."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

from soclab.canonical_json import encode_bytes
from soclab.contracts.profile_v1 import ScoringProfile
from soclab.errors import ConfigurationError, ScenarioFileError
from soclab.scenarios.validation import as_model
from soclab.scenarios.yaml_file import read_yaml

__all__ = ["default_profile", "load_profile", "profile_sha256"]

_DEFAULT = Path(__file__).parent / "profiles" / "default.yaml"


@cache
def default_profile() -> ScoringProfile:
    """The profile in `profiles/default.yaml`."""
    return _read(_DEFAULT)


def load_profile(path: Path) -> ScoringProfile:
    """
    A user's profile: YAML or JSON, with every key of the default one.

    Raises:
        ConfigurationError: it cannot be read or used: file, line, key, and what to do, on one line.
    """
    try:
        return _read(path)
    except ScenarioFileError as error:
        raise ConfigurationError(f"scoring profile {error}; a whole one to copy is {_DEFAULT}") from None


def profile_sha256(profile: ScoringProfile) -> str:
    """Hash of the values, however their file is written."""
    return hashlib.sha256(encode_bytes(profile.model_dump(mode="json", by_alias=True))).hexdigest()


def _read(path: Path) -> ScoringProfile:
    file = read_yaml(path)
    return as_model(ScoringProfile, file, file.value)
