package release

import "strings"

// Where a release is published, and what it is called there. Every file that has an
// address gets it from here.
const (
	downloads = "https://github.com/scenario-lang/scenario/releases/download"
	homepage  = "https://github.com/scenario-lang/scenario"
	summary   = "Find out what your program does when the services it calls fail"
	npmName   = "@scenario-lang/cli"
	wheelName = "scenario_cli"
	vendor    = "The scenario authors"
)

// A target is a system that a release is for.
type target struct {
	os, arch string
	// npm and wheel are what these call it.
	npm, wheel string
}

var targets = []target{
	{"linux", "amd64", "linux-x64", "manylinux2014_x86_64.musllinux_1_1_x86_64"},
	{"linux", "arm64", "linux-arm64", "manylinux2014_aarch64.musllinux_1_1_aarch64"},
	{"darwin", "amd64", "darwin-x64", "macosx_11_0_x86_64"},
	{"darwin", "arm64", "darwin-arm64", "macosx_11_0_arm64"},
	{"windows", "amd64", "win32-x64", "win_amd64"},
	{"windows", "arm64", "win32-arm64", "win_arm64"},
}

func (t target) String() string { return t.os + "/" + t.arch }

// binary is the name of the command's file.
func (t target) binary() string {
	if t.os == "windows" {
		return "scenario.exe"
	}
	return "scenario"
}

// archive is the name of the target's archive.
func (r *Release) archive(t target) string {
	name := "scenario_" + r.number() + "_" + t.os + "_" + t.arch
	if t.os == "windows" {
		return name + ".zip"
	}
	return name + ".tar.gz"
}

// number is the version as package managers write it.
func (r *Release) number() string { return strings.TrimPrefix(r.Version, "v") }
