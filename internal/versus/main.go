package main

import (
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// run measures, prints the tables, and writes them into a page where one is
// named.
func run(args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("versus", flag.ContinueOnError)
	flags.SetOutput(stderr)
	part := flags.String("part", "", "measure only this table: recorders or terraform")
	page := flags.String("write", "", "put the table into this page")
	if flags.Parse(args) != nil || flags.NArg() > 0 {
		return 2
	}
	for _, m := range measurements {
		if *part != "" && *part != m.name {
			continue
		}
		table, err := m.measure(stderr)
		if err == nil && *page != "" && table != "" {
			err = intoPage(*page, m.name, table)
		}
		if err != nil {
			fmt.Fprintln(stderr, "versus:", err)
			return 1
		}
		fmt.Fprint(stdout, table)
	}
	return 0
}

// measurements are the tables of the page.
var measurements = []struct {
	name    string
	measure func(stderr io.Writer) (string, error)
}{
	{"recorders", measure},
	{"terraform", measureTerraform},
}

// measure records and replays with every peer that can be had.
func measure(stderr io.Writer) (string, error) {
	dir, err := os.MkdirTemp("", "versus")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	if err := install(filepath.Join(dir, "npm")); err != nil {
		fmt.Fprintln(stderr, "versus: without aimock and WireMock:", err)
	}
	var columns []column
	for i, p := range peers {
		own := filepath.Join(dir, fmt.Sprint("peer", i))
		if err := os.Mkdir(own, 0o777); err != nil {
			return "", err
		}
		c, err := compared(p, own)
		if err != nil {
			fmt.Fprintf(stderr, "versus: %s is left out: %s\n", p.name, err)
			continue
		}
		columns = append(columns, c)
	}
	return tableOf(columns), nil
}

// A column is what was seen of one peer: while it recorded, and when it played.
type column struct {
	name             string
	recorded, played map[string]string
}

func compared(p peer, dir string) (column, error) {
	c := column{p.name, map[string]string{}, map[string]string{}}
	up := newUpstream()
	defer up.Close()
	direct := map[string][]sight{}
	for _, b := range behaviours {
		direct[b.name] = look(&http.Client{}, up.URL, b)
	}
	up.forget()
	s, err := p.start(dir, up.URL)
	if err != nil {
		return c, err
	}
	defer s.close()
	for _, b := range behaviours {
		client, base, err := s.record(b)
		if err != nil {
			return c, err
		}
		c.recorded[b.name] = compare(direct[b.name], look(client, base, b))
	}
	if err := s.replay(); err != nil {
		return c, err
	}
	up.Close()
	for _, b := range behaviours {
		client, base, err := s.client(b)
		if err != nil {
			c.played[b.name] = err.Error()
			continue
		}
		c.played[b.name] = compare(direct[b.name], look(client, base, b))
	}
	return c, nil
}

// tableOf has two rows for each behaviour.
func tableOf(columns []column) string {
	var b strings.Builder
	b.WriteString("| the server | seen |")
	for _, c := range columns {
		b.WriteString(" " + c.name + " |")
	}
	b.WriteString("\n|---|---|" + strings.Repeat("---|", len(columns)) + "\n")
	for _, x := range behaviours {
		fmt.Fprintf(&b, "| %s | recording |", x.title)
		for _, c := range columns {
			fmt.Fprintf(&b, " %s |", c.recorded[x.name])
		}
		b.WriteString("\n| | replay |")
		for _, c := range columns {
			fmt.Fprintf(&b, " %s |", c.played[x.name])
		}
		b.WriteString("\n")
	}
	return b.String()
}

// tableStart and tableEnd are the lines that a table stands between.
func tableStart(name string) string { return "<!-- measured: " + name + " -->\n" }

const tableEnd = "<!-- end of what was measured -->\n"

func intoPage(path, name, table string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	head, rest, found := strings.Cut(string(text), tableStart(name))
	_, tail, closed := strings.Cut(rest, tableEnd)
	if !found || !closed {
		return fmt.Errorf("%s has no place for the table of %s", path, name)
	}
	return os.WriteFile(path, []byte(head+tableStart(name)+"\n"+table+"\n"+tableEnd+tail), 0o666)
}
