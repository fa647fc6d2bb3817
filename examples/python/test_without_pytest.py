"""The same with unittest, which comes with Python: python3 -m unittest"""
import os, unittest

from agent import ask
from scenario_pytest import Server, Session


class AgentTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = Server("agent.scenario.hcl")
        cls.addClassCleanup(cls.server.close)

    def test_rate_limit(self):
        session = Session(self.server, "a rate limit is survived")
        os.environ.update(session.env())
        self.assertEqual(ask("Why is the sky blue?"), "Rayleigh scattering.")
        session.finish()

    def test_a_session_that_fails(self):
        session = Session(self.server, "nobody calls")
        with self.assertRaisesRegex(AssertionError, "unused_reply"):
            session.finish()

    def test_an_unknown_provider(self):
        session = Session(self.server, "a rate limit is survived")
        with self.assertRaisesRegex(ValueError, "Did you mean 'llm'\\? There are: llm"):
            session.url("lmm")

    def test_an_unknown_scenario(self):
        with self.assertRaisesRegex(ValueError, "no such thing"):
            Session(self.server, "no such thing")
