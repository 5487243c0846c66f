"""
Between words and deeds: the only way from an agent's proposal to the simulated SOC.

`control.py` states what a control is, `controls/` holds one file for each, `presets.py` says which of them a mode
has, `gate.py` asks them all and runs what they let pass.
"""
