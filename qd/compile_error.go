package qd

import (
	"fmt"
	"go/token"
	"os"
	"path/filepath"
	"strings"

	"github.com/quadrants-go/quadrants/qd/internal/cgo"
	"github.com/quadrants-go/quadrants/qd/internal/frontend"
)

// CompileError says everything that keeps a kernel from compiling.
type CompileError struct {
	Kernel      string
	Diagnostics []Diagnostic // sorted by position; never empty
}

// Error lists all diagnostics, one a line.
func (e *CompileError) Error() string {
	lines := make([]string, len(e.Diagnostics))
	for i, d := range e.Diagnostics {
		lines[i] = d.String()
	}
	return strings.Join(lines, "\n")
}

// Diagnostic is one thing said about a kernel's source.
type Diagnostic struct {
	Pos     token.Position
	Msg     string // one sentence
	Hint    string // how to fix it; may be empty
	Chain   []Call // the calls that lead from the kernel to Pos, innermost first; empty inside the kernel itself
	Warning bool   // the kernel compiles nonetheless
}

// Call is a step of the way from a kernel to a function that it calls.
type Call struct {
	Function string         // the function called
	Pos      token.Position // of the call
}

// String is "file:line:column: message (hint)", then a line for each call of the chain.
func (d Diagnostic) String() string {
	var s strings.Builder
	if d.Pos.IsValid() {
		fmt.Fprintf(&s, "%s: ", shortPosition(d.Pos))
	}
	if d.Warning {
		s.WriteString("warning: ")
	}
	s.WriteString(d.Msg)
	if d.Hint != "" {
		fmt.Fprintf(&s, " (%s)", d.Hint)
	}
	writeChain(&s, d.Chain)
	return s.String()
}

func writeChain(s *strings.Builder, chain []Call) {
	for _, c := range chain {
		fmt.Fprintf(s, "\n\t%s: in the call of %s", shortPosition(c.Pos), c.Function)
	}
}

// shortPosition is a position with its file relative to the working directory where the file lies below that.
func shortPosition(p token.Position) string {
	if dir, err := os.Getwd(); err == nil && filepath.IsAbs(p.Filename) {
		if relative, err := filepath.Rel(dir, p.Filename); err == nil && filepath.IsLocal(relative) {
			p.Filename = relative
		}
	}
	return p.String()
}

// fromFrontend gives the front end's diagnostics the types of this package.
func fromFrontend(found frontend.Diagnostics) []Diagnostic {
	var diagnostics []Diagnostic
	for _, f := range found {
		d := Diagnostic{Pos: f.Pos, Msg: f.Msg, Hint: f.Hint, Warning: f.Warning}
		for _, c := range f.Chain {
			d.Chain = append(d.Chain, Call(c))
		}
		diagnostics = append(diagnostics, d)
	}
	return diagnostics
}

// fromCore is the diagnostic for a kernel that the core refuses.
func fromCore(e *cgo.Error) Diagnostic {
	d := Diagnostic{Pos: position(e.Position), Msg: e.Message, Chain: chain(e)}
	if e.Code != cgo.CodeCompile {
		d.Hint = "this looks like a fault of the compiler; please report it with the source of the kernel"
	}
	return d
}

func position(p cgo.Position) token.Position {
	return token.Position{Filename: p.File, Line: p.Line, Column: p.Column}
}

// chain pairs each function of an error with the position that it was called from. The core names with each position the
// function that holds it.
func chain(e *cgo.Error) []Call {
	var calls []Call
	function := e.Position.Function
	for _, p := range e.Chain {
		calls = append(calls, Call{Function: function, Pos: position(p)})
		function = p.Function
	}
	return calls
}
