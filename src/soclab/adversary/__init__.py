"""What the lab itself plays against its own controls: proofs that an attack can win."""
