"""At the door: whose device asks, from which page, in which language; what every answer says."""

from __future__ import annotations

import gzip
from ipaddress import IPv6Address, ip_address
from urllib.parse import urlsplit

from flask import Flask, Request, Response, current_app, g, request

from web.chairs import FORGOTTEN
from web.problems import NotYoursError
from web.reception import Reception

COOKIE, LANGUAGE = "arbitre", "arbitre_lang"
LANGUAGES = (("fr", "Français"), ("en", "English"))
SAFE = ("GET", "HEAD", "OPTIONS")
POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data: blob:",
        "media-src 'self'",
        "font-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
}
SMALL = 1000  # bytes under which it is not worth it
TEXTS = (
    "application/json",
    "text/html",
    "text/css",
    "text/javascript",
    "application/javascript",
    "image/svg+xml",
)
HERE = ("127.0.0.1", "::1")
NAMES_HERE = ("127.0.0.1", "localhost", "[::1]")


def rooms() -> Reception:
    found: Reception = current_app.extensions["arbitre"]
    return found


def guard(app: Flask) -> None:
    app.before_request(look)
    app.after_request(harden)


def look() -> None:
    """Who asks, before anything is answered."""
    g.lang = language(request)
    g.device, g.is_host = None, False
    if request.method not in SAFE:
        refuse_strangers(request)
    token = request.cookies.get(COOKIE, "")
    if token:
        g.device = rooms().chairs.device(token)
        g.is_host = g.device is not None and rooms().chairs.is_host(g.device)


def language(asking: Request) -> str:
    known = [code for code, _ in LANGUAGES]
    chosen = asking.cookies.get(LANGUAGE, "")
    if chosen in known:
        return chosen
    return asking.accept_languages.best_match(known, rooms().settings.language) or "fr"


def refuse_strangers(asking: Request) -> None:
    """Nothing is changed by a page that is not ours: browsers say where a request comes from."""
    origin = asking.headers.get("Origin")
    if origin is not None and host_of(origin) != asking.host.lower():
        raise NotYoursError("api.foreign-page")
    if asking.headers.get("Sec-Fetch-Site", "same-origin") not in ("same-origin", "none"):
        raise NotYoursError("api.foreign-page")


def host_of(origin: str) -> str | None:
    """Where a page comes from; None for what is no address."""
    try:
        return urlsplit(origin).netloc.lower()
    except ValueError:  # http://[bad
        return None


def is_here(asking: Request) -> bool:
    """Whether somebody sits at the table's own machine, and not at a page that pretends to."""
    name = asking.host.rsplit(":", 1)[0] if not asking.host.endswith("]") else asking.host
    return asking.remote_addr in HERE and name in NAMES_HERE


def place() -> str:
    """Where a guess comes from: an address, or the 2^64 of them that any one device may have."""
    told = request.remote_addr or ""
    try:
        address = ip_address(told.partition("%")[0])
    except ValueError:
        return told
    if not isinstance(address, IPv6Address):
        return told
    inner = address.ipv4_mapped
    return str(inner) if inner is not None else address.exploded[:19]


def harden(answer: Response) -> Response:
    for name, value in HEADERS.items():
        answer.headers.setdefault(name, value)
    if request.is_secure:  # browsers warn of it where it cannot hold
        answer.headers.setdefault("Cross-Origin-Opener-Policy", "same-origin")
    if not request.path.startswith("/static/"):
        answer.headers.setdefault("Cache-Control", "no-store")
    return squeezed(answer) if request.accept_encodings["gzip"] > 0 else answer


def squeezed(answer: Response) -> Response:
    """Smaller over a weak network; live updates and pictures stay as they are."""
    if answer.status_code != 200 or answer.mimetype not in TEXTS or answer.content_encoding:
        return answer
    answer.direct_passthrough = False
    data = answer.get_data()
    if len(data) < SMALL:
        return answer
    answer.set_data(gzip.compress(data, 5, mtime=0))
    answer.content_encoding = "gzip"
    answer.vary.add("Accept-Encoding")
    tag, _ = answer.get_etag()
    if tag is not None:
        answer.set_etag(tag, weak=True)
    return answer


def with_cookie(answer: Response, token: str) -> Response:
    answer.set_cookie(COOKIE, token, max_age=int(FORGOTTEN), httponly=True, samesite="Lax")
    return answer


def no_cookie(answer: Response) -> Response:
    answer.delete_cookie(COOKIE, httponly=True, samesite="Lax")
    return answer
