package lsp

// signatureAt is the function whose arguments are being written, nil for none.
func signatureAt(src []byte, offset int) *signatureHelp {
	stack := scan(src, offset)
	for i := len(stack) - 1; i > 0 && !stack[i].statements(); i-- {
		if stack[i].kind != frameCall || stack[i].call == "" {
			continue
		}
		f, known := functions()[stack[i].call]
		if !known {
			return nil
		}
		parameters := parametersOf(f)
		s := signature{Label: f.Signature, Doc: markdown(functionDoc(f)), Parameters: parameters}
		return &signatureHelp{Signatures: []signature{s}, Parameter: max(0, min(stack[i].commas, len(parameters)-1))}
	}
	return nil
}
