"""
Measures the performance goals and prints each as a ratio beside its bounds.

    python benchmarks/run.py [--small] [--only P3]

Exit status 1 when a figure is beyond its *fail* bound.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from bytecode import kept_bytecode, warm_up
from figure import Figure
from measures import MEASURES, SAME_RUN
from stub import stub


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--small", action="store_true", help="fewer scenarios and repetitions")
    parser.add_argument("--only", choices=[*MEASURES, *SAME_RUN], help="one figure")
    arguments = parser.parse_args()
    wanted = SAME_RUN.get(arguments.only, arguments.only)
    figures: list[Figure] = []
    with kept_bytecode(), stub() as agent:
        warm_up(agent)
        for name, measure in MEASURES.items():
            if wanted in (None, name):
                with tempfile.TemporaryDirectory() as place:
                    found = measure(agent, Path(place), arguments.small)
                print(*(figure.line() for figure in found), sep="\n", flush=True)
                figures.extend(found)
    return 0 if all(figure.within(figure.fail) for figure in figures) else 1


if __name__ == "__main__":
    sys.exit(main())
