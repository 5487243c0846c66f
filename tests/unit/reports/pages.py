"""Reads a report as a browser would, far enough to say what is in it."""

from __future__ import annotations

import re
from html.parser import HTMLParser

__all__ = ["Reader", "read"]


class Reader(HTMLParser):
    """Tags with their attributes in order, and all text between them."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.pieces: list[str] = []

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data):
        self.pieces.append(data)

    @property
    def text(self):
        """What a reader sees, white space folded, style left in."""
        return re.sub(r"\s+", " ", " ".join(self.pieces))

    def names(self):
        return [name for name, _ in self.tags]


def read(page: bytes) -> Reader:
    reader = Reader()
    reader.feed(page.decode("utf-8"))
    reader.close()
    return reader
