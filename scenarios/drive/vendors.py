"""Asks one vendor twice, then another one; what is refused for good is refused."""

import json
import os
import sys
import time
import urllib.error
import urllib.request

QUESTION = [{"role": "user", "content": "Why is the sky blue?"}]
WORTH_ANOTHER_TRY = (429, 500, 502, 503, 529)


def post(url, headers, body):
    headers = {"Content-Type": "application/json", **headers}
    request = urllib.request.Request(url, json.dumps(body).encode(), headers)
    with urllib.request.urlopen(request, timeout=30) as answer:
        return json.load(answer)


def openai():
    answer = post(
        os.environ["OPENAI_BASE_URL"] + "/chat/completions",
        {"Authorization": "Bearer " + os.environ["OPENAI_API_KEY"]},
        {"model": "gpt-4o", "messages": QUESTION},
    )
    return answer["choices"][0]["message"]["content"]


def anthropic():
    answer = post(
        os.environ["ANTHROPIC_BASE_URL"] + "/v1/messages",
        {"x-api-key": os.environ["ANTHROPIC_API_KEY"], "anthropic-version": "2023-06-01"},
        {"model": "claude-sonnet-4-5", "max_tokens": 200, "messages": QUESTION},
    )
    return answer["content"][0]["text"]


for vendor in (openai, openai, anthropic):
    try:
        print(vendor())
        sys.exit(0)
    except urllib.error.HTTPError as error:
        if error.code not in WORTH_ANOTHER_TRY:
            sys.exit(f"the request was refused: {error.code}")
    except OSError:
        pass
    time.sleep(0.05)
sys.exit("no vendor has answered")
