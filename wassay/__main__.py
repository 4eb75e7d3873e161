"""`python -m wassay`: the command line, where its script is not on the path."""

from wassay.cli import main

main()
