# with: flask werkzeug itsdangerous jinja2
from flask import Flask, jsonify, render_template_string, request, session, g

app = Flask(__name__)
app.secret_key = "k"


@app.before_request
def remember():
    g.agent = request.headers.get("X-Agent")


@app.route("/hello/<name>", methods=["POST"])
def hello(name):
    mail = request.json["mail"]
    session["mail"] = mail
    page = request.args.get("page")
    agent = g.agent
    return jsonify(name=name, mail=mail, page=page, agent=agent)


@app.route("/form", methods=["POST"])
def form():
    title = request.form["title"]
    return render_template_string("<b>{{ title|upper }}</b>", title=title)


secret = input()
client = app.test_client()
answer = client.post("/hello/" + secret, json={"mail": secret}, query_string={"page": secret}, headers={"X-Agent": secret})
body = answer.get_json()
print(body)
second = client.post("/form", data={"title": secret})
text = second.get_data(as_text=True)
print(text)
