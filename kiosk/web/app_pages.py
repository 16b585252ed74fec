"""What lets a phone keep the kiosk as an app: the manifest, and a worker that opens its pages while it is away.

Browsers run the worker on https and on the kiosk itself only; on a local network over plain http the pages work as they
are, and only cannot be opened anew while the kiosk is away.
"""

from __future__ import annotations

from typing import Final

from flask import Blueprint, Response, current_app, jsonify

from kiosk.web.static_files import LINKED, address_of, folder_of, version_of
from rules.words import say

app_pages = Blueprint("app", __name__)

_FILES: Final = ("base+phone+conflict.css", "favicon.svg", f"{LINKED}play.js", f"{LINKED}conflict.js")
"""What the phones' pages need besides fonts, as they name it."""


@app_pages.get("/manifest.webmanifest")
def manifest() -> Response:
    """The app's name, colours and icons."""
    answer = jsonify(
        id="/play",
        name="trueroll",
        short_name="trueroll",
        start_url="/play",
        scope="/",
        display="standalone",
        background_color="#10182c",
        theme_color="#10182c",
        icons=[
            {"src": "/static/app.svg", "type": "image/svg+xml", "sizes": "any", "purpose": "any"},
            *(
                {"src": f"/static/app-{size}.png", "type": "image/png", "sizes": f"{size}x{size}", "purpose": purpose}
                for size in (192, 512)
                for purpose in ("any", "maskable")
            ),
        ],
        shortcuts=[{"name": str(say("Player")), "url": "/play"}, {"name": str(say("Gamemaster")), "url": "/gm"}],
    )
    answer.mimetype = "application/manifest+json"
    return answer


@app_pages.get("/worker.js")
def worker() -> Response:
    """The worker, with the files of this version; a new version brings a new worker."""
    folder = folder_of(current_app)
    text = (folder / "worker.js").read_text(encoding="utf-8")
    listed = ", ".join(f'"{address_of(folder)}/{name}"' for name in _FILES)
    body = text.replace('"@version@"', f'"{version_of(folder)}"').replace("[/* files */]", f"[{listed}]")
    return Response(body, mimetype="text/javascript", headers={"Cache-Control": "no-cache"})
