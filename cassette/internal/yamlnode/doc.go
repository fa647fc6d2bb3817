// Package yamlnode reads the nodes of YAML and JSON files, with their lines.
package yamlnode
