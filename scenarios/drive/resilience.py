"""Right in all that std/resilience looks at."""

import http.client
import json
import os
import random
import sys
import threading
import time
import urllib.error
import urllib.request
import uuid

FAILURES = (urllib.error.URLError, ConnectionError, http.client.HTTPException, EOFError, TimeoutError)
FINAL = (400, 403, 404, 422)


def post(url, body, headers={}, timeout=30):
    headers = {"Content-Type": "application/json", "Authorization": "Bearer " + os.environ["OPENAI_API_KEY"], **headers}
    return urllib.request.urlopen(urllib.request.Request(url, json.dumps(body).encode(), headers), timeout=timeout)


def read(answer):
    """The text of a stream, or an error where it is cut."""
    text = ""
    for line in answer:
        if line.strip() == b"data: [DONE]":
            return text
        if line.startswith(b"data: "):
            text += json.loads(line[6:])["choices"][0]["delta"].get("content") or ""
    raise EOFError("the stream ended before the answer did")


def retried(what, tries=3):
    for left in reversed(range(tries)):
        try:
            return what()
        except FAILURES as error:
            code = getattr(error, "code", None)
            if left == 0 or code in FINAL:
                raise
            told = error.headers.get("Retry-After") if code else None
            time.sleep(float(told) if told else random.uniform(0.15, 0.6))


def ask(base, messages, tries=3, timeout=30):
    body = {"model": "gpt-4o", "stream": True, "messages": messages}
    return retried(lambda: read(post(base + "/chat/completions", body, timeout=timeout)), tries)


def asked(messages, tries=3, timeout=30):
    """Asks the model, and where that has no answer the spare one."""
    try:
        return ask(os.environ["OPENAI_BASE_URL"], messages, tries, timeout)
    except FAILURES:
        return ask(os.environ["SPARE_URL"], messages)


def user(text):
    return {"role": "user", "content": text}


def converse():
    first = asked([user("Why is the sky blue?")])
    print(asked([user("Why is the sky blue?"), {"role": "assistant", "content": first}, user("Since when is that known?")]))


def charge():
    key = {"Idempotency-Key": str(uuid.uuid4())}
    retried(lambda: post(os.environ["PAYMENTS_URL"] + "/charge", {"amount": 7}, key).read())


def work():
    ends = []

    def one(name):
        retried(lambda: urllib.request.urlopen(os.environ["PAYMENTS_URL"] + "/work?worker=" + name, timeout=30).read())
        ends.append(name)

    threads = [threading.Thread(target=one, args=[str(n)]) for n in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    sys.exit(len(ends) != 4)


QUESTION = [user("Why is the sky blue?")]
{
    "ask": lambda: print(asked(QUESTION)),
    "patiently": lambda: print(asked(QUESTION, tries=2)),
    "stream": lambda: print(asked(QUESTION, tries=2)),
    "once": lambda: print(asked(QUESTION, tries=1, timeout=0.8)),
    "converse": converse,
    "charge": charge,
    "charge_anew": charge,
    "work": work,
}[sys.argv[1]]()
