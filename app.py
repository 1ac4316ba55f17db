"""Watch it learn: run `python app.py`, or `python app.py --help`."""

import sys

from demo.cli import main

if __name__ == "__main__":
    sys.exit(main())
