"""An embedded forum over real HTTP on loopback, for demo and tests: one board, shown by either engine.

Written from reference/ucoz.md and reference/phpbb.md alone, without a look at the adapters, so that the two can disagree.
"""
