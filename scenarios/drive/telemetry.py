"""Asks six questions behind a breaker, and exports what became of them by OTLP."""

import json, os, time, urllib.error, urllib.request

TRIPS_AFTER = 3


class Telemetry:
    """What OpenTelemetry's SDK does, in as many lines as are needed here."""

    def __init__(self):
        self.spans = []

    def span(self, name, trace, status=0, **attributes):
        now = str(time.time_ns())
        self.spans.append({
            "name": name, "traceId": trace, "spanId": os.urandom(8).hex(), "startTimeUnixNano": now, "endTimeUnixNano": now,
            "status": {"code": status}, "attributes": self.attributes(**attributes),
        })

    def shutdown(self, breaker):
        point = {"timeUnixNano": str(time.time_ns()), "attributes": self.attributes(target="llm")}
        self.export("traces", {"resourceSpans": [{"scopeSpans": [{"spans": self.spans}]}]})
        self.export("metrics", {"resourceMetrics": [{"scopeMetrics": [{"metrics": [
            {"name": "breaker.state", "gauge": {"dataPoints": [{**point, "asInt": int(breaker.open)}]}},
            {"name": "breaker.trips", "sum": {"aggregationTemporality": 2, "isMonotonic": True, "dataPoints": [{**point, "asInt": breaker.trips}]}},
        ]}]}]})

    @staticmethod
    def attributes(**values):
        return [{"key": key.replace("_", "."), "value": {"stringValue": value}} for key, value in values.items()]

    @staticmethod
    def export(signal, data):
        address = os.environ["OTEL_EXPORTER_OTLP_ENDPOINT"] + "/v1/" + signal
        urllib.request.urlopen(urllib.request.Request(address, json.dumps(data).encode(), {"Content-Type": "application/json"})).read()


class Breaker:
    def __init__(self):
        self.failures = self.trips = 0
        self.open = False

    def failed(self):
        self.failures += 1
        if self.failures == TRIPS_AFTER:
            self.open = True
            self.trips += 1

    def succeeded(self):
        self.failures = 0


def ask(trace):
    body = {"model": "gpt-4o", "messages": [{"role": "user", "content": "Why is the sky blue?"}]}
    headers = {"Content-Type": "application/json", "traceparent": "00-%s-%s-01" % (trace, os.urandom(8).hex())}
    urllib.request.urlopen(urllib.request.Request(os.environ["OPENAI_BASE_URL"] + "/chat/completions", json.dumps(body).encode(), headers)).read()


telemetry, breaker = Telemetry(), Breaker()
for _ in range(6):
    trace = os.urandom(16).hex()
    if breaker.open:
        telemetry.span("fallback", trace, fallback_reason="open")
        continue
    try:
        ask(trace)
        breaker.succeeded()
        telemetry.span("ask", trace, status=1)
    except urllib.error.HTTPError:
        breaker.failed()
        telemetry.span("ask", trace, status=2)
telemetry.shutdown(breaker)
