"""The panel at the table: presses in, light, sound and spoken words out, and the spoken menu between them.

In: presses of real buttons or of the keyboard that stands in for them. Out: commands to the engine, and what lamp, ring
light, buzzer and voice are to do. All but `link` and `part` is pure.
"""
