"""The ledger: what happened, in order, chained by hashes, so that a change shows."""
