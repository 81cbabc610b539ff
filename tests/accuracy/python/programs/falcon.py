# with: falcon
import falcon
from falcon import testing


class Hello:
    def on_post(self, req, resp, name):
        mail = req.media["mail"]
        page = req.get_param("page")
        agent = req.get_header("X-Agent")
        resp.media = {"name": name, "mail": mail, "page": page, "agent": agent}


secret = input()
app = falcon.App()
app.add_route("/hello/{name}", Hello())
client = testing.TestClient(app)
answer = client.simulate_post("/hello/" + secret, json={"mail": secret}, params={"page": secret}, headers={"X-Agent": secret})
data = answer.json
print(data)
