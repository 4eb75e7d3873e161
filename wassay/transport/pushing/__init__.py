"""The protocol's own steps: a reference, the push towards it, and the isometry that seals it."""
