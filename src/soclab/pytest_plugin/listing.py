"""`pytest --soclab-list`: the scenarios that the options choose. No agent is needed, none is asked."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from soclab.assembly import checked_pack
from soclab.errors import UsageError
from soclab.pytest_plugin.options import given
from soclab.pytest_plugin.settings import pack_choice
from soclab.redaction import clean
from soclab.scenarios.selection import select

__all__ = ["show"]


def show(config: pytest.Config, environment: Mapping[str, str]) -> int:
    """
    Print one line per scenario: id, kind, title.

    Returns:
        the exit status, 0.

    Raises:
        pytest.UsageError: the folder or a pattern cannot be used.
    """
    try:
        folder, patterns = pack_choice(config, given(config, environment))
        pack = checked_pack(folder)
        chosen = select(pack, patterns)
    except UsageError as error:
        raise pytest.UsageError(clean(str(error))) from None
    lines = [f"{one.id:<10}{one.kind.value:<8}{clean(one.title)}" for one in chosen]
    lines.append(f"{len(chosen)} scenarios of pack {clean(pack.name)} {clean(pack.version)}")
    print("\n".join(lines))  # noqa: T201 -- this is the output that was asked for
    return 0
