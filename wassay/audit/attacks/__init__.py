"""The attacks of the audit, one module each; `registry` lists them."""
