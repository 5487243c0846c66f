"""A stand-in for your agent, twice: as a callable and as an ASGI app. One of them is enough."""

import json

from soclab.providers.reference import brain_of

STAND_IN = brain_of("server")


async def answer(request):
    """The request body as a dict in, the reply as a dict out. A plain `def` is led in threads."""
    return STAND_IN(request)


async def app(scope, receive, send):
    """What FastAPI, Starlette and their like give you; it gets every request as POST /."""
    assert scope["type"] == "http"
    body, more = b"", True
    while more:
        message = await receive()
        body, more = body + message.get("body", b""), message.get("more_body", False)
    reply = json.dumps(await answer(json.loads(body))).encode()
    headers = [(b"content-type", b"application/json")]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": reply})
