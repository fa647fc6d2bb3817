package dsl

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/scenario-lang/scenario/dsl/wording"
)

// What stands in a file once and is there several times, as one scenario for
// each key of its for_each, has the same place each time. So that a diagnostic
// can say which one it is about, whoever makes it, the file names in the ranges
// of an instance carry the instance behind this byte, which no name of a file
// has.
const instanceMark = "\x00"

// marked is a file name in the ranges of an instance.
func marked(file, instance string) string { return file + instanceMark + instance }

// Place is a range without the instance that it is of.
func Place(rng hcl.Range) hcl.Range {
	rng.Filename, _, _ = strings.Cut(rng.Filename, instanceMark)
	return rng
}

// instanceOf names the instance that a range is of, "" for none.
func instanceOf(rng hcl.Range) string {
	_, instance, _ := strings.Cut(rng.Filename, instanceMark)
	return strings.ReplaceAll(instance, instanceMark, " › ")
}

// namedInstances is how many instances one diagnostic names.
const namedInstances = 3

// WrongInstances is after how many wrong instances of a block the rest need not be
// looked at.
const WrongInstances = 200

// A told diagnostic is one for all instances that it is about: what is wrong in the
// same place of several is said once, although the values differ that it mentions.
type told struct {
	*hcl.Diagnostic
	// instances have it, of which others say it in other words.
	instances, others []string
}

// Instances names in each diagnostic the instances that it is about, and says
// what is wrong with several of them once.
func Instances(diags hcl.Diagnostics) hcl.Diagnostics {
	type said struct {
		at       hcl.Range
		severity hcl.DiagnosticSeverity
		summary  string
		// nth counts what one instance has of it, in different words.
		nth int
	}
	var list []*told
	seen := map[said]*told{}
	words := map[said]map[string][]string{} // by instance
	for _, d := range diags {
		if d.Subject == nil || !strings.Contains(d.Subject.Filename, instanceMark) {
			list = append(list, &told{Diagnostic: d})
			continue
		}
		own, subject, instance := *d, Place(*d.Subject), instanceOf(*d.Subject)
		own.Subject, own.Context = &subject, nil
		key := said{at: subject, severity: d.Severity, summary: d.Summary}
		if words[key] == nil {
			words[key] = map[string][]string{}
		}
		if slices.Contains(words[key][instance], d.Detail) {
			continue
		}
		words[key][instance] = append(words[key][instance], d.Detail)
		key.nth = len(words[key][instance])
		t := seen[key]
		if t == nil {
			t = &told{Diagnostic: &own}
			seen[key], list = t, append(list, t)
		}
		if t.Detail == d.Detail {
			t.instances = append(t.instances, instance)
		} else {
			t.others = append(t.others, instance)
		}
	}
	var once hcl.Diagnostics
	for _, t := range list {
		t.name()
		once = append(once, t.Diagnostic)
	}
	return once
}

// name adds the instances to what is said.
func (t *told) name() {
	if len(t.instances) == 0 {
		return
	}
	t.Detail = wording.FullStop(t.Detail) + "\nInstance: " + some(t.instances)
	if len(t.others) > 0 {
		t.Detail += "; with other values: " + some(t.others)
	}
	t.Detail += "."
}

// some lists the first of some instances and counts the others.
func some(names []string) string {
	list := strings.Join(names[:min(len(names), namedInstances)], ", ")
	switch more := len(names) - namedInstances; {
	case more <= 0:
		return list
	case len(names) >= WrongInstances-1:
		return list + fmt.Sprintf(" and at least %d more", more)
	default:
		return list + fmt.Sprintf(" and %d more", more)
	}
}
