"""Two releases of an agent over the same scenarios: pairs, tests, what changed. Pure functions of two records."""
