"""Run the command line by `python -m wassay`."""

from wassay.cli import main

if __name__ == "__main__":  # not in a process that the service starts for heavy work
    main()
