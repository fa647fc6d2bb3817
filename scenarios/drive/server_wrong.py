"""Wrong: the first refusal of the model is passed on to whoever asked."""

import http.server
import json
import os
import urllib.error
import urllib.request


def ask(question):
    body = {"model": "gpt-4o", "messages": [{"role": "user", "content": question}]}
    request = urllib.request.Request(
        os.environ["OPENAI_BASE_URL"] + "/chat/completions",
        json.dumps(body).encode(),
        {"Content-Type": "application/json", "Authorization": "Bearer " + os.environ["OPENAI_API_KEY"]},
    )
    with urllib.request.urlopen(request, timeout=30) as answer:
        return json.load(answer)["choices"][0]["message"]["content"]


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.answer(200, {"status": "ok"})

    def do_POST(self):
        question = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["question"]
        try:
            self.answer(200, {"answer": ask(question)})
        except urllib.error.HTTPError as error:
            self.answer(502, {"error": f"the model answered {error.code}"})

    def answer(self, status, value):
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


http.server.ThreadingHTTPServer(("127.0.0.1", int(os.environ["PORT"])), Handler).serve_forever()
