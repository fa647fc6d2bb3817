package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/scenario-lang/scenario/internal/pages"
)

// tutorialMistakes are what goes wrong for who follows the tutorial about programs:
// edits of its files, in pairs of what is replaced and by what, a command, and what has to
// be said. The lines of what is specified about first mistakes are all here.
var tutorialMistakes = []struct {
	name, file string
	edit       []string
	command    []string
	exit       int
	says       []string
}{
	{
		name: "an unknown endpoint in on", file: "items.scenario.hcl", edit: []string{`on "items"`, `on "itmes"`},
		command: []string{"exec", "items.scenario.hcl", "--", "sh", "items.sh"}, exit: 3,
		says: []string{"items.scenario.hcl line 15", `No endpoint "itmes"`, `Did you mean "items"?`},
	},
	{
		name: "a match with what no request to the service has", file: "items.scenario.hcl", edit: []string{`path   = "/itmes"`, `tool   = "items"`},
		command: []string{"exec", "items.scenario.hcl", "--", "sh", "items.sh"}, exit: 3,
		says: []string{"items.scenario.hcl line 10", "Match that never fits", "has no tool"},
	},
	{
		name: "a match with the address in its path", file: "items.scenario.hcl", edit: []string{`"/itmes"`, `"https://shop.example/items"`},
		command: []string{"exec", "items.scenario.hcl", "--", "sh", "items.sh"}, exit: 3,
		says: []string{"items.scenario.hcl line 10", "Match that never fits", `Write path = "/items"`},
	},
	{
		name: "a match without its slash", file: "items.scenario.hcl", edit: []string{`"/itmes"`, `"items"`},
		command: []string{"exec", "items.scenario.hcl", "--", "sh", "items.sh"}, exit: 3,
		says: []string{"items.scenario.hcl line 10", "Match that never fits", `Write path = "/items"`},
	},
	{
		name: "a match with parameters in its path", file: "items.scenario.hcl", edit: []string{`"/itmes"`, `"/items?page=2"`},
		command: []string{"exec", "items.scenario.hcl", "--", "sh", "items.sh"}, exit: 3,
		says: []string{"items.scenario.hcl line 10", "Match that never fits", `path = "/items"`, "query = {"},
	},
	{
		name:    "the program is not found",
		command: []string{"exec", "stream.scenario.hcl", "--", "pyton3", "agent.py"}, exit: 3,
		says: []string{`there is no program "pyton3"`, "no directory of PATH", "nothing was run"},
	},
	{
		name:    "the program and its argument are one word",
		command: []string{"exec", "shop.scenario.hcl", "--", "sh items.sh"}, exit: 3,
		says: []string{`there is no program "sh items.sh"`, `Write its words apart: sh items.sh`},
	},
	{
		name:    "the file of the program is not found",
		command: []string{"exec", "stream.scenario.hcl", "--", "python3", "agnet.py"}, exit: 1,
		says: []string{"the program ended with status 2", "agnet.py", "No such file"},
	},
	{
		name:    "the two dashes are missing",
		command: []string{"exec", "stream.scenario.hcl", "python3", "agent.py"}, exit: 2,
		says: []string{`"python3" is a program`, "scenario exec stream.scenario.hcl -- python3 agent.py"},
	},
	{
		name:    "the scenario file is not found",
		command: []string{"exec", "steam.scenario.hcl", "--", "python3", "agent.py"}, exit: 2,
		says: []string{"no file or directory steam.scenario.hcl", "did you mean stream.scenario.hcl?"},
	},
	{
		name:    "a command of another name",
		command: []string{"exce", "stream.scenario.hcl", "--", "python3", "agent.py"}, exit: 2,
		says: []string{`unknown command "exce"`, `Did you mean "exec"?`},
	},
	{
		name:    "the command that starts no program",
		command: []string{"test", "stream.scenario.hcl"}, exit: 5,
		says: []string{"1 skipped", "scenario exec FILE -- PROGRAM"},
	},
	{
		name: "it is not ready", file: "stream.scenario.hcl",
		edit:    []string{`  on "llm" {`, "  sut {\n    ready {\n      log     = \"listening\"\n      timeout = \"300ms\"\n    }\n  }\n  on \"llm\" {"},
		command: []string{"exec", "-q", "stream.scenario.hcl", "--", "sh", "-c", "echo starting; sleep 30"}, exit: 1,
		says: []string{"the program was not ready", `"listening"`, "300ms", "starting"},
	},
	{
		name: "nothing ever asked", file: "agent.py", edit: []string{`os.environ["OPENAI_BASE_URL"]`, `"http://127.0.0.1:9"`},
		command: []string{"exec", "-q", "stream.scenario.hcl", "--", "python3", "agent.py"}, exit: 1,
		says: []string{`the program never asked provider "llm". It had `, "OPENAI_BASE_URL=", "env = { NAME = provider.llm.url }"},
	},
	{
		name:    "our certificates are not trusted",
		command: []string{"exec", "-q", "shop.scenario.hcl", "--", "curl", "--silent", "--fail", "--cacert", os.DevNull, "https://shop.example/items"}, exit: 1,
		says: []string{"does not trust the certificate that was made for shop.example", "SSL_CERT_FILE", "NODE_EXTRA_CA_CERTS"},
	},
	{
		name: "the base path is missing", file: "agent.py", edit: []string{`["OPENAI_BASE_URL"]`, `["OPENAI_BASE_URL"].removesuffix("/v1")`},
		command: []string{"exec", "-q", "stream.scenario.hcl", "--", "python3", "agent.py"}, exit: 1,
		says: []string{`gate "unmatched_call"`, "POST https://api.openai.com/chat/completions", "https://api.openai.com/v1"},
	},
	{
		name:    "a request that the service does not know",
		file:    "agent.py",
		edit:    []string{`"/chat/completions"`, `"/chat/completion"`},
		command: []string{"exec", "-q", "stream.scenario.hcl", "--", "python3", "agent.py"}, exit: 1,
		says: []string{`gate "unmatched_call"`, "POST https://api.openai.com/v1/chat/completion:", `provider "http" "NAME"`},
	},
	{
		name:    "HTTP/2",
		command: []string{"exec", "-q", "shop.scenario.hcl", "--", "sh", "-c", `curl --http2-prior-knowledge --silent --fail "$SHOP_URL/items"`}, exit: 1,
		says: []string{`gate "unmatched_call"`, "is a request of HTTP/2, which is not served", "HTTP/1.1"},
	},
	{
		name:    "gRPC",
		command: []string{"exec", "-q", "shop.scenario.hcl", "--", "sh", "-c", `curl --silent --fail -H 'Content-Type: application/grpc' -d x "$SHOP_URL/items"`}, exit: 1,
		says: []string{`gate "unmatched_call"`, "is a request of gRPC, which is not served"},
	},
	{
		name:    "WebSocket",
		command: []string{"exec", "-q", "shop.scenario.hcl", "--", "sh", "-c", `curl --silent --fail -H 'Connection: Upgrade' -H 'Upgrade: websocket' "$SHOP_URL/items"`}, exit: 1,
		says: []string{`gate "unmatched_call"`, "is a request of WebSocket, which is not served"},
	},
	{
		name: "an exact time on a real clock", file: "shop.scenario.hcl",
		edit:    []string{`within(endpoint.shop.calls[0].gaps_ms[0], "2900ms", "4500ms")`, `endpoint.shop.calls[0].gaps_ms[0] == 3`},
		command: []string{"exec", "-q", "shop.scenario.hcl", "--", "sh", "-c", `curl --silent --fail --retry 3 --retry-all-errors "$SHOP_URL/items"`}, exit: 1,
		says: []string{"time is real here", "within(endpoint.shop.calls[0].gaps_ms[0], "},
	},
	{
		name: "Ctrl-C in the middle of a stream", file: "agent.py",
		edit:    []string{"        if line.startswith", "        import signal, time; os.kill(os.getppid(), signal.SIGINT); time.sleep(60)\n        if line.startswith"},
		command: []string{"exec", "-q", "stream.scenario.hcl", "--", "python3", "agent.py"}, exit: 130,
		says: []string{"interrupted"},
	},
}

