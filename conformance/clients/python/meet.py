"""Asks at every meeting at once with urllib, and writes what a caller gets."""

import json, os, threading, urllib.error, urllib.request

urls = json.loads(os.environ["CONFORMANCE_URLS"])
streams = set(json.loads(os.environ["CONFORMANCE_STREAMS"]))
said = {}


def ask(url, stream, heard):
    body = {"model": "m", "stream": stream, "messages": [{"role": "user", "content": "why?"}]}
    request = urllib.request.Request(url + "/chat/completions", json.dumps(body).encode(), {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=1.5) as response:
        if stream:
            for line in response:
                if line.startswith(b"data: {"):
                    for choice in json.loads(line[6:]).get("choices", []):
                        heard(choice["delta"].get("content") or "")
            return
        text = response.read()
    if text:
        try:
            heard(json.loads(text)["choices"][0]["message"]["content"])
        except (ValueError, LookupError, UnicodeDecodeError):
            heard("other bytes")


def class_of(error):
    """What a program can tell an error by: its class, its status, its reason."""
    name = type(error).__name__
    if isinstance(error, urllib.error.HTTPError):
        return f"{name} {error.code}"
    if isinstance(error, urllib.error.URLError):
        return f"{name}, {type(error.reason).__name__}"
    return name


def meet(name, url):
    parts, error = [], ""
    try:
        ask(url, name in streams, parts.append)
    except Exception as e:
        error = class_of(e)
    said[name] = ["".join(parts), error]


threads = [threading.Thread(target=meet, args=item) for item in urls.items()]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
with open(os.environ["CONFORMANCE_SAID"], "w") as file:
    json.dump(said, file)
