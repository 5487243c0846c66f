"""The simulated SOC: one incident's world, the tools that read it and the actions that change it."""
