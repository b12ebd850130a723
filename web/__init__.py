"""The faces: consoles, overlays, pages and the live channel. Everything that speaks HTTP."""
