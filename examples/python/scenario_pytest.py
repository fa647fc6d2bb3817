"""Test Python code against scenario files: each test has a session of its own.

In conftest.py write `pytest_plugins = ["scenario_pytest"]`, in pytest.ini
`scenario_files = agent.scenario.hcl`. A test that takes the fixture `scenario` has
the addresses of its session in the environment. Server and Session need no pytest.
"""
import json, os, subprocess, urllib.error, urllib.request

direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))  # past any proxy


class Server:
    """`scenario serve` on some files."""

    def __init__(self, *files):
        command = ["scenario", "serve", "--quiet", *files]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError(f"scenario serve ended with exit code {self.process.wait()}")
        self.addresses = json.loads(line)

    def control(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.addresses["control"] + path, data, method=method)
        try:
            with direct.open(request, timeout=30) as answer:
                return answer.status, json.loads(answer.read() or "null")
        except urllib.error.HTTPError as error:
            return error.code, json.loads(error.read() or "null")

    def close(self):
        self.process.terminate()
        self.process.wait(timeout=30)
        self.process.stdout.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


class Session:
    """One run of a scenario, which may be left out if the files have only one."""

    def __init__(self, server, scenario=None):
        self.server = server
        status, self.told = server.control("POST", "/sessions", {"scenario": scenario} if scenario else {})
        if status != 201:
            raise ValueError(self.told)

    def url(self, provider):
        """The base URL of a provider in this session."""
        return self._own(self.server.addresses["providers"][provider])

    def env(self):
        """The variables that lead to the services: OPENAI_BASE_URL and the like."""
        providers = self.server.addresses["providers"].values()
        return {k: self._own(v) for k, v in self.server.addresses["env"].items() if v in providers}

    def _own(self, url):
        scheme, _, host, path = (url + "/").split("/", 3)
        return f"{scheme}//{host}{self.told['prefix']}/{path}".rstrip("/")

    def finish(self):
        """Judges the session: an AssertionError says what does not hold."""
        path = f"/sessions/{self.told['id']}"
        status, told = self.server.control("POST", path + "/finish")
        self.server.control("DELETE", path)
        if status != 200:
            failures = told.get("result", {}).get("failures", [{"message": told}])
            lines = [f"{f.get('kind', '')} {f.get('name', '')}: {f['message']}" for f in failures]
            raise AssertionError(f"scenario {self.told['scenario']!r}\n" + "\n".join(lines))


try:
    import pytest
except ImportError:
    pytest = None
if pytest:
    def pytest_addoption(parser):
        parser.addini("scenario_files", "files for scenario serve", type="args", default=["."])

    def pytest_configure(config):
        config.addinivalue_line("markers", "scenario(name): the scenario that a test plays")

    @pytest.fixture(scope="session")
    def scenario_server(pytestconfig):
        with Server(*pytestconfig.getini("scenario_files")) as server:
            yield server

    @pytest.fixture
    def scenario(scenario_server, request, monkeypatch):
        mark = request.node.get_closest_marker("scenario")
        session = Session(scenario_server, *(mark.args if mark else ()))
        for name, value in session.env().items():
            monkeypatch.setenv(name, value)
        yield session
        session.finish()
