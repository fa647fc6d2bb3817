"""Asks a model at its own address, and counts that where it is told to."""

import http.client
import http.server
import json
import os
import sys
import threading
import urllib.parse
import urllib.request


def ask(question):
    request = urllib.request.Request(
        "https://api.openai.com/v1/chat/completions",
        json.dumps({"model": "gpt-4o", "messages": [{"role": "user", "content": question}]}).encode(),
        {"Content-Type": "application/json", "Authorization": "Bearer " + os.environ["OPENAI_API_KEY"]},
    )
    with urllib.request.urlopen(request, timeout=30) as answer:
        return json.load(answer)["choices"][0]["message"]["content"]


class Counter(http.server.BaseHTTPRequestHandler):
    """Stands for a service of the house, which counts."""

    counted = 0

    def do_POST(self):
        Counter.counted += 1
        self.send_response(204)
        self.end_headers()

    def log_message(self, *args):
        pass


def count():
    server = http.server.HTTPServer(("127.0.0.1", 0), Counter)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    proxy = urllib.parse.urlsplit(os.environ["HTTPS_PROXY"])
    connection = http.client.HTTPConnection(proxy.hostname, proxy.port, timeout=30)
    connection.set_tunnel("127.0.0.1", server.server_port)
    connection.request("POST", "/questions", body="1")
    connection.getresponse().read()
    server.shutdown()


print(ask("Why is the sky blue?"))
if sys.argv[1:] == ["counted"]:
    count()
    print("counted:", Counter.counted)
