"""Lets `python -m studio` do what `cutcard` does."""

from studio.cli import main

if __name__ == "__main__":
    main()
