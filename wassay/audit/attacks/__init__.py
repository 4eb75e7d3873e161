"""The attacks of the audit, one in each module; `registry` lists them."""
