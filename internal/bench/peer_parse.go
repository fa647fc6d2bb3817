package main

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// parseOnly is the floor of reading a file: HCL's own parser and nothing else.
func parseOnly(path string, source []byte) error {
	if _, diags := hclsyntax.ParseConfig(source, path, hcl.InitialPos); diags.HasErrors() {
		return diags
	}
	return nil
}