// Each mistake is answered by what is wrong, and what to write. The programs are real ones.
func TestTutorialMistakes(t *testing.T) {
	for _, program := range []string{"python3", "curl", "sh"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip("the tutorial starts a program that is not here: ", err)
		}
	}
	page, err := os.ReadFile(filepath.Join(repository, "docs", "tutorial-programs.md"))
	if err != nil {
		t.Fatal(err)
	}
	blocks, err := pages.Blocks(string(page))
	if err != nil {
		t.Fatal(err)
	}
	bin := commandDir(t)
	for _, m := range tutorialMistakes {
		t.Run(m.name, func(t *testing.T) {
			t.Parallel()
			p := &pageFolder{dir: t.TempDir(), bin: bin}
			texts := map[string]string{}
			for _, b := range blocks {
				if b.Directive == "file" && texts[b.Argument] == "" {
					texts[b.Argument] = b.Text // what comes later mends it
				}
			}
			for i := 0; i+1 < len(m.edit); i += 2 {
				if !strings.Contains(texts[m.file], m.edit[i]) {
					t.Fatalf("%s has no %q", m.file, m.edit[i])
				}
				texts[m.file] = strings.Replace(texts[m.file], m.edit[i], m.edit[i+1], 1)
			}
			for name, text := range texts {
				if err := p.write(name, text); err != nil {
					t.Fatal(err)
				}
			}
			printed := p.typed(t, m.command...)
			if p.exit != m.exit {
				t.Errorf("exit code %d, want %d", p.exit, m.exit)
			}
			for _, want := range m.says {
				if !strings.Contains(unwrapped(printed), want) {
					t.Errorf("nothing says %q", want)
				}
			}
			if strings.Contains(printed, "panic") || strings.Contains(printed, "goroutine ") {
				t.Error("it panics")
			}
			if t.Failed() {
				t.Log(printed)
			}
		})
	}
}

