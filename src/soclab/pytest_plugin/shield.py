"""Keeps the agent's token, lone surrogates and agents' log lines out of pytest's reports."""

from __future__ import annotations

import dataclasses
import logging
import re
import warnings
from collections.abc import Callable, Iterable
from typing import Any, Final

import pytest

from soclab.redaction import Secrets

__all__ = ["Shield"]

_SURROGATES: Final = re.compile("[\ud800-\udfff]")
_ITEM_HANDLERS: Final = ("caplog_handler", "report_handler", "log_cli_handler")
_HANDLERS: Final = (*_ITEM_HANDLERS, "log_file_handler")
_Filter = Callable[[logging.LogRecord], bool]


class Shield:
    """
    Args:
        secrets: the texts that may stand in no report.
    """

    def __init__(self, secrets: Secrets) -> None:
        self._secrets = secrets

    def guard_logging(self, config: pytest.Config, is_no_agents: _Filter | None = None) -> None:
        """
        Put filters on the handlers of pytest's logging plugin and of the root logger.

        Args:
            is_no_agents: keeps an agent's lines from the handlers that collect lines for the item in progress (or
                print them beside it): scenarios run side by side, and the line would stand under one it is not about.
        """
        plugin = config.pluginmanager.get_plugin("logging-plugin")
        named = {name: getattr(plugin, name, None) for name in _HANDLERS}
        for name in _ITEM_HANDLERS:
            if is_no_agents is not None and (handler := named[name]) is not None:
                handler.addFilter(is_no_agents)
        if self._secrets:
            for handler in {*filter(None, named.values()), *logging.getLogger().handlers}:
                handler.addFilter(self._mask_record)

    def scrub(self, report: pytest.TestReport | pytest.CollectReport) -> None:
        """Mask what a report shows, in place."""
        if report.longrepr is not None and not report.passed:
            report.longrepr = self._scrubbed(report.longrepr)
        if report.sections:
            report.sections = self._scrubbed(report.sections)

    def scrub_warning(self, warning: warnings.WarningMessage) -> None:
        """Mask what a warning says, in place; its category stays."""
        said = str(warning.message)
        if (masked := self._text(said)) != said:
            warning.message = Warning(masked)

    def scrub_data(self, data: dict[str, Any]) -> dict[str, Any]:
        """Mask a report that is about to be sent to another process or written to a file."""
        scrubbed: dict[str, Any] = self._scrubbed(data)
        return scrubbed

    def _text(self, text: str) -> str:
        masked = self._secrets.mask(text)
        return masked if masked.isascii() else _SURROGATES.sub(_visible, masked)

    def _scrubbed(self, value: Any) -> Any:
        """The value with every text in it masked; pytest's own representations are changed in place."""
        if isinstance(value, str):
            return self._text(value)
        if isinstance(value, list | tuple):
            return type(value)(map(self._scrubbed, value)) if type(value) in (list, tuple) else value
        if isinstance(value, dict):
            return {self._scrubbed(key): self._scrubbed(item) for key, item in value.items()}
        if dataclasses.is_dataclass(value) and not isinstance(value, type):
            self._scrub_fields(value, (field.name for field in dataclasses.fields(value)))
        elif hasattr(value, "toterminal"):
            self._scrub_fields(value, list(vars(value)))
        return value

    def _scrub_fields(self, value: Any, names: Iterable[str]) -> None:
        for name in names:
            found = getattr(value, name, None)
            if (scrubbed := self._scrubbed(found)) is not found:
                object.__setattr__(value, name, scrubbed)

    def _mask_record(self, record: logging.LogRecord) -> bool:
        said = record.getMessage()
        if (masked := self._text(said)) != said:
            record.msg, record.args = masked, None
        if record.exc_info and not record.exc_text:
            trace = logging.Formatter().formatException(record.exc_info)
            if (masked := self._text(trace)) != trace:
                record.exc_text = masked
        return True


def _visible(match: re.Match[str]) -> str:
    return f"\\u{ord(match[0]):04x}"
