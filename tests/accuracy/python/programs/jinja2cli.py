# with: jinja2cli jinja2
import os, tempfile
from jinja2cli import cli
secret = input()
path = os.path.join(tempfile.mkdtemp(), "a.j2")
with open(path, "w") as stream:
    stream.write("hello {{ name }} {% for x in items %}{{ x|title }}{% endfor %}")
out = cli.render(path, {"name": secret, "items": [secret]}, [], [], False)
print(out)
