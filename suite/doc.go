// Package suite finds scenario files, reads them with all that they name
// (imports, cassettes, snapshots, values of variables) and compiles them, from
// the disk or from any fs.FS. It has no flags, no terminal and no environment
// but what its caller hands in.
//
//	loader := &suite.Loader{Source: suite.FS(os.DirFS("testdata"))}
//	defer loader.Close()
//	file := loader.Load("support.scenario.hcl")
//	for _, plan := range file.Plans {
//		fmt.Println(interp.Run(plan, interp.RunOptions{}).Verdict)
//	}
package suite
