package lsp

import "encoding/json"

// The part of the Language Server Protocol 3.17 that the server speaks.

// position counts lines from 0 and characters in units of UTF-16.
type position struct {
	Line      int `json:"line"`
	Character int `json:"character"`
}

type span struct {
	Start position `json:"start"`
	End   position `json:"end"`
}

type location struct {
	URI   string `json:"uri"`
	Range span   `json:"range"`
}

type documentID struct {
	URI     string `json:"uri"`
	Version *int   `json:"version,omitempty"`
}

type documentItem struct {
	URI     string `json:"uri"`
	Version int    `json:"version"`
	Text    string `json:"text"`
}

type openParams struct {
	TextDocument documentItem `json:"textDocument"`
}

type change struct {
	Range *span  `json:"range"` // nil replaces the whole text
	Text  string `json:"text"`
}

type changeParams struct {
	TextDocument documentID `json:"textDocument"`
	Changes      []change   `json:"contentChanges"`
}

type documentParams struct {
	TextDocument documentID `json:"textDocument"`
}

type positionParams struct {
	TextDocument documentID `json:"textDocument"`
	Position     position   `json:"position"`
}

type referenceParams struct {
	positionParams
	Context struct {
		IncludeDeclaration bool `json:"includeDeclaration"`
	} `json:"context"`
}

type renameParams struct {
	positionParams
	NewName string `json:"newName"`
}

type symbolParams struct {
	Query string `json:"query"`
}

type cancelParams struct {
	ID json.RawMessage `json:"id"`
}

type initializeParams struct {
	Capabilities struct {
		TextDocument struct {
			Completion struct {
				Item struct {
					Snippets bool `json:"snippetSupport"`
				} `json:"completionItem"`
			} `json:"completion"`
		} `json:"textDocument"`
		Workspace struct {
			Hints struct {
				Refresh bool `json:"refreshSupport"`
			} `json:"inlayHint"`
		} `json:"workspace"`
	} `json:"capabilities"`
	RootURI string `json:"rootUri"`
	Options struct {
		// ShowsText says that the client shows the text of an explanation by itself.
		ShowsText bool `json:"showsText"`
	} `json:"initializationOptions"`
}

type initializeResult struct {
	Capabilities capabilities `json:"capabilities"`
	ServerInfo   serverInfo   `json:"serverInfo"`
}

type serverInfo struct {
	Name    string `json:"name"`
	Version string `json:"version,omitempty"`
}

type capabilities struct {
	PositionEncoding string            `json:"positionEncoding"`
	Sync             syncOptions       `json:"textDocumentSync"`
	Completion       completionOptions `json:"completionProvider"`
	Hover            bool              `json:"hoverProvider"`
	Signature        signatureOptions  `json:"signatureHelpProvider"`
	Definition       bool              `json:"definitionProvider"`
	References       bool              `json:"referencesProvider"`
	Highlight        bool              `json:"documentHighlightProvider"`
	Symbols          bool              `json:"documentSymbolProvider"`
	WorkspaceSymbols bool              `json:"workspaceSymbolProvider"`
	Actions          actionOptions     `json:"codeActionProvider"`
	Formatting       bool              `json:"documentFormattingProvider"`
	Rename           renameOptions     `json:"renameProvider"`
	Tokens           tokenOptions      `json:"semanticTokensProvider"`
	Lenses           *lensOptions      `json:"codeLensProvider,omitempty"`
	Hints            bool              `json:"inlayHintProvider,omitempty"`
	Commands         *commandOptions   `json:"executeCommandProvider,omitempty"`
}

type lensOptions struct {
	Resolve bool `json:"resolveProvider"`
}

type commandOptions struct {
	Commands []string `json:"commands"`
}

type codeLens struct {
	Range   span    `json:"range"`
	Command command `json:"command"`
}

type command struct {
	Title     string `json:"title"`
	Command   string `json:"command"`
	Arguments []any  `json:"arguments"`
}

type executeParams struct {
	Command   string            `json:"command"`
	Arguments []json.RawMessage `json:"arguments"`
}

// A runResult is what a client is told of a run. A stale one is of a text that has
// changed since.
type runResult struct {
	Verdict string `json:"verdict"`
	Note    string `json:"note,omitempty"`
	Stale   bool   `json:"stale,omitempty"`
}

type hintParams struct {
	TextDocument documentID `json:"textDocument"`
	Range        span       `json:"range"`
}

type inlayHint struct {
	Position position `json:"position"`
	Label    string   `json:"label"`
	Tooltip  string   `json:"tooltip,omitempty"`
	Padding  bool     `json:"paddingLeft"`
}

type message struct {
	Type int    `json:"type"`
	Text string `json:"message"`
}

const messageInfo = 3

