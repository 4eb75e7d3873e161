"""The tutorials of docs/tutorials: run them, write what they print, and make notebooks of them."""
