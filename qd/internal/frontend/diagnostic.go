package frontend

import (
	"fmt"
	"go/token"
	"slices"
	"strings"

	"github.com/quadrants-go/quadrants/qd/internal/cgo"
)

// Call is a step of the way from a kernel to the function that a diagnostic is about.
type Call struct {
	Function string         // the function called
	Pos      token.Position // of the call
}

// Diagnostic is one thing said about a kernel's source.
type Diagnostic struct {
	Pos     token.Position
	Msg     string
	Hint    string // how to fix it; may be empty
	Chain   []Call // the calls that lead from the kernel to Pos, innermost first; empty inside the kernel itself
	Warning bool   // the kernel compiles nonetheless
}

// String is "file:line:col: msg (hint)", followed by one line for each call of the chain.
func (d Diagnostic) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: ", d.Pos)
	if d.Warning {
		b.WriteString("warning: ")
	}
	b.WriteString(d.Msg)
	if d.Hint != "" {
		fmt.Fprintf(&b, " (%s)", d.Hint)
	}
	for _, c := range d.Chain {
		fmt.Fprintf(&b, "\n\t%s: in the call of %s", c.Pos, c.Function)
	}
	return b.String()
}

// Diagnostics are what is said about one kernel, sorted by position.
type Diagnostics []Diagnostic

// Error lists the diagnostics, one after the other.
func (ds Diagnostics) Error() string {
	lines := make([]string, len(ds))
	for i, d := range ds {
		lines[i] = d.String()
	}
	return strings.Join(lines, "\n")
}

// FromCore takes over what the core says about a kernel's source.
func FromCore(said []cgo.Diagnostic) Diagnostics {
	position := func(p cgo.Position) token.Position {
		return token.Position{Filename: p.File, Line: p.Line, Column: p.Column}
	}
	var found Diagnostics
	for _, s := range said {
		d := Diagnostic{Pos: position(s.Position), Msg: s.Message, Hint: s.Hint, Warning: s.Warning}
		function := s.Position.Function // the core names with each position the function that holds it
		for _, caller := range s.Chain {
			d.Chain = append(d.Chain, Call{Function: function, Pos: position(caller)})
			function = caller.Function
		}
		found = append(found, d)
	}
	return found
}

// HasErrors tells whether any diagnostic is more than a warning.
func (ds Diagnostics) HasErrors() bool {
	return slices.ContainsFunc(ds, func(d Diagnostic) bool { return !d.Warning })
}

// Sorted orders the diagnostics by position and drops repeated ones: a function reached by two ways is reported once, with
// the chain found first.
func (ds Diagnostics) Sorted() Diagnostics {
	sorted := slices.Clone(ds)
	slices.SortStableFunc(sorted, func(a, b Diagnostic) int {
		if c := strings.Compare(a.Pos.Filename, b.Pos.Filename); c != 0 {
			return c
		}
		if a.Pos.Line != b.Pos.Line {
			return a.Pos.Line - b.Pos.Line
		}
		return a.Pos.Column - b.Pos.Column
	})
	type said struct {
		pos token.Position
		msg string
	}
	seen := map[said]bool{}
	return slices.DeleteFunc(sorted, func(d Diagnostic) bool {
		key := said{d.Pos, d.Msg}
		repeated := seen[key]
		seen[key] = true
		return repeated
	})
}
