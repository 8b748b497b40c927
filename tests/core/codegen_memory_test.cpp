// Memory: scalars of every type through arrays, arguments and locals; aggregates; atomics.
#include <cmath>
#include <thread>

#include "core/ir/error.h"
#include "tests/core/codegen_columns.h"

namespace qd::codegen_test {
namespace {

template <class E>
Stmt* field(TestKernel& k, E& e, Stmt* base, const Type* type, int64_t offset, Stmt* index = nullptr,
            int64_t stride = 0) {
  std::vector<Stmt*> operands{base};
  if (index != nullptr) operands.push_back(index);
  auto* stmt = e.template emit<OffsetPtrStmt>(k.ir.types.pointer_to(type), std::move(operands));
  stmt->offset = offset;
  stmt->stride = stride;
  return stmt;
}

// out[i] = argument, for one scalar type.
template <class T>
void test_scalar(T value) {
  TestKernel k;
  const int32_t out = k.param(type_of<T>(), 1), arg = k.param(type_of<T>());
  OffloadedStmt* task = k.task_over(out);
  Emitter e = k.in(task);
  Stmt* local = e.alloca_of(type_of<T>());
  e.store(local, e.arg_load(arg, type_of<T>()));
  e.store(k.element(e, out, {e.loop_index(task, 0)}), e.load(local));
  k.compile();
  std::array<T, 5> data{};
  k.set_array(out, data.data(), {4});
  k.set(arg, value);
  k.run();
  EXPECT_EQ(data, (std::array<T, 5>{value, value, value, value, T{}})) << to_string(type_of<T>());
}

TEST(CodegenMemory, ScalarsOfEveryType) {
  test_scalar<bool>(true);
  test_scalar<int8_t>(-3);
  test_scalar<int16_t>(-30000);
  test_scalar<int32_t>(-2000000000);
  test_scalar<int64_t>(-9000000000000000000);
  test_scalar<uint8_t>(200);
  test_scalar<uint16_t>(60000);
  test_scalar<uint32_t>(4000000000);
  test_scalar<uint64_t>(18000000000000000000u);
  test_scalar<float>(1.25f);
  test_scalar<double>(-1e300);
}

struct Particle {
  float position[3];
  int8_t kind;
  int64_t id;
  bool operator==(const Particle&) const = default;
};

const Type* particle_type(TestKernel& k) {
  const Type* position = k.ir.types.array_of(f32(), 3);
  return k.ir.types.structure({{position, 0}, {scalar_type(Primitive::i8), 12}, {i64(), 16}}, sizeof(Particle),
                              alignof(Particle));
}

// Fields of an argument by value and of array elements; a local copy; an index into a field.
TEST(CodegenMemory, Structures) {
  TestKernel k;
  const Type* particle = particle_type(k);
  const int32_t array = k.param(particle, 1), start = k.param(particle);
  OffloadedStmt* task = k.task_over(array);
  Emitter e = k.in(task);
  Stmt* i = e.loop_index(task, 0);
  auto* place = e.emit<ArgPlaceStmt>(k.ir.types.pointer_to(particle));
  place->param = start;
  Stmt* local = e.alloca_of(particle);
  e.copy(local, place);
  e.store(field(k, e, local, i64(), 16), i);
  Stmt* axis = e.binary(BinaryOp::rem, i, e.constant_int(i64(), 3));
  Stmt* coordinate = field(k, e, local, f32(), 0, axis, 4);
  e.store(coordinate, e.binary(BinaryOp::add, e.load(coordinate), e.constant_float(f32(), 10)));
  e.copy(k.element(e, array, {i}), local);
  k.compile();
  std::vector<Particle> data(7);
  const Particle first{{1, 2, 3}, -5, 99};
  k.set_array(array, data);
  k.set(start, first);
  k.run(2);
  for (size_t n = 0; n < data.size(); ++n) {
    Particle want = first;
    want.id = static_cast<int64_t>(n);
    want.position[n % 3] += 10;
    EXPECT_EQ(data[n], want) << n;
  }
}

// More scalars than are copied one by one; and locals are zero each time they come to life.
TEST(CodegenMemory, LargeAggregates) {
  TestKernel k;
  const Type* block = k.ir.types.array_of(i32(), 100);
  const int32_t array = k.param(block, 1);
  OffloadedStmt* task = k.task_over(array);
  Emitter e = k.in(task);
  Stmt* i = e.loop_index(task, 0);
  Stmt* local = e.alloca_of(block);
  Stmt* cell = field(k, e, local, i32(), 0, i, 4);
  e.store(cell, e.binary(BinaryOp::add, e.load(cell), e.cast(i, i32())));
  e.copy(k.element(e, array, {i}), local);
  OffloadedStmt* clear = k.serial_task();
  Emitter c = k.in(clear);
  c.emit<ZeroStmt>(none_type(), {k.element(c, array, {c.constant_int(i64(), 2)})});
  k.compile();
  std::vector<std::array<int32_t, 100>> data(5);
  for (auto& row : data) row.fill(-1);
  k.set_array(array, data);
  k.run();
  for (size_t n = 0; n < data.size(); ++n) {
    std::array<int32_t, 100> want{};
    if (n != 2) want[n] = static_cast<int32_t>(n);
    EXPECT_EQ(data[n], want) << n;
  }
}

// ---- atomics

template <class T>
T apply(AtomicOp op, T x, T y) {
  using W = std::conditional_t<std::is_floating_point_v<T>, T, __int128>;
  switch (op) {
    case AtomicOp::add:
      return static_cast<T>(W(x) + W(y));
    case AtomicOp::sub:
      return static_cast<T>(W(x) - W(y));
    case AtomicOp::mul:
      return static_cast<T>(W(x) * W(y));
    case AtomicOp::min:
      return x < y ? x : y;
    case AtomicOp::max:
      return x > y ? x : y;
    case AtomicOp::exchange:
      return y;
    default:
      break;
  }
  if constexpr (!std::is_floating_point_v<T>) {
    switch (op) {
      case AtomicOp::bit_and:
        return static_cast<T>(x & y);
      case AtomicOp::bit_or:
        return static_cast<T>(x | y);
      case AtomicOp::bit_xor:
        return static_cast<T>(x ^ y);
      default:
        return static_cast<T>(x & ~y);
    }
  }
  return x;
}

template <class T>
class CodegenAtomic : public ::testing::Test {};
using AtomicTypes =
    ::testing::Types<int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t, float, double>;
TYPED_TEST_SUITE(CodegenAtomic, AtomicTypes);

// old[k] = atomic_k(cell[k], value), atomically and plainly: the old value and the new one.
TYPED_TEST(CodegenAtomic, EveryOperation) {
  using T = TypeParam;
  const int count = static_cast<int>(AtomicOp::count_);
  for (const bool plain : {false, true}) {
    TestKernel k;
    const int32_t cells = k.param(type_of<T>(), 1), olds = k.param(type_of<T>(), 1), value = k.param(type_of<T>());
    OffloadedStmt* task = k.serial_task();
    Emitter e = k.in(task);
    std::vector<AtomicOp> ops;
    for (int n = 0; n < count; ++n) {
      const auto op = static_cast<AtomicOp>(n);
      const bool bitwise = op >= AtomicOp::bit_and && op <= AtomicOp::and_not;
      if (bitwise && std::is_floating_point_v<T>) continue;
      Stmt* at = e.constant_int(i64(), static_cast<int64_t>(ops.size()));
      auto* atomic = as<AtomicStmt>(e.atomic(op, k.element(e, cells, {at}), e.arg_load(value, type_of<T>())));
      atomic->plain = plain;
      e.store(k.element(e, olds, {at}), atomic);
      ops.push_back(op);
    }
    k.compile();
    for (auto [x, y] : {std::pair{T(100), T(7)}, std::pair{T(-3), T(5)}, std::pair{T(5), T(-3)}}) {
      std::vector<T> cell(ops.size(), x), old(ops.size()), want;
      for (AtomicOp op : ops) want.push_back(apply(op, x, y));
      k.set_array(cells, cell);
      k.set_array(olds, old);
      k.set(value, y);
      k.run();
      EXPECT_EQ(cell, want) << "plain=" << plain;
      EXPECT_EQ(old, std::vector<T>(ops.size(), x)) << "plain=" << plain;
    }
  }
}

// Every thread's contribution arrives, for the operations that are loops around a compare-exchange too.
TYPED_TEST(CodegenAtomic, NothingIsLost) {
  using T = TypeParam;
  TestKernel k;
  const int32_t cells = k.param(type_of<T>(), 1);
  OffloadedStmt* task = k.task_between({0, 2000});
  Emitter e = k.in(task);
  auto cell = [&](int64_t n) { return k.element(e, cells, {e.constant_int(i64(), n)}); };
  Stmt* index = e.cast(e.binary(BinaryOp::rem, e.loop_index(task, 0), e.constant_int(i64(), 100)), type_of<T>());
  e.atomic(AtomicOp::add, cell(0), e.constant_int(type_of<T>(), 1));
  e.atomic(AtomicOp::max, cell(1), index);
  e.atomic(AtomicOp::min, cell(2), index);
  e.atomic(AtomicOp::mul, cell(3), e.constant_int(type_of<T>(), 1));
  k.compile();
  std::vector<T> data{0, 0, 100, 3};
  k.set_array(cells, data);
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 4; ++t) threads.emplace_back([&] { k.run_chunk(0, 0, 2000); });
  }
  EXPECT_EQ(data, (std::vector<T>{static_cast<T>(8000), 99, 0, 3}));
}

