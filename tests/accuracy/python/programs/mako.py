# with: mako
from mako.template import Template
secret = input()
out = Template("hello ${name} % for x in items").render(name=secret, items=[secret])
print(out)
