# with: bottle
import io
import bottle
from bottle import Bottle, request, template

app = Bottle()


@app.route("/hello/<name>", method="POST")
def hello(name):
    page = request.query.page
    title = request.forms.get("title")
    return template("<b>{{name}} {{page}} {{title}}</b>", name=name, page=page, title=title)


secret = input()
body = ("title=" + secret).encode()
environ = {"REQUEST_METHOD": "POST", "PATH_INFO": "/hello/" + secret, "QUERY_STRING": "page=" + secret, "wsgi.input": io.BytesIO(body),
           "CONTENT_LENGTH": str(len(body)), "CONTENT_TYPE": "application/x-www-form-urlencoded", "SERVER_NAME": "a", "SERVER_PORT": "80", "wsgi.url_scheme": "http", "wsgi.errors": io.StringIO()}


def start(status, headers, exc_info=None):
    print(status)


for part in app(environ, start):
    print(part)
