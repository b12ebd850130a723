"""The nouns of the table: cards, money, observations, commands, events, faults, envelope."""
