"""P11: a run of one trivial test with the plugin installed, over the same with `-p no:soclab`."""

from __future__ import annotations

from importlib.metadata import entry_points
from pathlib import Path
from statistics import median

from child import Child, pytest_command, run_child
from figure import Figure
from stub import Stub

__all__ = ["measure"]

_NAME = "soclab"


def measure(agent: Stub, folder: Path, small: bool) -> list[Figure]:  # noqa: ARG001  # every measurement's signature
    """Other plugins of the machine are left out, or they would hide what ours costs."""
    (folder / "test_trivial.py").write_text("def test_trivial():\n    pass\n", encoding="ascii")
    plugins = {one.name for one in entry_points(group="pytest11")}
    if _NAME not in plugins:
        raise SystemExit(f"{_NAME} is not installed: pip install -e .")
    others = [word for name in sorted(plugins - {_NAME}) for word in ("-p", f"no:{name}")]
    pairs: list[tuple[Child, Child]] = []
    for _ in range(15 if small else 31):
        with_it = run_child(pytest_command(*others), folder, {}).check()
        without = run_child(pytest_command(*others, "-p", f"no:{_NAME}"), folder, {}).check()
        pairs.append((with_it, without))
    ratio = median(a.cpu_seconds / b.cpu_seconds for a, b in pairs)
    cpu = [median(one.cpu_seconds for one in side) * 1000 for side in zip(*pairs, strict=True)]
    wall = [median(one.wall_seconds for one in side) * 1000 for side in zip(*pairs, strict=True)]
    note = f"{cpu[0]:.0f} ms / {cpu[1]:.0f} ms CPU, {wall[0]:.0f} ms / {wall[1]:.0f} ms wall, {len(pairs)} pairs"
    return [Figure("P11", ratio, accept=1.02, fail=1.05, note=note)]
