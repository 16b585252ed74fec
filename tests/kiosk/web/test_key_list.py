"""The keys that ask are each device's own: chosen on a plain form, and listed as they were chosen."""

from __future__ import annotations

import re

from kiosk.web.listeners import Keys
from tests.kiosk.desk import Desk, got
from tests.kiosk.web.test_pages import read


def test_keys_are_chosen_and_listed() -> None:
    with Desk() as desk:
        client = desk.client()
        token = re.search(r'name="token" value="([^"]*)"', read(client, "/voice"))
        assert token is not None

        def choose(**fields: str) -> int:
            return client.post("/voice", data={"token": token[1], "whose": "keys", **fields}).status_code

        def shown() -> list[str]:
            return re.findall("<kbd>([^<]*)</kbd>", read(client, "/keys"))[:4]

        assert shown() == ["R", "D", "P", "T"]
        assert choose(on="yes", again="x", more="d", pools=" P", turn="") == 303
        assert shown() == ["X", "D", "P", "\N{EN DASH}"]
        assert choose(on="yes", again="x", more="X") == 400
        assert (
            "Each needs a key of its own."
            in client.post("/voice", data={"token": token[1], "whose": "keys", "again": "x", "more": "x"}).text
        )
        assert got(client, "/api/v1/listener")["keys"]["again"] == "x"
        assert 'id="keys-off" hidden' in read(client, "/keys")
        assert choose(again="x") == 303
        assert 'id="keys-off">' in read(client, "/keys")
        assert Keys().panel
        assert not got(client, "/api/v1/listener")["keys"]["panel"]
