package main

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/scenario-lang/scenario/internal/pattern"
)

const llmsIntro = `# scenario

> A language and a command that find out what a program does when the services that it calls fail: LLMs, MCP servers, HTTP APIs, databases. Files (*.scenario.hcl) say what each service does, attempt by attempt, and what must hold all the same. Runs are deterministic, on a virtual clock, without a network or keys.

Begin with [the language on one page](docs/agents.md): it is enough to write scenarios, and ` + "`scenario help language`" + ` prints it offline. ` + "`scenario help fault|gate|kind NAME`" + ` explains a word with an example that runs, ` + "`scenario validate FILE`" + ` names mistakes and what to write instead, and ` + "`scenario mcp`" + ` serves all of this as [tools](docs/mcp-server.md). [Installing](docs/install.md) it takes a minute.
`

// link is the target of a link in docs/README.md.
var link = pattern.New(`\]\(([^)#:]+)`)

// llmsPage is the list of all pages for language models (llmstxt.org), which has the
// sections of docs/README.md. What is for those who change this project is optional.
func llmsPage(root string) (string, error) {
	index, err := os.ReadFile(filepath.Join(root, "docs", "README.md"))
	if err != nil {
		return "", err
	}
	_, sections, _ := strings.Cut(string(index), "\n## ")
	sections = link().ReplaceAllStringFunc("\n## "+sections, func(l string) string {
		to := strings.TrimPrefix(l, "](")
		if above, ok := strings.CutPrefix(to, "../"); ok {
			return "](" + above
		}
		return "](docs/" + to
	})
	return llmsIntro + strings.Replace(sections, "\n## Work on it\n", "\n## Optional\n", 1), nil
}
