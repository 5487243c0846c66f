"""One ratio and its bounds."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Figure"]


@dataclass(frozen=True)
class Figure:
    """
    Attributes:
        accept, fail: bounds; `higher_is_better` turns them round.
        note: the raw figures behind the ratio.
    """

    name: str
    value: float
    accept: float
    fail: float
    higher_is_better: bool = False
    note: str = ""

    def within(self, bound: float) -> bool:
        return self.value >= bound if self.higher_is_better else self.value <= bound

    def line(self) -> str:
        word = "accept" if self.within(self.accept) else ("between" if self.within(self.fail) else "FAIL")
        return f"{self.name:4} {self.value:7.3f}  accept {self.accept:<5} fail {self.fail:<5} {word:8} {self.note}"
