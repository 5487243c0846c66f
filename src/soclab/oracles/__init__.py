"""The oracles: what happened in a run. Pure functions of recorded facts; no language model judges anything."""
