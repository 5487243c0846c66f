"""Counts in sentences."""

from __future__ import annotations

__all__ = ["counted"]


def counted(count: int, noun: str) -> str:
    """`1 run`, `2 runs`; the plural by an s."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
