import urllib.error

import pytest

from agent import ask


@pytest.mark.scenario("a rate limit is survived")
def test_rate_limit(scenario):
    assert ask("Why is the sky blue?") == "Rayleigh scattering."


@pytest.mark.scenario("a bad key is not tried again")
def test_bad_key(scenario):
    with pytest.raises(urllib.error.HTTPError):
        ask("Why is the sky blue?")
