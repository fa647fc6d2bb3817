package suite

import (
	"testing"
	"testing/fstest"
)

// A text that is not saved takes the place of that of a file which an expression reads, of
// an imported file, too; one that may not be read is refused all the same.
func TestUnsavedTextsOfFilesThatAreRead(t *testing.T) {
	files := fstest.MapFS{
		"a.scenario.hcl":       {Data: []byte("import = [\"./deep/_w.scenario.hcl\"]\nscenario \"s\" {\n  run = workflow.w\n  expect \"a\" { output = file(\"deep/rules.txt\") }\n}\n")},
		"deep/_w.scenario.hcl": {Data: []byte("workflow \"w\" {\n  step \"value\" \"a\" { value = file(\"rules.txt\") }\n}\n")},
		"deep/rules.txt":       {Data: []byte("saved")},
		"private.scenario.hcl": {Data: []byte("scenario \"s\" { run = file(\".env\") }\n")},
		"missing.scenario.hcl": {Data: []byte("workflow \"w\" {\n  step \"value\" \"a\" { value = file(\"new.txt\") }\n}\nscenario \"s\" {\n  run = workflow.w\n  expect \"a\" { output = \"new\" }\n}\n")},
	}
	load := func(path string) *File {
		l := Loader{Source: FS(files), Unsaved: func(path string) ([]byte, bool) {
			switch path {
			case "deep/rules.txt", ".env", "new.txt":
				return []byte("not saved"), true
			}
			return nil, false
		}}
		defer l.Close()
		return l.Load(path)
	}
	f := load("a.scenario.hcl")
	if f.Failed() {
		t.Fatal(f.Diags, f.Crash)
	}
	saved := (&Loader{Source: FS(files)}).Load("a.scenario.hcl").Plans[0].Hash()
	files["deep/rules.txt"] = &fstest.MapFile{Data: []byte("not saved")}
	if want, got := (&Loader{Source: FS(files)}).Load("a.scenario.hcl").Plans[0].Hash(), f.Plans[0].Hash(); got != want || got == saved {
		t.Errorf("hash of the plan: %s, with the text in the file %s, with the saved one %s", got, want, saved)
	}
	for _, path := range []string{"private.scenario.hcl", "missing.scenario.hcl"} {
		if f := load(path); !f.Failed() {
			t.Errorf("%s is compiled", path)
		}
	}
}
