// Package play is what the playground does with the files of its editor: it runs
// them and says what the command would print, and it serves the editor as a language
// server. It touches neither a disk nor a network, so it is tested on any system and
// runs as WebAssembly in a browser.
//
//	answer := play.Run(map[string]string{"first.scenario.hcl": text}, "first.scenario.hcl")
package play
