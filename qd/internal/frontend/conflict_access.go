package frontend

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strings"
)

// array is a slice parameter, or a field of a parameter that holds an NDArray.
type array struct {
	root *types.Var
	name string // with the field: "sim.dens"
}

// access is what a scope does with one element, or with one part of elements, under no condition.
type access struct {
	array array
	index []subscript
	part  string // of the element, such as ".pos;[0]"; "" for all of it
	kind  accessKind
	node  ast.Expr
	text  string
}

// loopIndex is the variable of a range loop; axis is that of an NDRange3's index, else 0.
type loopIndex struct {
	v    *types.Var
	axis int
}

// accessWalker collects the accesses of a scope.
type accessWalker struct {
	fn        *function
	indices   map[loopIndex]extent
	uncertain int // how many conditions enclose what is looked at
	found     []access
}

func (w *accessWalker) unsure(f func()) {
	w.uncertain++
	f()
	w.uncertain--
}

// block goes through statements until one may jump away: what comes after it may not run.
func (w *accessWalker) block(list []ast.Stmt) {
	jumps := 0
	for _, s := range list {
		w.stmt(s)
		if mayJump(s) {
			jumps++
			w.uncertain++
		}
	}
	w.uncertain -= jumps
}

func mayJump(s ast.Stmt) bool {
	jumps := false
	ast.Inspect(s, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.BranchStmt, *ast.ReturnStmt:
			jumps = true
		}
		return !jumps
	})
	return jumps
}

func (w *accessWalker) stmt(s ast.Stmt) {
	switch s := s.(type) {
	case *ast.LabeledStmt:
		w.stmt(s.Stmt)
	case *ast.BlockStmt:
		w.block(s.List)
	case *ast.ExprStmt:
		w.expr(s.X)
	case *ast.AssignStmt:
		for _, e := range s.Rhs {
			w.expr(e)
		}
		for _, e := range s.Lhs {
			w.store(e, s.Tok)
		}
	case *ast.IncDecStmt:
		w.store(s.X, s.Tok)
	case *ast.DeclStmt:
		for _, spec := range s.Decl.(*ast.GenDecl).Specs {
			if v, ok := spec.(*ast.ValueSpec); ok {
				for _, e := range v.Values {
					w.expr(e)
				}
			}
		}
	case *ast.IfStmt:
		w.stmt(s.Init)
		w.expr(s.Cond)
	case *ast.SwitchStmt:
		w.stmt(s.Init)
		w.expr(s.Tag)
	case *ast.ForStmt:
		w.stmt(s.Init)
		w.expr(s.Cond)
	case *ast.RangeStmt:
		w.rangeLoop(s)
	}
}

func (w *accessWalker) store(e ast.Expr, tok token.Token) {
	switch a, ok := w.place(e); {
	case !ok:
		w.expr(e)
	case tok == token.ASSIGN || tok == token.DEFINE:
		w.add(a, written)
	case reductions[tok]:
		w.add(a, updated)
	default:
		w.add(a, read)
		w.add(a, written)
	}
}

func (w *accessWalker) add(a access, kind accessKind) {
	if w.uncertain == 0 && independent(a.index) {
		a.kind = kind
		w.found = append(w.found, a)
	}
}

func (w *accessWalker) expr(e ast.Expr) {
	if a, ok := w.place(e); ok {
		w.add(a, read)
		return
	}
	switch x := e.(type) {
	case *ast.ParenExpr:
		w.expr(x.X)
	case *ast.UnaryExpr:
		if x.Op != token.AND {
			w.expr(x.X)
		}
	case *ast.BinaryExpr:
		w.expr(x.X)
		if x.Op == token.LAND || x.Op == token.LOR {
			return
		}
		w.expr(x.Y)
	case *ast.StarExpr:
		w.expr(x.X)
	case *ast.SelectorExpr:
		w.expr(x.X)
	case *ast.IndexExpr:
		w.expr(x.X)
		w.expr(x.Index)
	case *ast.CompositeLit:
		for _, elt := range x.Elts {
			if kv, ok := elt.(*ast.KeyValueExpr); ok {
				elt = kv.Value
			}
			w.expr(elt)
		}
	case *ast.CallExpr:
		w.call(x)
	}
}

func (w *accessWalker) call(x *ast.CallExpr) {
	atomic := strings.HasPrefix(apiName(w.fn.unit.info, x), "Atomic")
	for _, arg := range x.Args {
		if place := addressed(arg); place != nil && atomic {
			if a, ok := w.place(place); ok {
				w.add(a, updated)
				continue
			}
		}
		w.expr(arg)
	}
}

func (w *accessWalker) rangeLoop(s *ast.RangeStmt) {
	over := extent{count: -1}
	if isNDRangeCall(w.fn.unit.info, s.X) {
		for _, e := range ast.Unparen(s.X).(*ast.CallExpr).Args {
			w.expr(e)
		}
	} else {
		over = w.extent(s.X)
	}
	key := w.loopVar(s.Key, s)
	if s.Tok == token.DEFINE && key != nil {
		for axis := range 3 {
			w.indices[loopIndex{key, axis}] = over
		}
	}
	if value := w.loopVar(s.Value, s); value != nil && isNDRangeCall(w.fn.unit.info, s.X) {
		w.indices[loopIndex{value, 0}] = over
	} else if value != nil && over.whole != (array{}) {
		index := subscript{constant: -1, loop: loopIndex{key, 0}, extent: over}
		w.add(access{array: over.whole, index: []subscript{index}, node: s.Value, text: over.whole.name + "[…]"}, read)
	}
	if over.count == 0 {
		return
	}
	w.block(s.Body.List)
}

