package qd

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/quadrants-go/quadrants/qd/internal/frontend"
)

// A panic of Go tells the line. The column, and the array, are found in the source: the expression on that line that can fail
// in this way. Where several can, the first that Go evaluates is taken; an index into an argument whose length is not the one
// that the panic tells cannot.

// failure is where a kernel failed.
type failure struct {
	pos   token.Position
	array string // of an index
	axis  int
}

// locate finds the failing expression. shapes are those of the function's slices, by name, as far as they are known.
func locate(f runtime.Frame, value any, message string, shapes map[string][]int) failure {
	at := failure{pos: token.Position{Filename: f.File, Line: f.Line}}
	fset, file := parseFrame(f)
	if file == nil {
		return at
	}
	found := false
	for _, n := range evaluationOrder(nodesOnLine(fset, file, f.Line)) {
		pos, ok := failing(n, value, message)
		if !ok {
			continue
		}
		if e, ok := n.(*ast.IndexExpr); ok {
			array, axis := indexed(e)
			if _, length, ok := outOfRange(message); ok && axis < len(shapes[array]) && shapes[array][axis] != length {
				continue
			}
			at.array, at.axis = array, axis
		}
		at.pos.Column = fset.Position(pos).Column
		found = true
		break
	}
	if !found {
		at.pos.Column = firstToken(fset, file, f.Line)
	}
	return at
}

// failing tells whether a node can fail with this message, and at which position the compiled kernel reports it.
func failing(n ast.Node, value any, message string) (token.Pos, bool) {
	has := func(part string) bool { return strings.Contains(message, part) }
	switch n := n.(type) {
	case *ast.IndexExpr:
		_, at := value.(*indexError)
		return n.Pos(), has("index out of range") && !at
	case *ast.SliceExpr:
		return n.Pos(), has("slice bounds out of range")
	case *ast.BinaryExpr:
		divides := n.Op == token.QUO || n.Op == token.REM
		shifts := n.Op == token.SHL || n.Op == token.SHR
		return n.OpPos, divides && has("divide by zero") || shifts && has("negative shift")
	case *ast.AssignStmt:
		divides := n.Tok == token.QUO_ASSIGN || n.Tok == token.REM_ASSIGN
		shifts := n.Tok == token.SHL_ASSIGN || n.Tok == token.SHR_ASSIGN
		return n.Pos(), divides && has("divide by zero") || shifts && has("negative shift")
	case *ast.CallExpr:
		name := ""
		switch fun := ast.Unparen(n.Fun).(type) {
		case *ast.SelectorExpr:
			name = fun.Sel.Name
		case *ast.Ident:
			name = fun.Name
		}
		switch value.(type) {
		case *assertionError:
			return n.Pos(), name == "Assert" || name == "StaticAssert"
		case *indexError, *rankError:
			return n.Pos(), name == "At"
		}
		return n.Pos(), has("divide by zero") && (name == "FloorDiv" || name == "FloorMod")
	}
	return token.NoPos, false
}

// outOfRange reads the index and the length from a message of Go's.
func outOfRange(message string) (index, length int, ok bool) {
	n, _ := fmt.Sscanf(message, "index out of range [%d] with length %d", &index, &length)
	return index, length, n == 2
}

// indexed is the array that an index expression is about: "g" and axis 1 for the outer index of g[i][j].
func indexed(e *ast.IndexExpr) (array string, axis int) {
	x := ast.Unparen(e.X)
	for {
		inner, ok := x.(*ast.IndexExpr)
		if !ok {
			return types.ExprString(x), axis
		}
		x, axis = ast.Unparen(inner.X), axis+1
	}
}

// nodesOnLine are the nodes that begin on a line, outer ones first.
func nodesOnLine(fset *token.FileSet, file *ast.File, line int) []ast.Node {
	var nodes []ast.Node
	ast.Inspect(file, func(n ast.Node) bool {
		if n == nil || fset.Position(n.Pos()).Line > line || fset.Position(n.End()).Line < line {
			return false
		}
		if b, ok := n.(*ast.BinaryExpr); ok && fset.Position(b.OpPos).Line == line || fset.Position(n.Pos()).Line == line {
			nodes = append(nodes, n)
		}
		return true
	})
	return nodes
}

// evaluationOrder puts operands before what uses them and the left side of an assignment last, as Go evaluates them.
func evaluationOrder(nodes []ast.Node) []ast.Node {
	var left, rest []ast.Node
	for i := len(nodes) - 1; i >= 0; i-- {
		if assignedTo(nodes, nodes[i]) {
			left = append(left, nodes[i])
		} else {
			rest = append(rest, nodes[i])
		}
	}
	byPosition(left)
	byPosition(rest)
	return append(rest, left...)
}

// byPosition sorts by where a node begins, and nodes that begin together from the inside out.
func byPosition(nodes []ast.Node) {
	for i := range nodes {
		for j := i; j > 0 && (nodes[j].Pos() < nodes[j-1].Pos() || nodes[j].Pos() == nodes[j-1].Pos() && nodes[j].End() < nodes[j-1].End()); j-- {
			nodes[j], nodes[j-1] = nodes[j-1], nodes[j]
		}
	}
}

// assignedTo tells whether a node is the target of an assignment among the nodes.
func assignedTo(nodes []ast.Node, n ast.Node) bool {
	for _, other := range nodes {
		if a, ok := other.(*ast.AssignStmt); ok && a.Tok == token.ASSIGN {
			for _, target := range a.Lhs {
				if target == n {
					return true
				}
			}
		}
	}
	return false
}

// firstColumn is where the first call on a frame's line begins, else the line's first token.
func firstColumn(f runtime.Frame) int {
	fset, file := parseFrame(f)
	if file == nil {
		return 0
	}
	for _, n := range nodesOnLine(fset, file, f.Line) {
		if call, ok := n.(*ast.CallExpr); ok {
			return fset.Position(call.Pos()).Column
		}
	}
	return firstToken(fset, file, f.Line)
}

func firstToken(fset *token.FileSet, file *ast.File, line int) int {
	first := 0
	for _, n := range nodesOnLine(fset, file, line) {
		if p := fset.Position(n.Pos()); p.Line == line && (first == 0 || p.Column < first) {
			first = p.Column
		}
	}
	return first
}

// parseFrame parses the file of a frame; nil where it cannot be had.
func parseFrame(f runtime.Frame) (*token.FileSet, *ast.File) {
	var text []byte
	var err error
	if source, ok := sources.Load(packageOf(f.Function)); ok {
		text, err = fs.ReadFile(source.(fs.FS), path.Base(filepath.ToSlash(f.File)))
	}
	if text == nil || err != nil {
		name, ok := frontend.OnDisk(f.File)
		if !ok {
			return nil, nil
		}
		if text, err = os.ReadFile(name); err != nil {
			return nil, nil
		}
	}
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, f.File, text, parser.SkipObjectResolution)
	if err != nil {
		return nil, nil
	}
	return fset, file
}
