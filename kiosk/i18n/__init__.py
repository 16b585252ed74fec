"""The languages of the kiosk: templates, the terms of the rules, and which language the present listener has.

Enters: phrases of the rules and of the pages. Leaves: the same in a listener's language. The translations themselves
lie in `translations` beside this.
"""