TEST(CodegenMemory, AtomicMinMaxFollowGo) {
  TestKernel k;
  const int32_t cells = k.param(f32(), 1), value = k.param(f32());
  Emitter e = k.in(k.serial_task());
  e.atomic(AtomicOp::min, k.element(e, cells, {e.constant_int(i64(), 0)}), e.arg_load(value, f32()));
  e.atomic(AtomicOp::max, k.element(e, cells, {e.constant_int(i64(), 1)}), e.arg_load(value, f32()));
  k.compile();
  std::vector<float> data{0.0f, -0.0f};
  k.set_array(cells, data);
  k.set(value, -0.0f);
  k.run();
  EXPECT_TRUE(std::signbit(data[0]));
  EXPECT_TRUE(std::signbit(data[1]));
  k.set(value, 0.0f);
  k.run();
  EXPECT_FALSE(std::signbit(data[1]));
  k.set(value, NAN);
  k.run();
  EXPECT_TRUE(std::isnan(data[0]) && std::isnan(data[1]));
  k.set(value, 1.0f);
  k.run();
  EXPECT_TRUE(std::isnan(data[0]) && std::isnan(data[1]));
}

TEST(CodegenMemory, BooleanAndHalfAtomics) {
  TestKernel k;
  const Type* half = scalar_type(Primitive::f16);
  const int32_t flags = k.param(u1(), 1), halves = k.param(half, 1);
  Emitter e = k.in(k.serial_task());
  auto flag = [&](int64_t n) { return k.element(e, flags, {e.constant_int(i64(), n)}); };
  e.atomic(AtomicOp::bit_or, flag(0), e.constant_bool(true));
  e.atomic(AtomicOp::bit_and, flag(1), e.constant_bool(false));
  e.atomic(AtomicOp::bit_xor, flag(2), e.constant_bool(true));
  e.atomic(AtomicOp::and_not, flag(3), e.constant_bool(false));
  e.store(flag(4), e.atomic(AtomicOp::exchange, flag(5), e.constant_bool(false)));
  auto cell = [&](int64_t n) { return k.element(e, halves, {e.constant_int(i64(), n)}); };
  e.atomic(AtomicOp::add, cell(0), e.constant_float(half, 0.5));
  e.atomic(AtomicOp::max, cell(1), e.constant_float(half, 0.5));
  e.atomic(AtomicOp::exchange, cell(2), e.constant_float(half, 0.5));
  k.compile();
  std::array<bool, 6> f{false, true, true, true, false, true};
  std::array<uint16_t, 3> h{0x3c00, 0x3c00, 0x3c00};  // 1
  k.set_array(flags, f.data(), {6});
  k.set_array(halves, h.data(), {3});
  k.run();
  EXPECT_EQ(f, (std::array<bool, 6>{true, false, false, true, true, false}));
  EXPECT_EQ(h, (std::array<uint16_t, 3>{0x3e00, 0x3c00, 0x3800}));
}

