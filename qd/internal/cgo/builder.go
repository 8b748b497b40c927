package cgo

// #include "capi/qd.h"
//
// #cgo noescape qd_builder_position
// #cgo nocallback qd_builder_position
// #cgo noescape qd_builder_constant_int
// #cgo nocallback qd_builder_constant_int
// #cgo noescape qd_builder_constant_float
// #cgo nocallback qd_builder_constant_float
// #cgo noescape qd_builder_element
// #cgo nocallback qd_builder_element
// #cgo noescape qd_builder_unary
// #cgo nocallback qd_builder_unary
// #cgo noescape qd_builder_binary
// #cgo nocallback qd_builder_binary
import "C"

// Builder makes one kernel, call by call. A call that fails returns -1, and so does every call after it, at once; Err
// gives the first failure. So a front end may build on and look at Err at the end.
type Builder struct {
	c     *C.qd_builder
	first *Error
	e     *C.qd_error // written by a failing call
}

// NewBuilder starts a kernel. The builder must be destroyed, whether or not Finish was called.
func NewBuilder(p *Program, kernelName string) (*Builder, error) {
	name, err := text(kernelName)
	if err != nil {
		return nil, err
	}
	b := &Builder{e: new(C.qd_error)}
	b.c = C.qd_builder_create(p.c, characters(name), b.e)
	if b.c == nil {
		return nil, failure(b.e)
	}
	return b, nil
}

// Destroy frees the builder.
func (b *Builder) Destroy() {
	C.qd_builder_destroy(b.c)
	b.c = nil
}

// Err is the first failure, nil while there is none.
func (b *Builder) Err() *Error { return b.first }

// handle takes the result of a call that returns a handle.
func (b *Builder) handle(h C.int32_t) int32 {
	if h < 0 {
		b.first = failure(b.e)
	}
	return int32(h)
}

// done takes the result of a call that returns a code.
func (b *Builder) done(code C.qd_code) {
	if code != C.QD_OK {
		b.first = failure(b.e)
	}
}

// text converts a string for a call; nil means that the call must not be made.
func (b *Builder) text(s string) *C.char {
	if b.first != nil {
		return nil
	}
	buffer, err := text(s)
	if err != nil {
		b.first = err
		return nil
	}
	return characters(buffer)
}

// ArrayType is an array of count elements.
func (b *Builder) ArrayType(element Type, count int64) Type {
	if b.first != nil {
		return -1
	}
	return Type(b.handle(C.qd_builder_array_type(b.c, C.qd_type(element), C.int64_t(count), b.e)))
}

// StructType is a struct in the host's layout: offsets in bytes, ascending.
func (b *Builder) StructType(fields []Type, offsets []int64, size int64, align int) Type {
	if b.first != nil {
		return -1
	}
	if len(fields) != len(offsets) {
		b.first = &Error{Code: CodeInvalid, Message: "a struct type needs one offset a field"}
		return -1
	}
	return Type(b.handle(C.qd_builder_struct_type(b.c, C.int32_t(len(fields)), (*C.qd_type)(pointer(fields)),
		(*C.int64_t)(pointer(offsets)), C.int64_t(size), C.int32_t(align), b.e)))
}

// ParamValue is the next parameter, passed by value.
func (b *Builder) ParamValue(name string, t Type) Param {
	s := b.text(name)
	if s == nil {
		return -1
	}
	return Param(b.handle(C.qd_builder_param_value(b.c, s, C.qd_type(t), b.e)))
}

// ParamArray is the next parameter, an array of rank 1 to 3.
func (b *Builder) ParamArray(name string, element Type, rank int) Param {
	s := b.text(name)
	if s == nil {
		return -1
	}
	return Param(b.handle(C.qd_builder_param_array(b.c, s, C.qd_type(element), C.int32_t(rank), b.e)))
}

// File makes a source file known for Position.
func (b *Builder) File(name string) int32 {
	s := b.text(name)
	if s == nil {
		return -1
	}
	return b.handle(C.qd_builder_file(b.c, s, b.e))
}

// Position says where what is built next stands; line and column count from 1.
func (b *Builder) Position(file int32, line, column int) {
	if b.first != nil {
		return
	}
	b.done(C.qd_builder_position(b.c, C.int32_t(file), C.int32_t(line), C.int32_t(column), b.e))
}

// EnterCall says that what is built until LeaveCall belongs to a function called at the current position.
func (b *Builder) EnterCall(function string) {
	s := b.text(function)
	if s == nil {
		return
	}
	b.done(C.qd_builder_enter_call(b.c, s, b.e))
}

// LeaveCall ends EnterCall.
func (b *Builder) LeaveCall() {
	if b.first != nil {
		return
	}
	b.done(C.qd_builder_leave_call(b.c, b.e))
}

// Finish lowers what was built; nil after a failure. The builder is spent, but must still be destroyed.
func (b *Builder) Finish() *Kernel {
	if b.first != nil {
		return nil
	}
	k := C.qd_builder_finish(b.c, b.e)
	if k == nil {
		b.first = failure(b.e)
		return nil
	}
	return &Kernel{k}
}
