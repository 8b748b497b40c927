// Random numbers are the documented function of seed, launch, task, iteration, call and sequence.
#include <array>
#include <cmath>

#include "tests/core/codegen_kernel.h"

namespace qd::codegen_test {
namespace {

using Words = std::array<uint32_t, 4>;

Words philox(Words c, uint32_t k0, uint32_t k1) {
  for (int round = 0; round < 10; ++round) {
    const uint64_t p0 = uint64_t{0xd2511f53} * c[0], p1 = uint64_t{0xcd9e8d57} * c[2];
    c = {static_cast<uint32_t>(p1 >> 32) ^ c[1] ^ k0, static_cast<uint32_t>(p1),
         static_cast<uint32_t>(p0 >> 32) ^ c[3] ^ k1, static_cast<uint32_t>(p0)};
    k0 += 0x9e3779b9;
    k1 += 0xbb67ae85;
  }
  return c;
}

uint64_t mix(uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

uint64_t draw(uint64_t seed, uint64_t launch, uint64_t task, uint64_t iteration, uint32_t calls, uint32_t sequence) {
  const uint64_t key = mix(mix(mix(seed) ^ launch) ^ task);
  const Words w = philox({static_cast<uint32_t>(iteration), static_cast<uint32_t>(iteration >> 32), calls, sequence},
                         static_cast<uint32_t>(key), static_cast<uint32_t>(key >> 32));
  return uint64_t{w[1]} << 32 | w[0];
}

// The reference above against the known answers of the authors' Random123 (kat_vectors).
TEST(CodegenRandom, ReferenceIsPhilox) {
  EXPECT_EQ(philox({0, 0, 0, 0}, 0, 0), (Words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(philox({0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}, 0xffffffff, 0xffffffff),
            (Words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
}

Stmt* random(Emitter& e, const Type* type, int32_t sequence) {
  auto* stmt = e.emit<RandomStmt>(type);
  stmt->sequence = sequence;
  return stmt;
}

// A 2-D task after a serial one; three draws an iteration, one of them in a serial loop.
TEST(CodegenRandom, SameNumbersForEveryChunking) {
  constexpr int64_t kRows = 5, kColumns = 7;
  TestKernel k;
  const int32_t out = k.param(type_of<uint64_t>(), 3), first = k.param(type_of<uint64_t>(), 1);
  Emitter serial = k.in(k.serial_task());
  for (int64_t n = 0; n < 2; ++n) {
    serial.store(k.element(serial, first, {serial.constant_int(i64(), n)}), random(serial, type_of<uint64_t>(), 9));
  }
  OffloadedStmt* task = k.task_between({-2, kRows - 2, 0, kColumns});
  Emitter e = k.in(task);
  Stmt* row = e.binary(BinaryOp::add, e.loop_index(task, 0), e.constant_int(i64(), 2));
  Stmt* column = e.loop_index(task, 1);
  auto store = [&](Emitter& at, Stmt* n, int32_t sequence) {
    at.store(k.element(at, out, {row, column, n}), random(at, type_of<uint64_t>(), sequence));
  };
  store(e, e.constant_int(i64(), 0), 0);
  auto* loop = e.emit<RangeForStmt>(none_type(), {e.constant_int(i64(), 1), e.constant_int(i64(), 3)}, 1);
  Emitter inner(k.ir.types, loop->blocks[0].get());
  store(inner, inner.loop_index(loop, 0), 1);
  k.compile();
  k.header().seed = 12345;
  k.header().launch = 77;
  std::vector<uint64_t> want;
  for (uint64_t i = 0; i < kRows * kColumns; ++i) {
    want.insert(want.end(), {draw(12345, 77, 1, i, 0, 0), draw(12345, 77, 1, i, 1, 1), draw(12345, 77, 1, i, 2, 1)});
  }
  for (int64_t chunk : {0, 1, 4, 9}) {
    std::vector<uint64_t> got(want.size()), start(2);
    k.set_array(out, got.data(), {kRows, kColumns, 3});
    k.set_array(first, start);
    k.run(chunk);
    EXPECT_EQ(got, want) << "chunk " << chunk;
    EXPECT_EQ(start, (std::vector<uint64_t>{draw(12345, 77, 0, 0, 0, 9), draw(12345, 77, 0, 0, 1, 9)}));
  }
}

template <class T>
std::vector<T> draw_many(int64_t count, uint64_t seed) {
  TestKernel k;
  const int32_t out = k.param(type_of<T>(), 1);
  OffloadedStmt* task = k.task_over(out);
  Emitter e = k.in(task);
  e.store(k.element(e, out, {e.loop_index(task, 0)}), random(e, type_of<T>(), 0));
  k.compile();
  k.header().seed = seed;
  std::vector<T> data(static_cast<size_t>(count));
  k.set_array(out, data);
  k.run();
  return data;
}

template <class T>
void test_floats(int digits) {
  constexpr int64_t kCount = 200000;
  const std::vector<T> data = draw_many<T>(kCount, 1);
  double sum = 0, squares = 0;
  for (size_t i = 0; i < data.size(); ++i) {
    ASSERT_GE(data[i], T(0));
    ASSERT_LT(data[i], T(1));
    const uint64_t bits = draw(1, 0, 0, i, 0, 0);
    const uint64_t top = digits == 24 ? (bits & 0xffffffff) >> 8 : bits >> 11;
    ASSERT_EQ(data[i], static_cast<T>(std::ldexp(static_cast<double>(top), -digits)));
    sum += data[i];
    squares += data[i] * data[i];
  }
  const double mean = sum / kCount, variance = squares / kCount - mean * mean;
  EXPECT_NEAR(mean, 0.5, 0.005);
  EXPECT_NEAR(variance, 1.0 / 12, 0.002);
}
TEST(CodegenRandom, Float32) { test_floats<float>(24); }
TEST(CodegenRandom, Float64) { test_floats<double>(53); }

TEST(CodegenRandom, IntegersCoverTheirRange) {
  std::array<bool, 256> seen{};
  for (uint8_t v : draw_many<uint8_t>(10000, 3)) seen[v] = true;
  for (bool s : seen) EXPECT_TRUE(s);
  EXPECT_NE(draw_many<int32_t>(10, 3), draw_many<int32_t>(10, 4));
}

}  // namespace
}  // namespace qd::codegen_test
