package sql

import (
	"maps"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5/pgproto3"

	"github.com/scenario-lang/scenario/internal/pattern"
	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/wire"
)

var _ providers.SessionServer = Adapter{}

// sessionTags are the statements that are about the session and not about data,
// by their first word, with what the server says of them.
var sessionTags = map[string]string{
	"SET": "SET", "RESET": "RESET", "BEGIN": "BEGIN", "START": "START TRANSACTION", "COMMIT": "COMMIT", "END": "COMMIT",
	"ROLLBACK": "ROLLBACK", "ABORT": "ROLLBACK", "SAVEPOINT": "SAVEPOINT", "RELEASE": "RELEASE", "DISCARD": "DISCARD ALL",
	"DEALLOCATE": "DEALLOCATE", "UNLISTEN": "UNLISTEN",
}

// SessionWords are what SessionReply says that statements are, in order.
func SessionWords() []string {
	words := append([]string{"SHOW", "set_config"}, catalogues...)
	words = slices.AppendSeq(words, maps.Keys(sessionTags))
	words = slices.AppendSeq(words, maps.Keys(answers))
	slices.Sort(words)
	return words
}

// SessionReply answers statements about the session, and what drivers ask when they
// connect: the version, the schema, the types.
func (a Adapter) SessionReply(in providers.Input, _ []providers.Offer) (providers.SessionReply, bool) {
	verb, text := Verb(in.Statement), plainText(in.Statement)
	b := providers.SessionReply{What: verb, Field: "statement", Word: strings.ToLower(verb)}
	switch tag := sessionTags[verb]; {
	case tag != "":
		b.Response = a.tagged(providers.Output{}, tag)
		return b, true
	case verb == "SHOW":
		b.Response = a.show(in, strings.TrimSpace(text[len(verb):]))
		return b, true
	case verb != "SELECT":
		return b, false
	}
	if out, word, ok := asked(text); ok {
		b.Response, b.Word, b.What = a.tagged(out, "SELECT 1"), word, word
		return b, true
	}
	if word := catalogue().FindString(text); word != "" {
		b.Response, b.Word, b.What = a.tagged(providers.Output{Rows: [][]any{}}, "SELECT 0"), strings.ToLower(word), strings.ToLower(word)
		return b, true
	}
	return b, false
}

// tagged is an answer with what the server says of the statement.
func (a Adapter) tagged(out providers.Output, tag string) wire.Response {
	resp := a.Render(providers.Input{Statement: tag}, out)
	complete := &resp.Parts[len(resp.Parts)-2]
	*complete = event(&pgproto3.CommandComplete{CommandTag: []byte(tag)})
	return resp
}

// plainText is a statement in one line, without what stands around it.
func plainText(query string) string {
	text := strings.Join(strings.Fields(query), " ")
	if i := strings.Index(strings.ToUpper(text), Verb(query)); i > 0 {
		text = text[i:]
	}
	return strings.TrimRight(text, "; ")
}

// settings are what a session says of itself, by the names of SHOW.
var settings = map[string]string{
	"server_version": serverVersion, "server_version_num": "170000", "server_encoding": "UTF8", "client_encoding": "UTF8", "timezone": "UTC", "time zone": "UTC",
	"datestyle": "ISO, MDY", "intervalstyle": "postgres", "integer_datetimes": "on", "standard_conforming_strings": "on",
	"transaction_isolation": "read committed", "transaction isolation level": "read committed", "default_transaction_isolation": "read committed",
	"transaction_read_only": "off", "default_transaction_read_only": "off", "search_path": `"$user", public`, "max_identifier_length": "63",
	"in_hot_standby": "off", "is_superuser": "off", "session_authorization": "scenario", "application_name": "", "lc_collate": "C", "lc_ctype": "C",
	"statement_timeout": "0", "lock_timeout": "0", "bytea_output": "hex", "extra_float_digits": "1", "max_connections": "100", "ssl": "off",
}

// show is the value of a setting, or the error of one that there is not.
func (a Adapter) show(in providers.Input, name string) wire.Response {
	name = strings.ToLower(strings.Trim(name, `"`))
	value, known := settings[name]
	if !known {
		return a.RenderTyped(in, "", "unrecognized configuration parameter \""+name+"\"", "42704")
	}
	return a.tagged(oneRow([]string{strings.ReplaceAll(name, " ", "_")}, []any{value}), "SHOW")
}

