package cli

import (
	"strings"

	"github.com/spf13/pflag"
)

// Repeated adds a flag that can be given several times, each with one string, which may
// have commas. It is pflag's StringArrayVar without the writer of CSV that this makes for
// every flag of every command, of which a call needs few.
func Repeated(flags *pflag.FlagSet, to *[]string, name, usage string) {
	*to = nil
	flags.Var((*repeated)(to), name, usage)
}

// repeated are the strings that were given, in their order.
type repeated []string

var _ pflag.SliceValue = (*repeated)(nil)

func (r *repeated) Set(value string) error { return r.Append(value) }

func (r *repeated) Append(value string) error {
	*r = append(*r, value)
	return nil
}

func (r *repeated) Replace(values []string) error {
	*r = append(repeated(nil), values...)
	return nil
}

func (r *repeated) GetSlice() []string { return append([]string(nil), *r...) }

// Type is what pflag calls such a value.
func (r *repeated) Type() string { return "stringArray" }

// String is empty where nothing was given, which has the help name no default.
func (r *repeated) String() string { return strings.Join(*r, ",") }
