package authority

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"

	"github.com/scenario-lang/scenario/internal/disk"
)

// replacing are the variables that name the whole list of whom a client trusts.
var replacing = []string{
	"SSL_CERT_FILE",        // OpenSSL and all that asks it (Python, Ruby, PHP, .NET), Go on Linux, rustls
	"REQUESTS_CA_BUNDLE",   // requests, of Python
	"CURL_CA_BUNDLE",       // curl; requests too
	"PIP_CERT",             // pip
	"AWS_CA_BUNDLE",        // AWS's command and SDKs
	"GIT_SSL_CAINFO",       // git
	"CARGO_HTTP_CAINFO",    // cargo
	"HTTPLIB2_CA_CERTS",    // httplib2, of Google's older clients
	"PERL_LWP_SSL_CA_FILE", // LWP
	"NIX_SSL_CERT_FILE",    // what Nix has built
	"npm_config_cafile",    // npm
}

// adding are the variables that name whom a client trusts beside its own list.
var adding = []string{
	"NODE_EXTRA_CA_CERTS", // Node, Bun
	"DENO_CERT",           // Deno
}

// systemFiles are where systems have their list, as a file; the first that there
// is counts, as in Go.
var systemFiles = []string{
	"/etc/ssl/certs/ca-certificates.crt",                // Debian, Ubuntu, Arch, Gentoo
	"/etc/pki/tls/certs/ca-bundle.crt",                  // Fedora, RHEL
	"/etc/ssl/ca-bundle.pem",                            // openSUSE
	"/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem", // CentOS
	"/etc/ssl/cert.pem",                                 // Alpine, macOS, OpenBSD
	"/usr/local/etc/ssl/cert.pem",                       // FreeBSD
}

// listMax bounds one list; Mozilla's has a quarter of a megabyte.
const listMax = 16 << 20

// trusted are the lists that variables name, each file once, after those of the
// system where they are asked for. They are passed on as they are: to take them
// apart takes longer than all else before a program starts. What cannot be read
// is passed over: the client could not have read it either.
func trusted(lookup func(string) (string, bool), variables []string, system bool) [][]byte {
	var all lists
	if system {
		all.addSystem(lookup)
	}
	for _, name := range variables {
		if path, ok := lookup(name); ok && path != "" {
			all.addPath(path)
		}
	}
	return all.texts
}

// lists are the texts of files, without repetitions.
type lists struct {
	texts [][]byte
	known map[string]bool
}

// addSystem adds the system's list, or what stands for it: SSL_CERT_FILE names
// another file, and SSL_CERT_DIR other directories beside it.
func (l *lists) addSystem(lookup func(string) (string, bool)) {
	if own, ok := lookup("SSL_CERT_FILE"); !ok || own == "" {
		for _, path := range systemFiles {
			if l.addFile(path) {
				break
			}
		}
	}
	if dirs, ok := lookup("SSL_CERT_DIR"); ok && runtime.GOOS != "windows" {
		for _, dir := range filepath.SplitList(dirs) {
			l.addPath(dir)
		}
	}
}

// addPath adds a file, or the files of a directory.
func (l *lists) addPath(path string) {
	entries, err := os.ReadDir(path)
	if err != nil {
		l.addFile(path)
		return
	}
	for _, e := range entries {
		if !e.IsDir() {
			l.addFile(filepath.Join(path, e.Name()))
		}
	}
}

// addFile reports whether the file is a list that could be read.
func (l *lists) addFile(path string) bool {
	path = disk.Real(path)
	if l.known[path] {
		return true
	}
	text, err := disk.Read(path, listMax)
	if err != nil || !bytes.Contains(text, []byte("-----BEGIN ")) {
		return false
	}
	if l.known == nil {
		l.known = map[string]bool{}
	}
	l.known[path], l.texts = true, append(l.texts, text)
	return true
}