TEST(CodegenMemory, CompareAndSwap) {
  TestKernel k;
  const int32_t ints = k.param(i32(), 1), floats = k.param(f32(), 1);
  Emitter e = k.in(k.serial_task());
  auto swap = [&](int32_t array, int64_t at, const Type* type, double expected, double desired, int64_t out) {
    Stmt* target = k.element(e, array, {e.constant_int(i64(), at)});
    Stmt* old = e.emit<AtomicCasStmt>(
        type, {target, type->is_float() ? e.constant_float(type, expected) : e.constant_int(type, int64_t(expected)),
               type->is_float() ? e.constant_float(type, desired) : e.constant_int(type, int64_t(desired))});
    e.store(k.element(e, array, {e.constant_int(i64(), out)}), old);
  };
  swap(ints, 0, i32(), 5, 6, 2);
  swap(ints, 1, i32(), 4, 6, 3);
  swap(floats, 0, f32(), 1.5, 2.5, 2);
  swap(floats, 1, f32(), 0.0, 2.5, 3);  // the cell holds -0: other bits
  k.compile();
  std::vector<int32_t> a{5, 5, 0, 0};
  std::vector<float> b{1.5f, -0.0f, 0, 7};
  k.set_array(ints, a);
  k.set_array(floats, b);
  k.run();
  EXPECT_EQ(a, (std::vector<int32_t>{6, 5, 5, 5}));
  EXPECT_EQ(b[0], 2.5f);
  EXPECT_TRUE(std::signbit(b[1]));
  EXPECT_EQ(b[2], 1.5f);
  EXPECT_TRUE(b[3] == 0 && std::signbit(b[3]));
}

