package frontend

import "github.com/quadrants-go/quadrants/qd/internal/cgo"

// emitter is what lowering needs of *cgo.Builder. The second implementation builds nothing: the survey that comes before
// building runs on it, and so does a check without a runtime.
type emitter interface {
	ArrayType(element cgo.Type, count int64) cgo.Type
	StructType(fields []cgo.Type, offsets []int64, size int64, align int) cgo.Type
	ParamValue(name string, t cgo.Type) cgo.Param
	ParamArray(name string, element cgo.Type, rank int) cgo.Param
	File(name string) int32
	Position(file int32, line, column int)
	EnterCall(function string)
	LeaveCall()

	ConstantInt(t cgo.Type, value int64) cgo.Expr
	ConstantFloat(t cgo.Type, value float64) cgo.Expr
	Param(p cgo.Param) cgo.Expr
	Dim(array cgo.Param, axis int) cgo.Expr
	LoopIndex(loop cgo.Label, axis int) cgo.Expr
	Element(array cgo.Param, indices []cgo.Expr, checked bool) cgo.Expr
	Field(place cgo.Expr, field int) cgo.Expr
	Item(place, index cgo.Expr, checked bool) cgo.Expr
	CheckedIndex(index, length cgo.Expr, name string) cgo.Expr
	Unary(op cgo.UnaryOp, x cgo.Expr) cgo.Expr
	Binary(op cgo.BinaryOp, x, y cgo.Expr) cgo.Expr
	Cast(op cgo.CastOp, x cgo.Expr, t cgo.Type) cgo.Expr
	Select(condition, x, y cgo.Expr) cgo.Expr
	Random(t cgo.Type) cgo.Expr

	Local(name string, t cgo.Type, init cgo.Expr) cgo.Expr
	Bind(value cgo.Expr) cgo.Expr
	Assign(place, value cgo.Expr)
	Atomic(op cgo.AtomicOp, place, value cgo.Expr) cgo.Expr
	AtomicCAS(place, expected, desired cgo.Expr) cgo.Expr
	BeginIf(condition cgo.Expr)
	BeginElse()
	EndIf()
	BeginFor(bounds []cgo.Expr, options cgo.LoopOptions) cgo.Label
	EndFor()
	BeginLoop() cgo.Label
	BeginPost()
	EndLoop()
	BeginScope() cgo.Label
	EndScope()
	Break(label cgo.Label)
	Continue(label cgo.Label)
	Return()
	BeginStreamParallel()
	EndStreamParallel()
	AssumeDisjoint(a, other cgo.Param)
	Check(kind cgo.Check, args []cgo.Expr, name, message string)
	Print(args []cgo.Expr, format string, stream int)
}

var _ emitter = (*cgo.Builder)(nil)

// dryEmitter hands out fresh handles and forgets them.
type dryEmitter struct{ next int32 }

func newDryEmitter() *dryEmitter { return &dryEmitter{} }

func (d *dryEmitter) expr() cgo.Expr   { d.next++; return cgo.Expr(d.next) }
func (d *dryEmitter) label() cgo.Label { d.next++; return cgo.Label(d.next) }

func (d *dryEmitter) ArrayType(cgo.Type, int64) cgo.Type { d.next++; return cgo.Type(d.next) }
func (d *dryEmitter) StructType([]cgo.Type, []int64, int64, int) cgo.Type {
	d.next++
	return cgo.Type(d.next)
}
func (d *dryEmitter) ParamValue(string, cgo.Type) cgo.Param      { d.next++; return cgo.Param(d.next) }
func (d *dryEmitter) ParamArray(string, cgo.Type, int) cgo.Param { d.next++; return cgo.Param(d.next) }
func (d *dryEmitter) File(string) int32                          { d.next++; return d.next }
func (d *dryEmitter) Position(int32, int, int)                   {}
func (d *dryEmitter) EnterCall(string)                           {}
func (d *dryEmitter) LeaveCall()                                 {}

func (d *dryEmitter) ConstantInt(cgo.Type, int64) cgo.Expr             { return d.expr() }
func (d *dryEmitter) ConstantFloat(cgo.Type, float64) cgo.Expr         { return d.expr() }
func (d *dryEmitter) Param(cgo.Param) cgo.Expr                         { return d.expr() }
func (d *dryEmitter) Dim(cgo.Param, int) cgo.Expr                      { return d.expr() }
func (d *dryEmitter) LoopIndex(cgo.Label, int) cgo.Expr                { return d.expr() }
func (d *dryEmitter) Element(cgo.Param, []cgo.Expr, bool) cgo.Expr     { return d.expr() }
func (d *dryEmitter) Field(cgo.Expr, int) cgo.Expr                     { return d.expr() }
func (d *dryEmitter) Item(cgo.Expr, cgo.Expr, bool) cgo.Expr           { return d.expr() }
func (d *dryEmitter) CheckedIndex(cgo.Expr, cgo.Expr, string) cgo.Expr { return d.expr() }
func (d *dryEmitter) Unary(cgo.UnaryOp, cgo.Expr) cgo.Expr             { return d.expr() }
func (d *dryEmitter) Binary(cgo.BinaryOp, cgo.Expr, cgo.Expr) cgo.Expr { return d.expr() }
func (d *dryEmitter) Cast(cgo.CastOp, cgo.Expr, cgo.Type) cgo.Expr     { return d.expr() }
func (d *dryEmitter) Select(cgo.Expr, cgo.Expr, cgo.Expr) cgo.Expr     { return d.expr() }
func (d *dryEmitter) Random(cgo.Type) cgo.Expr                         { return d.expr() }
func (d *dryEmitter) Local(string, cgo.Type, cgo.Expr) cgo.Expr        { return d.expr() }
func (d *dryEmitter) Bind(cgo.Expr) cgo.Expr                           { return d.expr() }
func (d *dryEmitter) Assign(cgo.Expr, cgo.Expr)                        {}
func (d *dryEmitter) Atomic(cgo.AtomicOp, cgo.Expr, cgo.Expr) cgo.Expr { return d.expr() }
func (d *dryEmitter) AtomicCAS(cgo.Expr, cgo.Expr, cgo.Expr) cgo.Expr  { return d.expr() }
func (d *dryEmitter) BeginIf(cgo.Expr)                                 {}
func (d *dryEmitter) BeginElse()                                       {}
func (d *dryEmitter) EndIf()                                           {}
func (d *dryEmitter) BeginFor([]cgo.Expr, cgo.LoopOptions) cgo.Label   { return d.label() }
func (d *dryEmitter) EndFor()                                          {}
func (d *dryEmitter) BeginLoop() cgo.Label                             { return d.label() }
func (d *dryEmitter) BeginPost()                                       {}
func (d *dryEmitter) EndLoop()                                         {}
func (d *dryEmitter) BeginScope() cgo.Label                            { return d.label() }
func (d *dryEmitter) EndScope()                                        {}
func (d *dryEmitter) Break(cgo.Label)                                  {}
func (d *dryEmitter) Continue(cgo.Label)                               {}
func (d *dryEmitter) Return()                                          {}
func (d *dryEmitter) BeginStreamParallel()                             {}
func (d *dryEmitter) EndStreamParallel()                               {}
func (d *dryEmitter) AssumeDisjoint(cgo.Param, cgo.Param)              {}
func (d *dryEmitter) Check(cgo.Check, []cgo.Expr, string, string)      {}
func (d *dryEmitter) Print([]cgo.Expr, string, int)                    {}
