"""Intervals and tests, each proven equal to a second implementation. Numbers in, numbers out; nothing of the lab."""
