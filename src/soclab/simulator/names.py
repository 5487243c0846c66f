"""Whom a spelling means in this world: the table of ids, aliases and everything derived from them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from soclab.contracts.fixture import Entity, Fixture
from soclab.entities import (
    canonical_host,
    canonical_user,
    fold,
    host_spelling,
    read_indicator,
    refang,
    skeleton,
    user_spelling,
)
from soclab.simulator.tool import EntityKind

__all__ = ["Names", "spelled_twice"]


def _users(entity: Entity) -> tuple[list[str], list[str]]:
    r"""Spellings as they stand, and derived: each bare name with each own domain (`DOMAIN\name`, `name@domain`)."""
    given = [user_spelling(text) for text in (entity.id, *entity.aliases)]
    bare = list(dict.fromkeys(canonical_user(text) for text in given))
    derived = [*bare]
    for text in given:
        domain, slash, _ = text.rpartition("\\")
        if slash:
            derived += [f"{domain}\\{name}" for name in bare]
        elif "@" in text:
            derived += [f"{name}@{text.partition('@')[2]}" for name in bare]
    return given, derived


def _endpoints(entity: Entity) -> tuple[list[str], list[str]]:
    """Spellings as they stand, and the NetBIOS name of each."""
    given = [host_spelling(text) for text in (entity.id, *entity.aliases)]
    return given, [canonical_host(text) for text in given]


def spelled_twice(fixture: Fixture) -> Iterator[tuple[str, str, str]]:
    """(spelling, one id, other id) of every id or alias that means two users or two endpoints."""
    for entities, spellings in ((fixture.identities, _users), (fixture.endpoints, _endpoints)):
        owners: dict[str, str] = {}
        for entity in entities:
            for text in spellings(entity)[0]:
                if owners.setdefault(text, entity.id) != entity.id:
                    yield text, owners[text], entity.id


def _table(entities: Iterable[Entity], spellings: Callable[[Entity], tuple[list[str], list[str]]]) -> dict[str, str]:
    """Spelling -> id. What stands in the file wins over what is derived."""
    table: dict[str, str] = {}
    listed = [(entity.id, spellings(entity)) for entity in entities]
    for part in (0, 1):
        for owner, texts in listed:
            for text in texts[part]:
                table.setdefault(text, owner)
    return table


class Names:
    """
    Attributes:
        users, endpoints: spelling (`user_spelling`, `host_spelling`) -> id.
        indicators: canonical spelling -> id, for indicators with a record.
        phrases: spellings with a blank inside, which a word-by-word look at a text would miss.
    """

    def __init__(self, fixture: Fixture) -> None:
        self.users = _table(fixture.identities, _users)
        self.endpoints = _table(fixture.endpoints, _endpoints)
        self.indicators = {
            read_indicator(text).text: entity.id
            for entity in reversed(fixture.indicators)
            for text in (*reversed(entity.aliases), entity.id)
        }
        self.phrases = tuple(
            sorted(text for text in (*self.users, *self.endpoints) if any(char.isspace() for char in text))
        )

    def aliases(self) -> dict[str, str]:
        """`entities.skeleton` of every spelling of a user or endpoint -> its id."""
        return {skeleton(text): owner for table in (self.endpoints, self.users) for text, owner in table.items()}

    def user(self, text: str) -> str | None:
        """The id of the user that any spelling names, or None."""
        return self.users.get(user_spelling(refang(text)))

    def endpoint(self, text: str) -> str | None:
        """The id of the endpoint that any spelling names, or None."""
        return self.endpoints.get(host_spelling(refang(text)))

    def indicator(self, text: str) -> str | None:
        """The id of a known indicator, or the one spelling of any other; None when the text is no indicator."""
        found = read_indicator(text)
        known = self.indicators.get(found.text)
        if known is not None:
            return known
        return None if found.kind is None else found.text

    def resolve(self, kind: EntityKind, text: str) -> str | None:
        """The canonical id that a spelling means, or None."""
        if kind == "user":
            return self.user(text)
        return self.endpoint(text) if kind == "endpoint" else self.indicator(text)

    def whole(self, text: str) -> frozenset[tuple[EntityKind, str]]:
        """
        The entities that a whole text names; empty for free text.

        An endpoint's address is the endpoint and the address; a URL is itself and its host.
        """
        if " " in text.strip() and fold(text) not in self.phrases:
            return frozenset()
        found: set[tuple[EntityKind, str]] = set()
        user, endpoint = self.user(text), self.endpoint(text)
        if user is not None:
            found.add(("user", user))
        if endpoint is not None:
            found.add(("endpoint", endpoint))
        indicator = read_indicator(text)
        if indicator.plain or indicator.text in self.indicators:
            found.add(("indicator", self.indicators.get(indicator.text, indicator.text)))
            if indicator.kind == "url" and indicator.host:
                found.add(("indicator", self.indicators.get(indicator.host, indicator.host)))
        return frozenset(found)
