"""`python -m tabwright`."""

import sys

from tabwright.faces.cli import main

sys.exit(main())
