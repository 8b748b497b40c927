package cgo

// #include <stdlib.h>
// #include "capi/qd.h"
import "C"

import "unsafe"

// Assign stores a value of the place's type.
func (b *Builder) Assign(place, value Expr) {
	if b.first != nil {
		return
	}
	b.done(C.qd_builder_assign(b.c, C.qd_expr(place), C.qd_expr(value), b.e))
}

// BeginIf starts what runs where condition holds.
func (b *Builder) BeginIf(condition Expr) {
	if b.first != nil {
		return
	}
	b.done(C.qd_builder_begin_if(b.c, C.qd_expr(condition), b.e))
}

// BeginElse starts what runs otherwise.
func (b *Builder) BeginElse() {
	if b.first != nil {
		return
	}
	b.done(C.qd_builder_begin_else(b.c, b.e))
}

// EndIf ends BeginIf.
func (b *Builder) EndIf() {
	if b.first != nil {
		return
	}
	b.done(C.qd_builder_end_if(b.c, b.e))
}

// LoopOptions are what qd.LoopConfig gives to a loop.
type LoopOptions struct {
	BlockDim  int // 0: the device's choice
	Serialize bool
	Name      string // of the task; "": made up
}

// BeginFor starts a loop over one to three axes, the last one fastest: begin and end of each in bounds, all i64. At the
// top level of the kernel or of a StreamParallel scope it is parallel unless options.Serialize.
func (b *Builder) BeginFor(bounds []Expr, options LoopOptions) Label {
	if b.first != nil {
		return -1
	}
	o := C.qd_loop_options{block_dim: C.int32_t(options.BlockDim), serialize: flag(options.Serialize)}
	if options.Name != "" {
		if b.text(options.Name) == nil {
			return -1
		}
		// It lies inside a struct, where cgo wants no Go pointer.
		o.name = C.CString(options.Name)
		defer C.free(unsafe.Pointer(o.name))
	}
	return Label(b.handle(C.qd_builder_begin_for(b.c, C.int32_t(len(bounds)), (*C.qd_expr)(pointer(bounds)), &o, b.e)))
}

// EndFor ends BeginFor.
func (b *Builder) EndFor() {
	if b.first != nil {
		return
	}
	b.done(C.qd_builder_end_for(b.c, b.e))
}

// BeginLoop starts a loop that runs until a Break.
func (b *Builder) BeginLoop() Label {
	if b.first != nil {
		return -1
	}
	return Label(b.handle(C.qd_builder_begin_loop(b.c, b.e)))
}

// BeginPost starts what runs between two iterations of a BeginLoop; Continue goes there.
func (b *Builder) BeginPost() {
	if b.first != nil {
		return
	}
	b.done(C.qd_builder_begin_post(b.c, b.e))
}

// EndLoop ends BeginLoop.
func (b *Builder) EndLoop() {
	if b.first != nil {
		return
	}
	b.done(C.qd_builder_end_loop(b.c, b.e))
}

// BeginScope starts statements that Break can leave.
func (b *Builder) BeginScope() Label {
	if b.first != nil {
		return -1
	}
	return Label(b.handle(C.qd_builder_begin_scope(b.c, b.e)))
}

// EndScope ends BeginScope.
func (b *Builder) EndScope() {
	if b.first != nil {
		return
	}
	b.done(C.qd_builder_end_scope(b.c, b.e))
}

// Break leaves a loop or scope.
func (b *Builder) Break(label Label) {
	if b.first != nil {
		return
	}
	b.done(C.qd_builder_break(b.c, C.qd_label(label), b.e))
}

// Continue goes to a loop's next iteration.
func (b *Builder) Continue(label Label) {
	if b.first != nil {
		return
	}
	b.done(C.qd_builder_continue(b.c, C.qd_label(label), b.e))
}

// Return ends the kernel; not in a parallel loop or a StreamParallel scope.
func (b *Builder) Return() {
	if b.first != nil {
		return
	}
	b.done(C.qd_builder_return(b.c, b.e))
}

// BeginStreamParallel starts a scope that may overlap with its neighbours.
func (b *Builder) BeginStreamParallel() {
	if b.first != nil {
		return
	}
	b.done(C.qd_builder_begin_stream_parallel(b.c, b.e))
}

// EndStreamParallel ends BeginStreamParallel.
func (b *Builder) EndStreamParallel() {
	if b.first != nil {
		return
	}
	b.done(C.qd_builder_end_stream_parallel(b.c, b.e))
}

// AssumeDisjoint promises that what the kernel accesses through two array parameters never meets; with one parameter twice,
// what different scopes access through it.
func (b *Builder) AssumeDisjoint(a, other Param) {
	if b.first != nil {
		return
	}
	b.done(C.qd_builder_assume_disjoint(b.c, C.qd_param(a), C.qd_param(other), b.e))
}

// Check fails the launch where the values do not pass; see Check for which values a kind wants. An assertion's first
// value is its condition.
func (b *Builder) Check(kind Check, args []Expr, name, message string) {
	n, m := b.text(name), b.text(message)
	if n == nil || m == nil {
		return
	}
	b.done(C.qd_builder_check(b.c, C.qd_check(kind), C.int32_t(len(args)), (*C.qd_expr)(pointer(args)), n, m, b.e))
}

// Print writes to a stream (Stdout, Stderr): %v for each argument, %% for a percent sign, no newline of its own.
func (b *Builder) Print(args []Expr, format string, stream int) {
	s := b.text(format)
	if s == nil {
		return
	}
	b.done(C.qd_builder_print(b.c, C.int32_t(len(args)), (*C.qd_expr)(pointer(args)), s, C.int32_t(stream), b.e))
}
