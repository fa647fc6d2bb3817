package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// nvimFile is a file with one typing error, and lines for the session to
// change.
const nvimFile = `provider "openai" "primary" { model = "gpt-4o-mini" }

retry "exponential" "std" {
  max_retries = 3
}

workflow "support" {
  provider = provider.primary
  step "llm" "classify" { prompt = "🙂" }
  step "llm" "answer" {
    prompt = "🙂 ${step.clasify.content}"
    retry  = retry.std
  }
}

scenario "works" {
  run = workflow.support
  on "classify" {
    reply { content = "x" }
  }
  on "answer" {
    reply { content = "🙂" }
  }
  assert "answers" {
    condition = step.answer.attempts != []
  }
  assert "passes it on" {
    condition = strcontains(step.answer.attempts[0].request.body, "🙂 x")
  }
}
`

// Shows that a real editor, with the settings that docs/editors.md gives, can
// do what the page says: the session reads what the editor shows and what its
// buffer holds, and what it leaves is a suite that passes.
func TestNeovim(t *testing.T) {
	nvim, err := exec.LookPath("nvim")
	if err != nil {
		t.Skip("nvim is not installed; the language server was tested without an editor")
	}
	session, err := filepath.Abs("testdata/nvim/session.lua")
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile("../../docs/editors.md")
	if err != nil {
		t.Fatal(err)
	}
	_, block, _ := strings.Cut(string(page), "```lua\n")
	block, _, _ = strings.Cut(block, "```\n")

	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	init := write("init.lua", block)
	file := write("works.scenario.hcl", nvimFile)

	cmd := exec.Command(nvim, "--headless", "-i", "NONE", "-n", "-u", init, "-c", "luafile "+session)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "PATH="+commandDir(t)+string(os.PathListSeparator)+os.Getenv("PATH"), "SCENARIO_TEST_FILE="+file,
		"HOME="+dir, "XDG_CONFIG_HOME="+dir, "XDG_DATA_HOME="+dir, "XDG_STATE_HOME="+dir, "XDG_CACHE_HOME="+dir, "NVIM_LOG_FILE="+filepath.Join(dir, "log"))
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.HasSuffix(strings.TrimSpace(string(out)), "done") {
		log, _ := filepath.Glob(filepath.Join(dir, "*", "lsp.log"))
		for _, name := range log {
			text, _ := os.ReadFile(name)
			t.Logf("%s", text)
		}
		t.Fatalf("%v\n%s", err, out)
	}

	written, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	want := strings.NewReplacer("clasify", "sort", "classify", "sort", "condition = step.answer.attempts != []", `condition = step.answer.content == "🙂"`).Replace(nvimFile)
	if string(written) != want {
		t.Errorf("the editor wrote\n%s\nwant\n%s", written, want)
	}
}
