"""What the kiosk keeps in its data folder and reads again: journal, checkpoint, preferences, house tables, exports.

Enters: decisions to commit, choices to keep. Leaves: the same after a power cut or a bit that fell over, and the JSON
in which everything is written down and sent (`wire`). Knows nothing of pages or sound.
"""
