"""A calibration, step by step: words and a frame in, the whole state out. No threads, no camera.

The page of the studio engineer and the command line drive the same class. Each call gives the whole
state, so a page draws what it gets and keeps nothing.

Words
-----
A refused word raises `CalibrationRefused` (a ValueError, with `.sentence`) and changes nothing. All
others answer with the state. Points are [x, y]; `px` are pixels of the frame, `mm` millimetres on
the felt.

``look`` {}
    Look at the frame, as often as there are new ones (2 to 5 times a second). In step lens a board
    that is held still is taken as a view by itself; in step plane the markers are measured again;
    in step try the cards are read.
``step`` {"step": "camera" | "lens" | "plane" | "zones" | "try"}
    Go to a step. A step that needs an earlier one says so in its sentence.
``lens_again`` {} · ``lens_skip`` {}
    Forget the views · do without a lens model (its sentence says what that costs).
``plane`` {"points": [{"name", "px", "mm"}], "places": {"3": mm}, "distances": [["1", "3", 812.0]]}
    Measure the plane anew from this frame ("New picture"). All fields may be missing: markers that
    lie anywhere suffice once the lens is known. What is given stays until it is given again.
``plan`` {"by_mm": [dx, dy], "turn_deg": d}
    Move or turn all zones at once (both may be missing); 180 for a dealer at the lower edge.
``zone`` {"id": "R", "handle": 0-7 or missing, "to_px": [x, y] or "by_mm": [dx, dy]}
    Move one handle of a zone, or the whole zone. Handles 0-3 are its corners, clockwise from the
    upper left; 4-7 the middles of its sides, from the upper one. With ``to_px`` and no handle the
    zone's middle goes there. It also becomes the chosen zone. A moved zone must be tried again.
``choose`` {"id": "R"}
    Choose a zone: its figures are shown.
``place`` {"id": "R"} or {}
    This zone fits as it lies, or all do.
``undo`` {}
    Take the last change back (one view, one measurement, one move).
``save`` {"untried": false}
    Keep the layout as the next version. Refused with what is missing; with ``untried`` a zone in
    which no card was read does not stand in the way.
``take_back`` {"version": 5}
    Put an old version in force again, as the next version.
``print`` {"what": "markers" | "board", "paper": "a4" | "a3" | "letter"}
    Answers {"name": "…pdf", "type": "application/pdf", "base64": "…"} only.

The state
---------
Each SENTENCE is {"code", "values", "text"}: `vision.calibration.words.TEXTS` has all codes. ::

  {"game": "baccarat", "step": "zones", "version": 6, "versions": [4, 5, 6], "undo": true,
   "steps": [{"id": "camera", "done": true, "figure": "1920 × 1080", "sentence": SENTENCE,
              "count": [1, 1]},          # what is done of what is wanted
             … "lens" "plane" "zones" "try"],
   "lens": {"views": 12, "wanted": 10, "rms_px": 0.21 | null, "limit_px": 0.8,
            "skipped": false, "kept": false,
            "parts": [[2, 1, 0], …],     # views in each ninth of the picture, row by row
            "board": [px, …],            # corners of the board in this frame
            "sentence": SENTENCE},       # what is wrong with the view in this frame, or "taken"
   "plane": {"markers": [{"name": "1", "px": px, "quad": [px × 4], "mm": 0.31 | null}],
             "points": [{"name", "px", "at_mm", "mm": 0.4 | null}],
             "residual_mm": 0.49 | null, "worst": "3", "limit_mm": 1.0},
   "zones": [{"id": "R", "slots": 3, "placed": true, "tried": false, "chosen": true,
              "polygon_mm": [mm × 4], "polygon_px": [px × 4],
              "outline_px": [px …],      # closed, follows the lens
              "handles_px": [px × 8], "size_mm": [390, 300], "card_px": 92.1, "wanted_px": 64,
              "fault": SENTENCE | null}],
   "cards": [{"card": "7S", "sure": true, "zone": "M", "quad": [px × 4]}],
   "verdict": {"word": "begin" | "almost" | "good" | "bad",
               "sentences": [SENTENCE, …]},   # first the word itself
   "save": {"allowed": false, "version": 7, "missing": [SENTENCE, …]},
   "saved": {"version": 7, "file": "layout.json", "sha256": "…"} | null,   # by this call
   "warnings": [SENTENCE, …]}
"""
