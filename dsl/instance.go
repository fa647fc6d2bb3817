package dsl

import (
	"fmt"
	"strings"

	"github.com/hashicorp/hcl/v2"
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

// Instances names in each diagnostic the instances that it is about, and says
// what is wrong with several of them once.
func Instances(diags hcl.Diagnostics) hcl.Diagnostics {
	type said struct {
		at              hcl.Range
		severity        hcl.DiagnosticSeverity
		summary, detail string
	}
	var list hcl.Diagnostics
	var names [][]string
	seen := map[said]int{}
	for _, d := range diags {
		if d.Subject == nil || !strings.Contains(d.Subject.Filename, instanceMark) {
			list, names = append(list, d), append(names, nil)
			continue
		}
		own := *d
		subject := Place(*d.Subject)
		own.Subject, own.Context = &subject, nil
		key := said{subject, d.Severity, d.Summary, d.Detail}
		i, again := seen[key]
		if !again {
			i = len(list)
			seen[key] = i
			list, names = append(list, &own), append(names, nil)
		}
		if instance := instanceOf(*d.Subject); len(names[i]) == 0 || names[i][len(names[i])-1] != instance {
			names[i] = append(names[i], instance)
		}
	}
	for i, d := range list {
		if n := len(names[i]); n > 0 {
			d.Detail = FullStop(d.Detail)
			d.Detail += "\nInstance: " + strings.Join(names[i][:min(n, namedInstances)], ", ")
			if n > namedInstances {
				d.Detail += fmt.Sprintf(" and %d more", n-namedInstances)
			}
			d.Detail += "."
		}
	}
	return list
}
