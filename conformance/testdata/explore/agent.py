"""Asks a model and orders what it says. An argument makes it wrong in one way."""
import json, os, sys, time, urllib.error, urllib.request

WRONG = sys.argv[1] if len(sys.argv) > 1 else ""
LLM, SHOP = os.environ["OPENAI_BASE_URL"] + "/chat/completions", os.environ["SHOP_URL"] + "/orders"


def once(url, body, read):
    request = urllib.request.Request(url, json.dumps(body).encode(), {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=None if WRONG == "patient" else 3) as response:
        return read(response)


def ask(url, body, read, again):
    for n in range(4):
        wait = 0.1
        try:
            return once(url, body, read)
        except (OSError, ValueError, urllib.error.HTTPError) as e:
            code = getattr(e, "code", 0)
            if WRONG == "remembers":
                open(os.environ["SEEN"], "w").close()
            if n == 3 or not again(code):
                sys.exit(f"gave up: {e!r}")
            if WRONG != "hasty" and code:
                wait = float(e.headers.get("Retry-After", wait))
        time.sleep(wait)


def stream(response):
    text = ""
    for line in response:
        if line.startswith(b"data: [DONE]"):
            return text
        if line.startswith(b"data: "):
            delta = json.loads(line[6:])
            if "choices" not in delta:
                raise ValueError("an error in the stream")
            text += delta["choices"][0]["delta"].get("content") or ""
    if WRONG == "trusting" and text:
        return text
    raise ValueError("the stream was cut")


transient = lambda code: code in (0, 429) or code >= 500 or WRONG == "stubborn" and code == 400
question = {"model": "m", "stream": True, "messages": [{"role": "user", "content": "why?"}]}
answer = ask(LLM, question, stream, transient)
if WRONG == "remembers" and os.path.exists(os.environ["SEEN"]):
    answer = answer[:5]
unharmed = lambda code: code in (429, 503) or WRONG == "greedy" and code != 400
ask(SHOP, {"text": answer}, json.load, unharmed)
