"""
What a text says once it is decoded, and the encodings that scenario files may name. Pure functions, bounded work.

    forms(text)     every reading of a text: as it stands, unescaped, base64, hex, tag characters, reversed, two deep
    readings(text)  the same without the folded and reversed copies: for searches that fold the needle instead
    squeeze(text)   ASCII letters and digits only, upper case: the shape in which two spellings are compared
    ENCODINGS       id -> (encode, decode): `E00` none, `E01` base64 ...

Input is untrusted and may be up to a megabyte of hostile text: no function here raises on it, no pattern can
backtrack, and a text that decodes to ever more texts is cut off (`unfolding.MAX_READINGS`, `unfolding.MAX_CHARACTERS`).
"""

from __future__ import annotations

from soclab.decoding.encodings import ENCODINGS, Encoding
from soclab.decoding.lookalikes import fold
from soclab.decoding.unfolding import forms, readings, squeeze, squeezed_readings

__all__ = ["ENCODINGS", "Encoding", "fold", "forms", "readings", "squeeze", "squeezed_readings"]
