package sut

import (
	"bytes"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// How many files of a program are searched for a name, and how much of them.
const (
	searchedMost = 2_000
	searchedSize = 64 << 20
)

// elsewhere are beginnings of variables that a runtime, a shell or a widely used library reads, whose files
// are not the program's.
var elsewhere = []string{
	"PYTHON", "PIP_", "VIRTUAL_ENV", "NODE_", "NPM_", "npm_", "UV_", "JAVA_", "JDK_", "_JAVA", "GOMAXPROCS", "GODEBUG", "GOGC", "GOMEM", "GOTRACE", "GOFLAGS", "GOPATH", "GOROOT", "GOCACHE", "GOPROXY", "CGO_", "RUBY", "GEM_", "BUNDLE_", "PERL", "PHP", "DOTNET_", "ASPNETCORE_", "RUST_", "CARGO_",
	"LD_", "DYLD_", "LC_", "LANG", "MALLOC_", "GLIBC_", "OTEL_", "AWS_", "GOOGLE_", "GCP_", "GCLOUD_", "AZURE_", "OPENAI_", "ANTHROPIC_", "OLLAMA_", "CO_API", "GEMINI_", "LANGCHAIN_", "LANGSMITH_", "LITELLM_", "PG",
	"SSL_", "SSLKEY", "CURL_", "REQUESTS_", "HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy", "NO_PROXY", "no_proxy", "NO_COLOR", "ALL_PROXY", "all_proxy", "FORCE_COLOR", "FLASK_", "DJANGO_", "UVICORN_", "GUNICORN_", "CELERY_", "SENTRY_", "DATADOG_", "DD_", "XDG_", "SCENARIO",
}

// common are such variables by their whole names.
var common = []string{"TZ", "PATH", "HOME", "USER", "LOGNAME", "SHELL", "PWD", "TMPDIR", "TEMP", "TMP", "TERM", "COLUMNS", "LINES", "CI", "DEBUG", "DATABASE_URL", "HOSTNAME", "EDITOR", "IFS", "BASH_ENV", "ENV"}

// packed are the ends of files in which a name is not to be found as it is.
var packed = []string{".jar", ".war", ".pyz", ".zip", ".gz", ".class", ".phar"}

// unnamed are lines for the variables of the scenario that no file of the program names.
func (r *run) unnamed() (lines []string) {
	if r.path == "" {
		return nil
	}
	for _, name := range unnamed(r.given, r.path, r.command, r.dir) {
		lines = append(lines, "sut: env "+name+" (a name that no file of the program has)")
	}
	return lines
}

// unnamed are the variables that a scenario sets for its program and that neither the command nor a file of the
// program names: the program runs as it would without them. Those with an address are left out: what asks there has
// read it, and what nobody asks is told of. The files are what the command names, and all that
// lies in the directory where it runs. None are told of where that is not all of the program as far as can be
// seen: where nothing that is started lies there, something is packed, or there is more than is searched.
func unnamed(vars map[string]string, path string, command []string, dir string) []string {
	names := slices.DeleteFunc(slices.Sorted(maps.Keys(vars)), func(name string) bool {
		return len(name) < 3 || strings.Contains(vars[name], "://") || slices.Contains(common, name) || slices.ContainsFunc(elsewhere, func(begin string) bool { return strings.HasPrefix(name, begin) }) ||
			slices.ContainsFunc(command, func(word string) bool { return strings.Contains(word, name) })
	})
	if len(names) == 0 {
		return nil
	}
	s := search{names: names, left: searchedSize}
	if !s.command(path, command, dir) || !s.tree(dir) {
		return nil
	}
	return s.names
}

// A search looks for names in files, and keeps those that were in none.
type search struct {
	names []string
	files int
	left  int64
}

// command searches the files that a command names, and reports whether what is started is among them or in the
// command itself.
func (s *search) command(path string, command []string, dir string) (known bool) {
	known = slices.ContainsFunc(command[1:], func(word string) bool { return strings.ContainsAny(word, " \n;=(") }) // code
	for i, word := range command {
		file := word
		if i == 0 {
			file = path
		}
		file = under(dir, file)
		info, err := os.Stat(file)
		if err != nil || !info.Mode().IsRegular() || i == 0 && !strings.ContainsAny(word, `/\`) {
			continue
		}
		if !s.file(file, info) {
			return false
		}
		known = true
	}
	return known
}

// tree searches all files in a directory, those of libraries as well, and reports whether it could.
func (s *search) tree(dir string) bool {
	if len(s.names) == 0 {
		return true
	}
	all := treeOf(dir, false)
	for _, p := range all.places {
		if !p.Type().IsRegular() || strings.HasSuffix(p.path, ".hcl") {
			continue // what scenarios say is no part of the program
		}
		info, err := p.Info()
		if err != nil || !s.file(p.path, info) {
			return false
		}
	}
	return all.whole
}

// file searches one file, and reports whether it could.
func (s *search) file(path string, info fs.FileInfo) bool {
	if len(s.names) == 0 {
		return true
	}
	s.files++
	s.left -= info.Size()
	if s.files > searchedMost || s.left < 0 || slices.Contains(packed, strings.ToLower(filepath.Ext(path))) {
		return false
	}
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, info.Size()))
	if err != nil {
		return false
	}
	s.names = slices.DeleteFunc(s.names, func(name string) bool { return bytes.Contains(text, []byte(name)) })
	return true
}