// loopVar is the variable that a range loop declares, where the body leaves it alone.
func (w *accessWalker) loopVar(e ast.Expr, s *ast.RangeStmt) *types.Var {
	id, ok := e.(*ast.Ident)
	if !ok || id.Name == "_" {
		return nil
	}
	v, ok := w.fn.unit.info.Defs[id].(*types.Var)
	if !ok || w.changes(s.Body, v) {
		return nil
	}
	return v
}

func (w *accessWalker) changes(in ast.Node, v *types.Var) bool {
	changed := false
	is := func(e ast.Expr) {
		if index, ok := ast.Unparen(e).(*ast.IndexExpr); ok {
			e = index.X
		}
		if id, ok := ast.Unparen(e).(*ast.Ident); ok && w.fn.unit.info.Uses[id] == v {
			changed = true
		}
	}
	ast.Inspect(in, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, e := range n.Lhs {
				is(e)
			}
		case *ast.IncDecStmt:
			is(n.X)
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				is(n.X)
			}
		}
		return true
	})
	return changed
}

// extent is what `range e` runs over.
func (w *accessWalker) extent(e ast.Expr) extent {
	e = ast.Unparen(e)
	if v := w.fn.unit.info.Types[e].Value; v != nil {
		if n, ok := constant.Int64Val(v); ok {
			return extent{count: max(n, 0)}
		}
	}
	if call, ok := e.(*ast.CallExpr); ok && len(call.Args) == 1 {
		if id, ok := ast.Unparen(call.Fun).(*ast.Ident); ok && w.fn.unit.info.Uses[id] == types.Universe.Lookup("len") {
			e = ast.Unparen(call.Args[0])
		}
	}
	if arr, ok := underlying(w.fn.typeOf(e)).(*types.Array); ok {
		return extent{count: arr.Len()}
	}
	if a, ok := w.root(e); ok {
		return extent{count: -1, whole: a}
	}
	return extent{count: -1}
}

// root is the array that an expression names.
func (w *accessWalker) root(e ast.Expr) (array, bool) {
	switch x := ast.Unparen(e).(type) {
	case *ast.Ident:
		if v, ok := w.fn.unit.info.Uses[x].(*types.Var); ok && w.fn.isParameter(v) {
			return array{v, v.Name()}, true
		}
	case *ast.SelectorExpr:
		if sel := w.fn.unit.info.Selections[x]; sel != nil && sel.Kind() == types.FieldVal {
			a, ok := w.root(x.X)
			return array{a.root, a.name + "." + x.Sel.Name}, ok
		}
	}
	return array{}, false
}

// place takes apart an expression that denotes an element, or a part of one.
func (w *accessWalker) place(e ast.Expr) (access, bool) {
	a := access{node: e, text: types.ExprString(e)}
	if w.underlyingIsSlice(e) {
		return a, false // a row, not an element
	}
	for {
		switch x := ast.Unparen(e).(type) {
		case *ast.SelectorExpr:
			sel := w.fn.unit.info.Selections[x]
			if sel == nil || sel.Kind() != types.FieldVal {
				return a, false
			}
			a.part, e = "."+x.Sel.Name+";"+a.part, x.X
		case *ast.StarExpr:
			e = x.X
		case *ast.CallExpr:
			fun, ok := ast.Unparen(x.Fun).(*ast.SelectorExpr)
			if !ok || fun.Sel.Name != "At" || !isNDArray(w.fn.typeOf(fun.X)) {
				return a, false
			}
			a.index = make([]subscript, len(x.Args))
			for i, arg := range x.Args {
				if a.index[i], ok = w.subscript(arg); !ok {
					return a, false
				}
			}
			a.array, ok = w.root(fun.X)
			return a, ok
		case *ast.IndexExpr:
			index, ok := w.subscript(x.Index)
			if !ok {
				return a, false
			}
			switch underlying(w.fn.typeOf(x.X)).(type) {
			case *types.Array:
				if index.constant < 0 || len(a.index) > 0 {
					return a, false
				}
				a.part = "[" + w.fn.unit.info.Types[x.Index].Value.ExactString() + "]" + a.part
			case *types.Slice:
				a.index = append([]subscript{index}, a.index...)
				if root, ok := w.root(x.X); ok {
					a.array = root
					return a, true
				}
			default:
				return a, false
			}
			e = x.X
		default:
			return a, false
		}
	}
}

func (w *accessWalker) underlyingIsSlice(e ast.Expr) bool {
	_, ok := underlying(w.fn.typeOf(e)).(*types.Slice)
	return ok
}

func isNDArray(t types.Type) bool {
	if t == nil {
		return false
	}
	named, ok := deref(t).(*types.Named)
	return ok && named.Obj().Name() == "NDArray" && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == KernelAPIPath
}

func (w *accessWalker) subscript(e ast.Expr) (subscript, bool) {
	e = ast.Unparen(e)
	if v := w.fn.unit.info.Types[e].Value; v != nil {
		n, ok := constant.Int64Val(constant.ToInt(v))
		return subscript{constant: n}, ok && n >= 0
	}
	loop := loopIndex{}
	if index, ok := e.(*ast.IndexExpr); ok {
		v := w.fn.unit.info.Types[index.Index].Value
		if v == nil {
			return subscript{}, false
		}
		axis, _ := constant.Int64Val(v)
		e, loop.axis = ast.Unparen(index.X), int(axis)
	}
	id, ok := e.(*ast.Ident)
	if !ok {
		return subscript{}, false
	}
	loop.v, _ = w.fn.unit.info.Uses[id].(*types.Var)
	over, ok := w.indices[loop]
	return subscript{constant: -1, loop: loop, extent: over}, ok
}
