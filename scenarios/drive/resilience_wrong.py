"""Wrong in all that std/resilience looks at: in each of its tasks in another way."""

import http.client
import json
import os
import sys
import threading
import time
import urllib.error
import urllib.request
import uuid

FAILURES = (urllib.error.URLError, ConnectionError, http.client.HTTPException, EOFError, TimeoutError)


def post(url, body, headers={}, timeout=30):
    headers = {"Content-Type": "application/json", "Authorization": "Bearer " + os.environ["OPENAI_API_KEY"], **headers}
    return urllib.request.urlopen(urllib.request.Request(url, json.dumps(body).encode(), headers), timeout=timeout)


def read(answer):
    """The text of a stream, cut or not."""
    text = ""
    for line in answer:
        if line.strip() == b"data: [DONE]":
            return text
        if line.startswith(b"data: "):
            text += json.loads(line[6:])["choices"][0]["delta"].get("content") or ""
    return text


def retried(what, tries=3, pause=0.2):
    for left in reversed(range(tries)):
        try:
            return what()
        except FAILURES as error:
            code = getattr(error, "code", None)
            if left == 0:
                raise
            time.sleep(pause)


def asked(messages, tries=3, timeout=30, pause=0.2):
    """Asks the model, and nobody else."""
    body = {"model": "gpt-4o", "stream": True, "messages": messages}
    return retried(lambda: read(post(os.environ["OPENAI_BASE_URL"] + "/chat/completions", body, timeout=timeout)), tries, pause)


def user(text):
    return {"role": "user", "content": text}


def converse():
    first = asked([user("Why is the sky blue?")])
    print(asked([user("Why is the sky blue?"), {"role": "assistant", "content": first}, user("Since when is that known?")]))


def charge():
    retried(lambda: post(os.environ["PAYMENTS_URL"] + "/charge", {"amount": 7}).read())


def charge_anew():
    """Every attempt has a key of its own."""
    retried(lambda: post(os.environ["PAYMENTS_URL"] + "/charge", {"amount": 7}, {"Idempotency-Key": str(uuid.uuid4())}).read())


def work():
    ends = []

    def one(name):
        retried(lambda: urllib.request.urlopen(os.environ["PAYMENTS_URL"] + "/work?worker=" + name, timeout=30).read(), pause=2)
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
    "patiently": lambda: print(asked(QUESTION, tries=13, pause=0.01)),
    "stream": lambda: print(asked(QUESTION)),
    "once": lambda: print(asked(QUESTION, tries=1, timeout=1.5)),
    "converse": converse,
    "charge": charge,
    "charge_anew": charge_anew,
    "work": work,
}[sys.argv[1]]()
