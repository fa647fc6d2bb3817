"""Asks a model, calls the tools that it wants, in its order, and tells it the results."""

import json
import os
import sys
import time
import urllib.error
import urllib.request


def ask(url, body=None, tries=3):
    request = urllib.request.Request(
        url,
        None if body is None else json.dumps(body).encode(),
        {"Content-Type": "application/json", "Authorization": "Bearer " + os.environ["OPENAI_API_KEY"]},
    )
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as error:
        if tries == 1 or error.code != 503:
            raise
    time.sleep(0.05)
    return ask(url, body, tries - 1)


def order(id):
    return ask(os.environ["SHOP"] + "/orders/" + id)


def refund(order):
    return ask(os.environ["SHOP"] + "/refunds", {"order": order})


TOOLS = {"order": order, "refund": refund}


def call(wanted):
    result = TOOLS[wanted["function"]["name"]](**json.loads(wanted["function"]["arguments"]))
    return {"role": "tool", "tool_call_id": wanted["id"], "content": json.dumps(result)}


def results(wanted):
    return [call(each) for each in wanted]


messages = [{"role": "user", "content": sys.argv[1]}]
while True:
    answer = ask(os.environ["OPENAI_BASE_URL"] + "/chat/completions", {"model": "gpt-4o", "messages": messages})
    message = answer["choices"][0]["message"]
    messages.append(message)
    if not message.get("tool_calls"):
        print(message["content"])
        break
    messages += results(message["tool_calls"])
