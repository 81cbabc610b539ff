# with: httpx
import httpx


def handler(request):
    name = request.url.params["name"]
    return httpx.Response(200, json={"name": name, "body": request.content.decode()})


secret = input()
client = httpx.Client(transport=httpx.MockTransport(handler), headers={"X-Agent": secret})
answer = client.post("https://example.org/a", params={"name": secret}, json={"mail": secret}, auth=("u", secret))
data = answer.json()
print(data)
