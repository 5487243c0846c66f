"""The command line: a front door over the same engine as the pytest plugin."""
