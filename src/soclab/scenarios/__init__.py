"""Scenario files: reading, checking, choosing. The corpus itself is data."""
