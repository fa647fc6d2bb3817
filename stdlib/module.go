package stdlib

import (
	"embed"
	"strings"
)

// ModulePrefix begins the names of the files of the standard library.
const ModulePrefix = "std/"

const moduleSuffix = ".scenario.hcl"

//go:embed *.scenario.hcl
var modules embed.FS

// IsModule reports whether a path of an import, or the name of a file that a
// message points at, is in the standard library, which is no file on disk.
func IsModule(path string) bool { return strings.HasPrefix(path, ModulePrefix) }

// Module is the text of a file of the standard library by its name without
// the prefix, such as "cuga".
func Module(name string) (src []byte, ok bool) {
	if strings.Contains(name, "/") {
		return nil, false
	}
	src, err := modules.ReadFile(name + moduleSuffix)
	return src, err == nil
}

// ModuleNames are the names of all files of the standard library, sorted, as
// an import writes them.
func ModuleNames() []string {
	entries, err := modules.ReadDir(".")
	if err != nil {
		panic(err) // it is part of the binary
	}
	names := make([]string, len(entries))
	for i, e := range entries {
		names[i] = ModulePrefix + strings.TrimSuffix(e.Name(), moduleSuffix)
	}
	return names
}
