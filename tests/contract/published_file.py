"""A syrupy extension for which a published file itself is the snapshot."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from syrupy.data import SnapshotCollections
from syrupy.extensions.single_file import SingleFileSnapshotExtension, WriteMode

__all__ = ["ROOT", "PublishedFile"]

ROOT = Path(__file__).resolve().parents[2]
"""The root of the clone."""


class PublishedFile(SingleFileSnapshotExtension):
    """
    Compares with the file that the snapshot's name says, a path below the root of the clone.

    `pytest --snapshot-update` rewrites that file and no other; files that no test names are the business of
    `publish.check`, so none is ever taken for an unused snapshot and removed.
    """

    _write_mode = WriteMode.TEXT
    file_extension = "json"

    @classmethod
    def get_location(cls, *, test_location: Any, index: Any) -> str:  # noqa: ARG003  # syrupy's hook
        return str(ROOT / str(index))

    @classmethod
    def matches_test_location(cls, **_: Any) -> bool:
        return True

    def discover_snapshots(self, *, test_location: Any, ignore_extensions: Any = None) -> SnapshotCollections:
        return SnapshotCollections()
