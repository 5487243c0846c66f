"""
May it? A policy engine judges facts that the lab has computed; it never sees an agent's words.

`engine.py` states what an engine is, `engines/` holds one file for each, `cedar/` the policies that come with soclab.
"""
