// The enumerations of the C ABI against those of the core, which they are cast to.
#include "capi/qd.h"
#include "core/ir/error.h"
#include "core/ir/ops.h"
#include "core/ir/stmt.h"
#include "core/runtime/launch_block.h"

namespace qd {
namespace {

template <class C, class Core>
constexpr bool same(C a, Core b) {
  return static_cast<int32_t>(a) == static_cast<int32_t>(b);
}

static_assert(same(QD_F64, Primitive::f64) && same(QD_U1, Primitive::u1) && same(QD_U8, Primitive::u8));
static_assert(QD_REVERSE_BYTES + 1 == static_cast<int32_t>(UnaryOp::count_) && same(QD_IS_NAN, UnaryOp::is_nan));
static_assert(same(QD_SQRT, UnaryOp::sqrt) && same(QD_EXP, UnaryOp::exp) && same(QD_POPCOUNT, UnaryOp::popcount));
static_assert(QD_MUL_HIGH + 1 == static_cast<int32_t>(BinaryOp::count_) && same(QD_EQ, BinaryOp::eq));
static_assert(same(QD_AND, BinaryOp::bit_and) && same(QD_MIN, BinaryOp::min) && same(QD_POW, BinaryOp::pow));
static_assert(QD_ATOMIC_EXCHANGE + 1 == static_cast<int32_t>(AtomicOp::count_) &&
              same(QD_ATOMIC_AND, AtomicOp::bit_and));
static_assert(same(QD_CAST_ROUND, CastOp::round));
static_assert(same(QD_CHECK_INDEX, CheckKind::index) && same(QD_CHECK_SLICE, CheckKind::slice));
static_assert(same(QD_CHECK_NONZERO, CheckKind::nonzero) && same(QD_CHECK_SHIFT, CheckKind::shift));
static_assert(same(QD_CHECK_LENGTH, CheckKind::length) && same(QD_CHECK_ASSERTION, CheckKind::assertion));
static_assert(same(QD_INVALID, Code::invalid) && same(QD_COMPILE, Code::compile) && same(QD_KERNEL, Code::kernel));
static_assert(same(QD_OUT_OF_MEMORY, Code::out_of_memory) && same(QD_NO_DEVICE, Code::no_device));
static_assert(same(QD_DEVICE_LOST, Code::device_lost) && same(QD_CLOSED, Code::closed));
static_assert(same(QD_UNSUPPORTED, Code::unsupported) && same(QD_INTERNAL, Code::internal));
static_assert(QD_MAX_VALUES == kMaxCheckValues);

}  // namespace
}  // namespace qd
