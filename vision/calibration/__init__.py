"""Finding the felt: boards and markers to print, the lens, the plane of the table and its zones."""
