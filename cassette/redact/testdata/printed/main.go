package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"os"
)

const Name, Value = "xNAMEx", "xVALUEx"

type Settings struct {
	User, XNAMEx         string
	Timeout, APIKeyCount int
	TokenType            string
	MaxTokens            int
}
type Last struct {
	Timeout int
	XNAMEx  string
}
type App struct {
	Debug    bool
	Settings Settings
	Port     int
}
type Ptr struct {
	User    string
	XNAMEx  *string
	Timeout int
}
type Bytes struct {
	User    string
	XNAMEx  fmt.Stringer
	Timeout int
}
type S string

func (s S) String() string   { return string(s) }
func show(form, text string) { fmt.Println("-- go: " + form + " --\n" + text) }
func main() {
	s := Settings{"ann", Value, 3, 2, "bearer", 100}
	m := map[string]any{"user": "ann", Name: Value, "timeout": 3, "api_key_count": 2, "token_type": "bearer", "max_tokens": 100}
	ms := map[string]string{"user": "ann", Name: Value, "timeout": "3"}
	show("%+v", fmt.Sprintf("%+v", s))
	show("%+v of a pointer", fmt.Sprintf("%+v", &s))
	show("%+v of a list", fmt.Sprintf("%+v", []Settings{s, s}))
	show("%+v with the field last", fmt.Sprintf("%+v", Last{3, Value}))
	show("%+v in a struct", fmt.Sprintf("%+v", App{true, s, 80}))
	show("%+v of a stringer", fmt.Sprintf("%+v", Bytes{"ann", S(Value), 3}))
	show("%#v", fmt.Sprintf("%#v", s))
	show("%#v in a struct", fmt.Sprintf("%#v", App{true, s, 80}))
	show("%#v of a map", fmt.Sprintf("%#v", m))
	show("%#v of a map of strings", fmt.Sprintf("%#v", ms))
	show("%v of a map", fmt.Sprintf("%v", m))
	show("%v of a map of strings", fmt.Sprintf("%v", ms))
	show("%q of a map", fmt.Sprintf("%q", ms))
	show("%v of maps in a list", fmt.Sprintf("%v", []any{m, 1}))
	h := http.Header{}
	h[Name] = []string{Value}
	h["Timeout"] = []string{"3"}
	show("%v of a header", fmt.Sprintf("%v", h))
	show("%v of a header of two", fmt.Sprintf("%v", http.Header{Name: {Value, Value}, "Timeout": {"3"}}))
	show("%q of a header", fmt.Sprintf("%q", h))
	show("%#v of a header", fmt.Sprintf("%#v", h))
	v := url.Values{Name: {Value}, "timeout": {"3"}}
	show("%v of values", fmt.Sprintf("%v", v))
	show("encoded values", v.Encode())
	show("error with %+v", errors.New("load: "+fmt.Sprintf("%+v", s)).Error())
	show("%+v in %q", fmt.Sprintf("%q", fmt.Sprintf("%+v", s)))
	show("%#v in %q", fmt.Sprintf("%q", fmt.Sprintf("%#v", s)))
	b, _ := json.Marshal(map[string]string{"msg": fmt.Sprintf("%+v", s)})
	show("%+v in JSON", string(b))
	b, _ = json.Marshal(map[string]string{"msg": fmt.Sprintf("%#v", s)})
	show("%#v in JSON", string(b))
	b, _ = json.Marshal(map[string]string{"msg": fmt.Sprintf("%v", m)})
	show("%v of a map in JSON", string(b))
	j, _ := json.Marshal(m)
	show("JSON", string(j))
	show("JSON in %q", fmt.Sprintf("%q", j))
	no := func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == "time" {
			return slog.Attr{}
		}
		return a
	}
	fmt.Println("-- go: slog as text --")
	l := slog.New(slog.NewTextHandler(os.Stdout, &slog.HandlerOptions{ReplaceAttr: no}))
	l.Info("hello", "user", "ann", Name, Value, "timeout", 3)
	fmt.Println("-- go: slog of a struct --")
	l.Info("hello", "settings", s)
	fmt.Println("-- go: slog of a group --")
	l.Info("hello", slog.Group("db", Name, Value, "timeout", 3))
	fmt.Println("-- go: slog of a map --")
	l.Info("hello", "settings", m)
	fmt.Println("-- go: slog as JSON --")
	l = slog.New(slog.NewJSONHandler(os.Stdout, &slog.HandlerOptions{ReplaceAttr: no}))
	l.Info("hello", "user", "ann", Name, Value, "timeout", 3)
	fmt.Println("-- go: slog of a printed struct as JSON --")
	l.Info("hello", "settings", fmt.Sprintf("%+v", s))
}
