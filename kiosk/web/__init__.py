"""The web side: routes, pages and forms, who may do what, and the server that carries them.

Enters: requests. Leaves: pages, the API's answers, live events, and every error as words. No other room of the
kiosk knows this one.
"""
