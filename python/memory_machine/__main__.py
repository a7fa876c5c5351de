"""`python -m memory_machine` is the command `umm`."""

import sys

from ._native import main

if __name__ == "__main__":
    sys.argv[0] = "umm"
    main()
