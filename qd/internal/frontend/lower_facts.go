package frontend

import (
	"go/ast"
	"go/token"
	"go/types"
)

// variableFacts tells of the variables in a piece of code what decides how they are kept: one that is never assigned after
// its declaration and whose address is not taken is a value, not memory.
type variableFacts struct {
	assigned  map[types.Object]bool // by name, whole or in part
	addressed map[types.Object]bool // a pointer to it, or a slice of it, is made
	returns   int
}

func (f *variableFacts) mutable(obj types.Object) bool { return f.assigned[obj] || f.addressed[obj] }

// factsOf looks at a whole function, once where its types do not depend on type arguments.
func (l *lowering) factsOf(fn *function) *variableFacts {
	if f := l.facts[fn.decl]; f != nil && len(fn.targs) == 0 {
		return f
	}
	f := collectFacts(fn, fn.decl)
	l.facts[fn.decl] = f
	return f
}

// collectFacts looks at part of a function.
func collectFacts(fn *function, part ast.Node) *variableFacts {
	f := &variableFacts{assigned: map[types.Object]bool{}, addressed: map[types.Object]bool{}}
	mark := func(set map[types.Object]bool, e ast.Expr) {
		if obj := rootVariable(fn, e); obj != nil {
			set[obj] = true
		}
	}
	info := fn.unit.info
	ast.Inspect(part, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, e := range n.Lhs {
				if id, ok := e.(*ast.Ident); ok && n.Tok == token.DEFINE && info.Defs[id] != nil {
					continue
				}
				mark(f.assigned, e)
			}
		case *ast.IncDecStmt:
			mark(f.assigned, n.X)
		case *ast.RangeStmt:
			if n.Tok == token.ASSIGN {
				mark(f.assigned, n.Key)
				mark(f.assigned, n.Value)
			}
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				mark(f.addressed, n.X)
			}
		case *ast.SliceExpr:
			if _, ok := arrayOf(fn.typeOf(n.X)); ok {
				mark(f.addressed, n.X)
			}
		case *ast.SelectorExpr:
			if s := info.Selections[n]; s != nil && s.Kind() == types.MethodVal && hasPointerReceiver(s.Obj()) {
				mark(f.addressed, n.X)
			}
		case *ast.ReturnStmt:
			f.returns++
		}
		return true
	})
	return f
}

func hasPointerReceiver(obj types.Object) bool {
	f, ok := obj.(*types.Func)
	if !ok || f.Signature().Recv() == nil {
		return false
	}
	_, ok = pointee(f.Signature().Recv().Type())
	return ok
}

// rootVariable is the variable that an expression denotes or is a part of; nil where it is reached through a pointer or a
// slice, or is no variable.
func rootVariable(fn *function, e ast.Expr) types.Object {
	info := fn.unit.info
	for {
		switch x := e.(type) {
		case *ast.ParenExpr:
			e = x.X
		case *ast.SelectorExpr:
			if info.Selections[x] == nil {
				return nil
			}
			if _, ok := pointee(fn.typeOf(x.X)); ok {
				return nil
			}
			e = x.X
		case *ast.IndexExpr:
			if _, ok := arrayOf(fn.typeOf(x.X)); !ok {
				return nil
			}
			e = x.X
		case *ast.Ident:
			obj := info.ObjectOf(x)
			if v, ok := obj.(*types.Var); ok {
				return v
			}
			return nil
		default:
			return nil
		}
	}
}
