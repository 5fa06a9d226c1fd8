"""What holds for every test of the project."""

import gc

# Tests make and drop many small immutable states and no cycles worth speaking of: collecting seldom saves a tenth of the time.
gc.set_threshold(200_000, 20, 50)
