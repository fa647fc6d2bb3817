package benches

import "testing"

// Shows that the port of a service on this machine is no difference between two
// runs, and that its host, its path, and ports elsewhere are.
func TestEnvironmentSumLeavesLoopbackPortsOut(t *testing.T) {
	for _, c := range []struct {
		a, b  string
		alike bool
	}{
		{"OPENAI_BASE_URL=http://127.0.0.1:4001/v1", "OPENAI_BASE_URL=http://127.0.0.1:50222/v1", true},
		{"URL=http://localhost:1", "URL=http://localhost:2", true},
		{"URL=http://[::1]:1/a", "URL=http://[::1]:2/a", true},
		{"URL=http://127.0.0.1:1/a", "URL=http://127.0.0.1:1/b", false},
		{"URL=https://models.test:1/", "URL=https://models.test:2/", false},
		{"MODEL=a:1", "MODEL=a:2", false},
	} {
		if got := environmentSum([]string{c.a}, nil, nil) == environmentSum([]string{c.b}, nil, nil); got != c.alike {
			t.Errorf("%s and %s: alike is %v", c.a, c.b, got)
		}
	}
}

// Shows that what a command around this one sets is no difference between two of its
// runs, that it is one between such a run and another, and that a value that changed is
// named but not told.
func TestHandedVariablesCompareAsEqual(t *testing.T) {
	handed := map[string]bool{"KEY": true, "BUNDLE": true}
	sum := func(key, bundle, model string, handed map[string]bool) string {
		return environmentSum([]string{"KEY=" + key, "BUNDLE=" + bundle, "MODEL=" + model}, handed, nil)
	}
	first := sum("real", "/tmp/1", "small", handed)
	if first != sum("placeholder", "/tmp/2", "small", handed) {
		t.Error("what was handed out counts")
	}
	if first == sum("real", "/tmp/1", "large", handed) {
		t.Error("what was not handed out does not count")
	}
	if first == sum("real", "/tmp/1", "small", nil) {
		t.Error("a run of its own is one inside of another command")
	}
	now, before := &benchInputs{salt: "s", variables: map[string]string{}}, &benchInputs{salt: "s", variables: map[string]string{}}
	environmentSum([]string{"KEY=hidden-1", "MODEL=m"}, nil, before.note)
	environmentSum([]string{"KEY=hidden-2", "MODEL=m"}, nil, now.note)
	if _, variables := now.manifest().changed(before.manifest()); len(variables) != 1 || variables[0] != "KEY" {
		t.Errorf("changed are %q", variables)
	}
	if v := now.variables["KEY"]; len(v) != 4 {
		t.Errorf("the manifest says %q of a value", v)
	}
}
