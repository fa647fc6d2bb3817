"""Test Python code against scenario files: each test has a session of its own.
In conftest.py write `pytest_plugins = ["scenario_pytest"]`, in pytest.ini
`scenario_files = agent.scenario.hcl`. A test that takes the fixture `scenario` has
the addresses of its session in the environment. Server and Session need no pytest.
"""
import contextlib, difflib, json, shutil, subprocess, urllib.error, urllib.request
direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))  # past any proxy


class Server:
    """`scenario serve` on some files."""

    def __init__(self, *files):
        if not shutil.which("scenario"):
            raise RuntimeError("there is no command `scenario` in PATH: install it, or add its directory")
        command = [shutil.which("scenario"), "serve", "--quiet", *map(str, files)]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError(f"scenario serve ended with exit code {self.process.wait()}")
        self.addresses = json.loads(line)

    def control(self, method, path, body=None):
        data = json.dumps(body or {}).encode()
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


class Session:
    """One run of a scenario, which may be left out if the files have only one."""

    def __init__(self, server, scenario=None):
        self.server = server
        status, self.told = server.control("POST", "/sessions", {"scenario": scenario} if scenario else {})
        if status != 201:
            raise ValueError(self.told)

    def url(self, provider):
        """The base URL of a provider in this session."""
        providers = self.server.addresses["providers"]
        if provider not in providers:
            meant = difflib.get_close_matches(provider, providers, 1)
            hint = f" Did you mean {meant[0]!r}?" if meant else ""
            names = ", ".join(providers) or "none over HTTP"
            raise ValueError(f"the scenario files have no provider {provider!r}.{hint} There are: {names}")
        return self._own(providers[provider])

    def env(self):
        """The variables of clients: OPENAI_BASE_URL and the like, and keys that open nothing."""
        env, providers = self.server.addresses["env"], self.server.addresses["providers"].values()
        return {k: self._own(v) if v in providers else v for k, v in env.items() if v in [*providers, "scenario"]}

    def _own(self, url):
        scheme, _, host, path = (url + "/").split("/", 3)
        return f"{scheme}//{host}{self.told['prefix']}/{path}".rstrip("/")

    def verdict(self):
        """Judges the session: "" if the scenario holds, else what does not."""
        path = f"/sessions/{self.told['id']}"
        status, told = self.server.control("POST", path + "/finish")
        self.server.control("DELETE", path)
        # Why nothing was asked comes first: the rest may follow from that.
        return "" if status == 200 else "\n".join([*told.get("warnings", []), told.get("text") or str(told)])

    def finish(self):
        """Judges the session: an AssertionError says what does not hold."""
        if problem := self.verdict():
            raise AssertionError(problem)


try:
    import pytest
except ImportError:
    pytest = None
if pytest:
    def pytest_addoption(parser):
        parser.addini("scenario_files", "files for scenario serve", type="paths", default=["."])

    def pytest_configure(config):
        config.addinivalue_line("markers", "scenario(name): the scenario that a test plays")

    @pytest.fixture(scope="session")
    def scenario_server(pytestconfig):
        with contextlib.closing(Server(*pytestconfig.getini("scenario_files"))) as server:
            yield server

    @pytest.fixture
    def scenario(scenario_server, request, monkeypatch):
        mark = request.node.get_closest_marker("scenario")
        session = Session(scenario_server, *(mark.args if mark else ()))
        for name, value in session.env().items():
            monkeypatch.setenv(name, value)
        yield session
        if problem := session.verdict():
            pytest.fail(problem, pytrace=False)