type tokenOptions struct {
	Legend tokenLegend `json:"legend"`
	Full   bool        `json:"full"`
	Range  bool        `json:"range"`
}

type tokenLegend struct {
	Types     []string `json:"tokenTypes"`
	Modifiers []string `json:"tokenModifiers"`
}

type tokenParams struct {
	TextDocument documentID `json:"textDocument"`
	Range        *span      `json:"range"`
}

type tokenList struct {
	Data []int `json:"data"`
}

type syncOptions struct {
	OpenClose bool `json:"openClose"`
	Change    int  `json:"change"`
	Save      bool `json:"save"`
}

// syncIncremental has the client send what changed, not the whole text.
const syncIncremental = 2

type completionOptions struct {
	Triggers []string `json:"triggerCharacters"`
}

type signatureOptions struct {
	Triggers   []string `json:"triggerCharacters"`
	Retriggers []string `json:"retriggerCharacters"`
}

type actionOptions struct {
	Kinds []string `json:"codeActionKinds"`
}

type renameOptions struct {
	Prepare bool `json:"prepareProvider"`
}

type diagnostic struct {
	Range    span   `json:"range"`
	Severity int    `json:"severity"`
	Source   string `json:"source"`
	Message  string `json:"message"`
}

const (
	severityError   = 1
	severityWarning = 2
)

type publishParams struct {
	URI         string       `json:"uri"`
	Version     *int         `json:"version,omitempty"`
	Diagnostics []diagnostic `json:"diagnostics"`
}

type markup struct {
	Kind  string `json:"kind"`
	Value string `json:"value"`
}

func markdown(text string) markup { return markup{"markdown", text} }

type hover struct {
	Contents markup `json:"contents"`
	Range    span   `json:"range"`
}

type textEdit struct {
	Range   span   `json:"range"`
	NewText string `json:"newText"`
}

type completionList struct {
	Incomplete bool             `json:"isIncomplete"`
	Items      []completionItem `json:"items"`
}

type completionItem struct {
	Label    string   `json:"label"`
	Kind     int      `json:"kind"`
	Detail   string   `json:"detail,omitempty"`
	Doc      *markup  `json:"documentation,omitempty"`
	SortText string   `json:"sortText,omitempty"`
	Filter   string   `json:"filterText,omitempty"`
	Format   int      `json:"insertTextFormat,omitempty"`
	Edit     textEdit `json:"textEdit"`
}

const formatSnippet = 2

// Kinds of completion items.
const (
	itemFunction = 3
	itemField    = 5
	itemVariable = 6
	itemClass    = 7
	itemProperty = 10
	itemValue    = 12
	itemKeyword  = 14
	itemRef      = 18
)

type signatureHelp struct {
	Signatures []signature `json:"signatures"`
	Active     int         `json:"activeSignature"`
	Parameter  int         `json:"activeParameter"`
}

type signature struct {
	Label      string      `json:"label"`
	Doc        markup      `json:"documentation"`
	Parameters []parameter `json:"parameters"`
}

type parameter struct {
	Label string `json:"label"`
}

type highlight struct {
	Range span `json:"range"`
}

type documentSymbol struct {
	Name      string           `json:"name"`
	Detail    string           `json:"detail,omitempty"`
	Kind      int              `json:"kind"`
	Range     span             `json:"range"`
	Selection span             `json:"selectionRange"`
	Children  []documentSymbol `json:"children,omitempty"`
}

type symbolInformation struct {
	Name      string   `json:"name"`
	Kind      int      `json:"kind"`
	Location  location `json:"location"`
	Container string   `json:"containerName,omitempty"`
}

// Kinds of symbols.
const (
	symbolModule   = 2
	symbolClass    = 5
	symbolField    = 8
	symbolFunction = 12
	symbolVariable = 13
	symbolEvent    = 24
)

type actionParams struct {
	TextDocument documentID `json:"textDocument"`
	Range        span       `json:"range"`
}

type codeAction struct {
	Title       string        `json:"title"`
	Kind        string        `json:"kind"`
	Diagnostics []diagnostic  `json:"diagnostics"`
	Preferred   bool          `json:"isPreferred"`
	Edit        workspaceEdit `json:"edit"`
}

const quickFix = "quickfix"

// workspaceEdit names the version that it was made for, so that a client that
// has gone on since refuses it.
type workspaceEdit struct {
	Changes []documentEdit `json:"documentChanges"`
}

type documentEdit struct {
	TextDocument versionedID `json:"textDocument"`
	Edits        []textEdit  `json:"edits"`
}

// versionedID has a null version for a file that is not open.
type versionedID struct {
	URI     string `json:"uri"`
	Version *int   `json:"version"`
}

type prepared struct {
	Range       span   `json:"range"`
	Placeholder string `json:"placeholder"`
}
