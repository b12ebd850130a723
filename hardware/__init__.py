"""Wires to observations: serial card shoes and readers, and their simulated twins."""
