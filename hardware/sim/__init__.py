"""Simulated devices that speak the real wire and can be broken on purpose."""
