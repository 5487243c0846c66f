"""From the results of runs to a scorecard: rates with intervals, gates, limits. Pure; nothing here reads a clock."""
