"""Writes a finished scorecard down for people and scripts. Untrusted text is cleaned here once more."""
