pytest_plugins = ["scenario_pytest"]
