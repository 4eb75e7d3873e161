"""The kinds of fields, with a module for each; `registry` lists them."""
