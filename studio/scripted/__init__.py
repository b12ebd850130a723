"""Scripted rounds, played through the same table that deals live."""
