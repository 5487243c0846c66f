"""`pytest --soclab-init NAME`: a folder with an agent, a conftest and a test of one's own to start from."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from soclab.errors import ConfigurationError, OutputFolderError, UnknownNameError, UsageError
from soclab.published_files import published
from soclab.redaction import clean

__all__ = ["begin", "templates"]

_FLAG: Final = "--soclab-init"
_FOLDER: Final = "conftest_templates"


def begin(config: pytest.Config) -> int:
    """
    Copy the template into the current folder and say what to run next.

    Returns:
        the exit status, 0.

    Raises:
        pytest.UsageError: no template has that name, a file of it stands here already, or cannot be written. Nothing
            is overwritten, and nothing is written unless all of it can be.
    """
    here = config.invocation_params.dir
    try:
        files = _files(config.getoption("soclab_init"))
        _check(here, files)
        written = [_write(here, name, content) for name, content in files.items()]
    except UsageError as error:
        raise pytest.UsageError(clean(str(error))) from None
    test = next(name for name in written if name.startswith("test_"))
    print(f"written: {', '.join(written)}\nread README.md, then run: pytest {test}")  # noqa: T201 -- asked for
    return 0


def templates() -> dict[str, Path]:
    """Name -> folder of each template, by name."""
    return {one.name: one for one in sorted(published(_FOLDER).iterdir()) if (one / "conftest.py").is_file()}


def _files(name: str) -> dict[str, bytes]:
    known = templates()
    if not name:
        raise ConfigurationError(f"{_FLAG}: give the name of a template: {', '.join(known)}")
    if name not in known:
        raise UnknownNameError("template", name, list(known), _FLAG)
    return {one.name: one.read_bytes() for one in sorted(known[name].iterdir()) if one.is_file()}


def _check(here: Path, files: dict[str, bytes]) -> None:
    taken = [name for name in files if (here / name).exists() or (here / name).is_symlink()]
    if taken:
        raise OutputFolderError(
            f"{_FLAG}: {', '.join(taken)} in {here} would be overwritten; start in an empty folder, or move them away"
        )


def _write(here: Path, name: str, content: bytes) -> str:
    try:
        with (here / name).open("xb") as file:
            file.write(content)
    except OSError as error:
        raise OutputFolderError(f"{_FLAG}: cannot write {here / name}: {error.strerror or error}") from error
    return name
