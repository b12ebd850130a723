"""A table for calibrating and enrolling without a camera: ``source = "synthetic:calibrate"``.

What it shows follows the page's own words, as a person's hands would: `follow` is given each answer
of the session (`vision.calibration.session` or `vision.enrol`), and shows

- in step lens: the printed board, held still for some frames in one place and tilt, then in the
  next, until all of the picture has been seen;
- in steps camera, plane and zones: the felt, tilted, with its print and markers;
- in step try: the same with a card face up in the middle of each zone;
- an answer without a step (enrolment): `show(code)` lays one card in the middle of the felt.

All of it through a lens that bends, with noise. What is shown is known, so tests have the truth.
"""
