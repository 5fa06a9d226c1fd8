"""An embedded forum over real HTTP on loopback, for demo and tests: one board, shown by either engine.

Written from what live boards show, without a look at the adapters, so that the two can disagree.
"""
