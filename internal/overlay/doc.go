// Package overlay puts files that are on no disk, such as those that an editor or an
// agent has not saved, before those of a file system.
//
//	fsys := overlay.FS{Below: root.FS(), Files: map[string]string{"shop.scenario.hcl": text}}
package overlay
