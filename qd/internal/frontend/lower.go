package frontend

import (
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"regexp"

	"github.com/quadrants-go/quadrants/qd/internal/cgo"
)

// ParamKind says what a kernel's parameter takes from its Go argument.
type ParamKind int

// The kinds of parameters.
const (
	Value   ParamKind = iota // a scalar, array or struct, copied in Go's memory layout
	Slice                    // a []T, [][]T or [][][]T, or an NDArray of that rank in its place
	NDArray                  // a *qd.NDArray[T]
)

// Param is a parameter of the compiled kernel and where it comes from. A Go argument that is a struct with arrays in it, or
// a pointer to a struct, gives one parameter for each field that the kernel uses, and so maybe none.
type Param struct {
	Name    string // as messages call it: "x", "sim.dt"
	Arg     int    // number of the Go argument; a method's receiver is number 0
	Field   []int  // nil: the argument itself; else the path of field numbers from the argument's struct
	Kind    ParamKind
	Rank    int        // of a Slice or NDArray
	AnyRank bool       // NDArray of which only Len is used: any rank will do, passed as one axis of all elements
	Type    types.Type // of the value, or of an array's element
	Index   cgo.Param  // the parameter's number in the compiled kernel
}

// Lowered is a kernel as it was handed to the AST builder.
type Lowered struct {
	Name    string
	Builder *cgo.Builder // ready for Finish; nil when Lower was called without a way to make one
	Params  []Param
	Printed []string // the lines of qd.StaticPrint
}

// Lower finds a kernel, checks it, and builds it with the builder that b makes; with b nil it only checks. The
// diagnostics may be warnings beside a result; with an error among them the result is nil. The error is for what has no
// position, such as a source that was not found.
func Lower(reg *Registry, fn Func, b func(name string) (*cgo.Builder, error)) (*Lowered, Diagnostics, error) {
	ld, kernel, err := reg.load(fn)
	if err != nil {
		var found Diagnostics
		if errors.As(err, &found) {
			return nil, found.Sorted(), nil
		}
		return nil, nil, err
	}
	found := ld.check(kernel)
	if found.HasErrors() {
		return nil, found.Sorted(), nil
	}
	out, more, err := lowerKernel(ld, kernel, b)
	found = append(found, more...).Sorted()
	if err != nil || found.HasErrors() {
		if out != nil && out.Builder != nil {
			out.Builder.Destroy()
		}
		return nil, found, err
	}
	return out, found, nil
}

// lowerKernel builds a kernel that passed the subset check. It goes over the source twice: first without a builder, which
// gives all diagnostics and tells which parameters there are (a builder wants them before any statement), then for real.
func lowerKernel(ld *loader, kernel *function, b func(string) (*cgo.Builder, error)) (*Lowered, Diagnostics, error) {
	out := &Lowered{Name: kernelName(kernel.obj)}
	survey := newLowering(ld, kernel, newDryEmitter())
	survey.run()
	out.Params, out.Printed = survey.paramList(), survey.printed
	if survey.found.HasErrors() || b == nil {
		return out, survey.found, nil
	}
	builder, err := b(out.Name)
	if err != nil {
		return nil, survey.found, err
	}
	out.Builder = builder
	build := newLowering(ld, kernel, builder)
	build.declare(survey.params)
	build.run()
	out.Params = build.paramList()
	if failure := builder.Err(); failure != nil && !build.found.HasErrors() {
		build.found = append(build.found, build.builderFailure(failure))
	}
	return out, build.found, nil
}

// kernelName is what tasks and dumps of a kernel are called: "saxpy", "Sim.Step".
func kernelName(obj *types.Func) string {
	if recv := obj.Signature().Recv(); recv != nil {
		t := recv.Type()
		if p, ok := t.Underlying().(*types.Pointer); ok {
			t = p.Elem()
		}
		if named, ok := types.Unalias(t).(*types.Named); ok {
			return named.Obj().Name() + "." + obj.Name()
		}
	}
	return obj.Name()
}

