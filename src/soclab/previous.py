"""Where earlier results stay: beside the new ones, as `out.previous`, `out.previous-2` and so on."""

from __future__ import annotations

from pathlib import Path

__all__ = ["place_of_previous"]


def place_of_previous(path: Path) -> Path:
    """The first such place beside a path that is free."""
    number, place = 1, path.with_name(f"{path.name}.previous")
    while place.exists():
        number += 1
        place = path.with_name(f"{path.name}.previous-{number}")
    return place
