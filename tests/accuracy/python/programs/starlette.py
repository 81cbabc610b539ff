# with: starlette
import anyio
from starlette.applications import Starlette
from starlette.responses import JSONResponse, PlainTextResponse
from starlette.routing import Route


async def hello(request):
    name = request.path_params["name"]
    page = request.query_params["page"]
    data = await request.json()
    mail = data["mail"]
    agent = request.headers["x-agent"]
    return JSONResponse({"name": name, "page": page, "mail": mail, "agent": agent})


app = Starlette(routes=[Route("/hello/{name}", hello, methods=["POST"])])
secret = input()


async def main():
    sent = []

    async def receive():
        return {"type": "http.request", "body": ('{"mail": "%s"}' % secret).encode(), "more_body": False}

    async def send(message):
        sent.append(message)

    scope = {"type": "http", "method": "POST", "path": "/hello/" + secret, "root_path": "", "scheme": "http",
             "query_string": b"page=" + secret.encode(), "headers": [(b"x-agent", secret.encode())], "server": ("a", 80), "client": ("b", 1)}
    await app(scope, receive, send)
    print(sent)


anyio.run(main)