// Temporaries lie behind the arguments, at their offset.
TEST(CodegenMemory, TemporariesCrossTasks) {
  TestKernel k;
  const int32_t out = k.param(i64(), 1), n = k.param(i64());
  Emitter first = k.in(k.serial_task());
  first.store(k.temp(first, i64(), 8),
              first.binary(BinaryOp::mul, first.arg_load(n, i64()), first.constant_int(i64(), 2)));
  OffloadedStmt* task = k.range_task(1);
  Emitter bounds = k.in(task, offloaded_block::bounds);
  task->operands = {bounds.constant_int(i64(), 1), bounds.load(k.temp(bounds, i64(), 8))};
  Emitter e = k.in(task);
  e.store(k.element(e, out, {e.loop_index(task, 0)}), e.load(k.temp(e, i64(), 8)));
  k.compile();
  std::vector<int64_t> data(6);
  k.set_array(out, data);
  k.set(n, int64_t{2});
  k.run();
  EXPECT_EQ(k.bounds(1), (std::vector<int64_t>{1, 4}));
  EXPECT_EQ(data, (std::vector<int64_t>{0, 4, 4, 4, 0, 0}));
}

// A stack overflow would end the process.
TEST(CodegenMemory, LocalsAreLimited) {
  for (const int64_t size : {1000, 2000}) {
    TestKernel k;
    Emitter e = k.in(k.serial_task());
    e.alloca_of(k.ir.types.array_of(i64(), size * 100));
    if (size == 1000) {
      k.compile();
      k.run();
      continue;
    }
    try {
      k.compile();
      FAIL() << "1.6 MB of locals were accepted";
    } catch (const Error& error) {
      EXPECT_EQ(error.code, Code::compile);
    }
  }
}

// Each chunk computes the bounds anew, so a task that changed them would run the wrong iterations.
TEST(CodegenMemory, TaskMayNotWriteItsBounds) {
  TestKernel k;
  OffloadedStmt* task = k.range_task(1);
  Emitter bounds = k.in(task, offloaded_block::bounds);
  task->operands = {bounds.constant_int(i64(), 0), bounds.load(k.temp(bounds, i64(), 0))};
  Emitter e = k.in(task);
  e.atomic(AtomicOp::add, k.temp(e, i64(), 0), e.constant_int(i64(), 1));
  EXPECT_THROW(k.compile(), Error);
}

}  // namespace
}  // namespace qd::codegen_test
