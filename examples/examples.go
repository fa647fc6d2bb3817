// Package examples holds the files of this directory that people copy: the helpers for
// tests in pytest and in Node, which scenario init writes.
package examples

import "embed"

// Files are those that a project's own tests import, by their paths from here:
// python/scenario_pytest.py, node/scenario.mjs and node/scenario.d.mts.
//
//go:embed python/scenario_pytest.py node/scenario.mjs node/scenario.d.mts
var Files embed.FS
