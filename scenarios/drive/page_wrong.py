"""As page.py, but what it keeps is looked up under another name."""

import http.server, os, urllib.error, urllib.request

cache = {"start": b"{}"}
requests = {"hit": 1, "miss": 0}  # it has warmed up


class Weather(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        if self.path == "/metrics":
            return self.answer(200, "text/plain; version=0.0.4", self.metrics().encode())
        try:
            self.answer(200, "application/json", self.forecast(self.path.rsplit("/", 1)[-1]))
        except urllib.error.HTTPError:
            self.answer(502, "application/json", b"{}")

    def forecast(self, city):
        if city in cache:
            requests["hit"] += 1
            return cache[city]
        requests["miss"] += 1
        body = urllib.request.urlopen(os.environ["FORECAST"] + "/" + city).read()
        cache[city.upper()] = body
        return body

    def metrics(self):
        lines = ["# HELP cache_requests_total Requests by what the cache had.", "# TYPE cache_requests_total counter"]
        lines += ['cache_requests_total{outcome="%s"} %d' % pair for pair in requests.items()]
        lines += ["# TYPE cache_entries gauge", 'cache_entries{kind="forecast"} %d' % (len(cache) - 1)]
        return "\n".join(lines) + "\n"

    def answer(self, status, kind, body):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


http.server.HTTPServer(("127.0.0.1", int(os.environ["PORT"])), Weather).serve_forever()
