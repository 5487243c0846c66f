"""The front door for pytest. An idle session imports `plugin` and what it needs to find out that it is idle."""
