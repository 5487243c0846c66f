"""The engine: plans runs, leads them side by side, keeps the journal. It yields outcomes and never prints."""
