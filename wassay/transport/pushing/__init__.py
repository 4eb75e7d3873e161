"""The protocol's transformations: reference, push and sealing isometry."""
