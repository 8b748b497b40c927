package cgo

// #include "capi/qd.h"
import "C"

// ConstantInt is an integer or u1 constant.
func (b *Builder) ConstantInt(t Type, value int64) Expr {
	if b.first != nil {
		return -1
	}
	return Expr(b.handle(C.qd_builder_constant_int(b.c, C.qd_type(t), C.int64_t(value), b.e)))
}

// ConstantFloat is a float constant.
func (b *Builder) ConstantFloat(t Type, value float64) Expr {
	if b.first != nil {
		return -1
	}
	return Expr(b.handle(C.qd_builder_constant_float(b.c, C.qd_type(t), C.double(value), b.e)))
}

// Param is the value of a parameter that is passed by value.
func (b *Builder) Param(p Param) Expr {
	if b.first != nil {
		return -1
	}
	return Expr(b.handle(C.qd_builder_param(b.c, C.qd_param(p), b.e)))
}

// Dim is the length of an array parameter along an axis, an i64.
func (b *Builder) Dim(array Param, axis int) Expr {
	if b.first != nil {
		return -1
	}
	return Expr(b.handle(C.qd_builder_dim(b.c, C.qd_param(array), C.int32_t(axis), b.e)))
}

// LoopIndex is a loop's index along an axis, an i64.
func (b *Builder) LoopIndex(loop Label, axis int) Expr {
	if b.first != nil {
		return -1
	}
	return Expr(b.handle(C.qd_builder_loop_index(b.c, C.qd_label(loop), C.int32_t(axis), b.e)))
}

// Element is the place of an array parameter's element, one i64 index an axis. checked says that the indices must be
// checked; pass false only where they are known to be in range.
func (b *Builder) Element(array Param, indices []Expr, checked bool) Expr {
	if b.first != nil {
		return -1
	}
	return Expr(b.handle(C.qd_builder_element(b.c, C.qd_param(array), C.int32_t(len(indices)),
		(*C.qd_expr)(pointer(indices)), flag(checked), b.e)))
}

// Field is the place of a struct's field.
func (b *Builder) Field(place Expr, field int) Expr {
	if b.first != nil {
		return -1
	}
	return Expr(b.handle(C.qd_builder_field(b.c, C.qd_expr(place), C.int32_t(field), b.e)))
}

// Item is the place of an array value's element.
func (b *Builder) Item(place, index Expr, checked bool) Expr {
	if b.first != nil {
		return -1
	}
	return Expr(b.handle(C.qd_builder_item(b.c, C.qd_expr(place), C.qd_expr(index), flag(checked), b.e)))
}

// CheckedIndex is index, after a check that it lies in [0, length); name is the array's, for the message.
func (b *Builder) CheckedIndex(index, length Expr, name string) Expr {
	s := b.text(name)
	if s == nil {
		return -1
	}
	return Expr(b.handle(C.qd_builder_checked_index(b.c, C.qd_expr(index), C.qd_expr(length), s, b.e)))
}

// Unary applies an operation to one value.
func (b *Builder) Unary(op UnaryOp, x Expr) Expr {
	if b.first != nil {
		return -1
	}
	return Expr(b.handle(C.qd_builder_unary(b.c, C.qd_unary_op(op), C.qd_expr(x), b.e)))
}

// Binary applies an operation to two values of one type.
func (b *Builder) Binary(op BinaryOp, x, y Expr) Expr {
	if b.first != nil {
		return -1
	}
	return Expr(b.handle(C.qd_builder_binary(b.c, C.qd_binary_op(op), C.qd_expr(x), C.qd_expr(y), b.e)))
}

// Cast converts a value.
func (b *Builder) Cast(op CastOp, x Expr, t Type) Expr {
	if b.first != nil {
		return -1
	}
	return Expr(b.handle(C.qd_builder_cast(b.c, C.qd_cast_op(op), C.qd_expr(x), C.qd_type(t), b.e)))
}

// Select is x where condition holds, else y; both are evaluated.
func (b *Builder) Select(condition, x, y Expr) Expr {
	if b.first != nil {
		return -1
	}
	return Expr(b.handle(C.qd_builder_select(b.c, C.qd_expr(condition), C.qd_expr(x), C.qd_expr(y), b.e)))
}

// Random is a uniform random number: over [0, 1) for floats, over all values for integers.
func (b *Builder) Random(t Type) Expr {
	if b.first != nil {
		return -1
	}
	return Expr(b.handle(C.qd_builder_random(b.c, C.qd_type(t), b.e)))
}

// Local is the place of a new local variable; init -1 makes it zero.
func (b *Builder) Local(name string, t Type, init Expr) Expr {
	s := b.text(name)
	if s == nil {
		return -1
	}
	return Expr(b.handle(C.qd_builder_local(b.c, s, C.qd_type(t), C.qd_expr(init), b.e)))
}

// Bind evaluates a scalar now, so that the result may be used more than once.
func (b *Builder) Bind(value Expr) Expr {
	if b.first != nil {
		return -1
	}
	return Expr(b.handle(C.qd_builder_bind(b.c, C.qd_expr(value), b.e)))
}

// Atomic updates a place and is its old value.
func (b *Builder) Atomic(op AtomicOp, place, value Expr) Expr {
	if b.first != nil {
		return -1
	}
	return Expr(b.handle(C.qd_builder_atomic(b.c, C.qd_atomic_op(op), C.qd_expr(place), C.qd_expr(value), b.e)))
}

// AtomicCAS stores desired where the place holds expected, and is the old value.
func (b *Builder) AtomicCAS(place, expected, desired Expr) Expr {
	if b.first != nil {
		return -1
	}
	return Expr(b.handle(C.qd_builder_atomic_cas(b.c, C.qd_expr(place), C.qd_expr(expected), C.qd_expr(desired), b.e)))
}
