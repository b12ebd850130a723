"""How the readers are made: procedural decks, camera faults, nets and their training.

Nothing here is imported at run time; see README.md for the one command that trains.
"""
