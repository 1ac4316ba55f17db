"""`python -m watch_it_learn`, or `python -m demo` in a checkout."""

import sys

from .cli import main

sys.exit(main())
