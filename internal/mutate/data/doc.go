// Package data makes changes of files that a program reads beside its source: rules, limits, lists of hosts, prompts.
// It knows JSON, YAML, TOML and other settings, tables, SQL and programs of jq, awk and
// sed, and takes all else line by line. It never panics,
// takes time that grows as the text does, and is pure: nothing is read or run.
//
//	for _, c := range data.Changes("rules.json", text) {
//		changed := c.Apply(text)
//	}
//
// data.go says which files are known and how many changes there are, node.go makes the changes of a tree, json.go and
// yaml.go read trees, lines.go reads what is written line by line, table.go what has rows and sql.go statements.
package data