// lowering is one pass over a kernel's source.
type lowering struct {
	ld      *loader
	kernel  *function
	emit    emitter
	types   typeIDs
	files   map[string]int32
	found   Diagnostics
	printed []string

	params   []*param
	declared bool // the parameters were given to the builder; no more can come

	frame   *frame     // the function whose body is being lowered
	current token.Pos  // where what is built next stands
	nesting int        // how many constructs enclose the statement inside the kernel or its StreamParallel scope
	scope   bool       // in a StreamParallel scope
	region  int        // number of the enclosing parallel loop; 0 outside
	regions int        // how many parallel loops there were
	options loopConfig // for the next loop
	calls   int        // how many calls were compiled in
	effects int        // how many statements were built
	order   int        // how many locals and variables there were
	facts   map[*ast.FuncDecl]*variableFacts
}

func newLowering(ld *loader, kernel *function, e emitter) *lowering {
	return &lowering{
		ld: ld, kernel: kernel, emit: e,
		types: typeIDs{emit: e, sizes: types.SizesFor("gc", "amd64")},
		files: map[string]int32{},
		facts: map[*ast.FuncDecl]*variableFacts{},
	}
}

func (l *lowering) run() {
	defer l.survive()
	decl := l.kernel.decl
	l.frame = l.newFrame(l.kernel, token.NoPos)
	l.at(decl.Pos())
	l.bindKernelParams()
	if res := l.kernel.signature().Results(); res.Len() > 0 {
		l.errorf(decl.Type.Results.Pos(), "write results to an array parameter", "a kernel returns nothing")
		return
	}
	if decl.Body != nil {
		l.statements(decl.Body.List)
	}
}

// survive turns a panic into a diagnostic: a fault of this package must not end the user's program.
func (l *lowering) survive() {
	if debugPanics {
		return
	}
	if r := recover(); r != nil {
		l.errorf(l.current, "please report it with the source of the kernel", "the compiler's front end failed: %v", r)
	}
}

// debugPanics lets tests see panics.
var debugPanics = false

// at says where what is built next stands.
func (l *lowering) at(pos token.Pos) {
	if !pos.IsValid() || pos == l.current {
		return
	}
	l.current = pos
	p := l.ld.position(pos)
	id, ok := l.files[p.Filename]
	if !ok {
		id = l.emit.File(p.Filename)
		l.files[p.Filename] = id
	}
	l.emit.Position(id, p.Line, p.Column)
}

// errorf reports something that only lowering can see.
func (l *lowering) errorf(pos token.Pos, hint, format string, args ...any) {
	d := Diagnostic{Pos: l.ld.position(pos), Msg: fmt.Sprintf(format, args...), Hint: hint}
	for f := l.frame; f != nil && f.caller != nil; f = f.caller {
		d.Chain = append(d.Chain, Call{Function: callName(f.fn.obj), Pos: l.ld.position(f.callPos)})
	}
	l.found = append(l.found, d)
}

// builderFailure is the diagnostic for a call that the builder refused.
func (l *lowering) builderFailure(failure *cgo.Error) Diagnostic {
	d := Diagnostic{Msg: failure.Message}
	if (failure.Code == cgo.CodeInternal || failure.Code == cgo.CodeInvalid) && !namesLimit.MatchString(failure.Message) {
		d.Hint = "this looks like a fault of the compiler; please report it with the source of the kernel"
	}
	if p := failure.Position; p.Line > 0 {
		d.Pos = token.Position{Filename: p.File, Line: p.Line, Column: p.Column}
	} else {
		d.Pos = l.ld.position(l.kernel.decl.Name.Pos())
	}
	return d
}

// namesLimit recognises messages about kernels that are too large in some way.
var namesLimit = regexp.MustCompile(`at most|more than|too (large|many)`)

// callName names a function for call chains: "fact", "Sim.step".
func callName(obj *types.Func) string { return kernelName(obj) }
