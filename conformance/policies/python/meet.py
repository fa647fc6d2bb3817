"""Asks at every meeting with the library that the first argument names, and writes what its
caller gets: "ok", a status, "connection" or "timeout". With "version" it says which one it is."""

import json, os, sys, threading, urllib.error, urllib.request
from importlib import import_module, metadata

library = sys.argv[1]
module = import_module(library)
if sys.argv[2:] == ["version"]:
    print(metadata.version(library))
    sys.exit()

urls = json.loads(os.environ["CONFORMANCE_URLS"])
said = {}
PATIENCE = 0.4


def with_requests(url, method, timeout):
    try:
        return module.request(method, url, timeout=timeout).status_code
    except module.Timeout:
        return "timeout"
    except module.ConnectionError:
        return "connection"


def with_httpx(url, method, timeout):
    try:
        return module.request(method, url, timeout=timeout).status_code
    except module.TimeoutException:
        return "timeout"
    except module.TransportError:
        return "connection"


def with_urllib3(url, method, timeout):
    pool = module.PoolManager(retries=module.Retry())
    try:
        return pool.request(method, url, timeout=module.Timeout(timeout)).status
    except module.exceptions.MaxRetryError as e:
        return "timeout" if isinstance(e.reason, module.exceptions.TimeoutError) else "connection"
    except module.exceptions.TimeoutError:
        return "timeout"
    except module.exceptions.HTTPError:
        return "connection"


@(module.retry if library == "tenacity" else lambda f: f)
def with_tenacity(url, method, timeout):
    with urllib.request.urlopen(urllib.request.Request(url, method=method), timeout=timeout) as response:
        return response.status


ask = globals()["with_" + library]


def meet(name, url):
    got = ask(url, "POST" if name.endswith("_post") else "GET", PATIENCE if name == "hang" else 60)
    said[name] = "ok" if got == 200 else str(got)


threads = [threading.Thread(target=meet, args=item) for item in urls.items()]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
with open(os.environ["CONFORMANCE_SAID"], "w") as file:
    json.dump(said, file)
