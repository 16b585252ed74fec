"""The panel at the table: presses in, light, sound and spoken words out, and the spoken menu between them.

Enters: presses of real buttons or of the keyboard that stands in for them. Leaves: commands to the engine, and what
lamp, ring light, buzzer and voice are to do. All but `link` and `part` is pure.
"""
