"""Wrong: what may have been written is written again."""

import json
import os
import queue
import subprocess
import sys
import threading


class Server:
    def __init__(self, command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.answers, self.count = queue.Queue(), 0
        threading.Thread(target=self.read, daemon=True).start()
        hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "notes", "version": "1"}}
        self.ask("initialize", hello)
        self.say({"method": "notifications/initialized"})
        tools = self.ask("tools/list")["tools"]
        self.tools = [tool["name"] for tool in tools]

    def read(self):
        for line in self.process.stdout:
            self.answers.put(json.loads(line))
        self.answers.put(None)

    def say(self, message):
        print(json.dumps({"jsonrpc": "2.0", **message}), file=self.process.stdin, flush=True)

    def ask(self, method, params={}, timeout=10):
        self.count += 1
        id = self.count
        self.say({"id": id, "method": method, "params": params})
        while True:
            try:
                answer = self.answers.get(timeout=timeout)
            except queue.Empty:
                self.say({"method": "notifications/cancelled", "params": {"requestId": id}})
                raise TimeoutError from None
            if answer is None:
                raise ConnectionError
            if answer.get("id") == id:
                return answer["result"]

    def call(self, tool, **arguments):
        result = self.ask("tools/call", {"name": tool, "arguments": arguments}, timeout=0.3)
        if result.get("isError"):
            sys.exit(result["content"][0]["text"])
        return result.get("structuredContent")


server = Server(json.loads(os.environ["NOTES"]))
assert "search" in server.tools, server.tools
for last in (False, True):
    try:
        [hit] = server.call("search", query=sys.argv[1])["hits"]
        break
    except TimeoutError:
        if last:
            raise
try:
    server.call("append", note=hit, text="buy " + sys.argv[1])
except (ConnectionError, TimeoutError):
    server = Server(json.loads(os.environ["NOTES"]))
    server.call("append", note=hit, text="buy " + sys.argv[1])
