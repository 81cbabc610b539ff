#!/usr/bin/env python3
"""A language model's endpoint that says what a script tells it to, on this machine alone: for tests.

    python3 tests/setup/scripted_llm.py --port 0 --script FILE.json

Prints `listening on http://127.0.0.1:PORT/v1` and serves until it is ended, or until its stdin is closed with --with-stdin. It speaks the shape of
OpenAI's API: POST /v1/chat/completions (whole or as an event stream), POST /v1/embeddings, GET /v1/models. Besides:

    GET  /requests   all requests so far: [{path, key, body}]
    PUT  /script     another script; what was recorded is forgotten

A script is a list of replies, or {"replies": […]}. A request is given the first reply that fits it and is not used up:

    when       regular expression that the messages (or the texts to embed) have to match; without it, anything fits
    has        name of a field that the request has to have: {"has": "response_format", "status": 400} refuses that field
    path       "chat" (default) or "embeddings"
    times      how often it is given: 1 without `when` and `has`, else as often as asked; 0 is as often as asked

What is given:

    text       the answer; `\\1` and `\\g<name>` are what `when` found
    json       the answer, as JSON in the text
    pieces     the answer, piece by piece, as a stream sends it; else a stream sends words
    logprobs   {"yes": -0.1, …}: the likeliest first tokens and their logarithms, for a whole answer
    finish     why it ended: "stop"
    usage      {"prompt_tokens": …}; without it, counted in words; null leaves it out
    bare       true: nothing but the choices, without ids, usage and the rest
    vectors    embeddings: the vectors; or `dimension`: made up from the texts, the same for the same text
    status, headers, body
               an answer of another kind; a body that is no text is sent as JSON
    echo_key   true: the body, or the text, tells the key that was sent
    delay      seconds before anything is sent
    pause      seconds between the pieces
    cut_after  the connection is cut after so many pieces (or bytes of a whole answer)
    no_end     true: the stream ends without its last event and without a reason
    endless    true: the stream never ends
    ignore_stream
               true: a whole answer also where a stream was asked for

A request that nothing fits is answered with status 500 and the word `unscripted`.
"""

import argparse
import hashlib
import http.server
import json
import re
import socket
import sys
import threading
import time


class Script:
    """The replies and what was asked. Requests come from several threads."""

    def __init__(self, replies):
        self.lock = threading.Lock()
        self.load(replies)

    def load(self, replies):
        if isinstance(replies, dict):
            replies = replies["replies"]
        for reply in replies:
            if "when" in reply:
                reply["when"] = re.compile(reply["when"], re.DOTALL | re.IGNORECASE)
        with self.lock:
            self.replies = replies
            self.given = [0] * len(replies)
            self.requests = []

    def next(self, path, key, body):
        """The reply to a request, and what it found in it."""
        said = words_of(body)
        with self.lock:
            self.requests.append({"path": path, "key": key, "body": body})
            for place, reply in enumerate(self.replies):
                bound = reply.get("times", 0 if "when" in reply or "has" in reply else 1)
                if bound and self.given[place] >= bound:
                    continue
                if not path.endswith(reply.get("path", "chat") + ("/completions" if reply.get("path", "chat") == "chat" else "")):
                    continue
                if "has" in reply and reply["has"] not in body:
                    continue
                found = reply["when"].search(said) if "when" in reply else None
                if "when" in reply and not found:
                    continue
                self.given[place] += 1
                return reply, found
        return {"status": 500, "body": {"error": {"message": f"unscripted: {said[-200:]}"}}}, None


