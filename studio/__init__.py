"""Cutcard's table: rules, state machine, journal, application service."""
