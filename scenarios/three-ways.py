import json, os, time, urllib.error, urllib.request

question = {"model": "gpt-4o", "messages": [{"role": "user", "content": "Why is the sky blue?"}]}
headers = {"Content-Type": "application/json", "Authorization": "Bearer " + os.environ["OPENAI_API_KEY"]}
for attempt in range(3):
    try:
        request = urllib.request.Request(os.environ["OPENAI_BASE_URL"] + "/chat/completions", json.dumps(question).encode(), headers)
        raise SystemExit(print(json.load(urllib.request.urlopen(request))["choices"][0]["message"]["content"]))
    except OSError as error:
        time.sleep(max(0.5, float(getattr(error, "headers", {}).get("Retry-After", 0))))
raise SystemExit("no answer")
