# with: requests
import requests
from requests.adapters import BaseAdapter


class Echo(BaseAdapter):
    def send(self, request, **kwargs):
        answer = requests.Response()
        answer.status_code = 200
        answer._content = request.body
        answer.url = request.url
        answer.headers["X-Echo"] = request.headers["X-Agent"]
        return answer

    def close(self):
        pass


secret = input()
session = requests.Session()
session.mount("http://", Echo())
session.headers["X-Agent"] = secret
answer = session.post("http://a.org/b", params={"page": secret}, json={"mail": secret}, cookies={"c": secret})
data = answer.json()
print(data)
url = answer.url
print(url)
