package language

import (
	"fmt"
	"slices"
	"sync"

	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/scenario-lang/scenario/faults"
	"github.com/scenario-lang/scenario/providers/catalog"
	"github.com/scenario-lang/scenario/schema"
	"github.com/scenario-lang/scenario/stdlib"
)

// Extensions are what a program adds to the language for its own files. A nil
// one adds nothing. It is safe for concurrent use once nothing is added any
// more.
type Extensions struct {
	functions []stdlib.Func
	providers []*catalog.Kind
	faults    []*faults.Kind
	versions  []string

	once sync.Once
	file *schema.Block
}

// AddFunction adds a function of values. It must give equal results for equal
// arguments, as long as its version stays.
func (e *Extensions) AddFunction(f stdlib.Func, version string) error {
	known := slices.Concat(stdlib.List(), stdlib.Queries(), stdlib.Environment(), e.functions)
	taken := slices.ContainsFunc(known, func(k stdlib.Func) bool { return k.Name == f.Name })
	if err := e.add("function", f.Name, version, taken); err != nil {
		return err
	}
	e.functions = append(e.functions, f)
	return nil
}

// AddProvider adds a kind of provider.
func (e *Extensions) AddProvider(k *catalog.Kind, version string) error {
	if !slices.Contains([]string{"llm", "http", "mcp", "sql"}, k.Family) || k.Adapter == nil || k.ReplyOutput == nil {
		return fmt.Errorf("the provider kind %q needs a family (llm, http, mcp or sql), an adapter and ReplyOutput", k.Name)
	}
	if err := e.add("provider kind", k.Name, version, e.Provider(k.Name) != nil); err != nil {
		return err
	}
	e.providers = append(e.providers, k)
	return nil
}

// AddFault adds a kind of fault.
func (e *Extensions) AddFault(k *faults.Kind, version string) error {
	if k.Script == nil || len(k.For) == 0 {
		return fmt.Errorf("the fault kind %q needs a script, and what it is for", k.Name)
	}
	if err := e.add("fault kind", k.Name, version, e.Fault(k.Name) != nil); err != nil {
		return err
	}
	e.faults = append(e.faults, k)
	return nil
}

func (e *Extensions) add(what, name, version string, taken bool) error {
	switch {
	case taken:
		return fmt.Errorf("there is a %s %q already", what, name)
	case !hclsyntax.ValidIdentifier(name):
		return fmt.Errorf("%q is no name of a %s: a name is letters, digits and underscores", name, what)
	case version == "":
		return fmt.Errorf("the %s %q needs a version, which is part of the hash of every plan: change it when the %s changes", what, name, what)
	}
	e.versions = append(e.versions, what+" "+name+" "+version)
	return nil
}

// Functions are those that were added.
func (e *Extensions) Functions() []stdlib.Func {
	if e == nil {
		return nil
	}
	return e.functions
}

// Provider is the kind of provider of that name, of the catalogue's or an added
// one; nil where there is none.
func (e *Extensions) Provider(name string) *catalog.Kind {
	for _, k := range e.providerKinds() {
		if k.Name == name {
			return k
		}
	}
	return nil
}

// Fault is the kind of fault of that name, of the catalogue's or an added one;
// nil where there is none.
func (e *Extensions) Fault(name string) *faults.Kind {
	for _, k := range e.faultKinds() {
		if k.Name == name {
			return k
		}
	}
	return nil
}

func (e *Extensions) providerKinds() []*catalog.Kind {
	if e == nil {
		return catalog.Kinds()
	}
	return slices.Concat(catalog.Kinds(), e.providers)
}

// FaultNames are the names of all kinds of faults.
func (e *Extensions) FaultNames() []string {
	kinds := e.faultKinds()
	names := make([]string, len(kinds))
	for i, k := range kinds {
		names[i] = k.Name
	}
	return names
}

func (e *Extensions) faultKinds() []*faults.Kind {
	if e == nil {
		return faults.Kinds()
	}
	return slices.Concat(faults.Kinds(), e.faults)
}

// Versions name what was added with its version, sorted: two programs whose
// languages have equal versions run equal files equally.
func (e *Extensions) Versions() []string {
	if e == nil {
		return nil
	}
	return slices.Sorted(slices.Values(e.versions))
}

// File is the schema of a file in the extended language. It is built once and
// must not be changed.
func (e *Extensions) File() *schema.Block {
	if e == nil || len(e.providers)+len(e.faults) == 0 {
		return File()
	}
	e.once.Do(func() { e.file = fileOf(e) })
	return e.file
}
