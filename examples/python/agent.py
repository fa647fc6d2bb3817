"""An agent that asks a model, and asks again if it is told to come later."""
import json, os, time, urllib.error, urllib.request


def ask(question, tries=3):
    request = urllib.request.Request(
        os.environ["OPENAI_BASE_URL"] + "/chat/completions",
        json.dumps({"model": "gpt-4o", "messages": [{"role": "user", "content": question}]}).encode(),
        {"Content-Type": "application/json", "Authorization": "Bearer " + os.environ.get("OPENAI_API_KEY", "none")},
    )
    for attempt in range(tries):
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return json.load(answer)["choices"][0]["message"]["content"]
        except urllib.error.HTTPError as error:
            if error.code not in (429, 500, 502, 503) or attempt == tries - 1:
                raise
            time.sleep(float(error.headers.get("Retry-After", "0.1")))
