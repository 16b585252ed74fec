"""The files in the kiosk's data folder: journal, checkpoint, preferences, house tables, exports.

Enters: decisions to commit, choices to keep. Leaves: the same after a power cut or a flipped bit, and the JSON in which
everything is saved and sent (`wire`). Knows nothing of pages or sound.
"""