// Shows what the commands of the tutorial say where none of its files is.
func TestTutorialInAnEmptyFolder(t *testing.T) {
	bin := commandDir(t)
	for _, c := range []struct {
		command []string
		exit    int
		says    string
	}{
		{[]string{"exec", "-q", "stream.scenario.hcl", "--", "python3", "agent.py"}, 2, "there is no file or directory stream.scenario.hcl"},
		{[]string{"exec", "--", "sh", "-c", "true"}, 5, "no scenario files in ."},
		{[]string{"exec"}, 5, "no scenario files in ."},
		{[]string{"test"}, 5, "no scenario files in ."},
		{[]string{"serve"}, 5, "no scenario files in ."},
	} {
		p := &pageFolder{dir: t.TempDir(), bin: bin}
		printed := p.typed(t, c.command...)
		if p.exit != c.exit || !strings.Contains(printed, c.says) || !strings.Contains(printed, "hint: ") {
			t.Errorf("%q: exit code %d, want %d and %q:\n%s", c.command, p.exit, c.exit, c.says, printed)
		}
	}
}

// typed is what the command prints, run in the folder.
func (p *pageFolder) typed(t *testing.T, args ...string) string {
	t.Helper()
	cmd := exec.Command(filepath.Join(p.bin, "scenario"), args...)
	cmd.Dir, cmd.Env = p.dir, cleanEnv()
	out, _ := cmd.CombinedOutput()
	p.exit = cmd.ProcessState.ExitCode()
	return string(out)
}

// unwrapped is a text in one line.
func unwrapped(text string) string { return strings.Join(strings.Fields(text), " ") }
