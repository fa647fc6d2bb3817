package cli

import "runtime/debug"

// release is the version of a release, set when one is linked.
var release string

// Version is that of a release, else the module's version as `go install` recorded
// it: that of a clone names its commit.
func Version() string {
	if release != "" {
		return release
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}
