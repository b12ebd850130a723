"""A simulated dealer and players, for demonstrations, soak and load."""
