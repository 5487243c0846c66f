"""Loads a folder of scenarios as a campaign does. Prints CPU seconds, and MiB by which the peak memory grew."""

from __future__ import annotations

import resource
import sys
import time
from pathlib import Path

from soclab.oracles.predicates import PREDICATES
from soclab.scenarios.loader import load_pack
from soclab.simulator.fixture import check_fixture
from soclab.simulator.injection import check_injection


def peak_mib() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main(folder: Path) -> None:
    before_mib, started = peak_mib(), time.process_time()
    load_pack(folder, known_predicates=PREDICATES, check_fixture=check_fixture, check_injection=check_injection)
    print(time.process_time() - started, peak_mib() - before_mib)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
