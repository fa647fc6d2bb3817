package stdlib

import (
	"embed"
	"strings"
)

// LibraryPrefix begins the names of the files of the standard library.
const LibraryPrefix = "std/"

const librarySuffix = ".scenario.hcl"

//go:embed *.scenario.hcl
var library embed.FS

// Library is the text of a file of the standard library by its name without
// the prefix, such as "cuga".
func Library(name string) (src []byte, ok bool) {
	if strings.Contains(name, "/") {
		return nil, false
	}
	src, err := library.ReadFile(name + librarySuffix)
	return src, err == nil
}

// LibraryNames are the names of all files of the standard library, sorted, as
// an import writes them.
func LibraryNames() []string {
	entries, err := library.ReadDir(".")
	if err != nil {
		panic(err) // it is part of the binary
	}
	names := make([]string, len(entries))
	for i, e := range entries {
		names[i] = LibraryPrefix + strings.TrimSuffix(e.Name(), librarySuffix)
	}
	return names
}
