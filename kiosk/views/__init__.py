"""What is seen, before it is a page: the table as one value for every screen, in words that each listener can have.

Enters: the table, the sources, the voice. Leaves: views as frozen values. No requests and no HTML here.
"""
