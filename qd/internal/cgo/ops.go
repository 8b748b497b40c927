package cgo

// #include "capi/qd.h"
import "C"

// Handles of a Builder: small integers, valid for that builder alone; -1 after a failure.
type (
	Expr  int32
	Type  int32
	Param int32
	Label int32
)

// The primitive types. Composite types are made by Builder.ArrayType and Builder.StructType.
const (
	None = Type(C.QD_NONE)
	U1   = Type(C.QD_U1)
	I8   = Type(C.QD_I8)
	I16  = Type(C.QD_I16)
	I32  = Type(C.QD_I32)
	I64  = Type(C.QD_I64)
	U8   = Type(C.QD_U8)
	U16  = Type(C.QD_U16)
	U32  = Type(C.QD_U32)
	U64  = Type(C.QD_U64)
	F16  = Type(C.QD_F16)
	F32  = Type(C.QD_F32)
	F64  = Type(C.QD_F64)
)

// UnaryOp is an operation on one value.
type UnaryOp int32

// The unary operations; IsNaN and IsInf yield u1, all others their operand's type.
const (
	Neg          = UnaryOp(C.QD_NEG)
	BitNot       = UnaryOp(C.QD_BIT_NOT)
	LogicNot     = UnaryOp(C.QD_LOGIC_NOT)
	Abs          = UnaryOp(C.QD_ABS)
	Sgn          = UnaryOp(C.QD_SGN)
	Sqrt         = UnaryOp(C.QD_SQRT)
	Rsqrt        = UnaryOp(C.QD_RSQRT)
	Sin          = UnaryOp(C.QD_SIN)
	Cos          = UnaryOp(C.QD_COS)
	Tan          = UnaryOp(C.QD_TAN)
	Asin         = UnaryOp(C.QD_ASIN)
	Acos         = UnaryOp(C.QD_ACOS)
	Atan         = UnaryOp(C.QD_ATAN)
	Sinh         = UnaryOp(C.QD_SINH)
	Cosh         = UnaryOp(C.QD_COSH)
	Tanh         = UnaryOp(C.QD_TANH)
	Exp          = UnaryOp(C.QD_EXP)
	Exp2         = UnaryOp(C.QD_EXP2)
	Log          = UnaryOp(C.QD_LOG)
	Log2         = UnaryOp(C.QD_LOG2)
	Log10        = UnaryOp(C.QD_LOG10)
	Expm1        = UnaryOp(C.QD_EXPM1)
	Log1p        = UnaryOp(C.QD_LOG1P)
	Cbrt         = UnaryOp(C.QD_CBRT)
	Floor        = UnaryOp(C.QD_FLOOR)
	Ceil         = UnaryOp(C.QD_CEIL)
	Trunc        = UnaryOp(C.QD_TRUNC)
	Round        = UnaryOp(C.QD_ROUND)
	RoundEven    = UnaryOp(C.QD_ROUND_EVEN)
	IsNaN        = UnaryOp(C.QD_IS_NAN)
	IsInf        = UnaryOp(C.QD_IS_INF)
	Popcount     = UnaryOp(C.QD_POPCOUNT)
	CLZ          = UnaryOp(C.QD_CLZ)
	CTZ          = UnaryOp(C.QD_CTZ)
	ReverseBits  = UnaryOp(C.QD_REVERSE_BITS)
	ReverseBytes = UnaryOp(C.QD_REVERSE_BYTES)
)

// BinaryOp is an operation on two values of one type (a shift's count may be of any integer type).
type BinaryOp int32

// The binary operations; comparisons and LogicAnd, LogicOr yield u1.
const (
	Add      = BinaryOp(C.QD_ADD)
	Sub      = BinaryOp(C.QD_SUB)
	Mul      = BinaryOp(C.QD_MUL)
	Div      = BinaryOp(C.QD_DIV)
	Rem      = BinaryOp(C.QD_REM)
	And      = BinaryOp(C.QD_AND)
	Or       = BinaryOp(C.QD_OR)
	Xor      = BinaryOp(C.QD_XOR)
	AndNot   = BinaryOp(C.QD_AND_NOT)
	Shl      = BinaryOp(C.QD_SHL)
	Shr      = BinaryOp(C.QD_SHR)
	Eq       = BinaryOp(C.QD_EQ)
	Ne       = BinaryOp(C.QD_NE)
	Lt       = BinaryOp(C.QD_LT)
	Le       = BinaryOp(C.QD_LE)
	Gt       = BinaryOp(C.QD_GT)
	Ge       = BinaryOp(C.QD_GE)
	LogicAnd = BinaryOp(C.QD_LOGIC_AND)
	LogicOr  = BinaryOp(C.QD_LOGIC_OR)
	Min      = BinaryOp(C.QD_MIN)
	Max      = BinaryOp(C.QD_MAX)
	Pow      = BinaryOp(C.QD_POW)
	Atan2    = BinaryOp(C.QD_ATAN2)
	Hypot    = BinaryOp(C.QD_HYPOT)
	Mod      = BinaryOp(C.QD_MOD)
	FloorDiv = BinaryOp(C.QD_FLOOR_DIV)
	FloorMod = BinaryOp(C.QD_FLOOR_MOD)
	Copysign = BinaryOp(C.QD_COPYSIGN)
	MulHigh  = BinaryOp(C.QD_MUL_HIGH)
)

// CastOp is a kind of conversion.
type CastOp int32

// The conversions.
const (
	CastValue = CastOp(C.QD_CAST_VALUE) // Go's; float to integer saturates; to u1: not equal to 0
	CastBits  = CastOp(C.QD_CAST_BITS)  // same width
	CastRound = CastOp(C.QD_CAST_ROUND) // float to its own type: keeps it from fusing into a multiply-add
)

// AtomicOp is an atomic read-modify-write.
type AtomicOp int32

// The atomic operations.
const (
	AtomicAdd      = AtomicOp(C.QD_ATOMIC_ADD)
	AtomicSub      = AtomicOp(C.QD_ATOMIC_SUB)
	AtomicMul      = AtomicOp(C.QD_ATOMIC_MUL)
	AtomicMin      = AtomicOp(C.QD_ATOMIC_MIN)
	AtomicMax      = AtomicOp(C.QD_ATOMIC_MAX)
	AtomicAnd      = AtomicOp(C.QD_ATOMIC_AND)
	AtomicOr       = AtomicOp(C.QD_ATOMIC_OR)
	AtomicXor      = AtomicOp(C.QD_ATOMIC_XOR)
	AtomicAndNot   = AtomicOp(C.QD_ATOMIC_AND_NOT)
	AtomicExchange = AtomicOp(C.QD_ATOMIC_EXCHANGE)
)