def words_of(body):
    if "input" in body:
        texts = body["input"]
        return "\n".join(texts) if isinstance(texts, list) else str(texts)
    said = []
    for message in body.get("messages", []):
        content = message.get("content") or ""
        if isinstance(content, list):
            content = "".join(part.get("text", "") for part in content)
        said.append(content)
    return "\n".join(said)


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    script = None

    def log_message(self, *_):
        pass

    def do_GET(self):
        if self.path == "/requests":
            with self.script.lock:
                self.whole(200, list(self.script.requests))
        elif self.path == "/v1/models":
            self.whole(200, {"object": "list", "data": [{"id": "scripted", "object": "model"}]})
        else:
            self.whole(404, {"error": {"message": "nothing is here"}})

    def do_PUT(self):
        if self.path != "/script":
            return self.whole(404, {"error": {"message": "nothing is here"}})
        self.script.load(json.loads(self.read()))
        return self.whole(200, {})

    def do_POST(self):
        body = json.loads(self.read())
        self.key = (self.headers.get("authorization") or "").removeprefix("Bearer ")
        reply, found = self.script.next(self.path, self.key, body)
        time.sleep(reply.get("delay", 0))
        text = self.text(reply, found)
        if "status" in reply or "body" in reply:
            answer = reply.get("body", {"error": {"message": f"scripted status {reply.get('status')}"}})
            if reply.get("echo_key"):
                answer = {"error": {"message": f"Incorrect API key provided: {self.key}", "code": "invalid_api_key"}}
            self.whole(reply.get("status", 200), answer, reply)
        elif self.path.endswith("/embeddings"):
            self.whole(200, embeddings(reply, body), reply)
        elif body.get("stream") and not reply.get("ignore_stream"):
            self.stream(reply, text, body)
        else:
            self.whole(200, completion(reply, text, body), reply)

    def text(self, reply, found):
        if "json" in reply:
            return json.dumps(reply["json"])
        if reply.get("echo_key") and "text" not in reply:
            return f"Your key is {self.key}, is it not?"
        text = reply.get("text", "".join(reply.get("pieces", [])))
        return found.expand(text) if found and "\\" in text else text

    def read(self):
        return self.rfile.read(int(self.headers.get("content-length") or 0))

    def whole(self, status, body, reply={}):
        data = (body if isinstance(body, str) else json.dumps(body)).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        for name, value in reply.get("headers", {}).items():
            self.send_header(name, value)
        self.end_headers()
        if "cut_after" in reply:
            self.wfile.write(data[: reply["cut_after"]])
            return self.cut()
        self.wfile.write(data)

    def stream(self, reply, text, body):
        self.send_response(200)
        self.send_header("content-type", "text/event-stream; charset=utf-8")
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()
        pieces = reply.get("pieces") or re.findall(r"\s*\S+\s*", text) or [""]
        try:
            self.event(": a comment, as some endpoints send them")
            for number, piece in enumerate(pieces):
                if number == reply.get("cut_after"):
                    return self.cut()
                time.sleep(reply.get("pause", 0))
                self.piece(reply, {"role": "assistant", "content": piece} if number == 0 else {"content": piece}, None)
            while reply.get("endless"):
                time.sleep(reply.get("pause", 0))
                self.piece(reply, {"content": "and so on, "}, None)
            if not reply.get("no_end"):
                self.piece(reply, {}, reply.get("finish", "stop"))
                if usage(reply, text, body):
                    self.event("data: " + json.dumps({"choices": [], "usage": usage(reply, text, body)}))
                self.event("data: [DONE]")
            self.wfile.write(b"0\r\n\r\n")
        except OSError:
            # Who asked has gone: that is what some tests are about.
            self.close_connection = True

    def piece(self, reply, delta, finish):
        value = {"choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}
        if not reply.get("bare"):
            value |= {"id": "chatcmpl-scripted", "object": "chat.completion.chunk", "created": 1, "model": "scripted", "odd": {"new": 1}}
        self.event("data: " + json.dumps(value))

    def event(self, text):
        data = (text + "\n\n").encode()
        self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))
        self.wfile.flush()

    def cut(self):
        self.wfile.flush()
        self.close_connection = True
        self.connection.shutdown(socket.SHUT_RDWR)


def completion(reply, text, body):
    finish = reply.get("finish", "stop")
    answer = {"choices": [{"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": finish}]}
    if reply.get("logprobs") and body.get("logprobs"):
        told = [{"token": token, "logprob": logarithm} for token, logarithm in reply["logprobs"].items()]
        answer["choices"][0]["logprobs"] = {"content": [told[0] | {"top_logprobs": told}]}
    if not reply.get("bare"):
        answer |= {"id": "chatcmpl-scripted", "object": "chat.completion", "created": 1, "model": "scripted", "odd": {"new": 1}}
        if usage(reply, text, body):
            answer["usage"] = usage(reply, text, body)
    return answer


def usage(reply, text, body):
    if reply.get("bare"):
        return None
    sent, received = len(words_of(body).split()), len(text.split())
    return reply.get("usage", {"prompt_tokens": sent, "completion_tokens": received, "total_tokens": sent + received})


def embeddings(reply, body):
    texts = body["input"] if isinstance(body["input"], list) else [body["input"]]
    vectors = reply.get("vectors") or [made_up(text, reply.get("dimension", 8)) for text in texts]
    data = [{"object": "embedding", "index": index, "embedding": vector} for index, vector in enumerate(vectors)]
    return {"object": "list", "data": data, "model": body.get("model"), "usage": {"prompt_tokens": 1, "total_tokens": 1}}


def made_up(text, dimension):
    numbers = b""
    while len(numbers) < dimension:
        numbers += hashlib.sha256(text.encode() + len(numbers).to_bytes(4)).digest()
    return [number / 127.5 - 1 for number in numbers[:dimension]]


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    # The default of 5 turns callers away where many come at once.
    request_queue_size = 128

    def handle_error(self, *_):
        pass


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--script", required=True, help="JSON file, or - for an empty script")
    parser.add_argument("--with-stdin", action="store_true", help="end when stdin is closed")
    arguments = parser.parse_args()
    replies = []
    if arguments.script != "-":
        with open(arguments.script, encoding="utf-8") as file:
            replies = json.load(file)
    Handler.script = Script(replies)
    server = Server(("127.0.0.1", arguments.port), Handler)
    print(f"listening on http://127.0.0.1:{server.server_address[1]}/v1", flush=True)
    if arguments.with_stdin:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        sys.stdin.read()
    else:
        server.serve_forever()


if __name__ == "__main__":
    main()
