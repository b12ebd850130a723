"""Cutcard's table: rules, state machine, journal, application service."""

__version__ = "0.1.0"
"""Version of the whole distribution, of which this package is one of four."""
