// Package python reads YAML as PyYAML does, and writes JSON as the module json
// of Python does.
package python
