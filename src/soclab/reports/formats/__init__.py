"""One file per format: a scorecard in, text or bytes out."""
