"""
Where the published folders stand: `schemas`, `examples`, `conftest_templates`.

A wheel carries them under `soclab/published/`; a clone has them at its root.
"""

from __future__ import annotations

from pathlib import Path

from soclab.errors import LabFault

__all__ = ["clone_root", "published"]

_PACKAGE = Path(__file__).resolve().parent


def clone_root() -> Path | None:
    """The root of the clone this package runs from, or None when it was installed from a wheel."""
    root = _PACKAGE.parent.parent
    return root if (root / "pyproject.toml").is_file() and (root / "schemas").is_dir() else None


def published(folder: str) -> Path:
    """
    The folder of that name, in the clone or in the wheel.

    Raises:
        LabFault: neither has it, so the installation is broken.
    """
    root = clone_root()
    places = [root / folder] if root else []
    places.append(_PACKAGE / "published" / folder)
    for place in places:
        if place.is_dir():
            return place
    raise LabFault(f"published folder {folder!r} is missing beside {_PACKAGE}: install soclab again")
