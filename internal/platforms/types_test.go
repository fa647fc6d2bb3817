package platforms

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"path/filepath"
	"strings"
)

// listed is what the go command says of a package.
type listed struct {
	ImportPath, Dir string
	GoFiles         []string
	ImportMap       map[string]string
	Module          *struct {
		Main      bool
		GoVersion string
	}
	Error *struct{ Err string }
}

// typed checks the types of every package of a module for a target, from the
// sources of all that it imports. Of the packages of others it reads the
// declarations alone.
func typed(dir, target string) error {
	cmd := command(dir, target, "list", "-e", "-deps", "-json=ImportPath,Dir,GoFiles,ImportMap,Module,Error", "./...")
	out, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("GOOS/GOARCH %s: go list: %w", target, err)
	}
	_, arch, _ := strings.Cut(target, "/")
	all, fset := map[string]*types.Package{"unsafe": types.Unsafe}, token.NewFileSet()
	var wrong []error
	for lines := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		if err := lines.Decode(&p); errors.Is(err, io.EOF) {
			return errors.Join(wrong...)
		} else if err != nil {
			return err
		}
		if p.Error != nil {
			wrong = append(wrong, fmt.Errorf("GOOS/GOARCH %s: %s: %s", target, p.ImportPath, p.Error.Err))
			continue
		}
		if p.ImportPath == "unsafe" {
			continue
		}
		own := p.Module != nil && p.Module.Main
		checked, err := p.check(fset, all, types.SizesFor("gc", arch), own)
		all[p.ImportPath] = checked
		if err != nil && own {
			wrong = append(wrong, fmt.Errorf("GOOS/GOARCH %s: %w", target, err))
		}
	}
}

// check reads a package whose imports were read before it.
func (p *listed) check(fset *token.FileSet, all map[string]*types.Package, sizes types.Sizes, own bool) (*types.Package, error) {
	var files []*ast.File
	for _, name := range p.GoFiles {
		f, err := parser.ParseFile(fset, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			return types.NewPackage(p.ImportPath, ""), err
		}
		files = append(files, f)
	}
	config := types.Config{
		IgnoreFuncBodies: !own, Sizes: sizes, Error: func(error) {},
		Importer: importer(func(path string) (*types.Package, error) {
			if other, ok := p.ImportMap[path]; ok {
				path = other
			}
			if found := all[path]; found != nil {
				return found, nil
			}
			return nil, fmt.Errorf("%s is not there", path)
		}),
	}
	if p.Module != nil && p.Module.GoVersion != "" {
		config.GoVersion = "go" + p.Module.GoVersion
	}
	return config.Check(p.ImportPath, fset, files, nil)
}

// importer is an importer of packages that is a function.
type importer func(path string) (*types.Package, error)

// Import has the package of a path.
func (f importer) Import(path string) (*types.Package, error) { return f(path) }
