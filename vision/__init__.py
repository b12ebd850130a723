"""The eye of the studio: from pixels to what lies in each zone of the felt.

Cameras run in processes of their own and report observations; nothing here knows the rules of a
game, the database or the web.
"""
