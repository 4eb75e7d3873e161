"""The demo: who sells the digits that a buyer needs? Run it with `python -m examples.digits`."""
