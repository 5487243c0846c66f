"""
One YAML file as a JSON value, with the line of every key for error messages.

A strict part of YAML 1.2: text is text (no dates, no `yes`/`no`, no base-60 numbers), keys are unique texts, and
there are no tags, anchors, merge keys or second documents.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from soclab.contracts.strict import JsonValue
from soclab.errors import ScenarioFileError
from soclab.redaction import clean

__all__ = ["YamlFile", "read_yaml", "shown_path"]

_LARGEST_BYTES = 1 << 20
_DEEPEST = 50
_NUMBER = re.compile(r"[-+]?(?:0|[1-9][0-9]{0,300})(\.[0-9]{1,300})?([eE][-+]?[0-9]{1,4})?")
_WORDS: dict[str, JsonValue] = {"": None, "~": None, "null": None, "true": True, "false": False}
_STR = "tag:yaml.org,2002:str"
_PLAIN = "soclab:plain"
_BASE: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class _Loader(_BASE):  # type: ignore[misc]  # PyYAML picks its base when it is built
    """Composes nodes only; a plain scalar is told from a quoted one by its tag."""

    def resolve(self, kind: type, value: str | None, implicit: Any) -> str:  # noqa: ARG002  PyYAML's signature
        if kind is yaml.ScalarNode:
            return _PLAIN if implicit[0] else _STR
        return "tag:yaml.org,2002:map" if kind is yaml.MappingNode else "tag:yaml.org,2002:seq"

    def descend_resolver(self, *_: Any) -> None:
        """Path resolvers are not used."""

    def ascend_resolver(self) -> None:
        """Path resolvers are not used."""


class YamlFile(NamedTuple):
    """
    Attributes:
        value: the content as a JSON value.
        text: the file as it is.
    """

    path: Path
    value: JsonValue
    text: str

    @property
    def node(self) -> Any:
        """PyYAML's node of it, for line numbers. Made anew: of thousands of files it would take most of the memory."""
        return _composed(self.text)

    def line_of(self, key: tuple[str | int, ...]) -> int:
        """The line of a key, counted from 1; of the nearest part above it that exists when it does not."""
        node = self.node
        line = node.start_mark.line
        for step in key:
            found = _child(node, step)
            if found is None:
                break
            line, node = found
        return int(line) + 1

    def written(self, key: tuple[str | int, ...]) -> Iterator[tuple[int, str]]:
        """The lines on which a key's value is written, with their numbers; none when there is no such key."""
        node = self.node
        for step in key:
            found = _child(node, step)
            if found is None:
                return
            node = found[1]
        last = node.end_mark.line + (1 if node.end_mark.column else 0)
        lines = self.text.splitlines()[node.start_mark.line : last]
        yield from enumerate(lines, node.start_mark.line + 1)

    def error(self, key: tuple[str | int, ...], what: str, line: int | None = None) -> ScenarioFileError:
        """`file:line: key a.b.c: what`, on one line; the key's own line unless another one is given."""
        place = f"{shown_path(self.path)}:{line or self.line_of(key)}"
        spelled = clean(".".join(str(step) for step in key), 200)
        return ScenarioFileError(f"{place}: key {spelled}: {what}" if spelled else f"{place}: {what}")


def shown_path(path: Path) -> str:
    """A path that is safe to print."""
    return clean(str(path), 300)


def read_yaml(path: Path) -> YamlFile:
    """
    Raises:
        ScenarioFileError: the file cannot be read, is no UTF-8, or is no YAML of the strict kind.
    """
    text = _text(path)
    try:
        node = _composed(text)
        if node is None:
            raise ScenarioFileError(f"{shown_path(path)}: is empty")
        return YamlFile(path, _Construction(path).value(node, 0), text)
    except yaml.MarkedYAMLError as error:
        line = f":{error.problem_mark.line + 1}" if error.problem_mark else ""
        raise ScenarioFileError(f"{shown_path(path)}{line}: no YAML: {clean(str(error.problem), 200)}") from None
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        raise ScenarioFileError(f"{shown_path(path)}: no YAML: {clean(str(error), 200)}") from None


def _composed(text: str) -> Any:
    """PyYAML's node; None for a text without content. Raises what PyYAML raises."""
    loader: Any = _Loader(text)
    try:
        return loader.get_single_node()
    finally:
        loader.dispose()


def _text(path: Path) -> str:
    try:
        if not path.is_file():
            raise ScenarioFileError(f"{shown_path(path)}: cannot be read: no such file, or no ordinary one")
        with path.open("rb") as file:
            raw = file.read(_LARGEST_BYTES + 1)
    except OSError as error:
        raise ScenarioFileError(f"{shown_path(path)}: cannot be read: {error.strerror}") from None
    if len(raw) > _LARGEST_BYTES:
        raise ScenarioFileError(f"{shown_path(path)}: is larger than 1 MiB; a scenario takes a few kilobytes")
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ScenarioFileError(f"{shown_path(path)}: is no UTF-8 at byte {error.start}; save it as UTF-8") from None


class _Construction:
    """Nodes to values. Remembers the nodes it met: one met twice is an alias."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._met: set[int] = set()

    def value(self, node: Any, depth: int) -> JsonValue:
        if id(node) in self._met:
            raise self._error(node, "anchors and aliases are not supported; write the value out")
        self._met.add(id(node))
        if depth > _DEEPEST:
            raise self._error(node, f"is nested deeper than {_DEEPEST} levels")
        if isinstance(node, yaml.ScalarNode):
            return self._scalar(node)
        if node.tag not in ("tag:yaml.org,2002:map", "tag:yaml.org,2002:seq"):
            raise self._error(node, f"tag {clean(node.tag, 60)} is not supported")
        if isinstance(node, yaml.SequenceNode):
            return [self.value(item, depth + 1) for item in node.value]
        return self._mapping(node, depth)

    def _mapping(self, node: Any, depth: int) -> JsonValue:
        found: dict[str, JsonValue] = {}
        for key_node, value_node in node.value:
            key = key_node.value
            if not isinstance(key_node, yaml.ScalarNode):
                raise self._error(key_node, "a key is a text")
            if key in found:
                raise self._error(key_node, f"key {clean(key, 100)} stands twice")
            found[key] = self.value(value_node, depth + 1)
        return found

    def _scalar(self, node: Any) -> JsonValue:
        text: str = node.value
        if node.tag == _STR:
            return text
        if node.tag != _PLAIN:
            raise self._error(node, f"tag {clean(node.tag, 60)} is not supported")
        lower = text.lower() if len(text) <= 5 else text
        if lower in _WORDS:
            return _WORDS[lower]
        number = _NUMBER.fullmatch(text) if text[0] in "-+0123456789" else None
        if number is None:
            return text
        if number[1] is None and number[2] is None:
            return int(text)
        value = float(text)
        if not math.isfinite(value):
            raise self._error(node, f"number {clean(text, 40)} is too large")
        return value

    def _error(self, node: Any, what: str) -> ScenarioFileError:
        return ScenarioFileError(f"{shown_path(self._path)}:{node.start_mark.line + 1}: {what}")


def _child(node: Any, step: str | int) -> tuple[int, Any] | None:
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            if key.value == str(step):
                return key.start_mark.line, value
    elif isinstance(node, yaml.SequenceNode) and isinstance(step, int) and step < len(node.value):
        return node.value[step].start_mark.line, node.value[step]
    return None