// oneRow is one row of texts.
func oneRow(names []string, values []any) providers.Output {
	out := providers.Output{Rows: [][]any{values}}
	for _, name := range names {
		out.Columns = append(out.Columns, providers.Column{Name: name, Type: "text"})
	}
	return out
}

// answers are what functions say that drivers ask for, as texts.
var answers = map[string]string{
	"version": "PostgreSQL " + serverVersion + " (scenario)", "current_schema": "public", "current_database": "postgres", "current_catalog": "postgres",
	"current_user": "scenario", "session_user": "scenario", "user": "scenario", "pg_backend_pid": "1", "pg_is_in_recovery": "f", "pg_advisory_unlock_all": "",
}

// catalogues are the tables of the catalogue that drivers ask.
var catalogues = []string{"pg_type", "pg_range", "pg_namespace", "pg_enum"}

var (
	function  = pattern.New(`(?i)^(?:pg_catalog\.)?(version|current_schema|current_database|current_catalog|current_user|session_user|user|pg_backend_pid|pg_is_in_recovery|pg_advisory_unlock_all)(?: ?\( ?\))?(?: (?:as )?"?([a-z_][a-z0-9_]*)"?)?$`)
	setConfig = pattern.New(`(?i)^(?:pg_catalog\.)?set_config\( ?'[^']*' ?, ?'([^']*)' ?, ?(?:true|false) ?\)$`)
	catalogue = pattern.New(`(?i)\bpg_(type|range|namespace|enum)\b`)
)

// asked is the answer to a list of functions, with the first of them; ok is false
// for any other query.
func asked(text string) (out providers.Output, word string, ok bool) {
	list := strings.TrimSpace(text[len("SELECT"):])
	if m := setConfig().FindStringSubmatch(list); m != nil {
		return oneRow([]string{"set_config"}, []any{m[1]}), "set_config", true
	}
	var names []string
	var values []any
	for item := range strings.SplitSeq(list, ",") {
		m := function().FindStringSubmatch(strings.TrimSpace(item))
		if m == nil {
			return out, "", false
		}
		name := strings.ToLower(m[1])
		if word == "" {
			word = name
		}
		values = append(values, answers[name])
		if m[2] != "" {
			name = m[2]
		}
		names = append(names, name)
	}
	out = oneRow(names, values)
	for i, name := range names {
		switch name {
		case "pg_backend_pid":
			out.Columns[i].Type = "int4"
			out.Rows[0][i] = 1
		case "pg_is_in_recovery":
			out.Columns[i].Type = "bool"
			out.Rows[0][i] = false
		}
	}
	return out, word, true
}

// Gate implements providers.SessionServer. It is an error within the server, as for
// any other statement that nothing prepared for.
func (a Adapter) Gate(in providers.Input, message string) wire.Response {
	return a.RenderTyped(in, "", "scenario: "+message, internalError)
}

// Refusal is the answer to a client that connects and is not let in.
func (Adapter) Refusal(message string) wire.Response {
	e := &pgproto3.ErrorResponse{Severity: "FATAL", SeverityUnlocalized: "FATAL", Code: internalError, Message: "scenario: " + message}
	return wire.Response{Opening: []byte{}, Parts: []wire.Part{event(e)}, End: wire.EndFIN}
}

// Ended is what a statement in an open session meets where the server ends that
// (57P01).
func (a Adapter) Ended(in providers.Input) wire.Response {
	return a.RenderTyped(in, "", "terminating connection due to administrator command", "57P01")
}

// Opens reports whether a script opens the session of a client that connects.
func Opens(s wire.WireScript) bool {
	return s.Dial == nil && s.TLS == nil && s.Err == nil && s.Through == nil && len(s.Ops) > 0 && len(s.Ops[0].Data) > 0 && s.Ops[0].Data[0] == 'R'
}

// Denies reports whether a script that opens no session denies one, and is not
// a connection that breaks or is silent.
func Denies(s wire.WireScript) bool {
	return s.Dial != nil || s.TLS != nil || len(s.Ops) > 0 && len(s.Ops[0].Data) > 0 && s.Ops[0].Data[0] == 'E'
}
