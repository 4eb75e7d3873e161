"""The kinds of field, a module each; `registry` lists them."""
