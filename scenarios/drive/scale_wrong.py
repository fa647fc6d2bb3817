"""Wrong: whatever a service wants, it is asked again after a tenth of a second."""

import json
import os
import time
import urllib.error
import urllib.request

REQUEST = urllib.request.Request(
    os.environ["OPENAI_BASE_URL"] + "/chat/completions",
    json.dumps({"model": "gpt-4o", "messages": [{"role": "user", "content": "Why is the sky blue?"}]}).encode(),
    {"Content-Type": "application/json", "Authorization": "Bearer " + os.environ["OPENAI_API_KEY"]},
)


def wait(told):
    return 0.1


while True:
    try:
        answer = urllib.request.urlopen(REQUEST, timeout=30)
        break
    except urllib.error.HTTPError as error:
        if error.code != 429:
            raise
        time.sleep(wait(error.headers["Retry-After"]))
print(json.load(answer)["choices"][0]["message"]["content"])
