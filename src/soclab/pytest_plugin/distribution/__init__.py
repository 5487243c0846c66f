"""A campaign under pytest-xdist: one worker runs it, the controller judges it. Nothing here without xdist."""
