"""What is heard: sentences and short sounds in order, on the speaker or as audio, and the gate that waits for them.

Enters: phrases with their length and manner. Leaves: sound, and the caption with the same words. Only `speech` runs a
program.
"""
