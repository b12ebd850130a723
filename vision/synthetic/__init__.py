"""A synthetic camera: a felt, cards, hands and light, rendered, compressed and read like a real one.

The deck, its index letters, pips, courts and back are drawn by the code of this package alone and
have no part in training the reader.
"""
