"""The loop: ticks, polling in time, sending."""
