"""What differs between two snapshots of a world, as short facts."""

from __future__ import annotations

from collections.abc import Iterator

from soclab.canonical_json import encode
from soclab.contracts.strict import JsonValue
from soclab.contracts.trace import WorldState

__all__ = ["diff"]

_LOG = "actions"
_VALUE_LIMIT = 200


def diff(before: WorldState, after: WorldState) -> tuple[str, ...]:
    """
    One fact per difference, sorted by place: `users.maria.ortega.enabled: true -> false`, `blocked: + "203.0.113.40"`.

    The log of actions is left out: it says what was done, not what changed. Long values are cut. The texts are ASCII.
    """
    return tuple(
        fact
        for name in sorted(before.keys() | after.keys())
        if name != _LOG
        for fact in _facts(name, before.get(name), after.get(name))
    )


def _facts(place: str, before: JsonValue, after: JsonValue) -> Iterator[str]:
    if before is after or before == after:
        return
    if isinstance(before, dict) and isinstance(after, dict):
        for key in sorted(before.keys() | after.keys()):
            yield from _facts(f"{place}.{key}", before.get(key), after.get(key))
    elif isinstance(before, list) and isinstance(after, list):
        yield from (f"{place}: - {_spell(one)}" for one in before if one not in after)
        yield from (f"{place}: + {_spell(one)}" for one in after[len(before) :] if one in before)
        yield from (f"{place}: + {_spell(one)}" for one in after if one not in before)
    else:
        yield f"{place}: {_spell(before)} -> {_spell(after)}"


def _spell(value: JsonValue) -> str:
    spelled = encode(value)
    return spelled if len(spelled) <= _VALUE_LIMIT else spelled[: _VALUE_LIMIT - 3] + "..."
