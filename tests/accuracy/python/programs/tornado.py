# with: tornado
from tornado.template import Template
from tornado.escape import json_decode, json_encode
from tornado.httputil import HTTPHeaders, url_concat, parse_cookie
secret = input()
out = Template("<b>{{ name }}</b>").generate(name=secret)
print(out)
url = url_concat("http://a.org", {"page": secret})
print(url)
headers = HTTPHeaders()
headers.add("X-Agent", secret)
agent = headers["x-agent"]
print(agent)
again = json_decode(json_encode({"a": secret}))
print(again)
cookies = parse_cookie("a=" + secret)
print(cookies)
