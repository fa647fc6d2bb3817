package sut

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Shows which variables no file of a program names, and where nothing is said: of what runtimes read, of a name in
// the command or in any file beside the program, and of programs whose files are not all seen.
func TestUnnamed(t *testing.T) {
	root := t.TempDir()
	dir, sealed, binary := filepath.Join(root, "open"), filepath.Join(root, "sealed"), filepath.Join(t.TempDir(), "python3")
	for name, text := range map[string]string{
		"pay.py": `level = os.environ.get("PAY_LOGLEVEL")`, "lib/rates.json": `{"from": "RATES_URL"}`, "a.scenario.hcl": `env = { LOG_LEVEL = "debug" }`,
		".git/config": "LOG_LEVEL", "sealed/app.jar": "", "sealed/app.py": "",
	} {
		file := filepath.Join(dir, name)
		if strings.HasPrefix(name, "sealed/") {
			file = filepath.Join(root, name)
		}
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(binary, nil, 0o777); err != nil {
		t.Fatal(err)
	}
	large := filepath.Join(t.TempDir(), "large.py")
	if err := os.WriteFile(large, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(large, searchedSize+1); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		command, vars string
		sealed        bool
		want          []string
	}{
		"none has it":             {"python3 pay.py", "LOG_LEVEL BANK_URL PAY_LOGLEVEL", false, []string{"LOG_LEVEL"}},
		"a part of another name":  {"python3 pay.py", "PAY_LOG", false, nil},
		"of a runtime":            {"python3 pay.py", "PYTHONPATH TZ LD_PRELOAD PGHOST", false, nil},
		"in the command":          {"python3|-c|print(os.environ['LOG_LEVEL'])", "LOG_LEVEL RETRIES", false, []string{"RETRIES"}},
		"a program elsewhere":     {"python3|-m|uvicorn", "LOG_LEVEL", false, nil},
		"packed":                  {"python3 app.py", "LOG_LEVEL", true, nil},
		"larger than is searched": {"python3 " + large, "LOG_LEVEL", false, nil},
	} {
		vars := map[string]string{}
		for _, v := range strings.Fields(c.vars) {
			vars[v] = "x"
			if strings.HasSuffix(v, "_URL") {
				vars[v] = "http://127.0.0.1:1"
			}
		}
		command := strings.Split(c.command, "|")
		if len(command) == 1 {
			command = strings.Fields(c.command)
		}
		at := dir
		if c.sealed {
			at = sealed
		}
		if got := unnamed(vars, binary, command, at); !slices.Equal(c.want, got) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
