"""Daemon tests log as the daemon does: plain JSON lines, no local variables in tracebacks."""

from forumbot.hosting import logs

logs.configure()
