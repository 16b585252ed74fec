"""The web side: routes, pages and forms, who may do what, and the server that carries them.

Enters: requests. Leaves: pages, the API's answers, live events, and every error as words. `services` holds what it
needs of the kiosk.
"""
