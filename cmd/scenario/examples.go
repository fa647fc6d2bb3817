package main

import (
	"strings"

	"github.com/spf13/cobra"
)

// examples are what --help shows of each command, by its path below the root:
// what people type most, then what they would not find. A line is a command,
// and what it does behind #.
var examples = map[string]string{
	"": `scenario init demo && scenario test demo
scenario test scenarios --run refund
scenario help fault http_error`,
	"test": `scenario test                             # every scenario below the working directory
scenario test shop.scenario.hcl:42        # the one that line 42 is in
scenario test --run 'refund|charge' -v    # by name, with a timeline
scenario test --report junit=out/junit.xml --report html=out/report.html`,
	"explore": `scenario explore shop.scenario.hcl
scenario explore --max-k 1 --emit scenarios/found
scenario explore --exec shop.scenario.hcl -- python3 shop.py`,
	"mutate": `scenario mutate shop.scenario.hcl
scenario mutate --min 90 --report html=mutants.html
scenario mutate --exec agent.scenario.hcl -- python3 agent.py`,
	"shrink":   `scenario shrink shop.scenario.hcl --run "a charge is made once"`,
	"coverage": `scenario coverage --open --min 80`,
	"exec": `scenario exec agent.scenario.hcl -- python3 agent.py
scenario exec --live --draft drafted.scenario.hcl agent.scenario.hcl -- ./agent`,
	"serve":  `scenario serve agent.scenario.hcl --listen openai=8080`,
	"bridge": `scenario bridge 127.0.0.1:41234 TOKEN      # what serve prints for a server over a pipe`,
	"run":    `scenario run shop.scenario.hcl --run "the happy path" -v`,
	"record": `scenario record shop.scenario.hcl
scenario record --drifted shop.scenario.hcl   # only what changed
scenario record --check shop.scenario.hcl     # writes nothing, shows what is answered otherwise now`,
	"bench": `scenario bench triage.scenario.hcl -v
scenario bench --trials 5 --report json=run.json && scenario bench --baseline run.json`,
	"validate": `scenario validate --strict
scenario validate --format github scenarios`,
	"plan":    `scenario plan shop.scenario.hcl --run refund`,
	"explain": `scenario explain shop.scenario.hcl --run refund`,
	"judge":   `scenario test --trace-out run.trace && scenario judge run.trace shop.scenario.hcl`,
	"fmt": `scenario fmt                # rewrites what is not formatted
scenario fmt --check --diff # changes nothing, exits with code 1`,
	"init": `scenario init demo && scenario test demo`,
	"merge": `scenario test --shard 1/2 --report merge=1.json
scenario test --shard 2/2 --report merge=2.json
scenario merge 1.json 2.json --report junit=junit.xml`,
	"import": `scenario import session.har -o session.yaml
scenario import wiremock/mappings -o stubs.scenario.hcl`,
	"cassette":         `scenario cassette ls cassettes`,
	"cassette ls":      `scenario cassette ls cassettes/shop.yaml`,
	"cassette show":    `scenario cassette show cassettes/shop.yaml 3`,
	"cassette verify":  `scenario cassette verify cassettes`,
	"cassette scan":    `scenario cassette scan cassettes`,
	"cassette diff":    `scenario cassette diff cassettes/monday.yaml cassettes/tuesday.yaml`,
	"cassette seal":    `scenario cassette seal cassettes/shop.yaml`,
	"cassette convert": `scenario cassette convert fixtures/vcr.yaml -o cassettes/shop.yaml`,
	"cassette gc":      `scenario cassette gc && scenario cassette gc --write`,
	"lsp":              `scenario lsp    # started by an editor, see docs/editors.md`,
	"mcp":              `scenario mcp    # started by an agent's client, see docs/mcp-server.md`,
	"version":          `scenario version`,
	"help":             `scenario help gate unused_reply`,
}

// exemplify gives the commands their examples.
func exemplify(cmd *cobra.Command, path string) {
	if text, ok := examples[path]; ok {
		cmd.Example = "  " + strings.ReplaceAll(text, "\n", "\n  ")
	}
	for _, sub := range cmd.Commands() {
		exemplify(sub, strings.TrimSpace(path+" "+sub.Name()))
	}
}
